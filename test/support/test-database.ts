import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';

/** A database for one test file. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** The server of `TEST_DATABASE_URL`, or null if tests run on SQLite. */
export const testServerUrl = process.env.TEST_DATABASE_URL?.replace(/\/$/, '') || null;

/** Creates an empty database: a file in a temporary folder, or a database on the server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return testServerUrl === null ? createDatabaseFile() : createServerDatabase(testServerUrl);
}

function createDatabaseFile(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'pds-test-'));
  return {
    url: `sqlite:${join(folder, 'prices.sqlite')}`,
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function createServerDatabase(server: string): Promise<TestDatabase> {
  const name = `pds_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  const { origin, username, password, hostname, port, protocol } = parse(server);
  const run = async (sql: string) => {
    const connection = await createConnection({
      host: hostname,
      port: Number(port || 3306),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
    });
    await connection.query(sql);
    await connection.end();
  };
  // Case-insensitive on purpose: the service must not depend on the default collation.
  await run(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci`);
  return { url: `${protocol}//${origin}/${name}`, drop: () => run(`DROP DATABASE ${name}`) };
}

function parse(server: string) {
  const { username, password, hostname, port, protocol } = new URL(server);
  const account = username ? `${username}${password ? `:${password}` : ''}@` : '';
  return {
    username,
    password,
    hostname,
    port,
    protocol,
    origin: `${account}${hostname}${port ? `:${port}` : ''}`,
  };
}
