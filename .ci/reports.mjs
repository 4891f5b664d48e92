// Reads the reports of a run: Jest's (--json) and that of the fault tests.
import { readFileSync } from 'node:fs';

const TIME_LIMIT = /Exceeded timeout of \d+ ms for a (?:test|hook)/;

/**
 * The results of a report: `name`, `file` of a Jest test, `result`, and whether it failed because
 * of a time limit, which a busy machine may exceed without a defect. What failed after the time
 * limit of the same test is a consequence of it.
 */
export function readResults(path) {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  return report.outcomes === undefined ? report.testResults.flatMap(resultsOfFile) : ruleResults(report);
}

function resultsOfFile({ name: file, status, message, assertionResults }) {
  const results = assertionResults.map(({ fullName, status, failureMessages }) => ({
    name: `${file} ${fullName}`,
    file,
    result: status === 'passed' || status === 'failed' ? status : 'skipped',
    timedOut: TIME_LIMIT.test(failureMessages[0]),
  }));
  // A file can fail without a failed test: it could not be loaded, or its last hook failed.
  if (status === 'failed' && results.every(({ result }) => result !== 'failed'))
    results.push({ name: file, file, result: 'failed', timedOut: TIME_LIMIT.test(message) });
  return results;
}

/** The runner of the fault tests repeats a rule itself: `firstTry` is why the first run failed. */
function ruleResults({ outcomes }) {
  const results = { pass: 'passed', fail: 'failed', skipped: 'skipped' };
  return outcomes.map(({ id, result, firstTry }) => ({
    name: id,
    result: result === 'pass' && firstTry !== undefined ? 'flaky' : results[result],
  }));
}
