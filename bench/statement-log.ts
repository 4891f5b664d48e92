import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/*
 * Loaded into a service before its own modules (`--import`): writes what its database drivers send
 * to the file STATEMENT_LOG, one packet a line. On SQLite a packet is a statement.
 */

type Methods = Record<string, (this: unknown, ...args: unknown[]) => unknown>;

/** The drivers of the build that is measured, not those beside this file. */
const load = createRequire(join(process.env.STATEMENT_LOG_DIST!, 'index.js'));
const log = (sql: string) =>
  appendFileSync(process.env.STATEMENT_LOG!, `${sql.replace(/\s+/g, ' ').trim()}\n`);

function watch(target: Methods, name: string, sqlOf: (self: unknown, args: unknown[]) => string | undefined) {
  const method = target[name]!;
  target[name] = function (...args) {
    const sql = sqlOf(this, args);
    if (sql !== undefined) log(sql);
    return method.apply(this, args);
  };
}

const Sqlite = load('better-sqlite3') as new (path: string) => { prepare(sql: string): unknown };
const statement = Object.getPrototypeOf(new Sqlite(':memory:').prepare('SELECT 1')) as Methods;
for (const name of ['all', 'get', 'run'])
  watch(statement, name, (self) => (self as { source: string }).source);
watch(Sqlite.prototype as Methods, 'exec', (_, [sql]) => sql as string);

const { Connection } = load('mysql2') as { Connection: { prototype: object } };
let prototype = Connection.prototype as Methods;
while (!Object.hasOwn(prototype, 'addCommand')) prototype = Object.getPrototypeOf(prototype) as Methods;
watch(prototype, 'addCommand', (_, [command]) => (command as { sql?: string }).sql);
