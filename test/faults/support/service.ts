import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, json, type Ask, type Reply } from './http.js';
import { freePort, newFolder, remember } from './workshop.js';

/** The folder of what was built: this file is in `test/faults/support` of it. */
const built = join(import.meta.dirname, '../../..');
/** The account that every started service has. */
export const ADMIN = { username: 'admin', password: 'a fault is not a failure 42' };

export interface StartOptions {
  /** `sqlite:PATH` in a new folder unless given. */
  databaseUrl?: string;
  settings?: Record<string, string>;
  /** Where the log goes; it is kept unless given. */
  stdout?: 'keep' | 'unread' | number;
  /** User id of the process. */
  uid?: number;
}

/** A built server, running as a process of its own on a free port of the loopback. */
export class Service {
  /** What it has printed, on either stream; the last of it where it is much. */
  output = '';
  /** Its exit code; a signal's name when it was killed; null while it runs. */
  ended: number | string | null = null;
  readonly exit: Promise<number | string>;
  private token: string | null = null;

  private constructor(
    readonly child: ChildProcess,
    readonly port: number,
    readonly databaseUrl: string,
    readonly startedAt: number,
  ) {
    const keep = (part: Buffer) => (this.output = (this.output + String(part)).slice(-200_000));
    child.stderr?.on('data', keep);
    this.exit = once(child, 'exit').then(
      ([code, signal]) => (this.ended = (code as number | null) ?? (signal as string)),
    );
  }

  /** Starts a server and returns at once. */
  static async launch(options: StartOptions = {}): Promise<Service> {
    const port = await freePort();
    const databaseUrl = options.databaseUrl ?? `sqlite:${join(newFolder(), 'prices.sqlite')}`;
    const { stdout = 'keep' } = options;
    const startedAt = performance.now();
    const child = spawn(process.execPath, [join(built, 'src/main.js')], {
      env: environment(databaseUrl, { PORT: String(port), ...options.settings }),
      stdio: ['ignore', typeof stdout === 'number' ? stdout : 'pipe', 'pipe'],
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    });
    const service = new Service(remember(child), port, databaseUrl, startedAt);
    if (stdout === 'keep') {
      child.stdout?.on('data', (part) => (service.output = (service.output + String(part)).slice(-200_000)));
    }
    return service;
  }

  /** Starts a server and waits until it is ready. */
  static async start(options: StartOptions = {}): Promise<Service> {
    const service = await Service.launch(options);
    await service.ready();
    return service;
  }

  get pid(): number {
    return this.child.pid!;
  }

  ask(path: string, options?: Ask): Promise<Reply> {
    return ask(this.port, path, options);
  }

  /** Sends a request as the administrator. */
  async write(method: string, path: string, body?: unknown, options: Ask = {}): Promise<Reply> {
    const headers = { Authorization: `Bearer ${await this.login()}`, ...options.headers };
    return this.ask(path, { ...options, method, body, headers });
  }

  /** The administrator's access token; asked for once. */
  async login(): Promise<string> {
    if (this.token !== null) return this.token;
    const reply = await this.ask('/api/auth/login/', { method: 'POST', body: ADMIN });
    if (reply.status !== 200)
      throw new Error(`The login failed: ${reply.status} ${reply.text}${this.tail()}`);
    return (this.token = json<{ access: string }>(reply).access);
  }

  /** Waits until a path is answered with a status. @returns milliseconds it took */
  async until(path: string, status: number, patience = 15_000): Promise<number> {
    const began = performance.now();
    for (;;) {
      const reply = await this.ask(path, { patience: 3000 });
      if (reply.status === status) return performance.now() - began;
      if (this.ended !== null) throw new Error(`The service ended with ${this.ended}.${this.tail()}`);
      if (performance.now() - began > patience)
        throw new Error(
          `${path} is ${reply.status || reply.error} after ${patience} ms, not ${status}.${this.tail()}`,
        );
      await sleep(20);
    }
  }

  ready(patience?: number): Promise<number> {
    return this.until('/health/ready', 200, patience);
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Waits for the end of the process. @returns its exit code, a signal's name, or `still running` */
  async end(patience = 15_000): Promise<number | string> {
    return Promise.race([this.exit, sleep(patience, 'still running', { ref: false })]);
  }

  /** Stops it in order, or whatever it takes. */
  async stop(): Promise<void> {
    if (this.ended !== null) return;
    this.signal('SIGTERM');
    if ((await this.end(12_000)) === 'still running') await this.kill();
  }

  /** As a power cut would. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit;
  }

  /** Resident memory in MB; NaN where there is no /proc. */
  memory(): number {
    try {
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1]) / 1024;
    } catch {
      return NaN;
    }
  }

  /** The last lines of what it printed, for the message of a failure. */
  tail(): string {
    const lines = this.output.trim().split('\n').slice(-12);
    return `\n    ${lines.join('\n    ')}`;
  }
}

/** Runs one of the built commands to its end. */
export async function runCommand(
  script: string,
  args: string[],
  databaseUrl: string,
  { killAfter, feed }: { killAfter?: number; feed?: (input: Writable) => Promise<void> } = {},
): Promise<{ code: number | string; output: string; ms: number }> {
  const began = performance.now();
  const child = remember(
    spawn(process.execPath, [join(built, 'src', script), ...args], {
      env: environment(databaseUrl, {}),
      stdio: [feed === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    }),
  );
  if (feed !== undefined) void feed(child.stdin!).finally(() => child.stdin!.end());
  let output = '';
  const keep = (part: Buffer) => (output = (output + String(part)).slice(-50_000));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearTimeout(timer);
  return { code: code ?? signal ?? '', output, ms: performance.now() - began };
}

/** The settings of a started process: none of this one's own, so that a run does not depend on where it happens. */
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
