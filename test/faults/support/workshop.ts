import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * What a run has made and has to clear away: processes, each ended by its own id, and one folder.
 */

const folder = mkdtempSync(join(tmpdir(), 'pds-faults-'));
const processes = new Set<ChildProcess>();
let folders = 0;

/** A new empty folder, gone at the end of the run. */
export function newFolder(): string {
  return mkdtempSync(join(folder, `${++folders}-`));
}

/** Remembers a process, so that it does not outlive the run. */
export function remember<T extends ChildProcess>(child: T): T {
  processes.add(child);
  child.once('exit', () => processes.delete(child));
  return child;
}

/** Ends every process that is left. */
export function endProcesses(): void {
  for (const child of processes) {
    // A stopped process does not hear anything until it goes on.
    child.kill('SIGCONT');
    child.kill('SIGKILL');
  }
}

/** Ends every process and removes the folder. */
export function clearAway(): void {
  endProcesses();
  rmSync(folder, { recursive: true, force: true });
}

/** A port on the loopback that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
