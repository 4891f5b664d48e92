import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';

/** Whether processes can be held to one core each, so that load and server do not share one. */
export const pinned = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;
/** The core of the servers, and the core of the load generator. */
const SERVER_CORE = 0;
const LOAD_CORE = 1;

/** Holds a process to a core. */
function pin(pid: number, core: number): void {
  if (pinned) spawnSync('taskset', ['-a', '-p', '-c', String(core), String(pid)]);
}

/** Holds this process, the load generator, to its own core. */
export function pinLoad(): void {
  pin(process.pid, LOAD_CORE);
}

/** A process that is measured. */
export interface Measured {
  child: ChildProcess;
  port: number;
  /** Processor time so far, in microseconds. */
  cpu(): number;
  /** Resident memory in MB. */
  memory(): number;
  stop(): Promise<void>;
}

/** Starts a script on a free port and waits until `ready` says that it serves. */
export async function start(
  script: string,
  args: (port: number) => string[],
  environment: (port: number) => Record<string, string>,
  ready: (port: number, child: ChildProcess) => Promise<void>,
): Promise<Measured> {
  const port = await freePort();
  const child = fork(script, args(port), {
    env: { ...process.env, ...environment(port) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  pin(child.pid!, SERVER_CORE);
  process.once('exit', () => child.kill('SIGKILL'));
  const gone = new Promise<never>((_, reject) =>
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}.`))),
  );
  gone.catch(() => undefined);
  await Promise.race([ready(port, child), gone]);
  return {
    child,
    port,
    cpu: () => cpuTime(child.pid!),
    memory: () => memoryOf(child.pid!),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
        setTimeout(() => child.kill('SIGKILL'), 12_000).unref();
      }),
  };
}

/** User and system time of a process from /proc, in microseconds; NaN where there is no /proc. */
function cpuTime(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    // Fields 14 and 15 of proc(5), in hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return NaN;
  }
}

function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
  } catch {
    return NaN;
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
