import type BetterSqlite3 from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { UnusableDatabaseError } from './errors/unusable-database.error.js';
import { migrations } from './migrations/index.js';
import { beginImmediate } from './sqlite/sqlite-lock.js';

/** Milliseconds to wait for another process that runs migrations. */
const MIGRATION_TIMEOUT = 300_000;
/** Seconds until the lock of a dead process expires, and seconds between two renewals. */
const LEASE_SECONDS = 15;
const HEARTBEAT_SECONDS = 3;

const migrationNames = () => migrations.map((migration) => migration.name);

/**
 * The names of the migrations that a database lacks.
 * @param applied the names of those it has, or null if it has no `migrations` table
 * @throws UnusableDatabaseError when it has migrations that this version does not know
 */
export function pendingMigrations(applied: readonly string[] | null): string[] {
  const unknown = (applied ?? []).filter((name) => !migrationNames().includes(name));
  if (unknown.length > 0) {
    throw new UnusableDatabaseError(
      `The database has migrations that this version does not know (${unknown.join(', ')}): it belongs to a newer version of this service, or to another application. Run the newer version, or restore a backup from before its migrations.`,
    );
  }
  return migrationNames().filter((name) => !(applied ?? []).includes(name));
}

/** The names of the migrations that a database has, or null if it has no `migrations` table. */
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
 * Rejects a database with pending migrations: an incomplete schema is never served.
 * @throws UnusableDatabaseError
 */
export async function assertSchemaUpToDate(source: DataSource): Promise<void> {
  const pending = pendingMigrations(await appliedMigrations(source));
  if (pending.length === 0) return;
  throw new UnusableDatabaseError(
    `The database has ${pending.length} pending migration(s): run \`npm run migrate\`.`,
  );
}

/**
 * Migrates the embedded database in one transaction: a killed process leaves it unchanged, and of
 * two concurrent processes the second waits and finds nothing to do.
 * @returns the names of the migrations that ran
 */
export async function migrateEmbedded(source: DataSource, handle: BetterSqlite3.Database): Promise<string[]> {
  if (pendingMigrations(await appliedMigrations(source)).length === 0) return [];
  // SQLite alters a table by recreating it, which must not violate the foreign keys to it. The
  // pragma has no effect inside a transaction.
  handle.pragma('foreign_keys = OFF');
  try {
    await beginImmediate(handle, MIGRATION_TIMEOUT);
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
 * Migrates a database on a server. A server commits each DDL statement implicitly, so an
 * interrupted migration runs again from its start; migrations skip what exists. One process
 * migrates at a time: the others wait for a row in `schema_lock`, as a cluster has no named locks.
 * @returns the names of the migrations that ran
 * @throws UnusableDatabaseError when another process holds the lock for minutes
 */
export async function migrateServer(source: DataSource): Promise<string[]> {
  if (pendingMigrations(await appliedMigrations(source)).length === 0) return [];
  const runner = source.createQueryRunner();
  const holder = randomUUID();
  try {
    await acquireLock(runner, holder);
    const heartbeat = setInterval(() => void renewLease(source, holder), HEARTBEAT_SECONDS * 1000);
    try {
      return (await source.runMigrations({ transaction: 'none' })).map((migration) => migration.name);
    } finally {
      clearInterval(heartbeat);
      await runner.query('UPDATE schema_lock SET holder = NULL WHERE id = 1 AND holder = ?', [holder]);
    }
  } finally {
    await runner.release();
  }
}

async function acquireLock(runner: QueryRunner, holder: string): Promise<void> {
  await runner.query(
    'CREATE TABLE IF NOT EXISTS schema_lock (id INTEGER PRIMARY KEY, holder VARCHAR(36), expires DATETIME(3)) ENGINE = InnoDB',
  );
  await runner.query('INSERT IGNORE INTO schema_lock (id) VALUES (1)');
  const deadline = performance.now() + MIGRATION_TIMEOUT;
  for (;;) {
    const { affectedRows } = (await runner.query(
      `UPDATE schema_lock SET holder = ?, expires = ${leaseEnd} WHERE id = 1 AND (holder IS NULL OR expires < UTC_TIMESTAMP(3))`,
      [holder],
    )) as { affectedRows: number };
    if (affectedRows === 1) return;
    if (performance.now() > deadline)
      throw new UnusableDatabaseError('Another process is migrating the database.');
    await sleep(500);
  }
}

async function renewLease(source: DataSource, holder: string): Promise<void> {
  // A failed renewal is repeated; the lease outlasts several.
  await source
    .query(`UPDATE schema_lock SET expires = ${leaseEnd} WHERE id = 1 AND holder = ?`, [holder])
    .catch(() => undefined);
}

const leaseEnd = `UTC_TIMESTAMP(3) + INTERVAL ${LEASE_SECONDS} SECOND`;
