import type BetterSqlite3 from 'better-sqlite3';
import type { SqlValue } from '../reads.js';

/** Statements of one connection that are kept. */
const MAX_STATEMENTS = 500;
/**
 * Characters of all of them. A compiled statement takes some 200 bytes for each value that it
 * binds, in three characters: lists of thousands of ids are megabytes.
 */
const MAX_CHARACTERS = 1_000_000;

/** Statements by their text. */
class StatementCache {
  private readonly statements = new Map<string, BetterSqlite3.Statement>();
  private characters = 0;

  get(sql: string): BetterSqlite3.Statement | undefined {
    return this.statements.get(sql);
  }

  /** Keeps a statement, in place of all others where they become too many: filters make many. */
  add(sql: string, statement: BetterSqlite3.Statement): void {
    if (this.statements.size >= MAX_STATEMENTS || this.characters + sql.length > MAX_CHARACTERS) {
      this.statements.clear();
      this.characters = 0;
    }
    this.statements.set(sql, statement);
    this.characters += sql.length;
  }
}

/** By connection: of statements that return objects, and of those that return arrays. */
const caches = new WeakMap<BetterSqlite3.Database, readonly [StatementCache, StatementCache]>();

/** A statement of a connection, prepared once. @param raw returns rows as arrays */
export function preparedStatement(
  handle: BetterSqlite3.Database,
  sql: string,
  raw = false,
): BetterSqlite3.Statement {
  let ofHandle = caches.get(handle);
  if (ofHandle === undefined) caches.set(handle, (ofHandle = [new StatementCache(), new StatementCache()]));
  const cache = ofHandle[raw ? 1 : 0];
  let statement = cache.get(sql);
  if (statement === undefined) {
    statement = handle.prepare(sql);
    if (raw) statement.raw(true);
    cache.add(sql, statement);
  }
  return statement;
}

/** better-sqlite3 binds no booleans. */
export function bindable(values: readonly SqlValue[]): readonly (string | number | bigint | null)[] {
  const hasBooleans = values.some((value) => typeof value === 'boolean');
  return (hasBooleans ? values.map(withoutBoolean) : values) as readonly Exclude<SqlValue, boolean>[];
}

const withoutBoolean = (value: SqlValue) => (typeof value === 'boolean' ? Number(value) : value);
