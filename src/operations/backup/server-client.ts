import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { Environment } from '../../config/environment.js';
import type { ServerAccount } from '../../config/server-account.js';
import { connectionProblem } from '../../database/errors/connection-problem.js';

/** Uses a running client program: reads its output or writes its input. */
export type ClientTask = (client: Client) => Promise<void>;

type Client = ChildProcessByStdio<Writable, Readable, Readable>;

/** Client programs of MariaDB and MySQL by purpose; the first one installed is used. */
const PROGRAMS = {
  dump: {
    mariadb: ['mariadb-dump', 'mysqldump'],
    mysql: ['mysqldump', 'mariadb-dump'],
    // One snapshot of all tables without locks; binary-safe; needs no privileges but to read.
    options: [
      '--single-transaction',
      '--quick',
      '--skip-lock-tables',
      '--hex-blob',
      '--no-tablespaces',
      '--default-character-set=utf8mb4',
    ],
  },
  load: {
    mariadb: ['mariadb', 'mysql'],
    mysql: ['mysql', 'mariadb'],
    options: ['--batch', '--default-character-set=utf8mb4'],
  },
} as const;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a client program on the database of `DATABASE_URL`.
 * @param folder folder of the programs; found on the PATH by default
 * @throws Error with the error output of the program
 */
export async function runClient(
  environment: Environment,
  purpose: keyof typeof PROGRAMS,
  task: ClientTask,
  folder?: string,
): Promise<void> {
  const account = primaryAccount(environment);
  const { options, ...names } = PROGRAMS[purpose];
  const programs = environment.databaseUrl.startsWith('mysql:') ? names.mysql : names.mariadb;
  // Other users can list process arguments, so the account is passed in a file.
  const configFolder = mkdtempSync(join(tmpdir(), 'pds-account-'));
  let killClient = () => undefined as void;
  try {
    const file = join(configFolder, 'client.cnf');
    writeFileSync(file, optionFile(account), { mode: 0o600 });
    const args = [`--defaults-extra-file=${file}`, ...options, account.database];
    const client = await spawnFirstInstalled(programs, args, folder);
    // On a signal the client is killed, so that the cleanup below still runs.
    killClient = () => void client.kill();
    for (const signal of SIGNALS) process.once(signal, killClient);
    let stderr = '';
    client.stderr.on('data', (part) => (stderr = (stderr + String(part)).slice(-1000)));
    const closed = once(client, 'close') as Promise<[number | null, string | null]>;
    const taskError = await task(client).then(
      () => null,
      (error: Error) => error,
    );
    const [code, signal] = await closed;
    if (code !== 0)
      throw new Error(`${basename(client.spawnfile)} exited with ${code ?? signal}: ${stderr.trim()}`);
    if (taskError !== null) throw taskError;
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, killClient);
    rmSync(configFolder, { recursive: true, force: true });
  }
}

/**
 * Counts the tables in the database of `DATABASE_URL`.
 * @throws UnusableDatabaseError where it cannot be reached or rejects the account
 */
export async function countTables(environment: Environment): Promise<number> {
  const account = { ...primaryAccount(environment), connectTimeout: 5000 };
  const connection = await createConnection(account).catch((error: unknown) => {
    throw connectionProblem(environment, error) ?? error;
  });
  try {
    const [rows] = await connection.query<RowDataPacket[]>(
      'SELECT COUNT(*) AS tables FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    return Number(rows[0]!.tables);
  } finally {
    await connection.end();
  }
}

function primaryAccount(environment: Environment): ServerAccount {
  return environment.databaseServers[0]!;
}

function optionFile({ host, port, user, password }: ServerAccount): string {
  const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const lines = [`host=${quoted(host)}`, `port=${port}`, 'protocol=tcp', `user=${quoted(user)}`];
  if (password !== '') lines.push(`password=${quoted(password)}`);
  return `[client]\n${lines.join('\n')}\n`;
}

async function spawnFirstInstalled(
  programs: readonly string[],
  args: string[],
  folder?: string,
): Promise<Client> {
  for (const program of programs) {
    const client = spawn(folder === undefined ? program : join(folder, program), args, {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    try {
      await once(client, 'spawn');
      return client;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error(
    `Neither ${programs.join(' nor ')} is installed: install the client programs of the database.`,
  );
}
