import BetterSqlite3 from 'better-sqlite3';
import type { Pool, QueryOptions } from 'mysql2';
import type { Pool as PromisePool, RowDataPacket } from 'mysql2/promise';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { SQLITE_BUSY_WAIT, dataSourceOptions, type Entities } from './data-source-options.js';
import { DatabaseRefused } from './database-refused.js';
import { NotConnectedError, driverErrorKind, isConnectionLost } from './driver-errors.js';
import { inspectEmbeddedFile } from './embedded-file.js';
import { migrateEmbedded, migrateServer, requireNewestSchema } from './schema.js';
import { poolFigures, type PoolFigures } from './server-pool.js';

/** A value that can be bound to a `?` of a statement. */
export type SqlValue = string | number | bigint | null | boolean;

/** Reads rows as arrays of columns, all from the same state of the database. */
export type ReadView = <T extends unknown[]>(sql: string, values?: readonly SqlValue[]) => Promise<T[]>;

/** Milliseconds that opening the embedded database waits for another process that is opening it too. */
const OPEN_PATIENCE = 5000;

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
  /** True after a write that the storage refused, read-only or full, until one is accepted again. */
  storageRefused = false;
  private opened = false;
  private readonly rowStatements = new Map<string, BetterSqlite3.Statement>();
  private readonly arrayStatements = new Map<string, BetterSqlite3.Statement>();

  constructor(
    private readonly environment: Environment,
    entities: Entities,
  ) {
    this.embedded = environment.embedded;
    this.writer = new DataSource(dataSourceOptions(environment, entities, 'writer'));
    this.reader = this.embedded
      ? new DataSource(dataSourceOptions(environment, entities, 'reader'))
      : this.writer;
  }

  /** Whether the database is open. A server that is away for a while leaves it so: each use finds out by itself. */
  get connected(): boolean {
    return this.opened;
  }

  /** How the pool of a server's connections is used; null on the embedded engine. */
  get poolFigures(): PoolFigures | null {
    return this.embedded || !this.opened ? null : poolFigures(this.pool);
  }

  /**
   * Opens the connections; the embedded engine's schema is brought up to date on the way.
   * @param requireSchema refuses a server whose schema is not at the newest migration
   * @throws DatabaseRefused where waiting will not help, else the driver's error
   */
  async connect(requireSchema = false): Promise<void> {
    if (this.opened) return;
    if (this.embedded) await this.openEmbedded();
    else await this.openPool();
    if (requireSchema) await requireNewestSchema(this.writer);
    this.opened = true;
  }

  /**
   * Brings the schema up to date.
   * @returns the names of the migrations that ran
   */
  async migrate(): Promise<string[]> {
    return this.embedded
      ? migrateEmbedded(this.writer, sqliteHandle(this.writer))
      : migrateServer(this.writer);
  }

  async close(): Promise<void> {
    this.opened = false;
    this.rowStatements.clear();
    this.arrayStatements.clear();
    if (this.reader.isInitialized) await this.reader.destroy();
    if (this.writer.isInitialized) await this.writer.destroy();
  }

  private async openEmbedded(): Promise<void> {
    const deadline = performance.now() + OPEN_PATIENCE;
    for (;;) {
      try {
        inspectEmbeddedFile(this.environment.sqlitePath);
        if (!this.writer.isInitialized) await this.writer.initialize();
        break;
      } catch (error) {
        if (error instanceof DatabaseRefused) throw error;
        // Another process may be making the file, recovering it or changing its journal mode.
        if (driverErrorKind(error) !== 'busy' || performance.now() > deadline) {
          throw new DatabaseRefused(
            `The embedded database cannot be opened: ${(error as Error).message}.`,
            error,
          );
        }
        await sleep(50);
      }
    }
    // The writer never waits inside the driver, which would hold the event loop: the unit of work asks again instead.
    sqliteHandle(this.writer).pragma('busy_timeout = 0');
    await this.migrate();
    if (!this.reader.isInitialized) await this.reader.initialize();
  }

  private async openPool(): Promise<void> {
    if (this.writer.isInitialized) return;
    try {
      await this.writer.initialize();
    } catch (error) {
      // A pool that was made before the failure would stay, with its connections, beside the one of the next try.
      await this.writer.driver.disconnect().catch(() => undefined);
      throw error;
    }
  }

  /** Reads rows as objects. */
  async rows<T>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    if (this.embedded) return this.prepared(this.rowStatements, sql).all(...bindable(values)) as T[];
    return this.read<T[]>({ sql }, values);
  }

  /** Reads rows as arrays of columns: the cheapest form there is. */
  async arrays<T extends unknown[]>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    if (this.embedded) return this.prepared(this.arrayStatements, sql, true).all(...bindable(values)) as T[];
    return this.read<T[]>({ sql, rowsAsArray: true }, values);
  }

  /**
   * Runs several reads that see one state of the database, whatever is committed meanwhile. They have a connection of their
   * own, so nobody else's reads are held back at that state; on a server it is the writing node's, never a replica's.
   */
  async view<T>(work: (arrays: ReadView) => Promise<T>): Promise<T> {
    return this.embedded ? this.viewEmbedded(work) : this.viewOnServer(work);
  }

  private async viewEmbedded<T>(work: (arrays: ReadView) => Promise<T>): Promise<T> {
    const handle = new BetterSqlite3(this.environment.sqlitePath, {
      fileMustExist: true,
      timeout: SQLITE_BUSY_WAIT,
    });
    try {
      handle.pragma('query_only = ON');
      const statements = new Map<string, BetterSqlite3.Statement>();
      handle.exec('BEGIN');
      return await work(async <T>(sql: string, values: readonly SqlValue[] = []) => {
        let statement = statements.get(sql);
        if (statement === undefined) statements.set(sql, (statement = handle.prepare(sql).raw(true)));
        return statement.all(...bindable(values)) as T[];
      });
    } finally {
      // Closing ends the transaction, which has nothing to store.
      handle.close();
    }
  }

  private async viewOnServer<T>(work: (arrays: ReadView) => Promise<T>): Promise<T> {
    const connection = await this.promisePool.getConnection();
    const send = (sql: string, values: readonly SqlValue[] = []) =>
      connection.query<RowDataPacket[][]>({ sql, rowsAsArray: true }, [...values]);
    try {
      await send('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await send('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
      const result = await work(async <T>(sql: string, values?: readonly SqlValue[]) => {
        const [rows] = await send(sql, values);
        return rows as unknown as T[];
      });
      await send('COMMIT');
      connection.release();
      return result;
    } catch (error) {
      // Whatever failed, the transaction may still be open: such a connection is not for others.
      connection.destroy();
      throw error;
    }
  }

  /** Reads from the pool; a read whose connection breaks is asked once more on another, which is harmless and hides a restart. */
  private async read<T>(options: QueryOptions, values: readonly SqlValue[]): Promise<T> {
    try {
      return (await this.promisePool.query(options, [...values]))[0] as T;
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      return (await this.promisePool.query(options, [...values]))[0] as T;
    }
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
    const { pool } = this.writer.driver as unknown as { pool?: Pool };
    if (pool === undefined) throw new NotConnectedError();
    return pool;
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
