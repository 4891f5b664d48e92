import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { SIZES, type DataSize } from './data.js';
import { measureImport, publishedFiles, writeCsv, type ImportFile } from './imports.js';
import { measureMixed } from './mixed.js';
import { dropPlaces, engines, fill, makePlace, type Engine, type Place } from './places.js';
import { pinLoad, pinned, type Measured } from './processes.js';
import { comparisonHead, line, type Row, type Verdict } from './report.js';
import { compare, type Comparison } from './rounds.js';
import { growths, listPage, scenariosOf, type Scenario } from './scenarios.js';
import { agree, ask, startFloor, startService, teach } from './servers.js';

/*
 *   npm run bench [-- --quick] [--json FILE] [--sizes S,L] [--engines SQLite,MariaDB] [--only TEXT]
 *
 * Times the built service side by side with floors, in interleaved rounds; what is printed are medians over the rounds. Servers run
 * on one core, the load generator on another. SQLite always; MariaDB where TEST_DATABASE_URL names a server.
 */

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string', default: join('var', 'bench.json') },
    sizes: { type: 'string' },
    engines: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const { quick } = options;
// Many short rounds: a machine that is shared changes its pace within seconds.
const rounds = quick ? { count: 5, duration: 300 } : { count: 21, duration: 400 };
const importRounds = quick ? 1 : 5;
const mixedDuration = quick ? 5000 : 20_000;
/** Series of the own CSV that is imported; all of S in a full run. */
const importedSeries = quick ? 600 : SIZES.S.series;
const sizes = (options.sizes ?? (quick ? 'S' : 'S,L'))
  .split(',')
  .map((name) => SIZES[name as keyof typeof SIZES] as DataSize);

const MEMORY_GOAL = 350;
const DELAY_GOAL = 50;
const IMPORT_GOAL = 0.5;

const rows: Row[] = [];
const wanted = (name: string) => name.includes(options.only);

function note(row: Row): void {
  rows.push(row);
  console.log(line(row));
}

/** A database of a size with the service and the floors on it. */
interface Stand {
  engine: Engine;
  size: DataSize;
  place: Place;
  service: Measured;
  floor: Measured;
}

async function setUp(engine: Engine, size: DataSize): Promise<Stand> {
  const place = await makePlace(engine);
  const seconds = await fill(place, size);
  console.log(
    `${engine} ${size.name}: ${size.series} series, ${size.points} points, made in ${seconds.toFixed(0)} s`,
  );
  const [service, floor] = await Promise.all([startService(place.url), startFloor(place.url)]);
  return { engine, size, place, service, floor };
}

async function takeDown({ service, floor, place }: Stand): Promise<void> {
  await Promise.all([service.stop(), floor.stop()]);
  await place.drop();
}

