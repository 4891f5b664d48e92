import type { Connection, Pool } from 'mysql2';
import { sqliteHandle, type Database } from '../../src/database/database.js';

/** Each process looks for new revisions now and then, whatever is requested. */
const POLL = /^SELECT revision,.* FROM data_revision/;
/** A pool may open another connection at any time, and sets it up. */
const SET_UP = /^SET sql_mode =/;
/** The boundaries of transactions. */
const IGNORED = /^(START TRANSACTION|COMMIT|ROLLBACK|SET )/;

type Methods = Record<string, (this: unknown, ...args: unknown[]) => unknown>;

/** All statements that the driver sends while `work` runs, on any connection, in order. */
export async function driverStatements(
  database: Database,
  work: () => PromiseLike<unknown>,
): Promise<string[]> {
  const statements = (await driverPackets(database, work)).flatMap((packet) => packet.split(';\n'));
  return statements.filter((sql) => !IGNORED.test(sql)).map((sql) => sql.replace(/\s+/g, ' ').trim());
}

/**
 * What the driver sends for `work` while it runs, a text for each packet of one or more statements.
 */
export async function driverPackets(database: Database, work: () => PromiseLike<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const record = (sql: string) => void (POLL.test(sql) || SET_UP.test(sql) || sent.push(sql));
  const restore = database.embedded ? watchSqlite(database, record) : await watchServer(database, record);
  try {
    await work();
  } finally {
    restore();
  }
  return sent;
}

/** All connections of better-sqlite3 share one class of statements. */
function watchSqlite(database: Database, record: (sql: string) => void): () => void {
  const statement = sqliteHandle(database.reader).prepare('SELECT 1');
  const prototype = Object.getPrototypeOf(statement) as Methods;
  return watch(prototype, ['all', 'run'], (self) => record((self as { source: string }).source));
}

async function watchServer(database: Database, record: (sql: string) => void): Promise<() => void> {
  const { pool } = database.reader.driver as unknown as { pool: Pool };
  const connection = await new Promise<Connection & { release(): void }>((resolve, reject) =>
    pool.getConnection((error, found) => (error ? reject(error) : resolve(found))),
  );
  // Every statement becomes a command of its connection.
  let prototype = Object.getPrototypeOf(connection) as Methods;
  while (!Object.hasOwn(prototype, 'addCommand')) prototype = Object.getPrototypeOf(prototype) as Methods;
  connection.release();
  return watch(prototype, ['addCommand'], (_, command) => {
    const { sql } = command as { sql?: string };
    if (sql !== undefined) record(sql);
  });
}

function watch(
  target: Methods,
  names: string[],
  onCall: (self: unknown, ...args: unknown[]) => void,
): () => void {
  const originals = names.map((name) => [name, target[name]!] as const);
  for (const [name, method] of originals) {
    target[name] = function (...args) {
      onCall(this, ...args);
      return method.apply(this, args);
    };
  }
  return () => originals.forEach(([name, method]) => (target[name] = method));
}
