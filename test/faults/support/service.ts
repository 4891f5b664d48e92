import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareEmbeddedFile } from '../../../src/database/sqlite/embedded-file.js';
import { sendRequest, jsonBody, type RequestOptions, type HttpReply } from './http.js';
import { findFreePort, createFolder, track } from './resources.js';
import { TimeLimitError } from './rule.js';

/** The build folder; this file is built into its `test/faults/support`. */
const built = join(import.meta.dirname, '../../..');
/** The admin account of every started service. */
export const ADMIN = { username: 'admin', password: 'a fault is not a failure 42' };

export interface StartOptions {
  /** A SQLite file in a new folder by default. */
  databaseUrl?: string;
  /** That of a service which it replaces; a free one by default. */
  port?: number;
  settings?: Record<string, string>;
  /**
   * Where standard output goes: captured in `output` (default), an unread pipe, or a file
   * descriptor.
   */
  stdout?: 'capture' | 'unread' | number;
  /** User id of the process. */
  uid?: number;
  /** The build folder, of another release. */
  build?: string;
}

/** Longest start, with all migrations on a busy machine. */
const START_TIMEOUT_MS = 60_000;

/** A built server in its own process, on a free port of the loopback. */
export class Service {
  /** The last 200,000 characters of its standard output and error. */
  output = '';
  /** Its exit code, or the name of the signal that killed it; null while it runs. */
  exitStatus: number | string | null = null;
  readonly exited: Promise<number | string>;
  private token: string | null = null;

  private constructor(
    readonly child: ChildProcess,
    readonly port: number,
    readonly managementPort: number,
    readonly databaseUrl: string,
    readonly startedAt: number,
  ) {
    const capture = (chunk: Buffer) => (this.output = (this.output + String(chunk)).slice(-200_000));
    child.stderr?.on('data', capture);
    this.exited = once(child, 'exit').then(
      ([code, signal]) => (this.exitStatus = (code as number | null) ?? (signal as string)),
    );
  }

  /** Starts a server and returns at once. */
  static async launch(options: StartOptions = {}): Promise<Service> {
    const port = options.port ?? (await findFreePort());
    const managementPort = await findFreePort();
    const databaseUrl = options.databaseUrl ?? `sqlite:${join(createFolder(), 'prices.sqlite')}`;
    const { stdout = 'capture', build = built } = options;
    const startedAt = performance.now();
    const child = spawn(process.execPath, [join(build, 'src/main.js')], {
      env: environment(databaseUrl, {
        PORT: String(port),
        MANAGEMENT_PORT: String(managementPort),
        ...options.settings,
      }),
      stdio: ['ignore', typeof stdout === 'number' ? stdout : 'pipe', 'pipe'],
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    });
    const service = new Service(track(child), port, managementPort, databaseUrl, startedAt);
    if (stdout === 'capture') {
      child.stdout?.on(
        'data',
        (chunk) => (service.output = (service.output + String(chunk)).slice(-200_000)),
      );
    }
    return service;
  }

  /** Starts a server and waits until it is ready: rules that limit this measure it themselves. */
  static async start(options: StartOptions = {}): Promise<Service> {
    const service = await Service.launch(options);
    await service.waitUntilReady(START_TIMEOUT_MS);
    return service;
  }

  get pid(): number {
    return this.child.pid!;
  }

  request(path: string, options?: RequestOptions): Promise<HttpReply> {
    return sendRequest(this.port, path, options);
  }

  /** The value of a metric without labels; NaN if there is none. */
  async metric(name: string): Promise<number> {
    const { text } = await sendRequest(this.managementPort, '/metrics');
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  }