async function measureScenario({ engine, size, service, floor }: Stand, scenario: Scenario): Promise<void> {
  let floorNext = scenario.next;
  if (scenario.floor === 'A') {
    // The floor sends the body in any case, also where the service may say 304.
    const { path } = scenario.next();
    const answer = await ask(service.port, path);
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}.`);
    const fixed = await teach(floor, scenario.name.replaceAll(/\W+/g, '-'), answer);
    floorNext = () => ({ path: fixed });
  } else {
    for (let each = 0; each < 3; each++) await agree(service, floor, scenario.next());
  }
  const comparison = await compare(
    { server: service, next: scenario.next },
    { server: floor, next: floorNext },
    scenario.connections,
    rounds,
  );
  const margin = scenario.cpuMargin;
  note({
    kind: 'comparison',
    engine,
    size: size.name,
    scenario: scenario.name,
    against: `floor ${scenario.floor}`,
    goal: `>= ${scenario.goal}${margin === undefined ? '' : `, CPU <= +${margin} us`}`,
    verdict: verdictOf(comparison, scenario.goal, margin),
    ...comparison,
  });
}

function verdictOf({ ratio, cpuRatio, ours, theirs }: Comparison, goal: number, margin = Infinity): Verdict {
  if (ours.cpu > theirs.cpu + margin) return 'NOT reached';
  if (ratio >= goal) return 'reached';
  return cpuRatio >= goal ? 'reached by CPU' : 'NOT reached';
}

/** What the access log costs: the same page from a service that writes one. */
async function measureAccessLog({ engine, size, place, service }: Stand): Promise<void> {
  const logging = await startService(place.url, true);
  await ask(logging.port, listPage);
  const next = () => ({ path: listPage });
  const comparison = await compare({ server: logging, next }, { server: service, next }, 32, rounds);
  await logging.stop();
  note({
    kind: 'comparison',
    engine,
    size: size.name,
    scenario: 'repeated list page with the access log on',
    against: 'log off',
    goal: '',
    verdict: null,
    ...comparison,
  });
}

async function measureGrowth(small: Stand, large: Stand): Promise<void> {
  for (const { name, goal, next } of growths.filter(({ name }) => wanted(name))) {
    for (const { service, floor, size } of [small, large]) await agree(service, floor, next(size)());
    const comparison = await compare(
      { server: large.service, next: next(large.size) },
      { server: small.service, next: next(small.size) },
      1,
      rounds,
    );
    note({
      kind: 'comparison',
      engine: large.engine,
      size: large.size.name,
      scenario: name,
      against: `size ${small.size.name}`,
      goal: `p50 <= ${goal} times: ${comparison.p50Ratio.toFixed(2)}`,
      verdict: comparison.p50Ratio <= goal ? 'reached' : 'NOT reached',
      ...comparison,
    });
  }
}

async function measureStand(stand: Stand): Promise<void> {
  const { engine, size, service, floor } = stand;
  const tag = (await ask(service.port, listPage)).headers.etag!;
  for (const scenario of scenariosOf(engine, size, tag).filter(({ name }) => wanted(name)))
    await measureScenario(stand, scenario);
  if (wanted('access log')) await measureAccessLog(stand);
  if (wanted('mixed')) {
    const mixed = await measureMixed(service, floor, size, mixedDuration);
    note({
      kind: 'mixed',
      engine,
      size: size.name,
      goal: `<= ${DELAY_GOAL} ms`,
      verdict:
        mixed.delay <= DELAY_GOAL
          ? 'reached'
          : mixed.turns.p99 <= DELAY_GOAL
            ? 'reached by CPU'
            : 'NOT reached',
      ...mixed,
    });
  }
  const most = service.peakMemory();
  note({
    kind: 'memory',
    engine,
    size: size.name,
    goal: `<= ${MEMORY_GOAL} MB`,
    verdict: most <= MEMORY_GOAL ? 'reached' : 'NOT reached',
    now: service.memory(),
    most,
  });
}

async function measureImports(engine: Engine, files: readonly ImportFile[]): Promise<void> {
  for (const file of files) {
    const figures = await measureImport(engine, file, importRounds);
    note({
      kind: 'import',
      engine,
      file: file.name,
      goal: `>= ${IMPORT_GOAL}`,
      verdict: figures.ratio >= IMPORT_GOAL ? 'reached' : 'NOT reached',
      ...figures,
    });
  }
}

async function measureEngine(engine: Engine, files: readonly ImportFile[]): Promise<void> {
  const stands: Stand[] = [];
  try {
    for (const size of sizes) stands.push(await setUp(engine, size));
    console.log(comparisonHead);
    for (const stand of stands) await measureStand(stand);
    const [small, large] = stands;
    if (small && large) await measureGrowth(small, large);
  } finally {
    for (const stand of stands) await takeDown(stand);
  }
  if (wanted('import')) await measureImports(engine, files);
}

/** The files to import: our own, written from the data of S, and those that are published. */
async function filesIn(folder: string): Promise<ImportFile[]> {
  const own = { name: `${importedSeries} series of S`, path: join(folder, 'prices.csv'), format: 'prices' };
  const place = await makePlace('SQLite');
  await fill(place, SIZES.S);
  await writeCsv(place.url, own.path, importedSeries);
  await place.drop();
  if (quick) {
    console.log('Published files are imported in a full run only.');
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
    `${machine.cores} cores, ${machine.memory}, Node ${machine.node}; ${machine.loadBefore.toFixed(1)} processes at work before the start`,
  );
  if (!pinned) console.log('Server and load share their cores: taskset or a second core is missing.');
  if (!engines.includes('MariaDB')) console.log('MariaDB is left out: TEST_DATABASE_URL names no server.');
  console.log(`${rounds.count} rounds of ${rounds.duration} ms for each side`);
  const folder = mkdtempSync(join(tmpdir(), 'pds-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  try {
    const files = wanted('import') ? await filesIn(folder) : [];
    for (const engine of engines) {
      if (options.engines === undefined || options.engines.split(',').includes(engine))
        await measureEngine(engine, files);
    }
  } finally {
    await dropPlaces();
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  const report = { date: new Date().toISOString(), seconds, machine, rounds, rows };
  mkdirSync(dirname(options.json), { recursive: true });
  writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  console.log(`${seconds} s; the figures are in ${options.json}`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void dropPlaces().finally(() => process.exit(130)));
}
try {
  await main();
  // Nothing that was started here is left to wait for.
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
