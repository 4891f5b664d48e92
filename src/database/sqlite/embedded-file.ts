import BetterSqlite3 from 'better-sqlite3';
import { statSync } from 'node:fs';
import { UnusableDatabaseError } from '../errors/unusable-database.error.js';
import { driverErrorKind } from '../errors/driver-errors.js';
import { pendingMigrations } from '../schema.js';

/** Bytes up to which the whole file is checked, which takes up to half a second at startup. */
const FULL_CHECK_LIMIT = 64 * 1024 * 1024;

/**
 * Checks the file of the embedded database before it is opened for writing, without changing it. A
 * missing or empty file is accepted: it becomes a new database.
 * @throws UnusableDatabaseError for a file that is damaged, belongs to another application, or to a
 * newer version of the service
 */
export function inspectEmbeddedFile(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  let handle: BetterSqlite3.Database | null = null;
  try {
    handle = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
    if (size <= FULL_CHECK_LIMIT && handle.pragma('quick_check(1)', { simple: true }) !== 'ok') {
      throw new UnusableDatabaseError(damagedMessage(path));
    }
    const tables = handle.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
    if (tables.length === 0) return;
    if (!tables.includes('migrations')) {
      throw new UnusableDatabaseError(
        `${path} contains the tables of another application. It was not changed.`,
      );
    }
    pendingMigrations(handle.prepare('SELECT name FROM migrations').pluck().all() as string[]);
  } catch (error) {
    if (error instanceof UnusableDatabaseError) throw error;
    if (driverErrorKind(error) === 'misconfigured')
      throw new UnusableDatabaseError(damagedMessage(path), error);
    throw error;
  } finally {
    handle?.close();
  }
}

function damagedMessage(path: string): string {
  return `${path} is damaged or not a database of this service. It was not changed: restore a backup to another path.`;
}
