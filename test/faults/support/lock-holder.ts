import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { track } from './resources.js';

const SCRIPT = `
import Database from 'better-sqlite3';
const handle = new Database(process.argv[1]);
handle.pragma('busy_timeout = 5000');
handle.exec('BEGIN IMMEDIATE');
process.stdout.write('held');
setTimeout(() => { handle.exec('ROLLBACK'); handle.close(); }, Number(process.argv[2]));
`;

/**
 * Starts a process that holds the write lock of an embedded database; resolves once it is locked.
 */
export async function holdLock(path: string, milliseconds: number): Promise<{ released: Promise<unknown> }> {
  const child = track(
    spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, path, String(milliseconds)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const released = once(child, 'exit');
  await once(child.stdout, 'data');
  return { released };
}
