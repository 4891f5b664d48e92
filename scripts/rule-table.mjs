/*
 * Writes the table of rules into docs/operations.md: each rule of the reliability requirements, the tests that name it, and how they
 * ended in the given reports.
 *
 *   node scripts/rule-table.mjs REPORT...
 *
 * A report is Jest's (npm test -- --json --outputFile=FILE) or that of the fault tests (npm run test:faults -- --json FILE).
 */
import { readFileSync } from 'node:fs';
import { fillPage } from './fill-page.mjs';

const sections = { G: 7, A: 14, W: 13, F: 18, R: 6, O: 5 };
const ids = Object.entries(sections).flatMap(([letter, last]) =>
  Array.from({ length: last }, (_, index) => `${letter}${index + 1}`),
);

/** The rules that a title names: `W3: …`, `F6, W13: …`. */
const named = (title) =>
  [...title.matchAll(/((?:[A-Z]\d{1,2}, )*[A-Z]\d{1,2}):/g)].flatMap((match) => match[1].split(', '));

/** A file of the tests, wherever the checkout lies in which it ran. */
const fileOf = (path) => path.replace(/^.*?\/(?=(?:src|test)\/)/, '');

/** Rule id -> where -> test -> how it ended, in whichever report: failed once is failed, and what one engine skips another may pass. */
const found = new Map(ids.map((id) => [id, new Map()]));
const worse = ['skipped', 'passed', 'failed'];
function note(id, where, test, result) {
  const places = found.get(id);
  if (places === undefined) return;
  const tests = places.get(where) ?? new Map();
  const before = tests.get(test) ?? result;
  tests.set(test, worse.indexOf(result) > worse.indexOf(before) ? result : before);
  places.set(where, tests);
}

for (const path of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  if (Array.isArray(report.testResults)) {
    for (const file of report.testResults) {
      for (const test of file.assertionResults) {
        const result = test.status === 'passed' ? 'passed' : test.status === 'failed' ? 'failed' : 'skipped';
        for (const id of new Set(named(test.fullName))) note(id, fileOf(file.name), test.fullName, result);
      }
    }
  } else {
    for (const rule of report.outcomes ?? report.rules ?? report) {
      const result = { pass: 'passed', fail: 'failed', skipped: 'skipped' }[rule.result];
      // F9D is what F9 is on another database.
      note(rule.id.replace(/^([A-Z])0?(\d+).*/, '$1$2'), 'test/faults', rule.id, result);
    }
  }
}

const countOf = (tests, wanted) => [...tests.values()].filter((result) => result === wanted).length;
const cell = (tests) => {
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((result) => countOf(tests, result));
  return [
    `${passed} passed`,
    failed > 0 ? `**${failed} failed**` : '',
    skipped > 0 ? `${skipped} skipped` : '',
  ]
    .filter((text) => text !== '' && text !== '0 passed')
    .join(', ');
};
const lines = ['| rule | test | last run |', '|---|---|---|'];
for (const [id, places] of found) {
  const rows = [...places].sort(([one], [other]) => (one < other ? -1 : 1));
  if (rows.length === 0) lines.push(`| ${id} | none | |`);
  rows.forEach(([where, counts], index) =>
    lines.push(`| ${index === 0 ? id : ''} | \`${where}\` | ${cell(counts)} |`),
  );
}

fillPage('operations.md', 'rules', lines.join('\n'));
const missing = [...found].filter(([, places]) => places.size === 0).map(([id]) => id);
console.log(missing.length === 0 ? 'Every rule has a test.' : `No test names ${missing.join(', ')}.`);
