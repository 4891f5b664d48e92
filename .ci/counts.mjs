// Adds up the counts of Jest's JSON reports and prints them in one line.
import { readFileSync } from 'node:fs';

const counts = { passed: 0, failed: 0, skipped: 0 };
for (const path of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  counts.passed += report.numPassedTests;
  counts.failed += report.numFailedTests + report.numRuntimeErrorTestSuites;
  counts.skipped += report.numPendingTests;
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
