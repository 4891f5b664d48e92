import BetterSqlite3 from 'better-sqlite3';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { Environment } from '../src/config/environment.js';
import { DataRevision } from '../src/ledger/revision/data-revision.js';
import { Database } from '../src/database/database.js';
import { UnitOfWork } from '../src/ledger/unit-of-work.js';
import { entities } from '../src/entities.js';
import { insertData, insertRecords, type DataSize } from './data.js';

/** A database created by the benchmark. */
export interface BenchDatabase {
  url: string;
  drop(): Promise<void>;
}

export type Engine = 'SQLite' | 'MariaDB';

/** URL of the database server without a database; undefined if there is none. */
const serverUrl = process.env.TEST_DATABASE_URL?.replace(/\/$/, '') || undefined;

/** The engines that the benchmark runs on: MariaDB only if TEST_DATABASE_URL names a server. */
export const engines: readonly Engine[] = serverUrl === undefined ? ['SQLite'] : ['SQLite', 'MariaDB'];

const open = new Set<BenchDatabase>();
let createdCount = 0;

/** Creates a database without tables, which a release of any version may migrate. */
export async function createEmptyDatabase(engine: Engine): Promise<BenchDatabase> {
  const created = engine === 'SQLite' ? inFolder() : await onMariaDb();
  open.add(created);
  return created;
}

/** Creates an empty database with the service's tables. */
export async function createDatabase(engine: Engine): Promise<BenchDatabase> {
  const created = await createEmptyDatabase(engine);
  await withDatabase(created, (database) => database.migrate().then(() => undefined));
  return created;
}

/** Drops the databases that still exist. */
export async function dropDatabases(): Promise<void> {
  for (const database of open) await database.drop();
}

/** Fills a database with data. @returns the seconds it took */
export async function fillDatabase(target: BenchDatabase, size: DataSize): Promise<number> {
  const began = performance.now();
  await withDatabase(target, (database) =>
    insertData(new UnitOfWork(database, new DataRevision(database)), size),
  );
  return (performance.now() - began) / 1000;
}

/** Fills only the reference tables of a database. */
export const fillRecords = (target: BenchDatabase): Promise<void> =>
  withDatabase(target, (database) => insertRecords(new UnitOfWork(database, new DataRevision(database))));

/** The bytes of a database file, after all of it is written there; null on a server. */
export function fileBytes({ url }: BenchDatabase): number | null {
  if (!url.startsWith('sqlite:')) return null;
  const path = url.slice('sqlite:'.length);
  const database = new BetterSqlite3(path);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  return statSync(path).size;
}

async function withDatabase(
  target: BenchDatabase,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const database = new Database(new Environment({ DATABASE_URL: target.url }), entities);
  await database.connect();
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

function inFolder(): BenchDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'pds-bench-'));
  const created = {
    url: `sqlite:${join(folder, 'prices.sqlite')}`,
    async drop() {
      open.delete(created);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return created;
}

async function onMariaDb(): Promise<BenchDatabase> {
  const name = `pds_test_bench_${process.pid}_${++createdCount}`;
  const run = async (sql: string) => {
    const connection = await createConnection(serverUrl!.replace(/^mariadb:/, 'mysql:'));
    await connection.query(sql);
    await connection.end();
  };
  await run(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  const created = {
    url: `${serverUrl}/${name}`,
    async drop() {
      open.delete(created);
      await run(`DROP DATABASE IF EXISTS ${name}`);
    },
  };
  return created;
}
