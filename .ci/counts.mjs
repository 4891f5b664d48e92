// Adds up the results of Jest's JSON reports and of the fault tests' report, and prints their
// counts in the last line. NAME-again.json has the repeat of what ran into a time limit in
// NAME.json: a test that passed only there is flaky, which does not count as passed, and one that
// failed in any other way, in either run, has failed.
import { existsSync } from 'node:fs';
import { readResults } from './reports.mjs';

function resultOf(first, repeat) {
  const second = repeat?.get(first.name)?.result;
  if (second === 'failed') return 'failed';
  if (first.result !== 'failed') return first.result;
  // What failed for a file as a whole has no result of its own where it passes.
  const passedLater = second === 'passed' || (second === undefined && first.name === first.file);
  return repeat !== undefined && first.timedOut && passedLater ? 'flaky' : 'failed';
}

const counts = { passed: 0, failed: 0, skipped: 0, flaky: 0 };
for (const path of process.argv.slice(2)) {
  const again = path.replace(/\.json$/, '-again.json');
  const repeat = existsSync(again)
    ? new Map(readResults(again).map((result) => [result.name, result]))
    : undefined;
  for (const first of readResults(path)) {
    const result = resultOf(first, repeat);
    counts[result]++;
    if (result === 'flaky' || result === 'failed') console.log(`${result}: ${first.name}`);
    repeat?.delete(first.name);
  }
  // Failures of files as a whole that only the repeat had.
  for (const { name, result } of repeat?.values() ?? []) {
    if (result !== 'failed') continue;
    counts.failed++;
    console.log(`failed: ${name}`);
  }
}
const { passed, failed, skipped, flaky } = counts;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped${flaky === 0 ? '' : `, ${flaky} flaky`}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
