import BetterSqlite3 from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import { Environment } from '../src/config/environment.js';
import { Database } from '../src/database/database.js';
import { importFormats } from '../src/import/formats/index.js';
import { ImportService } from '../src/import/import.service.js';
import { openInput, unpack } from '../src/import/input.js';
import { keepHeapSmall } from '../src/import/small-heap.js';

/*
 * One measurement of an import, in a process of its own:
 *
 *   node import-step.js import FILE URL FORMAT [COUNTRY]  what `npm run import` does, into an empty database
 *   node import-step.js parse FILE URL FORMAT [COUNTRY]   its first half alone: the file unpacked and read into rows
 *   node import-step.js insert FILE URL                   its second half alone: the points that it has left there put into an empty
 *                                                         table by the bare driver, in their order, 10,000 rows a transaction
 *
 * Tells its parent what it saw.
 */

/** What one measurement saw. */
export interface StepFigures {
  rows: number;
  seconds: number;
  /** Microseconds of processor time a row. */
  cpu: number;
  /** Resident memory in MB: the most in the first half of the input and in the second. */
  memory: [number, number];
}

const ROWS_PER_TRANSACTION = 10_000;
const ROWS_PER_STATEMENT = 1000;

const [step, file, url, format, country] = process.argv.slice(2) as [string, string, string, string, string?];

type Point = [
  serie: number,
  period: number,
  day: number,
  value: number,
  calculated: number,
  comment: string | null,
];

/** Files without a country column are daily ones here. */
const readerOptions = country === undefined ? {} : { country, period: 'daily' as const };

async function parse(): Promise<number> {
  const input = await openInput(file);
  let rows = 0;
  for await (const { read } of importFormats[format]!(unpack(input), readerOptions)) rows += read;
  return rows;
}

/** @returns the import into a database that is open and has its tables */
async function preparedImport(memory: [number, number]): Promise<() => Promise<number>> {
  keepHeapSmall();
  const database = new Database(new Environment({ DATABASE_URL: url }), []);
  await database.connect(true);
  const imports = ImportService.over(database);
  return async () => {
    const input = await openInput(file);
    const watch = setInterval(() => {
      const half = input.bytesRead() < input.size! / 2 ? 0 : 1;
      memory[half] = Math.max(memory[half], process.memoryUsage.rss() / 2 ** 20);
    }, 50);
    const request = { format, options: readerOptions, dryRun: false, caller: null, requestId: null };
    const { read, error } = await imports.import(request, input);
    clearInterval(watch);
    await database.close();
    if (error !== null) throw new Error(error);
    return read;
  };
}

const INSERT = 'INSERT INTO bench_observation (serie_id, period, day, value, calculated, comment) VALUES ';
const SELECT =
  'SELECT serie_id, period, day, value, calculated, comment FROM observation ORDER BY serie_id, period, day';

/** @returns what inserts the points; reading them is no part of it */
async function preparedSqlite(): Promise<() => Promise<number>> {
  const database = new BetterSqlite3(url.slice('sqlite:'.length));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  const points = database.prepare(SELECT).raw(true).all() as Point[];
  const { sql } = database.prepare("SELECT sql FROM sqlite_master WHERE name = 'observation'").get() as {
    sql: string;
  };
  database.exec('DROP TABLE IF EXISTS bench_observation');
  database.exec(sql.replace(/"observation"/, '"bench_observation"'));
  const insert = database.prepare(`${INSERT}(?,?,?,?,?,?)`);
  return async () => {
    for (let from = 0; from < points.length; from += ROWS_PER_TRANSACTION) {
      database.exec('BEGIN IMMEDIATE');
      for (const point of points.slice(from, from + ROWS_PER_TRANSACTION)) insert.run(...point);
      database.exec('COMMIT');
    }
    database.exec('DROP TABLE bench_observation');
    database.close();
    return points.length;
  };
}

async function preparedServer(): Promise<() => Promise<number>> {
  const connection = await createConnection({ uri: url.replace(/^mariadb:/, 'mysql:'), rowsAsArray: true });
  const [rows] = await connection.query(SELECT);
  const points = rows as unknown as Point[];
  await connection.query('DROP TABLE IF EXISTS bench_observation');
  await connection.query('CREATE TABLE bench_observation LIKE observation');
  await connection.query(
    'ALTER TABLE bench_observation ADD CONSTRAINT fk_bench FOREIGN KEY (serie_id) REFERENCES price_serie (id)',
  );
  return async () => {
    for (let from = 0; from < points.length; from += ROWS_PER_TRANSACTION) {
      await connection.query('START TRANSACTION');
      const part = points.slice(from, from + ROWS_PER_TRANSACTION);
      for (let at = 0; at < part.length; at += ROWS_PER_STATEMENT) {
        const some = part.slice(at, at + ROWS_PER_STATEMENT);
        const places = `(?,?,?,?,?,?)${',(?,?,?,?,?,?)'.repeat(some.length - 1)}`;
        await connection.query(INSERT + places, some.flat());
      }
      await connection.query('COMMIT');
    }
    await connection.end();
    return points.length;
  };
}

const memory: [number, number] = [0, 0];
const work = {
  parse: async () => parse,
  import: () => preparedImport(memory),
  insert: () => (url.startsWith('sqlite:') ? preparedSqlite() : preparedServer()),
}[step]!;
const run = await work();
const cpuBefore = process.cpuUsage();
const began = performance.now();
const rows = await run();
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
process.send!({ rows, seconds, cpu: (user + system) / rows, memory } satisfies StepFigures, () =>
  process.exit(0),
);
process.once('disconnect', () => process.exit(1));
