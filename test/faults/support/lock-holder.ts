import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { remember } from './workshop.js';

const SCRIPT = `
import Database from 'better-sqlite3';
const handle = new Database(process.argv[1]);
handle.pragma('busy_timeout = 5000');
handle.exec('BEGIN IMMEDIATE');
process.stdout.write('held');
setTimeout(() => { handle.exec('ROLLBACK'); handle.close(); }, Number(process.argv[2]));
`;

/** Another process that holds the write lock of an embedded database for so many milliseconds; returns when it has it. */
export async function holdLock(path: string, milliseconds: number): Promise<{ released: Promise<unknown> }> {
  const child = remember(
    spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, path, String(milliseconds)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const released = once(child, 'exit');
  await once(child.stdout, 'data');
  return { released };
}
