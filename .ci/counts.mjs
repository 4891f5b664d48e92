// Adds up the counts of Jest's JSON reports and of the fault tests' report, and prints them in one line.
import { readFileSync } from 'node:fs';

const counts = { passed: 0, failed: 0, skipped: 0 };
for (const path of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  const ended = (result) => (report.outcomes ?? []).filter((rule) => rule.result === result).length;
  counts.passed += (report.numPassedTests ?? 0) + ended('pass');
  counts.failed += (report.numFailedTests ?? 0) + (report.numRuntimeErrorTestSuites ?? 0) + ended('fail');
  counts.skipped += (report.numPendingTests ?? 0) + ended('skipped');
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
