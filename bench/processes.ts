import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, cpus } from 'node:os';

/** Whether processes can be held to one core each, so that load and server do not share one. */
export const pinned = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;
/** The core of the servers, and the core of the load generator. */
const SERVER_CORE = 0;
const LOAD_CORE = 1;
const ALL_CORES = `0-${cpus().length - 1}`;
/** As `npm start` has them; the floors have them, too. */
export const SERVER_OPTIONS = ['--no-memory-reducer'];
/** Milliseconds that a server may take to end. */
const END_WITHIN = 12_000;

/** Holds a process to a core, or to several. */
function pin(pid: number, core: number | string): void {
  if (pinned) spawnSync('taskset', ['-a', '-p', '-c', String(core), String(pid)]);
}

/** Holds this process, the load generator, to its own core. */
export function pinLoad(): void {
  pin(process.pid, LOAD_CORE);
}

/** Everything started here and not ended yet: however the benchmark ends, nothing of it may stay. */
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/**
 * Starts a script with a channel for messages. It ends by itself when that channel closes.
 * @param alone it may use all cores: nothing else is at work meanwhile
 * @param nodeOptions options of Node itself
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
export interface Measured {
  child: ChildProcess;
  port: number;
  /** Processor time so far of all its threads, in microseconds; NaN where the system does not tell. */
  cpu(): number;
  /** Resident memory in MB. */
  memory(): number;
  /** The most there was of it. */
  peakMemory(): number;
  stop(): Promise<void>;
}

/** Starts a server on a free port and waits until `ready` says that it serves. */
export async function start(
  script: string,
  args: (port: number) => string[],
  environment: (port: number) => Record<string, string>,
  ready: (port: number, child: ChildProcess) => Promise<void>,
): Promise<Measured> {
  const port = await freePort();
  const child = startScript(script, args(port), environment(port), false, SERVER_OPTIONS);
  const gone = new Promise<never>((_, reject) =>
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}.`))),
  );
  gone.catch(() => undefined);
  await Promise.race([ready(port, child), gone]);
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
        setTimeout(() => child.kill('SIGKILL'), END_WITHIN).unref();
      }),
  };
}

/** Time on a processor of all threads, from /proc in nanoseconds: the times of `stat` are counted in hundredths of a second. */
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

function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)![1]) / 1024;
  } catch {
    return NaN;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
