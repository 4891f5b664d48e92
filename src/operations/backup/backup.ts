import BetterSqlite3 from 'better-sqlite3';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Transform, Writable, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Environment } from '../../config/environment.js';
import { inspectEmbeddedFile, OWNER_ONLY, requireEmbeddedFile } from '../../database/sqlite/embedded-file.js';
import { accessProblem } from '../../lib/files/access-problem.js';
import { countTables, runClient, type ClientTask } from './server-client.js';

/** A backup or a restore failed. The message is one line for the operator. */
class BackupError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'BackupError';
  }
}

/** The last line of every dump; a dump without it is truncated. */
const DUMP_END = '-- Dump completed';
/** What every dump of a database of the service contains. */
const MIGRATIONS_TABLE = 'CREATE TABLE `migrations`';

/**
 * Writes a consistent snapshot of the database to a file, also while it is in use. The file is
 * created under its name once it is complete.
 * @param clientFolder folder of the database client programs; found on the PATH by default
 * @returns the size of the file in bytes
 * @throws BackupError
 */
export async function backup(environment: Environment, file: string, clientFolder?: string): Promise<number> {
  if (existsSync(file)) throw new BackupError(`${file} already exists: a backup never overwrites a file.`);
  const temporary = `${file}.${process.pid}.unfinished`;
  try {
    closeSync(openSync(temporary, 'wx', OWNER_ONLY));
  } catch (error) {
    const folder = dirname(resolve(temporary));
    throw new BackupError(
      `${file} cannot be created: its folder ${folder} ${accessProblem(folder, error)}.`,
      error,
    );
  }
  try {
    if (environment.embedded) await backupFile(environment, temporary);
    else await dumpServer(environment, temporary, file.endsWith('.gz'), clientFolder);
    syncToDisk(temporary);
    // Unlike a rename, a link does not overwrite a file that was created meanwhile.
    linkSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
  return statSync(file).size;
}

/**
 * Restores a backup to a path without a file, or into a server's database without tables.
 * @throws BackupError
 */
export async function restore(environment: Environment, file: string): Promise<void> {
  if (!existsSync(file)) throw new BackupError(`There is no file ${file}.`);
  rejectOtherEngine(environment, file);
  if (environment.embedded) restoreFile(environment.sqlitePath, file);
  else await loadServer(environment, file);
}

/** What every SQLite file begins with. */
const SQLITE_HEADER = 'SQLite format 3\0';
/** What a dump of MariaDB or MySQL begins with. */
const DUMP_HEADER = /^(?:\/\*M?!999999|-- (?:MariaDB|MySQL) dump)/;

/** @throws BackupError for a backup of the engine that `DATABASE_URL` is not of */
function rejectOtherEngine(environment: Environment, file: string): void {
  const begin = firstBytes(file);
  const isDump = DUMP_HEADER.test(begin) || begin.startsWith('\x1f\x8b');
  if (environment.embedded ? !isDump : !begin.startsWith(SQLITE_HEADER)) return;
  const [of, into] = environment.embedded
    ? ['a dump of a database server', 'an SQLite file']
    : ['an SQLite file', 'a database server'];
  throw new BackupError(`${file} is ${of}, but DATABASE_URL names ${into}: nothing was restored.`);
}

/** @throws BackupError where the file cannot be read */
function firstBytes(file: string): string {
  try {
    const opened = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(32);
      return bytes.toString('latin1', 0, readSync(opened, bytes));
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw new BackupError(`${file} ${accessProblem(file, error)}.`, error);
  }
}

/** The error of settings that name another database than the service has. */
const nothingToBackUp = ({ databaseName }: Environment) =>
  new BackupError(
    `${databaseName} has no tables of this service: nothing was backed up. If the service has another database, run the command with its settings.`,
  );

async function backupFile(environment: Environment, target: string): Promise<void> {
  const path = environment.sqlitePath;
  requireEmbeddedFile(path);
  const handle = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    const tables = handle.prepare("SELECT name FROM sqlite_master WHERE name = 'migrations'").all();
    if (tables.length === 0) throw nothingToBackUp(environment);
    // In one step: with several, every write of the service in between would restart the copy.
    await handle.backup(target, { progress: () => 2 ** 31 - 1 });
  } finally {
    handle.close();
  }
  inspectEmbeddedFile(target);
  for (const suffix of ['-wal', '-shm']) rmSync(`${target}${suffix}`, { force: true });
}

function restoreFile(path: string, file: string): void {
  for (const existing of [path, `${path}-wal`]) {
    if (existsSync(existing))
      throw new BackupError(`${existing} already exists: a backup never overwrites a database.`);
  }
  inspectEmbeddedFile(file);
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.unfinished`;
  try {
    copyFileSync(file, temporary, constants.COPYFILE_EXCL);
    chmodSync(temporary, OWNER_ONLY);
    syncToDisk(temporary);
    linkSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

async function dumpServer(
  environment: Environment,
  target: string,
  compressed: boolean,
  clientFolder?: string,
): Promise<void> {
  const tail = new TailTransform();
  const dump: ClientTask = async ({ stdin, stdout }) => {
    stdin.end();
    const streams = [stdout, tail, ...(compressed ? [createGzip()] : []), createWriteStream(target)];
    await pipeline(streams);
  };
  await runClient(environment, 'dump', dump, clientFolder);
  if (!tail.text.includes(DUMP_END))
    throw new BackupError('The dump is incomplete: its last line is missing.');
  if (!tail.hasMigrations) throw nothingToBackUp(environment);
}

async function loadServer(environment: Environment, file: string): Promise<void> {
  const tables = await countTables(environment);
  if (tables > 0) {
    throw new BackupError(
      `The database has ${tables} tables: a backup is only restored into an empty database.`,
    );
  }
  // A truncated dump would load without an error, so its end is checked first.
  const tail = new TailTransform();
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline([...fileStreams(file), tail, discard]);
  if (!tail.text.includes(DUMP_END)) {
    throw new BackupError(`${file} is not a complete database dump: its last line is missing.`);
  }
  await runClient(environment, 'load', ({ stdin }) => pipeline([...fileStreams(file), stdin]));
}

function fileStreams(file: string) {
  const source = createReadStream(file);
  return file.endsWith('.gz') ? [source, createGunzip()] : [source];
}

/** Passes a stream through and keeps its last 300 characters. */
class TailTransform extends Transform {
  text = '';
  hasMigrations = false;

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    const text = this.text + chunk.toString('latin1');
    this.hasMigrations ||= text.includes(MIGRATIONS_TABLE);
    this.text = text.slice(-300);
    done(null, chunk);
  }
}

/** Flushes a file to the disk. */
function syncToDisk(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}
