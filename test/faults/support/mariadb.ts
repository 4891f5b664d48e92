import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { freePort, newFolder, remember } from './workshop.js';

const paths = ['/usr/sbin', '/usr/local/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];
const program = (name: string) => paths.map((path) => join(path, name)).find(existsSync);

const daemon = program('mariadbd');
const installer = program('mariadb-install-db');
let template: string | null = null;

/** Whether private servers can be started here. */
export const mariadbInstalled = daemon !== undefined && installer !== undefined;

/** A MariaDB server of a test's own: data, socket and port are nobody else's, so it may be stopped and killed. */
export class MariaDb {
  private child: ChildProcess | null = null;

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly options: string[],
  ) {}

  /** Makes a server with an empty database `prices` and starts it. */
  static async start(options: string[] = []): Promise<MariaDb> {
    const folder = newFolder();
    cpSync(makeTemplate(), join(folder, 'data'), { recursive: true });
    const server = new MariaDb(folder, await freePort(), options);
    await server.start();
    await server.query('CREATE DATABASE prices CHARACTER SET utf8mb4');
    return server;
  }

  get url(): string {
    return `mariadb://root@127.0.0.1:${this.port}/prices`;
  }

  /** Starts it, again or for the first time, and waits until it answers. */
  async start(): Promise<void> {
    const child = remember(
      spawn(
        daemon!,
        [
          '--no-defaults',
          `--datadir=${join(this.folder, 'data')}`,
          `--socket=${join(this.folder, 'socket')}`,
          `--pid-file=${join(this.folder, 'pid')}`,
          `--port=${this.port}`,
          '--bind-address=127.0.0.1',
          '--innodb-buffer-pool-size=64M',
          '--innodb-log-file-size=16M',
          '--performance-schema=OFF',
          ...(process.getuid?.() === 0 ? ['--user=root'] : []),
          ...this.options,
        ],
        { stdio: 'ignore' },
      ),
    );
    this.child = child;
    for (let tries = 0; ; tries++) {
      try {
        await this.query('SELECT 1');
        return;
      } catch (error) {
        if (tries > 300 || child.exitCode !== null) throw error;
        await sleep(100);
      }
    }
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Ends it in order. */
  async stop(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  /** Stops its clock: connections stay open, and nothing is answered. */
  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  /** A connection of the test's own, as an administrator. */
  connect(database?: string): Promise<Connection> {
    return createConnection({
      host: '127.0.0.1',
      port: this.port,
      user: 'root',
      database,
      connectTimeout: 2000,
    });
  }

  async query<T = RowDataPacket>(sql: string, database?: string): Promise<T[]> {
    const connection = await this.connect(database);
    try {
      return (await connection.query(sql))[0] as T[];
    } finally {
      await connection.end();
    }
  }
}

/** A data folder as the installer makes it; made once in a run. */
function makeTemplate(): string {
  if (template !== null) return template;
  const folder = join(newFolder(), 'template');
  const { status, stderr } = spawnSync(
    installer!,
    [
      '--no-defaults',
      `--datadir=${folder}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      ...(process.getuid?.() === 0 ? ['--user=root'] : []),
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`mariadb-install-db failed: ${stderr.slice(-500)}`);
  return (template = folder);
}
