import BetterSqlite3 from 'better-sqlite3';
import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { accessProblem } from '../../lib/files/access-problem.js';
import { UnusableDatabaseError } from '../errors/unusable-database.error.js';
import { driverErrorKind } from '../errors/driver-errors.js';
import { schemaState } from '../schema.js';

/** Only the owner may read the database and its backups, which contain password hashes. */
export const OWNER_ONLY = 0o600;
/** Bytes up to which the whole file is checked, which takes up to half a second at startup. */
const FULL_CHECK_LIMIT = 64 * 1024 * 1024;

/**
 * Creates the file of the embedded database if it is missing, else inspects it.
 * @throws UnusableDatabaseError as `inspectEmbeddedFile` does
 */
export function prepareEmbeddedFile(path: string): void {
  if (existsSync(path)) return inspectEmbeddedFile(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw new UnusableDatabaseError(
      `${path} cannot be created: its folder ${accessProblem(dirname(path), error)}.`,
      error,
    );
  }
  // SQLite creates an empty file and writes to it later: a process killed in between would leave a
  // file that the next start rejects, so the file gets its name once it has a header.
  const temporary = `${path}.${process.pid}.unfinished`;
  try {
    // SQLite gives the files beside it, such as the write-ahead log, the same mode.
    closeSync(openSync(temporary, 'w', OWNER_ONLY));
    const handle = new BetterSqlite3(temporary);
    handle.pragma('journal_mode = WAL');
    handle.close();
    giveName(temporary, path);
  } catch (error) {
    // Another process has created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** @throws an error with the code EEXIST where the name is taken */
function giveName(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    // Not every file system has hard links.
    if (existsSync(path)) throw error;
    copyFileSync(temporary, path, constants.COPYFILE_EXCL);
  }
}

/**
 * Requires the file of the embedded database, for commands that work on one that there is.
 * @throws UnusableDatabaseError as `inspectEmbeddedFile` does, and where there is no file
 */
export function requireEmbeddedFile(path: string): void {
  if (!existsSync(path))
    throw new UnusableDatabaseError(
      `There is no database at ${resolve(path)}, the file of DATABASE_URL. The service makes it at its first start; if it has another one, run the command with the settings of the service.`,
    );
  inspectEmbeddedFile(path);
}

/**
 * Checks the file of the embedded database before it is opened for writing, without changing it.
 * @throws UnusableDatabaseError for a file that is empty, damaged, belongs to another application,
 * or to a version of the service with other migrations
 */
export function inspectEmbeddedFile(path: string): void {
  const state = statSync(path);
  // SQLite calls it an error of the disk.
  if (state.isDirectory())
    throw new UnusableDatabaseError(`${path} ${accessProblem(path, { code: 'EISDIR' })}.`);
  const { size } = state;
  if (size === 0) {
    throw new UnusableDatabaseError(
      `${path} is empty, as a full disk or an interrupted copy leaves it. It was not changed: restore a backup to another path, or delete the file to begin with an empty database.`,
    );
  }
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
    schemaState(handle.prepare('SELECT name FROM migrations').pluck().all() as string[]);
  } catch (error) {
    if (error instanceof UnusableDatabaseError) throw error;
    if (driverErrorKind(error) === 'misconfigured')
      throw new UnusableDatabaseError(damagedMessage(path), error);
    if ((error as { code?: string }).code === 'SQLITE_CANTOPEN')
      throw new UnusableDatabaseError(`${path} ${accessProblem(path, error)}.`, error);
    throw error;
  } finally {
    handle?.close();
  }
}

function damagedMessage(path: string): string {
  return `${path} is damaged or not a database of this service. It was not changed: restore a backup to another path.`;
}
