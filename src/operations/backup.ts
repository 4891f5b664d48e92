import BetterSqlite3 from 'better-sqlite3';
import {
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
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Transform, Writable, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Environment } from '../config/environment.js';
import { inspectEmbeddedFile } from '../database/embedded-file.js';
import { countTables, runClient, type Use } from './server-client.js';

/** A backup or a restore cannot be done; the message is one line for whoever asked for it. */
export class BackupError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'BackupRefused';
  }
}

/** Only the owner may read a backup: it holds the digests of passwords. */
const OWNER_ONLY = 0o600;
/** The last line of every dump; a dump without it was cut off. */
const DUMP_END = '-- Dump completed';

/**
 * Copies the whole database into a file as it is at one moment, while it is in use. The file appears when it is complete.
 * @param clients folder of the server's client programs; those of the search path unless given
 * @returns its size in bytes
 * @throws BackupRefused
 */
export async function backup(environment: Environment, file: string, clients?: string): Promise<number> {
  if (existsSync(file)) throw new BackupError(`${file} exists already: a backup never replaces another.`);
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    closeSync(openSync(unfinished, 'wx', OWNER_ONLY));
  } catch (error) {
    throw new BackupError(`${unfinished} cannot be made: ${(error as Error).message}.`, error);
  }
  try {
    if (environment.embedded) await backupFile(environment.sqlitePath, unfinished);
    else await dumpServer(environment, unfinished, file.endsWith('.gz'), clients);
    sync(unfinished);
    // Unlike a rename, a link does not replace what somebody else has put there meanwhile.
    linkSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return statSync(file).size;
}

/**
 * Brings a backup back into an empty place: a path without a file, or a server's database without tables.
 * @throws BackupRefused
 */
export async function restore(environment: Environment, file: string): Promise<void> {
  if (!existsSync(file)) throw new BackupError(`There is no file ${file}.`);
  if (environment.embedded) restoreFile(environment.sqlitePath, file);
  else await loadServer(environment, file);
}

async function backupFile(path: string, target: string): Promise<void> {
  if (!existsSync(path)) throw new BackupError(`There is no database at ${path}.`);
  inspectEmbeddedFile(path);
  const handle = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    // In one step: with several, each write of the service in between would begin the copy anew.
    await handle.backup(target, { progress: () => 2 ** 31 - 1 });
  } finally {
    handle.close();
  }
  inspectEmbeddedFile(target);
  for (const side of ['-wal', '-shm']) rmSync(`${target}${side}`, { force: true });
}

function restoreFile(path: string, file: string): void {
  for (const place of [path, `${path}-wal`]) {
    if (existsSync(place))
      throw new BackupError(`${place} exists: a backup is restored only where nothing is.`);
  }
  inspectEmbeddedFile(file);
  for (const side of ['-wal', '-shm']) rmSync(`${file}${side}`, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}.unfinished`;
  try {
    copyFileSync(file, unfinished, constants.COPYFILE_EXCL);
    sync(unfinished);
    linkSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

async function dumpServer(
  environment: Environment,
  target: string,
  compressed: boolean,
  clients?: string,
): Promise<void> {
  const tail = new Tail();
  const dump: Use = async ({ stdin, stdout }) => {
    stdin.end();
    const steps = [stdout, tail, ...(compressed ? [createGzip()] : []), createWriteStream(target)];
    await pipeline(steps);
  };
  await runClient(environment, 'dump', dump, clients);
  if (!tail.text.includes(DUMP_END))
    throw new BackupError('The dump is not whole: its last line is missing.');
}

async function loadServer(environment: Environment, file: string): Promise<void> {
  const tables = await countTables(environment);
  if (tables > 0) {
    throw new BackupError(`The database has ${tables} tables: a backup is restored only where nothing is.`);
  }
  // A dump that was cut off would load without a complaint, so its end is looked at first.
  const tail = new Tail();
  // Takes everything and keeps nothing.
  const drain = new Writable({ write: (_part, _encoding, done) => done() });
  await pipeline([...reading(file), tail, drain]);
  if (!tail.text.includes(DUMP_END)) {
    throw new BackupError(`${file} is not a whole dump of a database: its last line is missing.`);
  }
  await runClient(environment, 'load', ({ stdin }) => pipeline([...reading(file), stdin]));
}

function reading(file: string) {
  const source = createReadStream(file);
  return file.endsWith('.gz') ? [source, createGunzip()] : [source];
}

/** Lets everything through and remembers the end of it. */
class Tail extends Transform {
  text = '';

  override _transform(part: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.text = (this.text + part.toString('latin1')).slice(-300);
    done(null, part);
  }
}

/** Waits until a file is on the disk and not only on its way. */
function sync(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}
