import type BetterSqlite3 from 'better-sqlite3';
import type { Pool } from 'mysql2';
import type { Pool as PromisePool, RowDataPacket } from 'mysql2/promise';
import { DataSource } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { SESSION_SETTINGS, dataSourceOptions, type Entities } from './data-source-options.js';

/** A value that can be bound to a `?` of a statement. */
export type SqlValue = string | number | bigint | null | boolean;

/** Milliseconds after which a read is given up. */
const STATEMENT_TIMEOUT = 5000;

/**
 * The connections of the service. `reader` is what Nest injects as the data source: on the embedded engine it cannot write,
 * so only the unit of work, which alone holds the `writer`, can change anything.
 *
 * `rows` and `arrays` read straight from the driver, for the paths where hydrating entities would cost a hundred times more.
 */
export class Database {
  readonly embedded: boolean;
  readonly writer: DataSource;
  readonly reader: DataSource;
  private readonly rowStatements = new Map<string, BetterSqlite3.Statement>();
  private readonly arrayStatements = new Map<string, BetterSqlite3.Statement>();

  constructor(environment: Environment, entities: Entities) {
    this.embedded = environment.embedded;
    this.writer = new DataSource(dataSourceOptions(environment, entities, 'writer'));
    this.reader = this.embedded
      ? new DataSource(dataSourceOptions(environment, entities, 'reader'))
      : this.writer;
  }

  get connected(): boolean {
    return this.writer.isInitialized && this.reader.isInitialized;
  }

  /**
   * Opens the connections; the embedded engine's schema is brought up to date on the way.
   * @throws the driver's error when the database cannot be reached
   */
  async connect(): Promise<void> {
    if (!this.writer.isInitialized) await this.writer.initialize();
    if (this.embedded) {
      await this.writer.runMigrations({ transaction: 'each' });
    } else {
      this.pool.on('connection', (connection) => connection.query(`SET ${SESSION_SETTINGS.join(', ')}`));
    }
    if (!this.reader.isInitialized) await this.reader.initialize();
  }

  async close(): Promise<void> {
    this.rowStatements.clear();
    this.arrayStatements.clear();
    if (this.reader.isInitialized) await this.reader.destroy();
    if (this.writer.isInitialized) await this.writer.destroy();
  }

  /** Reads rows as objects. */
  async rows<T>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    if (this.embedded) return this.prepared(this.rowStatements, sql).all(...bindable(values)) as T[];
    const [rows] = await this.promisePool.query<RowDataPacket[]>({ sql, timeout: STATEMENT_TIMEOUT }, [
      ...values,
    ]);
    return rows as T[];
  }

  /** Reads rows as arrays of columns: the cheapest form there is. */
  async arrays<T extends unknown[]>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    if (this.embedded) return this.prepared(this.arrayStatements, sql, true).all(...bindable(values)) as T[];
    const [rows] = await this.promisePool.query<RowDataPacket[][]>(
      { sql, timeout: STATEMENT_TIMEOUT, rowsAsArray: true },
      [...values],
    );
    return rows as unknown as T[];
  }

  private prepared(
    cache: Map<string, BetterSqlite3.Statement>,
    sql: string,
    raw = false,
  ): BetterSqlite3.Statement {
    let statement = cache.get(sql);
    if (statement === undefined) {
      // Filters make many different texts; a bound keeps their statements from piling up.
      if (cache.size >= 500) cache.clear();
      statement = sqliteHandle(this.reader).prepare(sql);
      if (raw) statement.raw(true);
      cache.set(sql, statement);
    }
    return statement;
  }

  private get pool(): Pool {
    return (this.reader.driver as unknown as { pool: Pool }).pool;
  }

  private get promisePool(): PromisePool {
    return this.pool.promise();
  }
}

/** The better-sqlite3 connection behind a data source. */
export function sqliteHandle(source: DataSource): BetterSqlite3.Database {
  return (source.driver as unknown as { databaseConnection: BetterSqlite3.Database }).databaseConnection;
}

/** better-sqlite3 binds no booleans. */
export function bindable(values: readonly SqlValue[]): (string | number | bigint | null)[] {
  return values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
}
