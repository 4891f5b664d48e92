import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection, type Connection } from 'mysql2/promise';

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

/** What fills an empty database as migrations did: the bytes of its file, or statements. */
type Migrated = Buffer | string;

/** Taken from the first database that this process migrated. */
let migrated: Migrated | null = null;

/**
 * Creates a database with the tables and rows that migrations make. They run once in a process:
 * each later database is a copy, which on a server takes a third of the time.
 * @param migrate runs the migrations on the database at an address
 */
export async function createMigratedDatabase(migrate: (url: string) => Promise<void>): Promise<TestDatabase> {
  const created = await createTestDatabase();
  if (migrated === null) {
    await migrate(created.url);
    migrated = testServerUrl === null ? readFileSync(filePath(created.url)) : await statementsOf(created.url);
  } else if (typeof migrated !== 'string') {
    writeFileSync(filePath(created.url), migrated);
  } else {
    const statements = migrated;
    await onServer(created.url, async (connection) => void (await connection.query(statements)));
  }
  return created;
}

/** The definitions and rows of all tables of a database on the server. */
async function statementsOf(url: string): Promise<string> {
  return onServer(url, async (connection) => {
    const statements = ['SET foreign_key_checks = 0'];
    for (const [table] of await rowArrays(connection, 'SHOW TABLES')) {
      const [[, definition]] = (await rowArrays(connection, `SHOW CREATE TABLE \`${table}\``)) as [string[]];
      statements.push(definition!);
      const rows = await rowArrays(connection, `SELECT * FROM \`${table}\``);
      if (rows.length > 0) statements.push(connection.format('INSERT INTO ?? VALUES ?', [table, rows]));
    }
    return statements.join(';\n');
  });
}

async function rowArrays(connection: Connection, sql: string): Promise<unknown[][]> {
  const [rows] = await connection.query({ sql, rowsAsArray: true });
  return rows as unknown[][];
}

const filePath = (url: string) => url.slice('sqlite:'.length);

function createDatabaseFile(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'pds-test-'));
  return {
    url: `sqlite:${join(folder, 'prices.sqlite')}`,
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function createServerDatabase(server: string): Promise<TestDatabase> {
  const name = `pds_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  const run = (sql: string) => onServer(server, async (connection) => void (await connection.query(sql)));
  // Case-insensitive on purpose: the service must not depend on the default collation.
  await run(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci`);
  return { url: `${server}/${name}`, drop: () => run(`DROP DATABASE ${name}`) };
}

async function onServer<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const { username, password, hostname, port, pathname } = new URL(url);
  const connection = await createConnection({
    host: hostname,
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1) || undefined,
    dateStrings: true,
    multipleStatements: true,
  });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}