  /** Sends a request as the administrator. */
  async write(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<HttpReply> {
    const headers = { Authorization: `Bearer ${await this.login()}`, ...options.headers };
    return this.request(path, { ...options, method, body, headers });
  }

  /** The administrator's access token; logs in once. */
  async login(): Promise<string> {
    if (this.token !== null) return this.token;
    const reply = await this.request('/api/auth/login/', { method: 'POST', body: ADMIN });
    if (reply.status !== 200)
      throw new Error(`The login failed: ${reply.status} ${reply.text}${this.tail()}`);
    return (this.token = jsonBody<{ access: string }>(reply).access);
  }

  /**
   * Waits until a path returns a status.
   * @returns the milliseconds it took
   */
  async waitForStatus(path: string, status: number, timeoutMs = 15_000): Promise<number> {
    const began = performance.now();
    for (;;) {
      const reply = await this.request(path, { timeoutMs: 3000 });
      if (reply.status === status) return performance.now() - began;
      if (this.exitStatus !== null)
        throw new Error(`The service exited with ${this.exitStatus}.${this.tail()}`);
      if (performance.now() - began > timeoutMs)
        throw new TimeLimitError(
          `${path} returned ${reply.status || reply.error} instead of ${status} after ${timeoutMs} ms.${this.tail()}`,
        );
      await sleep(20);
    }
  }

  waitUntilReady(timeoutMs?: number): Promise<number> {
    return this.waitForStatus('/health/ready', 200, timeoutMs);
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /**
   * @returns the exit code, or the name of the signal that killed it
   * @throws TimeLimitError if it is still running after the timeout
   */
  async waitForExit(timeoutMs = 15_000): Promise<number | string> {
    const timeout = sleep(timeoutMs, null, { ref: false });
    const exitStatus = await Promise.race([this.exited, timeout]);
    if (exitStatus === null)
      throw new TimeLimitError(`The service is still running after ${timeoutMs} ms.${this.tail()}`);
    return exitStatus;
  }

  /** Shuts it down gracefully, and kills it if that fails. */
  async stop(): Promise<void> {
    if (this.exitStatus !== null) return;
    this.signal('SIGTERM');
    await this.waitForExit(12_000).catch(() => this.kill());
  }

  /** Kills it, like a power loss. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  /** Resident memory in MiB; NaN without /proc. */
  residentMemory(): number {
    return residentMemoryOf(this.pid);
  }

  /** The same of the processes that it has started, and that run. */
  residentMemoryOfChildren(): number {
    const pids = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8').trim();
    // One may have ended since.
    const sizes = pids.split(' ').map((pid) => residentMemoryOf(Number(pid)) || 0);
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** The last lines of its output, for error messages. */
  tail(): string {
    const lines = this.output.trim().split('\n').slice(-12);
    return `\n    ${lines.join('\n    ')}`;
  }
}

function residentMemoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return NaN;
  }
}

/**
 * Runs one of the built commands until it exits.
 * @param name as in `npm run`
 * @param options.killAfter milliseconds, or what to wait for, until it is killed
 */
export async function runBuiltCommand(
  name: string,
  args: string[],
  databaseUrl: string,
  {
    killAfter,
    feed,
    build = built,
  }: {
    killAfter?: number | Promise<unknown>;
    feed?: (input: Writable) => Promise<void>;
    build?: string;
  } = {},
): Promise<{ code: number | string; output: string; ms: number }> {
  const path = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : null;
  // The command makes no database where there is none.
  if (name === 'migrate' && path !== null && !existsSync(path)) prepareEmbeddedFile(path);
  const began = performance.now();
  const child = track(
    spawn(process.execPath, [commandFile(build, name), ...args], {
      env: environment(databaseUrl, {}),
      stdio: [feed === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    }),
  );
  if (feed !== undefined) void feed(child.stdin!).finally(() => child.stdin!.end());
  let output = '';
  const capture = (chunk: Buffer) => (output = (output + String(chunk)).slice(-50_000));
  child.stdout?.on('data', capture);
  child.stderr?.on('data', capture);
  const kill = () => child.kill('SIGKILL');
  const timer = typeof killAfter === 'number' ? setTimeout(kill, killAfter) : undefined;
  if (typeof killAfter === 'object') void killAfter.then(kill, kill);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearTimeout(timer);
  return { code: code ?? signal ?? '', output, ms: performance.now() - began };
}

/** The file of a command in a build, which may be of a former release. */
function commandFile(build: string, name: string): string {
  const { scripts } = JSON.parse(readFileSync(join(build, '../package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const file = /dist\/(\S+\.command\.js)/.exec(scripts[name] ?? '')?.[1];
  if (file === undefined) throw new Error(`There is no command ${name}.`);
  return join(build, file);
}

/**
 * The environment of a started process; independent of this one's, so that runs are reproducible.
 */
function environment(databaseUrl: string, settings: Record<string, string>): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    DATABASE_URL: databaseUrl,
    JWT_SECRET: 'a key of the fault scripts, 0123456789',
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    SAMPLE_DATA: 'off',
    ...settings,
  };
}
