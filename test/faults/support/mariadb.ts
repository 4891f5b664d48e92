import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { findFreePort, createFolder, track } from './resources.js';

const paths = ['/usr/sbin', '/usr/local/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];
const program = (name: string) => paths.map((path) => join(path, name)).find(existsSync);

const daemon = program('mariadbd');
const installer = program('mariadb-install-db');
const asRoot = process.getuid?.() === 0;
let template: string | null = null;

/** Whether MariaDB is installed. */
export const mariadbInstalled = daemon !== undefined && installer !== undefined;

/** A private MariaDB server with its own data, socket and port, which may be stopped and killed. */
export class MariaDb {
  private child: ChildProcess | null = null;

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly options: string[],
  ) {}

  /** Creates and starts a server with an empty database `prices`. */
  static async start(options: string[] = []): Promise<MariaDb> {
    const server = await MariaDb.prepare(options);
    await server.start();
    await server.query('CREATE DATABASE prices CHARACTER SET utf8mb4');
    return server;
  }

  /**
   * Creates a server without databases, and does not start it.
   * @param account the user to run as if this process is root; cluster nodes cannot copy data as
   * root
   */
  static async prepare(options: string[] = [], account = 'root'): Promise<MariaDb> {
    const folder = createFolder();
    cpSync(createTemplate(), join(folder, 'data'), { recursive: true });
    if (asRoot && account !== 'root') {
      spawnSync('chown', ['-R', account, folder]);
      chmodSync(dirname(folder), 0o711);
    }
    return new MariaDb(folder, await findFreePort(), [...options, ...(asRoot ? [`--user=${account}`] : [])]);
  }

  get url(): string {
    return `mariadb://root@127.0.0.1:${this.port}/prices`;
  }

  /**
   * Starts the server and waits until it accepts connections.
   * @param only options for this start only
   */
  async start(only: string[] = []): Promise<void> {
    const child = track(
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

  /** Kills it, like a power loss. */
  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Shuts it down. */
  async stop(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  /** Suspends the process: connections stay open without responses. */
  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  resume(): void {
    this.child?.kill('SIGCONT');
  }

  /** Opens a connection as root. */
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

/** The data folder created by the installer; created once per run. */
function createTemplate(): string {
  if (template !== null) return template;
  const folder = join(createFolder(), 'template');
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
