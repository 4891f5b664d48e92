import { DuckDBInstance } from '@duckdb/node-api';
import { asyncBufferFromUrl, parquetReadObjects } from 'hyparquet';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { measureNewestIndicators } from './analysis.js';
import { COUNTRIES, countryOf, SIZES, type DataSize } from './data.js';
import { createDatabase, dropDatabases, fillDatabase } from './databases.js';
import { runLoad, type LoadResult } from './load.js';
import { cpuTime, memoryOf, type MeasuredServer, pinLoad, startScript } from './processes.js';
import { median } from './rounds.js';
import { API_BASE, listPage, RandomRequests } from './scenarios.js';
import { startService } from './servers.js';

/*
 * What an edition costs, and whether it is right, on SQLite:
 *
 *   npm run build && node dist/bench/editions.js [SIZE]
 *       SIZE is L (10 million prices) by default
 *
 * Makes an edition beside the running service, whose short requests are measured before, meanwhile
 * and afterwards; reads single series of it from the service over HTTP; compares the sums that
 * DuckDB finds in it with those of what the API sends. Exits with 1 if sums differ.
 */

const size: DataSize = SIZES[(process.argv[2] ?? 'L') as keyof typeof SIZES];

/** Short requests per second, and the milliseconds of one measurement of them. */
const RATE = 100;
const WINDOW = 15_000;
/** Measurements before an edition is made, and after. */
const WINDOWS = 4;
/** Random series that are read from the file. */
const SERIES = 20;
/** Most of the file that a series may take, most seconds and MB of the process. */
const GOALS = { share: 0.05, seconds: 180, megabytes: 400 };
/** Sums of the same numbers in another order differ by less. */
const TOLERANCE = 1e-9;

