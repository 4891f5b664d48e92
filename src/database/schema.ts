import { Logger } from '@nestjs/common';
import type BetterSqlite3 from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { UnusableDatabaseError } from './errors/unusable-database.error.js';
import { SCHEMA_VERSION, migrations, versionOf } from './migrations/index.js';
import { beginImmediate } from './sqlite/sqlite-lock.js';

/** Milliseconds to wait for another process that runs migrations. */
const MIGRATION_TIMEOUT = 300_000;
/** Seconds until the lock of a dead process expires, and seconds between two renewals. */
const LEASE_SECONDS = 15;
const HEARTBEAT_SECONDS = 3;

const logger = new Logger('Database');

/** What the log says to operators about the migrations of newer releases. */
export const newerSchemaMessage = (newer: readonly string[]) =>
  `The database has migrations of a newer version (${newer.join(', ')}). This version reads it, and writes to it unless the newer one forbids that.`;

const migrationNames = () => migrations.map((migration) => migration.name);

/** The migrations that a database lacks, and those of newer releases that it has. */
interface SchemaState {
  pending: string[];
  newer: string[];
}

/**
 * Compares the migrations of a database with those of this release.
 * @param applied the names of those it has, or null if it has no `migrations` table
 * @throws UnusableDatabaseError when it has others that are not newer than all of this release
 */
export function schemaState(applied: readonly string[] | null): SchemaState {
  const unknown = (applied ?? []).filter((name) => !migrationNames().includes(name));
  const pending = migrationNames().filter((name) => !(applied ?? []).includes(name));
  const newer = unknown.filter((name) => versionOf(name) > SCHEMA_VERSION);
  if (newer.length < unknown.length || (newer.length > 0 && pending.length > 0)) {
    throw new UnusableDatabaseError(
      `The database has migrations that do not belong to this version (${unknown.join(', ')}) and that are not additions to its schema: it belongs to another version of this service, or to another application. Run that version, or restore a backup from before its migrations.`,
    );
  }
  return { pending, newer };
}

/** Compares the migrations of an open database with those of this release. */
export const readSchemaState = async (source: DataSource) => schemaState(await appliedMigrations(source));

/** The names of the migrations that a database has, or null if it has no `migrations` table. */
async function appliedMigrations(source: DataSource): Promise<string[] | null> {
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
 * Rejects a database with pending migrations: an incomplete schema is never served. A newer schema
 * is served: newer releases make no changes that this one cannot read.
 * @throws UnusableDatabaseError
 */
export async function assertSchemaUpToDate(source: DataSource): Promise<void> {
  const { pending, newer } = await readSchemaState(source);
  if (newer.length > 0) logger.warn(newerSchemaMessage(newer));
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
  if ((await readSchemaState(source)).pending.length === 0) return [];
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
  if ((await readSchemaState(source)).pending.length === 0) return [];
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
