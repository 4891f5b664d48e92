import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * The resources of a run to clean up: child processes and one temporary folder.
 */

const folder = mkdtempSync(join(tmpdir(), 'pds-faults-'));
const processes = new Set<ChildProcess>();
let folders = 0;

/** Creates an empty folder, removed at the end of the run. */
export function createFolder(): string {
  return mkdtempSync(join(folder, `${++folders}-`));
}

/** Tracks a process, so that it does not outlive the run. */
export function track<T extends ChildProcess>(child: T): T {
  processes.add(child);
  child.once('exit', () => processes.delete(child));
  return child;
}

/** Kills the remaining processes. */
export function killProcesses(): void {
  for (const child of processes) {
    // A suspended process must be resumed to handle signals.
    child.kill('SIGCONT');
    child.kill('SIGKILL');
  }
}

/** Kills the remaining processes and removes the folder. */
export function cleanUp(): void {
  killProcesses();
  rmSync(folder, { recursive: true, force: true });
}

/** Finds a free port on the loopback. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
