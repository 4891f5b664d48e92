import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type Calculation,
  compareAggregates,
  compareIndicators,
  measureAggregates,
  measureNewestIndicators,
} from './analysis.js';
import { comparePricesAsOf, timeListAsOf } from './as-of.js';
import { type CountryImports, importByCountry } from './by-country.js';
import { SIZES, type DataSize } from './data.js';
import { measureImport, publishedFiles, writeCsv, type ImportFile } from './imports.js';
import { measureMixed } from './mixed.js';
import {
  dropDatabases,
  engines,
  fileBytes,
  fillDatabase,
  createDatabase,
  type Engine,
  type BenchDatabase,
} from './databases.js';
import { comparePages, PAGES, timePage } from './pages.js';
import { pinLoad, pinned, type MeasuredServer } from './processes.js';
import { comparisonHead, line, type Row, type GoalResult } from './report.js';
import { compare, type Comparison } from './rounds.js';
import { growths, listPage, scenariosOf, type Scenario } from './scenarios.js';
import { assertSameReply, httpGet, startFloor, startService, addFixedReply } from './servers.js';
import { addRevisions, WRITES, writeScenarios } from './writes.js';

/*
 *   npm run bench [-- --quick] [--json FILE] [--sizes S,L] [--engines SQLite,MariaDB] [--only TEXT]
 *                 [--by-country]
 *
 * Measures the built service against floors (the fastest servers that could send the same replies),
 * in interleaved rounds, and prints medians over the rounds. Servers run on one core, the load
 * generator on another. Runs on SQLite, and on MariaDB if TEST_DATABASE_URL names a server.
 * With --by-country, databases are filled by imports, a file for each country, and not by inserts.
 */

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string', default: join('var', 'bench.json') },
    sizes: { type: 'string' },
    engines: { type: 'string' },
    only: { type: 'string', default: '' },
    'by-country': { type: 'boolean', default: false },
  },
});
const { quick } = options;
// Many short rounds: the speed of a shared machine changes within seconds.
const rounds = quick ? { count: 5, duration: 300 } : { count: 21, duration: 400 };
const importRounds = quick ? 1 : 5;
const mixedDuration = quick ? 5000 : 20_000;
/** Series in the imported CSV of our own; all of S in a full run. */
const importedSeries = quick ? 600 : SIZES.S.series;
const sizes = (options.sizes ?? (quick ? 'S' : 'S,L'))
  .split(',')
  .map((name) => SIZES[name as keyof typeof SIZES] as DataSize);

/** Most MB of the server, by the name of the size. */
const MEMORY_GOALS: Readonly<Record<string, number>> = { S: 350, L: 450, XL: 450 };
const DELAY_GOAL = 50;
const IMPORT_GOAL = 0.5;
/** Smallest processor time of an import without findings, divided by that of one with them. */
const FINDINGS_GOAL = 0.83;
/** Most processor time of prices of a past state, times that of today's. */
const AS_OF_GOAL = 2;
/** Most milliseconds until the first list of a past state. */
const AS_OF_LIST_GOAL = 2000;

/** Most milliseconds of processor time of the newest indicators of each so many series. */
const INDICATORS_GOAL = { milliseconds: 2000, series: 10_000 };
/** Most milliseconds of work per iteration of the event loop while much is calculated. */
const ITERATION_GOAL = 10;
/** Most processor time of the indicators of a series, times that of its prices. */
const INDICATOR_GOAL = 4;
/** Most milliseconds of processor time of a page that is not cached. */
const PAGE_GOAL = 300;
/** Most processor time of the page of a series, times that of its prices. */
const SERIES_PAGE_GOAL = 5;

const rows: Row[] = [];
const isSelected = (name: string) => name.includes(options.only);

function record(row: Row): void {
  rows.push(row);
  console.log(line(row));
}

/** A filled database with the service and the floors running on it. */
interface Setup {
  engine: Engine;
  size: DataSize;
  database: BenchDatabase;
  service: MeasuredServer;
  floor: MeasuredServer;
  /** Until the indicators of all series were there, straight after the start. */
  indicators: Calculation;
}

const describeImports = ({ rows, seconds, slowest, last, cpu, memory }: CountryImports) =>
  `imported by country in ${seconds.toFixed(0)} s, ${Math.round(rows / seconds)} rows/s ` +
  `(slowest country ${Math.round(slowest)}, last ${Math.round(last)}), ${cpu.toFixed(1)} us of processor time a row, ` +
  `${Math.round(memory)} MB at most`;

