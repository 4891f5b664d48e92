import BetterSqlite3 from 'better-sqlite3';
import { statSync } from 'node:fs';
import { UnusableDatabaseError } from './unusable-database.error.js';
import { driverErrorKind } from './driver-errors.js';
import { missingMigrations } from './schema.js';

/** Bytes up to which a file is looked at whole: half a second of work. A larger one would hold up the start. */
const LOOKED_AT_WHOLE = 64 * 1024 * 1024;

/**
 * Looks at the file of the embedded database before it is opened for work, and changes nothing in it. A file that is absent
 * or empty is fine: it becomes a new database.
 * @throws DatabaseRefused for a file that is damaged, of something else, or of a newer version of the service
 */
export function inspectEmbeddedFile(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  let handle: BetterSqlite3.Database | null = null;
  try {
    handle = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
    if (size <= LOOKED_AT_WHOLE && handle.pragma('quick_check(1)', { simple: true }) !== 'ok') {
      throw new UnusableDatabaseError(damaged(path));
    }
    const tables = handle.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
    if (tables.length === 0) return;
    if (!tables.includes('migrations')) {
      throw new UnusableDatabaseError(`${path} holds the tables of something else. It is left as it is.`);
    }
    missingMigrations(handle.prepare('SELECT name FROM migrations').pluck().all() as string[]);
  } catch (error) {
    if (error instanceof UnusableDatabaseError) throw error;
    if (driverErrorKind(error) === 'misconfigured') throw new UnusableDatabaseError(damaged(path), error);
    throw error;
  } finally {
    handle?.close();
  }
}

function damaged(path: string): string {
  return `${path} is damaged or not a database of this service. It is left as it is: restore a backup under another name.`;
}
