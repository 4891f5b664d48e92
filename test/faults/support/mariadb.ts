import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { freePort, newFolder, remember } from './workshop.js';

const paths = ['/usr/sbin', '/usr/local/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];
const program = (name: string) => paths.map((path) => join(path, name)).find(existsSync);

const daemon = program('mariadbd');
const installer = program('mariadb-install-db');
const asRoot = process.getuid?.() === 0;
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
    const server = await MariaDb.prepare(options);
    await server.start();
    await server.query('CREATE DATABASE prices CHARACTER SET utf8mb4');
    return server;
  }

  /**
   * Makes a server without databases; it is not started.
   * @param account who it runs as where this process is root's; nodes of a cluster cannot copy their data as root
   */
  static async prepare(options: string[] = [], account = 'root'): Promise<MariaDb> {
    const folder = newFolder();
    cpSync(makeTemplate(), join(folder, 'data'), { recursive: true });
    if (asRoot && account !== 'root') {
      spawnSync('chown', ['-R', account, folder]);
      chmodSync(dirname(folder), 0o711);
    }
    return new MariaDb(folder, await freePort(), [...options, ...(asRoot ? [`--user=${account}`] : [])]);
  }

  get url(): string {
    return `mariadb://root@127.0.0.1:${this.port}/prices`;
  }

  /**
   * Starts it, again or for the first time, and waits until it answers.
   * @param only options of this start alone
   */
  async start(only: string[] = []): Promise<void> {
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
          `--tmpdir=${this.folder}`,
          `--log-error=${join(this.folder, 'errors')}`,
          ...this.options,
          ...only,
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
      ...(asRoot ? ['--user=root'] : []),
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`mariadb-install-db failed: ${stderr.slice(-500)}`);
  return (template = folder);
}