async function setUp(engine: Engine, size: DataSize): Promise<Setup> {
  const database = await createDatabase(engine);
  const filled = options['by-country']
    ? describeImports(await importByCountry(database, size))
    : `filled in ${(await fillDatabase(database, size)).toFixed(0)} s`;
  const bytes = fileBytes(database);
  const perPoint = bytes === null ? '' : `, ${(bytes / size.points).toFixed(1)} bytes a point`;
  console.log(`${engine} ${size.name}: ${size.series} series, ${size.points} points, ${filled}${perPoint}`);
  const began = performance.now();
  const service = await startService(database.url);
  console.log(`ready ${((performance.now() - began) / 1000).toFixed(1)} s after the start`);
  // The service calculates them in the background, which must not be measured with other work.
  const indicators = await measureNewestIndicators(service);
  const floor = await startFloor(database.url);
  return { engine, size, database, service, floor, indicators };
}

async function tearDown({ service, floor, database }: Setup): Promise<void> {
  await Promise.all([service.stop(), floor.stop()]);
  await database.drop();
}

async function measureScenario({ engine, size, service, floor }: Setup, scenario: Scenario): Promise<void> {
  let floorNext = scenario.next;
  if (scenario.floor === 'A') {
    // The floor always sends the body, even where the service may reply with 304.
    const { path } = scenario.next();
    // The first replies may be streamed, before the cache admits the address.
    for (let each = 0; each < 2; each++) await httpGet(service.port, path);
    const reply = await httpGet(service.port, path);
    if (reply.status !== 200) throw new Error(`${path} has status ${reply.status}.`);
    const fixedPath = await addFixedReply(floor, scenario.name.replaceAll(/\W+/g, '-'), reply);
    floorNext = () => ({ path: fixedPath });
  } else if (scenario.next().method === undefined) {
    for (let each = 0; each < 3; each++) await assertSameReply(service, floor, scenario.next());
  }
  const comparison = await compare(
    { server: service, next: scenario.next },
    { server: floor, next: floorNext },
    scenario.connections,
    { ...rounds, warmUp: scenario.warmUp },
  );
  const row = {
    kind: 'comparison',
    engine,
    size: size.name,
    scenario: scenario.name,
    against: `floor ${scenario.floor}`,
    ...comparison,
  } as const;
  record({ ...row, ...judge(scenario, comparison) });
  if (scenario.p99Goal !== undefined) {
    const { theirs, p99Ratio } = comparison;
    const name = `p99 of ${theirs.p99.toFixed(1)} ms`;
    record({ ...row, scenario: `${scenario.name}: p99`, ...judgeRatio(name, scenario.p99Goal, p99Ratio) });
  }
}

/** A goal for the ratio of two times as text, and whether the measured ratio reaches it. */
const judgeRatio = (name: string, goal: number, ratio: number) =>
  ({
    goal: `<= ${goal} times the ${name}: ${ratio.toFixed(2)}`,
    goalResult: ratio <= goal ? 'reached' : 'NOT reached',
  }) as const;

/** The goal of a scenario as text, and whether a comparison reaches it. */
function judge(
  { goal, cpuMargin = Infinity, cpuGoal = Infinity }: Scenario,
  { ratio, cpuRatio, ours, theirs }: Comparison,
): { goal: string; goalResult: GoalResult } {
  const most = Math.min(cpuGoal, theirs.cpu + cpuMargin);
  const text = [
    ...(goal === null ? [] : [`>= ${goal}`]),
    ...(cpuMargin === Infinity ? [] : [`CPU <= +${cpuMargin} us`]),
    ...(cpuGoal === Infinity ? [] : [`CPU <= ${cpuGoal} us`]),
  ].join(', ');
  if (text === '') return { goal: text, goalResult: null };
  if (ours.cpu > most) return { goal: text, goalResult: 'NOT reached' };
  if (goal === null || ratio >= goal) return { goal: text, goalResult: 'reached' };
  return { goal: text, goalResult: cpuRatio >= goal ? 'reached by CPU' : 'NOT reached' };
}

/** The cost of the access log: the same page from a service that writes one. */
async function measureAccessLog({ engine, size, database, service }: Setup): Promise<void> {
  const logging = await startService(database.url, true);
  await httpGet(logging.port, listPage);
  const next = () => ({ path: listPage });
  const comparison = await compare({ server: logging, next }, { server: service, next }, 32, rounds);
  await logging.stop();
  record({
    kind: 'comparison',
    engine,
    size: size.name,
    scenario: 'repeated list page with the access log on',
    against: 'log off',
    goal: '',
    goalResult: null,
    ...comparison,
  });
}

