// Adds up the counts of Jest's JSON reports and of the fault tests' report, and prints them in one line. Where a report NAME.json has
// a NAME-again.json beside it, the second run of what failed decides.
import { existsSync, readFileSync } from 'node:fs';

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const failures = ({ numFailedTests = 0, numRuntimeErrorTestSuites = 0 }) =>
  numFailedTests + numRuntimeErrorTestSuites;

const counts = { passed: 0, failed: 0, skipped: 0 };
for (const path of process.argv.slice(2)) {
  const report = read(path);
  const second = path.replace(/\.json$/, '-again.json');
  const ended = (result) => (report.outcomes ?? []).filter((rule) => rule.result === result).length;
  const first = failures(report);
  const failed = existsSync(second) ? failures(read(second)) : first;
  counts.passed += (report.numPassedTests ?? 0) + (first - failed) + ended('pass');
  counts.failed += failed + ended('fail');
  counts.skipped += (report.numPendingTests ?? 0) + ended('skipped');
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
