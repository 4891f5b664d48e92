import type { Connection, Pool } from 'mysql2';
import { sqliteHandle, type Database } from '../../src/database/database.js';

/** Statements that no request asks for, and the ends of transactions. */
const APART = /^(SELECT revision,.* FROM data_revision|START TRANSACTION|COMMIT|ROLLBACK|SET )/;

type Methods = Record<string, (this: unknown, ...args: unknown[]) => unknown>;

/** All statements that the driver sends while `work` runs, on whatever connection, in order. */
export async function driverStatements(
  database: Database,
  work: () => PromiseLike<unknown>,
): Promise<string[]> {
  const sent: string[] = [];
  const note = (sql: string) => void (APART.test(sql) || sent.push(sql.replace(/\s+/g, ' ').trim()));
  const restore = database.embedded ? watchSqlite(database, note) : await watchServer(database, note);
  try {
    await work();
  } finally {
    restore();
  }
  return sent;
}

/** All connections of better-sqlite3 have the same class of statements. */
function watchSqlite(database: Database, note: (sql: string) => void): () => void {
  const statement = sqliteHandle(database.reader).prepare('SELECT 1');
  const prototype = Object.getPrototypeOf(statement) as Methods;
  return watch(prototype, ['all', 'run'], (self) => note((self as { source: string }).source));
}

async function watchServer(database: Database, note: (sql: string) => void): Promise<() => void> {
  const { pool } = database.reader.driver as unknown as { pool: Pool };
  const connection = await new Promise<Connection & { release(): void }>((resolve, reject) =>
    pool.getConnection((error, found) => (error ? reject(error) : resolve(found))),
  );
  // Every statement becomes a command of its connection, whoever sends it.
  let prototype = Object.getPrototypeOf(connection) as Methods;
  while (!Object.hasOwn(prototype, 'addCommand')) prototype = Object.getPrototypeOf(prototype) as Methods;
  connection.release();
  return watch(prototype, ['addCommand'], (_, command) => {
    const { sql } = command as { sql?: string };
    if (sql !== undefined) note(sql);
  });
}

function watch(
  target: Methods,
  names: string[],
  told: (self: unknown, ...args: unknown[]) => void,
): () => void {
  const before = names.map((name) => [name, target[name]!] as const);
  for (const [name, method] of before) {
    target[name] = function (...args) {
      told(this, ...args);
      return method.apply(this, args);
    };
  }
  return () => before.forEach(([name, method]) => (target[name] = method));
}
