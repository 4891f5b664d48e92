import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { prepareEmbeddedFile } from '../../../src/database/sqlite/embedded-file.js';
import { createFolder } from '../../faults/support/resources.js';

export const ENGINES = ['sqlite', 'mariadb'] as const;
export type Engine = (typeof ENGINES)[number];

const made = new Set<string>();

/** The address of a new empty database: a file, or a database of its own on the server. */
export async function newDatabase(engine: Engine): Promise<string> {
  if (engine === 'sqlite') {
    const path = join(createFolder(), 'prices.sqlite');
    prepareEmbeddedFile(path);
    return `sqlite:${path}`;
  }
  const name = `pds_answers_${process.pid}_${made.size + 1}`;
  await onServer(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  made.add(name);
  const url = serverUrl();
  url.pathname = name;
  return url.href;
}

/** Drops the databases that were made on the server. */
export async function dropDatabases(): Promise<void> {
  for (const name of made) {
    await onServer(`DROP DATABASE IF EXISTS ${name}`);
    made.delete(name);
  }
}

function serverUrl(): URL {
  return new URL(process.env.TEST_DATABASE_URL || 'mariadb://root@127.0.0.1:3306');
}

async function onServer(sql: string): Promise<void> {
  const { hostname, port, username, password } = serverUrl();
  const connection = await createConnection({
    host: hostname,
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    connectTimeout: 5000,
  });
  try {
    await connection.query(sql);
  } finally {
    await connection.end();
  }
}
