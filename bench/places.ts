import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { Environment } from '../src/config/environment.js';
import { DataRevision } from '../src/database/data-revision.js';
import { Database } from '../src/database/database.js';
import { UnitOfWork } from '../src/database/unit-of-work.js';
import { entities } from '../src/entities.js';
import { makeData, type DataSize } from './data.js';

/** A database of the benchmark's own. */
export interface Place {
  url: string;
  drop(): Promise<void>;
}

export type Engine = 'SQLite' | 'MariaDB';

/** Address of the database server without a database; undefined where there is none to use. */
const onServer = process.env.TEST_DATABASE_URL?.replace(/\/$/, '') || undefined;

/** Where the benchmark runs. MariaDB where TEST_DATABASE_URL names a server. */
export const engines: readonly Engine[] = onServer === undefined ? ['SQLite'] : ['SQLite', 'MariaDB'];

const open = new Set<Place>();
let made = 0;

/** Makes an empty database with the service's tables. */
export async function makePlace(engine: Engine): Promise<Place> {
  const place = engine === 'SQLite' ? inFolder() : await onMariaDb();
  open.add(place);
  await withDatabase(place, (database) => database.migrate().then(() => undefined));
  return place;
}

/** Drops whatever is still there. */
export async function dropPlaces(): Promise<void> {
  for (const place of open) await place.drop();
}

/** Makes a database of a size. @returns the seconds it took */
export async function fill(place: Place, size: DataSize): Promise<number> {
  const began = performance.now();
  await withDatabase(place, (database) =>
    makeData(new UnitOfWork(database, new DataRevision(database)), size),
  );
  return (performance.now() - began) / 1000;
}

async function withDatabase(place: Place, work: (database: Database) => Promise<void>): Promise<void> {
  const database = new Database(new Environment({ DATABASE_URL: place.url }), entities);
  await database.connect();
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

function inFolder(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'pds-bench-'));
  const place = {
    url: `sqlite:${join(folder, 'prices.sqlite')}`,
    async drop() {
      open.delete(place);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return place;
}

async function onMariaDb(): Promise<Place> {
  const name = `pds_test_bench_${process.pid}_${++made}`;
  const run = async (sql: string) => {
    const connection = await createConnection(onServer!.replace(/^mariadb:/, 'mysql:'));
    await connection.query(sql);
    await connection.end();
  };
  await run(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  const place = {
    url: `${onServer}/${name}`,
    async drop() {
      open.delete(place);
      await run(`DROP DATABASE IF EXISTS ${name}`);
    },
  };
  return place;
}
