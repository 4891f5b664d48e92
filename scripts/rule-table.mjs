/*
 * Writes the table of docs/rules.md: each rule, the tests that name it, and their results in the
 * given reports.
 *
 *   node scripts/rule-table.mjs REPORT...
 *
 * A report is Jest's (npm test -- --json --outputFile=FILE) or that of the fault tests (npm run
 * test:faults -- --json FILE).
 */
import { readFileSync } from 'node:fs';
import { fillPage } from './fill-page.mjs';

const sections = { G: 7, A: 14, W: 13, F: 19, R: 6, H: 7, O: 5 };
/** Fault tests of what no numbered rule says. */
const unnumbered = ['LOAD', 'METRICS', 'NGINX'];
const ids = [
  ...Object.entries(sections).flatMap(([letter, last]) =>
    Array.from({ length: last }, (_, index) => `${letter}${index + 1}`),
  ),
  ...unnumbered,
];

const id = '[A-Z]\\d{1,2}';
const idList = new RegExp(`(?<=^|\\s|\\s\\()${id}(?:(?:, | and | to )${id})*(?=[:)])`, 'g');

/** The rules that a title names: `W3: …`, `F6, W13: …`, `… (R2)`, `R3 to R5: …`. */
const named = (title) =>
  [...title.matchAll(idList)].flatMap(([list]) =>
    list.split(/, | and /).flatMap((part) => {
      const [first, last = first] = part.split(' to ');
      return ids.slice(ids.indexOf(first), ids.indexOf(last) + 1);
    }),
  );

/** The path of a test file in the repository, wherever the checkout was. */
const fileOf = (path) => path.replace(/^.*?\/(?=(?:src|test)\/)/, '');

/**
 * Rule id -> test file -> test -> result over all reports: a test that failed once has failed, and
 * a test that one engine skips may have passed on another.
 */
const found = new Map(ids.map((id) => [id, new Map()]));
const worse = ['skipped', 'passed', 'failed'];
function record(id, file, test, result) {
  const files = found.get(id);
  if (files === undefined) return;
  const tests = files.get(file) ?? new Map();
  const before = tests.get(test) ?? result;
  tests.set(test, worse.indexOf(result) > worse.indexOf(before) ? result : before);
  files.set(file, tests);
}

for (const path of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  if (Array.isArray(report.testResults)) {
    for (const file of report.testResults) {
      for (const test of file.assertionResults) {
        const result = test.status === 'passed' ? 'passed' : test.status === 'failed' ? 'failed' : 'skipped';
        for (const id of new Set(named(test.fullName))) record(id, fileOf(file.name), test.fullName, result);
      }
    }
  } else {
    for (const rule of report.outcomes ?? report.rules ?? report) {
      const result = { pass: 'passed', fail: 'failed', skipped: 'skipped' }[rule.result];
      // F9D is rule F9 on another database.
      record(rule.id.replace(/^([A-Z])0?(\d+).*/, '$1$2'), 'test/faults', rule.id, result);
    }
  }
}

const countOf = (tests, counted) => [...tests.values()].filter((result) => result === counted).length;
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
for (const [id, files] of found) {
  const rows = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  if (rows.length === 0) lines.push(`| ${id} | none | |`);
  rows.forEach(([file, tests], index) =>
    lines.push(`| ${index === 0 ? id : ''} | \`${file}\` | ${cell(tests)} |`),
  );
}

fillPage('rules.md', 'results', lines.join('\n'));
const missing = [...found].filter(([, files]) => files.size === 0).map(([id]) => id);
console.log(missing.length === 0 ? 'Every rule has a test.' : `No test names ${missing.join(', ')}.`);
