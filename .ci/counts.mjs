// Adds up the counts of Jest's JSON reports and of the fault tests' report, and prints them in one
// line. If NAME-again.json exists for NAME.json, its results of the failed tests count instead.
import { existsSync, readFileSync } from 'node:fs';

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const failures = ({ numFailedTests = 0, numRuntimeErrorTestSuites = 0 }) =>
  numFailedTests + numRuntimeErrorTestSuites;

const counts = { passed: 0, failed: 0, skipped: 0 };
for (const path of process.argv.slice(2)) {
  const report = read(path);
  const rerun = path.replace(/\.json$/, '-again.json');
  const countRules = (result) => (report.outcomes ?? []).filter((rule) => rule.result === result).length;
  const first = failures(report);
  const failed = existsSync(rerun) ? failures(read(rerun)) : first;
  counts.passed += (report.numPassedTests ?? 0) + (first - failed) + countRules('pass');
  counts.failed += failed + countRules('fail');
  counts.skipped += (report.numPendingTests ?? 0) + countRules('skipped');
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
