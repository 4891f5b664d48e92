// Prints the files of the tests that ran into a time limit, for a repeat. Exits with 1, and prints
// nothing, if any test failed for another reason.
import { readResults } from './reports.mjs';

const failed = readResults(process.argv[2]).filter(({ result }) => result === 'failed');
if (failed.length > 0 && failed.every(({ timedOut }) => timedOut))
  console.log([...new Set(failed.map(({ file }) => file))].join('\n'));
else process.exitCode = 1;
