import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, cpus } from 'node:os';

/**
 * Whether processes can be pinned to a core each, so that load generator and server do not share
 * one.
 */
export const pinned = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;
/** The core of the servers, and the core of the load generator. */
const SERVER_CORE = 0;
const LOAD_CORE = 1;
const ALL_CORES = `0-${cpus().length - 1}`;
/** The Node options of `npm start`; the floors run with them as well. */
export const SERVER_OPTIONS = ['--no-memory-reducer'];
/** Milliseconds after which a server that does not stop is killed. */
const STOP_TIMEOUT_MS = 12_000;

/** Pins a process to one or several cores. */
function pin(pid: number, core: number | string): void {
  if (pinned) spawnSync('taskset', ['-a', '-p', '-c', String(core), String(pid)]);
}

/** Pins this process, the load generator, to its own core. */
export function pinLoad(): void {
  pin(process.pid, LOAD_CORE);
}

/** The child processes that are running; none may survive the benchmark, however it ends. */
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/**
 * Starts a script with an IPC channel. It exits by itself when that channel closes.
 * @param alone allows it all cores, for a time when nothing else runs
 * @param nodeOptions command-line options of Node
 */
export function startScript(
  script: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  alone = false,
  nodeOptions: readonly string[] = [],
): ChildProcess {
  const child = fork(script, args, {
    execArgv: [...nodeOptions],
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  pin(child.pid!, alone ? ALL_CORES : SERVER_CORE);
  return child;
}

/** A server that is measured. */
export interface MeasuredServer {
  child: ChildProcess;
  port: number;
  /**
   * Processor time of all its threads so far, in microseconds; NaN where the system does not
   * provide it.
   */
  cpu(): number;
  /** Resident memory in MB. */
  memory(): number;
  /** Peak resident memory in MB. */
  peakMemory(): number;
  stop(): Promise<void>;
}

/** Starts a server on a free port and waits until `ready` resolves. */
export async function start(
  script: string,
  args: (port: number) => string[],
  environment: (port: number) => Record<string, string>,
  ready: (port: number, child: ChildProcess) => Promise<void>,
): Promise<MeasuredServer> {
  const port = await freePort();
  const child = startScript(script, args(port), environment(port), false, SERVER_OPTIONS);
  const exited = new Promise<never>((_, reject) =>
    child.once('exit', (code) => reject(new Error(`${script} exited with code ${code}.`))),
  );
  exited.catch(() => undefined);
  await Promise.race([ready(port, child), exited]);
  return {
    child,
    port,
    cpu: () => cpuTime(child.pid!),
    memory: () => memoryOf(child.pid!, 'VmRSS'),
    peakMemory: () => memoryOf(child.pid!, 'VmHWM'),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
        setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS).unref();
      }),
  };
}

/**
 * Processor time of all threads of a process, in microseconds. From `schedstat`, which has
 * nanoseconds; `stat` has hundredths of a second.
 */
export function cpuTime(pid: number): number {
  try {
    let nanoseconds = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    }
    return nanoseconds / 1000;
  } catch {
    return NaN;
  }
}

/** Resident memory of a process in MB, now or at most; NaN where the system does not provide it. */
export function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)![1]) / 1024;
  } catch {
    return NaN;
  }
}

/** The first of the ports that servers get, and how many there are. */
const FIRST_PORT = 20_000;
const PORTS = 12_000;

/**
 * A free port with a free one after it, the management port of a service. Both are below those of
 * outgoing connections, each of which keeps its port from servers for a minute after its end.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
