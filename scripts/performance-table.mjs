/*
 * Writes the tables of docs/performance.md from the report of a benchmark.
 *
 *   node scripts/performance-table.mjs REPORT
 *
 * A report is the file written by `npm run bench -- --json FILE`.
 */
import { readFileSync } from 'node:fs';
import { fillPage } from './fill-page.mjs';

const { date, seconds, machine, rounds, rows } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

const whole = (value) => Math.round(value).toLocaleString('en-US');
const fixed = (value, digits = 2) => value.toFixed(digits);
const table = (head, lines) =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const of = (kind) => rows.filter((row) => row.kind === kind);
const goalOf = ({ goal, goalResult }) =>
  goal === '' ? '' : `${goal.replaceAll('<=', '≤').replaceAll('>=', '≥')}: ${goalResult}`;

const comparisons = table(
  [
    'engine',
    'size',
    'scenario',
    'req/s',
    'p50 ms',
    'p99 ms',
    'CPU µs',
    'against',
    'its req/s',
    'its CPU µs',
    'ratio',
    'by CPU',
    'goal',
  ],
  of('comparison').map((row) => [
    row.engine,
    row.size,
    row.scenario,
    whole(row.ours.perSecond),
    fixed(row.ours.p50),
    fixed(row.ours.p99, 1),
    whole(row.ours.cpu),
    row.against,
    whole(row.theirs.perSecond),
    whole(row.theirs.cpu),
    fixed(row.ratio),
    fixed(row.cpuRatio),
    goalOf(row),
  ]),
);
const imports = table(
  [
    'engine',
    'file',
    'rows',
    'rows/s',
    'parsing alone',
    'inserting alone',
    'ratio to the slower',
    'without findings / with, by CPU',
    'memory MB',
    'goal',
  ],
  of('import').map((row) => [
    row.engine,
    row.file,
    whole(row.rows),
    whole(row.imported),
    whole(row.parsed),
    whole(row.inserted),
    fixed(row.ratio),
    fixed(row.findingsRatio),
    `${whole(row.memory[0])}, then ${whole(row.memory[1])}`,
    goalOf(row),
  ]),
);
const mixed = table(
  [
    'engine',
    'size',
    'delay p99 ms',
    'an idle process',
    'work per loop iteration p99',
    'short requests p50',
    'p99',
    'goal',
  ],
  of('mixed').map((row) => [
    row.engine,
    row.size,
    fixed(row.delay, 1),
    fixed(row.idleDelay, 1),
    fixed(row.turns.p99, 1),
    fixed(row.p50, 1),
    fixed(row.p99, 1),
    goalOf(row),
  ]),
);
const memory = table(
  ['engine', 'size', 'after the load, MB', 'at most', 'goal'],
  of('memory').map((row) => [row.engine, row.size, whole(row.now), whole(row.most), goalOf(row)]),
);

const cold = table(
  ['engine', 'size', 'request', 'ms', 'goal'],
  of('cold').map((row) => [row.engine, row.size, row.scenario, whole(row.milliseconds), goalOf(row)]),
);

const section = `\`npm run bench\` on ${date.slice(0, 10)}: ${machine.cores} cores, ${machine.memory}, Node ${machine.node.slice(1)}; medians of ${rounds.count} rounds of
${rounds.duration} ms for each side, ${Math.round(seconds / 60)} minutes in all.

${comparisons}

Imports, medians of five rounds:

${imports}

The event loop under mixed load, while CSVs of 500 series are sent:

${mixed}

Requests that nothing has been kept for:

${cold}

Memory of the server over the whole load:

${memory}`;

fillPage('performance.md', 'figures', section);
