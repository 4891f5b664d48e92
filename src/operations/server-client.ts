import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { Environment } from '../config/environment.js';
import type { ServerAccount } from '../config/server-account.js';

/** What is done with a running client. */
export type Use = (client: Client) => Promise<void>;

type Client = ChildProcessByStdio<Writable, Readable, Readable>;

/** The programs for a purpose, the first that is installed counts: MariaDB's own, and those of MySQL. */
const PROGRAMS = {
  dump: {
    mariadb: ['mariadb-dump', 'mysqldump'],
    mysql: ['mysqldump', 'mariadb-dump'],
    // One snapshot for all tables without a lock; binary safe; nothing that needs more rights than reading.
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
 * Runs the server's own client on the database of `DATABASE_URL`.
 * @param use reads what it writes, or writes what it reads
 * @param folder where the programs are; those of the search path unless given
 * @throws Error with what the client says
 */
export async function runClient(
  environment: Environment,
  purpose: keyof typeof PROGRAMS,
  use: Use,
  folder?: string,
): Promise<void> {
  const account = accountOf(environment);
  const { options, ...names } = PROGRAMS[purpose];
  const programs = environment.databaseUrl.startsWith('mysql:') ? names.mysql : names.mariadb;
  // Whoever may list processes can read their arguments, so the account goes into a file of its own.
  const secrets = mkdtempSync(join(tmpdir(), 'pds-account-'));
  let stop = () => undefined as void;
  try {
    const file = join(secrets, 'client.cnf');
    writeFileSync(file, optionFile(account), { mode: 0o600 });
    const args = [`--defaults-extra-file=${file}`, ...options, account.database];
    const client = await startFirst(programs, args, folder);
    // Ended by a signal, this process still clears away what it has made.
    stop = () => void client.kill();
    for (const signal of SIGNALS) process.once(signal, stop);
    let complaint = '';
    client.stderr.on('data', (part) => (complaint = (complaint + String(part)).slice(-1000)));
    const closed = once(client, 'close') as Promise<[number | null, string | null]>;
    const used = await use(client).then(
      () => null,
      (error: Error) => error,
    );
    const [code, signal] = await closed;
    if (code !== 0)
      throw new Error(`${basename(client.spawnfile)} ended with ${code ?? signal}: ${complaint.trim()}`);
    if (used !== null) throw used;
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
    rmSync(secrets, { recursive: true, force: true });
  }
}

/** Tables in the database of `DATABASE_URL`. */
export async function countTables(environment: Environment): Promise<number> {
  const connection = await createConnection({ ...accountOf(environment), connectTimeout: 5000 });
  try {
    const [rows] = await connection.query<RowDataPacket[]>(
      'SELECT COUNT(*) AS tables FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    return Number(rows[0]!.tables);
  } finally {
    await connection.end();
  }
}

function accountOf(environment: Environment): ServerAccount {
  return environment.databaseServers[0]!;
}

function optionFile({ host, port, user, password }: ServerAccount): string {
  const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const lines = [`host=${quoted(host)}`, `port=${port}`, 'protocol=tcp', `user=${quoted(user)}`];
  if (password !== '') lines.push(`password=${quoted(password)}`);
  return `[client]\n${lines.join('\n')}\n`;
}

async function startFirst(programs: readonly string[], args: string[], folder?: string): Promise<Client> {
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
  throw new Error(`Neither ${programs.join(' nor ')} is installed here: install the client of the database.`);
}
