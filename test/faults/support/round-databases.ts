import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Query, Row } from './content.js';
import { inspect } from './embedded.js';
import type { MariaDb } from './mariadb.js';
import { createFolder } from './resources.js';
import { runBuiltCommand } from './service.js';

/** A migrated database of a round, in which statements also write. */
export interface RoundDatabase {
  readonly url: string;
  readonly query: Query;
}

/** An embedded database. */
export async function embeddedRound(): Promise<RoundDatabase> {
  const url = `sqlite:${join(createFolder(), 'prices.sqlite')}`;
  await migrate(url);
  const query: Query = async (sql) =>
    inspect(url, (handle) => {
      const statement = handle.prepare(sql);
      if (statement.reader) return statement.all() as Row[];
      statement.run();
      return [];
    });
  return { url, query };
}

/** Makes databases of a server. @param prefix of their names */
export function roundsOf(server: MariaDb, prefix: string): () => Promise<RoundDatabase> {
  let count = 0;
  return async () => {
    const name = `${prefix}${++count}`;
    await server.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
    const url = server.url.replace('/prices', `/${name}`);
    await migrate(url);
    return { url, query: (sql) => server.query<Row>(sql, name) };
  };
}

async function migrate(url: string): Promise<void> {
  assert.equal((await runBuiltCommand('migrate', [], url)).code, 0);
}
