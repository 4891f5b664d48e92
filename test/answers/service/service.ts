import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { findFreePort, createFolder, track } from '../../faults/support/resources.js';
import { exchange } from '../wire/exchange.js';

/** The first account; it is an admin. */
export const ADMIN = { username: 'admin', password: 'the same words every time 42' };
/** `JWT_SECRET` of the service; forged tokens are signed with it, too. */
export const SIGNING_KEY = 'a signing key of the recorder, 0123456789';

/** The time at which every recording begins, by the clock of the service. */
const BEGINS_AT = Date.parse('2026-11-21T12:00:00Z');
const clockOffset = BEGINS_AT - Date.now();
const clock = pathToFileURL(join(import.meta.dirname, 'clock.js')).href;

/** A built checkout of the service. */
export class Build {
  private readonly scripts: Record<string, string>;

  /** @throws Error where nothing is built in the folder */
  constructor(readonly folder: string) {
    if (!existsSync(this.main)) throw new Error(`${folder} has no dist/src/main.js: build it first.`);
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    this.scripts = (JSON.parse(text) as { scripts: Record<string, string> }).scripts;
  }

  get main(): string {
    return join(this.folder, 'dist/src/main.js');
  }

  /** Runs the built file of one of the package's scripts, such as `migrate`. */
  async run(script: string, args: readonly string[], databaseUrl: string, input = ''): Promise<void> {
    const file = /dist\/\S+\.js/.exec(this.scripts[script] ?? '')?.[0];
    if (file === undefined) throw new Error(`${this.folder} has no script ${script}.`);
    const child = start(join(this.folder, file), args, { DATABASE_URL: databaseUrl });
    const output = collect(child);
    child.stdin?.end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${code}.\n${output()}`);
  }
}

/** The service of a build, running as a process of its own on a free port of the loopback. */
export class RunningService {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    private readonly output: () => string,
  ) {}

  /** Starts a service and waits until it is ready. */
  static async start(build: Build, databaseUrl: string, settings: Record<string, string>) {
    const port = await findFreePort();
    const child = start(build.main, [], {
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      MANAGEMENT_PORT: '0',
      ...settings,
    });
    const service = new RunningService(child, port, collect(child));
    for (let tries = 0; !(await service.isReady()); tries++) {
      if (child.exitCode !== null || tries > 600)
        throw new Error(`The service did not start.${service.tail}`);
      await sleep(100);
    }
    return service;
  }

  /** Whether the process has ended. */
  get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The end of its output, for error messages. */
  get tail(): string {
    return `\n${this.output().slice(-3000)}`;
  }

  /** Stops it with SIGTERM, or with SIGKILL where that does not help. */
  async stop(): Promise<void> {
    if (this.ended) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    if ((await Promise.race([exit, sleep(12_000, null, { ref: false })])) !== null) return;
    this.child.kill('SIGKILL');
    await exit;
  }

  private async isReady(): Promise<boolean> {
    const request = 'GET /health/ready HTTP/1.1\r\nHost: prices.example\r\n\r\n';
    const { replies } = await exchange(this.port, [request], { methods: ['GET'] });
    return replies[0]?.status === 200;
  }
}

/**
 * Starts a process with fixed settings: none are inherited, so that recordings do not depend on the
 * environment.
 */
function start(file: string, args: readonly string[], settings: Record<string, string>): ChildProcess {
  return track(
    spawn(process.execPath, ['--no-memory-reducer', file, ...args], {
      // Not the checkout, which may have a `.env`.
      cwd: createFolder(),
      env: {
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        NODE_OPTIONS: `--import=${clock}`,
        CLOCK_OFFSET: String(clockOffset),
        JWT_SECRET: SIGNING_KEY,
        ADMIN_USERNAME: ADMIN.username,
        ADMIN_PASSWORD: ADMIN.password,
        SAMPLE_DATA: 'on',
        // On a slow machine a recording takes longer than a token usually lasts.
        ACCESS_TOKEN_TTL: '60m',
        LOG_LEVEL: 'warn',
        ...settings,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  );
}

/** Collects the output of a process. @returns a function that gives the end of it */
function collect(child: ChildProcess): () => string {
  let text = '';
  const keep = (part: Buffer) => (text = (text + String(part)).slice(-20_000));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return () => text;
}