const folder = mkdtempSync(join(tmpdir(), 'pds-bench-editions-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const random = new RandomRequests(size);
const load = () => `load ${loadavg()[0]!.toFixed(1)}`;
const reached = (isReached: boolean) => (isReached ? 'reached' : 'NOT reached');

/** Lists, a repeated page and single prices, as `npm run bench -- --only mixed` requests them. */
function shortRequests(service: MeasuredServer): Promise<LoadResult> {
  const next = () =>
    random.chance(0.4) ? { path: listPage } : random.chance(0.7) ? random.filters() : random.onePrice();
  return runLoad({ port: service.port, next, connections: 16, duration: WINDOW, rate: RATE });
}

function printRequests(when: string, results: readonly LoadResult[]): void {
  const shown = (name: 'p50' | 'p99') => median(results.map((result) => result[name])).toFixed(1);
  const unexpected = results.map((result) => result.unexpected).filter((each) => Object.keys(each).length);
  const highest = Math.max(...results.map(({ p99 }) => p99)).toFixed(1);
  console.log(
    `short requests ${when}: p50 ${shown('p50')} ms, p99 ${shown('p99')} ms (medians of ${results.length}` +
      ` times ${WINDOW / 1000} s; highest p99 ${highest} ms), unexpected ${JSON.stringify(unexpected)}, ${load()}`,
  );
}

async function someRequests(service: MeasuredServer): Promise<LoadResult[]> {
  const results: LoadResult[] = [];
  while (results.length < WINDOWS) results.push(await shortRequests(service));
  return results;
}

/** Makes the edition in a process of its own, as the service does. */
async function make(service: MeasuredServer, databaseUrl: string): Promise<void> {
  const began = performance.now();
  const maker = startScript(
    join(import.meta.dirname, '../src/commands/edition.command.js'),
    ['--title', 'bench'],
    { DATABASE_URL: databaseUrl, EDITIONS_DIR: folder },
    true,
  );
  const used = { cpu: 0, megabytes: 0 };
  const watch = setInterval(() => {
    used.cpu = cpuTime(maker.pid!) || used.cpu;
    used.megabytes = memoryOf(maker.pid!, 'VmHWM') || used.megabytes;
  }, 100);
  let seconds = NaN;
  const exit = once(maker, 'exit').then(([code]) => {
    clearInterval(watch);
    seconds = (performance.now() - began) / 1000;
    if (code !== 0) throw new Error(`The edition was not made: ${code}.`);
  });
  const meanwhile: LoadResult[] = [];
  while (maker.exitCode === null) meanwhile.push(await shortRequests(service));
  await exit;
  // The last one is partly after the end.
  printRequests('meanwhile', meanwhile.length > 1 ? meanwhile.slice(0, -1) : meanwhile);
  console.log(
    `the edition: ${seconds.toFixed(0)} s (<= ${GOALS.seconds}: ${reached(seconds <= GOALS.seconds)}),` +
      ` ${(used.cpu / 1e6).toFixed(0)} s of processor time, at most ${used.megabytes.toFixed(0)} MB` +
      ` (<= ${GOALS.megabytes}: ${reached(used.megabytes <= GOALS.megabytes)}), ${load()}`,
  );
}

/** A port that forwards to another one and counts the bytes that come back, heads included. */
async function countingProxy(port: number): Promise<{ port: number; received: () => number }> {
  let received = 0;
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    client.on('error', () => server.destroy());
    server.on('error', () => client.destroy());
    server.on('data', (chunk) => (received += chunk.length));
    client.pipe(server).pipe(client);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return { port: (proxy.address() as AddressInfo).port, received: () => received };
}

/** Reads random series from the file by a reader of Parquet that asks for parts of it. */
async function readSeries(service: MeasuredServer, path: string): Promise<void> {
  const { port, received } = await countingProxy(service.port);
  const url = `http://127.0.0.1:${port}/editions/1/prices.parquet`;
  const bytes = statSync(path).size;
  const shares: number[] = [];
  for (let count = 0; count < SERIES; count++) {
    const uuid = random.uuid();
    const before = received();
    // Opened anew each time, so that each has the footer.
    const file = await asyncBufferFromUrl({ url });
    const rows = await parquetReadObjects({ file, filter: { uuid: { $eq: uuid } } });
    if (rows.length === 0 || rows.some((row) => row.uuid !== uuid)) throw new Error(`${uuid} was not read.`);
    shares.push((received() - before) / bytes);
  }
  const most = Math.max(...shares);
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
  console.log(
    `one series of ${size.points} prices over HTTP: ${percent(median(shares))} of ${(bytes / 1e6).toFixed(0)} MB,` +
      ` at most ${percent(most)} of ${SERIES} series (<= ${percent(GOALS.share)}: ${reached(most <= GOALS.share)})`,
  );
}

const VALUES = ['price_value', 'price_value_dollar', 'price_value_real'] as const;

/** How many prices a country has, and their sums: stored, in dollars and in real terms. */
type Sums = number[];

async function sumsOfApi(service: MeasuredServer, country: string): Promise<Sums> {
  const path = `${API_BASE}/PriceSeriePrice/?format=ndjson&iso3_country_codes=${country}`;
  const { body, status } = await fetch(`http://127.0.0.1:${service.port}${path}`);
  if (status !== 200) throw new Error(`${path} has status ${status}.`);
  const sums = [0, 0, 0, 0];
  for await (const line of createInterface({ input: Readable.fromWeb(body!) })) {
    type Point = Record<(typeof VALUES)[number], number | null> & { calculated?: true };
    for (const point of (JSON.parse(line) as { datapoints: Point[] }).datapoints) {
      if (point.calculated) continue;
      sums[0]!++;
      for (const [index, name] of VALUES.entries()) sums[index + 1]! += point[name] ?? 0;
    }
  }
  return sums;
}

/** @throws Error for the first country whose sums differ */
async function compareSums(service: MeasuredServer, path: string): Promise<void> {
  const connection = await (await DuckDBInstance.create()).connect();
  const columns = VALUES.map((name) => `COALESCE(SUM(${name}), 0)`).join(', ');
  const found = await connection.runAndReadAll(
    `SELECT iso3_country_code, COUNT(*)::DOUBLE, ${columns} FROM '${path}' GROUP BY ALL ORDER BY ALL`,
  );
  const rows = found.getRows() as [string, ...Sums][];
  const countries = Array.from({ length: COUNTRIES }, (_, number) => countryOf(number)).sort();
  if (rows.map(([country]) => country).join() !== countries.join())
    throw new Error('The edition has other countries.');
  let points = 0;
  for (const [country, ...sums] of rows) {
    const expected = await sumsOfApi(service, country);
    if (sums.some((sum, index) => Math.abs(sum - expected[index]!) > TOLERANCE * expected[index]!))
      throw new Error(`${country}: the edition has ${sums.join(' ')}, the API ${expected.join(' ')}.`);
    points += sums[0]!;
  }
  connection.closeSync();
  console.log(`DuckDB finds the sums of the API: ${rows.length} countries, ${points} prices`);
}

try {
  pinLoad();
  const database = await createDatabase('SQLite');
  await fillDatabase(database, size);
  const service = await startService(database.url, false, { EDITIONS_DIR: folder });
  // The service calculates them in the background, which must not be measured with other work.
  await measureNewestIndicators(service);
  printRequests('before', await someRequests(service));
  await make(service, database.url);
  printRequests('afterwards', await someRequests(service));
  const path = join(folder, '1', 'prices.parquet');
  await readSeries(service, path);
  await compareSums(service, path);
  await service.stop();
} finally {
  await dropDatabases();
}
process.exit(0);
