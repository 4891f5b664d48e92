import type BetterSqlite3 from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { UnusableDatabaseError } from './unusable-database.error.js';
import { migrations } from './migrations/index.js';
import { beginImmediate } from './sqlite-lock.js';

/** Milliseconds to wait for another process that is migrating. */
const MIGRATION_PATIENCE = 300_000;
/** Seconds after which the lock of a process that has died is taken over, and seconds between two signs of life. */
const LEASE = 15;
const SIGN_OF_LIFE = 3;

const known = () => migrations.map((migration) => migration.name);

/**
 * What of the known migrations a database lacks.
 * @param applied names in the database's own list, or null where it has none
 * @throws DatabaseRefused when the list names migrations that are not known here
 */
export function missingMigrations(applied: readonly string[] | null): string[] {
  const foreign = (applied ?? []).filter((name) => !known().includes(name));
  if (foreign.length > 0) {
    throw new UnusableDatabaseError(
      `The database has ${foreign.length} migration(s) unknown here: it belongs to a newer version of this service, or to something else.`,
    );
  }
  return known().filter((name) => !(applied ?? []).includes(name));
}

/** The names of the migrations that a database has seen, or null where it has no list of them. */
export async function appliedMigrations(source: DataSource): Promise<string[] | null> {
  const runner = source.createQueryRunner();
  try {
    if (!(await runner.hasTable('migrations'))) return null;
    const rows = (await runner.query('SELECT name FROM migrations ORDER BY id')) as { name: string }[];
    return rows.map((row) => row.name);
  } finally {
    await runner.release();
  }
}

/**
 * Refuses a database that is not at the newest migration: nothing is ever served from half a schema.
 * @throws DatabaseRefused
 */
export async function requireNewestSchema(source: DataSource): Promise<void> {
  const missing = missingMigrations(await appliedMigrations(source));
  if (missing.length === 0) return;
  throw new UnusableDatabaseError(
    `The database lacks ${missing.length} migration(s): run \`npm run migrate\`.`,
  );
}

/**
 * Brings the embedded database up to date, in one transaction: a process killed on the way leaves it as it was, and of two
 * processes at once the second waits and finds nothing to do.
 * @returns the names of the migrations that ran
 */
export async function migrateEmbedded(source: DataSource, handle: BetterSqlite3.Database): Promise<string[]> {
  if (missingMigrations(await appliedMigrations(source)).length === 0) return [];
  // SQLite rebuilds a table to change it, which must not count as deleting it; the switch works outside transactions only.
  handle.pragma('foreign_keys = OFF');
  try {
    await beginImmediate(handle, MIGRATION_PATIENCE);
    try {
      const ran = await source.runMigrations({ transaction: 'none' });
      handle.exec('COMMIT');
      return ran.map((migration) => migration.name);
    } catch (error) {
      if (handle.inTransaction) handle.exec('ROLLBACK');
      throw error;
    }
  } finally {
    handle.pragma('foreign_keys = ON');
  }
}

/**
 * Brings a server's database up to date. A server commits each change of a table by itself, so a migration that was cut off
 * is run again from its beginning; migrations are written to pass over what is there. One process migrates at a time: the
 * others wait for a row in `schema_lock`, because named locks do not exist on a cluster.
 * @returns the names of the migrations that ran
 * @throws DatabaseRefused when another process holds the lock for minutes
 */
export async function migrateServer(source: DataSource): Promise<string[]> {
  if (missingMigrations(await appliedMigrations(source)).length === 0) return [];
  const runner = source.createQueryRunner();
  const holder = randomUUID();
  try {
    await takeLock(runner, holder);
    const alive = setInterval(() => void extendLock(source, holder), SIGN_OF_LIFE * 1000);
    try {
      return (await source.runMigrations({ transaction: 'none' })).map((migration) => migration.name);
    } finally {
      clearInterval(alive);
      await runner.query('UPDATE schema_lock SET holder = NULL WHERE id = 1 AND holder = ?', [holder]);
    }
  } finally {
    await runner.release();
  }
}

async function takeLock(runner: QueryRunner, holder: string): Promise<void> {
  await runner.query(
    'CREATE TABLE IF NOT EXISTS schema_lock (id INTEGER PRIMARY KEY, holder VARCHAR(36), expires DATETIME(3)) ENGINE = InnoDB',
  );
  await runner.query('INSERT IGNORE INTO schema_lock (id) VALUES (1)');
  const deadline = performance.now() + MIGRATION_PATIENCE;
  for (;;) {
    const { affectedRows } = (await runner.query(
      `UPDATE schema_lock SET holder = ?, expires = ${inOneLease} WHERE id = 1 AND (holder IS NULL OR expires < UTC_TIMESTAMP(3))`,
      [holder],
    )) as { affectedRows: number };
    if (affectedRows === 1) return;
    if (performance.now() > deadline)
      throw new UnusableDatabaseError('Another process is migrating the database.');
    await sleep(500);
  }
}

async function extendLock(source: DataSource, holder: string): Promise<void> {
  // A sign of life that fails is followed by another; the lease lasts for several.
  await source
    .query(`UPDATE schema_lock SET expires = ${inOneLease} WHERE id = 1 AND holder = ?`, [holder])
    .catch(() => undefined);
}

const inOneLease = `UTC_TIMESTAMP(3) + INTERVAL ${LEASE} SECOND`;
