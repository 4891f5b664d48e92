import BetterSqlite3 from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import { NestFactory } from '@nestjs/core';
import { CommandsModule } from '../src/commands/commands.module.js';
import { Database } from '../src/database/database.js';
import { importFormats } from '../src/import/formats/index.js';
import { ImportService } from '../src/import/import.service.js';
import { FindingsFollower } from '../src/quality/findings-follower.js';
import { openInput, inputText } from '../src/import/pipeline/input.js';
import { limitHeapGrowth } from '../src/platform/runtime/garbage-collection.js';

/*
 * One measurement of an import, in a process of its own:
 *
 *   node import-step.js import FILE URL FORMAT [COUNTRY]
 *       does what `npm run import` does, into an empty database
 *   node import-step.js import-unchecked FILE URL FORMAT [COUNTRY]
 *       the same without findings
 *   node import-step.js parse FILE URL FORMAT [COUNTRY]
 *       its first half alone: unpacks the file and reads it into rows
 *   node import-step.js insert FILE URL
 *       its second half alone: inserts the points that the import has stored into an empty table,
 *       with the bare driver, in their order, 10,000 rows per transaction
 *
 * Sends the result to its parent process.
 */

/** The result of one measurement. */
export interface StepMetrics {
  rows: number;
  seconds: number;
  /** Microseconds of processor time per row. */
  cpu: number;
  /** Seconds of processor time of the process since its start. */
  processCpu: number;
  /** Peak resident memory in MB, in the first half of the input and in the second. */
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

/** The files without a country column have daily prices. */
const readerOptions = country === undefined ? {} : { country, period: 'daily' as const };

async function parse(): Promise<number> {
  const input = await openInput(file);
  let rows = 0;
  for await (const { read } of importFormats[format]!(inputText(input), readerOptions)) rows += read;
  return rows;
}

/** @returns a function that runs the import; the database is open and migrated before */
async function preparedImport(memory: [number, number]): Promise<() => Promise<number>> {
  limitHeapGrowth(100);
  process.env.DATABASE_URL = url;
  const services = await NestFactory.createApplicationContext(CommandsModule, { logger: false });
  await services.get(Database).connect(true);
  const imports = services.get(ImportService);
  return async () => {
    const input = await openInput(file);
    const sampling = setInterval(() => {
      const half = input.bytesRead() < input.size! / 2 ? 0 : 1;
      memory[half] = Math.max(memory[half], process.memoryUsage.rss() / 2 ** 20);
    }, 50);
    const request = { format, options: readerOptions, dryRun: false, caller: null, requestId: null };
    const { read, error } = await imports.import(request, input);
    clearInterval(sampling);
    await services.close();
    if (error !== null) throw new Error(error);
    return read;
  };
}

/** Lets imports of this process check nothing. */
function leaveUnchecked(): void {
  Object.assign(FindingsFollower.prototype, { followPending: () => Promise.resolve() });
}

const INSERT = 'INSERT INTO bench_observation (serie_id, period, day, value, calculated, comment) VALUES ';
const SELECT =
  'SELECT serie_id, period, day, value, calculated, comment FROM observation ORDER BY serie_id, period, day';

/** @returns a function that inserts the points; they are read before */
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
      const batch = points.slice(from, from + ROWS_PER_TRANSACTION);
      for (let at = 0; at < batch.length; at += ROWS_PER_STATEMENT) {
        const statementRows = batch.slice(at, at + ROWS_PER_STATEMENT);
        const placeholders = `(?,?,?,?,?,?)${',(?,?,?,?,?,?)'.repeat(statementRows.length - 1)}`;
        await connection.query(INSERT + placeholders, statementRows.flat());
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
  'import-unchecked': () => {
    leaveUnchecked();
    return preparedImport(memory);
  },
  insert: () => (url.startsWith('sqlite:') ? preparedSqlite() : preparedServer()),
}[step]!;
const run = await work();
const cpuBefore = process.cpuUsage();
const began = performance.now();
const rows = await run();
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
const whole = process.cpuUsage();
const metrics: StepMetrics = {
  rows,
  seconds,
  cpu: (user + system) / rows,
  processCpu: (whole.user + whole.system) / 1e6,
  memory,
};
process.send!(metrics, () => process.exit(0));
process.once('disconnect', () => process.exit(1));