/** Reads of past states. */
async function measureAsOf({ engine, size, service }: Setup): Promise<void> {
  await addRevisions(service, size);
  const milliseconds = await timeListAsOf(service);
  record({
    kind: 'cold',
    engine,
    size: size.name,
    scenario: 'first list as of a past revision',
    milliseconds,
    goal: `<= ${AS_OF_LIST_GOAL} ms`,
    goalResult: milliseconds <= AS_OF_LIST_GOAL ? 'reached' : 'NOT reached',
  });
  const comparison = await comparePricesAsOf(service, size, rounds);
  record({
    kind: 'comparison',
    engine,
    size: size.name,
    scenario: 'prices of one random series as of a revision',
    against: 'today',
    ...comparison,
    ...judgeRatio('processor time', AS_OF_GOAL, comparison.ours.cpu / comparison.theirs.cpu),
  });
}

/** Two rows of a calculation: its processor time, and the work per iteration of the event loop. */
function recordCalculation(
  { engine, size }: Setup,
  scenario: string,
  { milliseconds, iterations: { p99 } }: Calculation,
  most = Infinity,
): void {
  const row = { kind: 'cold', engine, size: size.name } as const;
  record({
    ...row,
    scenario: `${scenario}, processor time`,
    milliseconds,
    ...(most === Infinity
      ? { goal: '', goalResult: null }
      : { goal: `<= ${most} ms`, goalResult: milliseconds <= most ? 'reached' : 'NOT reached' }),
  });
  record({
    ...row,
    scenario: `${scenario}, work per loop iteration p99`,
    milliseconds: p99,
    goal: `<= ${ITERATION_GOAL} ms`,
    goalResult: p99 <= ITERATION_GOAL ? 'reached' : 'NOT reached',
  });
}

/** Indicators of all series, of those that have changed, and of one. */
async function measureIndicators(setup: Setup): Promise<void> {
  const { engine, size, service } = setup;
  const most = INDICATORS_GOAL.milliseconds * Math.ceil(size.series / INDICATORS_GOAL.series);
  recordCalculation(setup, 'newest indicators, cold', setup.indicators, most);
  await addRevisions(service, size);
  const changed = await measureNewestIndicators(service);
  recordCalculation(setup, 'newest indicators after changes of one series', changed);
  const comparison = await compareIndicators(service, size, rounds);
  record({
    kind: 'comparison',
    engine,
    size: size.name,
    scenario: 'indicators of one random series',
    against: 'prices',
    ...comparison,
    ...judgeRatio('processor time', INDICATOR_GOAL, comparison.ours.cpu / comparison.theirs.cpu),
  });
}

/** Aggregates of thousands of series, and of as many as a table has. */
async function measureGroups(setup: Setup): Promise<void> {
  const { engine, size, service } = setup;
  recordCalculation(setup, 'aggregates of five countries', await measureAggregates(service));
  record({
    kind: 'comparison',
    engine,
    size: size.name,
    scenario: 'aggregates of 500 random series',
    against: 'table',
    goal: '',
    goalResult: null,
    ...(await compareAggregates(service, size, rounds)),
  });
}

/** Pages that are not cached: of each kind one, and those of random series. */
async function measurePages({ engine, size, service }: Setup): Promise<void> {
  for (const [name, path] of PAGES) {
    const milliseconds = await timePage(service, path);
    record({
      kind: 'cold',
      engine,
      size: size.name,
      scenario: `pages: ${name}, cold, processor time`,
      milliseconds,
      goal: `<= ${PAGE_GOAL} ms`,
      goalResult: milliseconds <= PAGE_GOAL ? 'reached' : 'NOT reached',
    });
  }
  const comparison = await comparePages(service, size, rounds);
  record({
    kind: 'comparison',
    engine,
    size: size.name,
    scenario: 'pages of random series',
    against: 'prices',
    ...comparison,
    ...judgeRatio('processor time', SERIES_PAGE_GOAL, comparison.ours.cpu / comparison.theirs.cpu),
  });
}

async function measureGrowth(small: Setup, large: Setup): Promise<void> {
  for (const { name, goal, next } of growths.filter(({ name }) => isSelected(name))) {
    for (const { service, floor, size } of [small, large])
      await assertSameReply(service, floor, next(size)());
    const comparison = await compare(
      { server: large.service, next: next(large.size) },
      { server: small.service, next: next(small.size) },
      1,
      rounds,
    );
    record({
      kind: 'comparison',
      engine: large.engine,
      size: large.size.name,
      scenario: name,
      against: `size ${small.size.name}`,
      ...judgeRatio('p50', goal, comparison.p50Ratio),
      ...comparison,
    });
  }
}

/** Writes, with a database of its own for each side: they leave tens of thousands of records. */
async function measureWrites({ engine, size }: Setup): Promise<void> {
  if (!WRITES.some(isSelected)) return;
  const setup = await setUp(engine, size);
  const database = await createDatabase(engine);
  await fillDatabase(database, size);
  const floor = await startFloor(database.url);
  const scenarios = await writeScenarios(setup.service, engine, size);
  for (const scenario of scenarios.filter(({ name }) => isSelected(name)))
    await measureScenario({ ...setup, floor }, scenario);
  await floor.stop();
  await database.drop();
  await tearDown(setup);
}

async function measureSetup(setup: Setup): Promise<void> {
  const { engine, size, service, floor } = setup;
  const tag = (await httpGet(service.port, listPage)).headers.etag!;
  for (const scenario of scenariosOf(engine, size, tag).filter(({ name }) => isSelected(name)))
    await measureScenario(setup, scenario);
  await measureWrites(setup);
  if (isSelected('access log')) await measureAccessLog(setup);
  if (isSelected('as of')) await measureAsOf(setup);
  if (isSelected('indicators')) await measureIndicators(setup);
  if (isSelected('pages')) await measurePages(setup);
  if (isSelected('aggregates')) await measureGroups(setup);
  if (isSelected('mixed')) {
    const mixed = await measureMixed(service, floor, size, mixedDuration);
    record({
      kind: 'mixed',
      engine,
      size: size.name,
      goal: `<= ${DELAY_GOAL} ms`,
      goalResult:
        mixed.delay <= DELAY_GOAL
          ? 'reached'
          : mixed.turns.p99 <= DELAY_GOAL
            ? 'reached by CPU'
            : 'NOT reached',
      ...mixed,
    });
  }
  const peak = service.peakMemory();
  const maxMemory = MEMORY_GOALS[size.name]!;
  record({
    kind: 'memory',
    engine,
    size: size.name,
    goal: `<= ${maxMemory} MB`,
    goalResult: peak <= maxMemory ? 'reached' : 'NOT reached',
    now: service.memory(),
    most: peak,
  });
}

async function measureImports(engine: Engine, files: readonly ImportFile[]): Promise<void> {
  for (const file of files) {
    const metrics = await measureImport(engine, file, importRounds);
    record({
      kind: 'import',
      engine,
      file: file.name,
      goal: `>= ${IMPORT_GOAL}; CPU without findings >= ${FINDINGS_GOAL} of with: ${metrics.findingsRatio.toFixed(2)}`,
      goalResult:
        metrics.ratio >= IMPORT_GOAL && metrics.findingsRatio >= FINDINGS_GOAL ? 'reached' : 'NOT reached',
      ...metrics,
    });
  }
}

async function measureEngine(engine: Engine, files: readonly ImportFile[]): Promise<void> {
  const setups: Setup[] = [];
  try {
    for (const size of sizes) setups.push(await setUp(engine, size));
    console.log(comparisonHead);
    for (const setup of setups) await measureSetup(setup);
    const [small, large] = setups;
    if (small && large) await measureGrowth(small, large);
  } finally {
    for (const setup of setups) await tearDown(setup);
  }
  if (isSelected('import')) await measureImports(engine, files);
}

/** The files to import: our own CSV, written from the data of S, and published files. */
async function filesIn(folder: string): Promise<ImportFile[]> {
  const own = { name: `${importedSeries} series of S`, path: join(folder, 'prices.csv'), format: 'prices' };
  const database = await createDatabase('SQLite');
  await fillDatabase(database, SIZES.S);
  await writeCsv(database.url, own.path, importedSeries);
  await database.drop();
  if (quick) {
    console.log('Published files are imported only in a full run.');
    return [own];
  }
  const { files, missing } = publishedFiles();
  for (const notice of missing) console.log(notice);
  return [own, ...files];
}

async function main(): Promise<void> {
  const began = performance.now();
  pinLoad();
  const machine = {
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    node: process.version,
    loadBefore: loadavg()[0]!,
  };
  console.log(
    `${machine.cores} cores, ${machine.memory}, Node ${machine.node}; ${machine.loadBefore.toFixed(1)} processes running before the start`,
  );
  if (!pinned) console.log('Server and load generator share a core: taskset or a second core is missing.');
  if (!engines.includes('MariaDB')) console.log('MariaDB is skipped: TEST_DATABASE_URL names no server.');
  console.log(`${rounds.count} rounds of ${rounds.duration} ms for each side`);
  const folder = mkdtempSync(join(tmpdir(), 'pds-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  try {
    const files = isSelected('import') ? await filesIn(folder) : [];
    for (const engine of engines) {
      if (options.engines === undefined || options.engines.split(',').includes(engine))
        await measureEngine(engine, files);
    }
  } finally {
    await dropDatabases();
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  const report = { date: new Date().toISOString(), seconds, machine, rounds, rows };
  mkdirSync(dirname(options.json), { recursive: true });
  writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  console.log(`${seconds} s; the results are in ${options.json}`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void dropDatabases().finally(() => process.exit(130)));
}
try {
  await main();
  // Everything started here has been stopped.
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
