import BetterSqlite3 from 'better-sqlite3';
import type { Pool } from 'mysql2';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { SQLITE_BUSY_WAIT, dataSourceOptions, replicaPool, type Entities } from './data-source-options.js';
import { UnusableDatabaseError } from './unusable-database.error.js';
import { NotConnectedError, PoolExhaustedError, driverErrorKind } from './driver-errors.js';
import { inspectEmbeddedFile } from './embedded-file.js';
import { PrimaryReads } from './primary-reads.js';
import type { Reads, ReadView, SqlValue } from './reads.js';
import { Replicas, type ReplicaMetrics } from './replicas.js';
import { SELECT_REVISIONS, revisionsOf, type Revisions } from './revisions.js';
import { migrateEmbedded, migrateServer, requireNewestSchema } from './schema.js';
import { breakOffAll, poolMetrics, renewAll, type PoolMetrics } from './server-pool.js';
import { WriteNodes } from './write-nodes.js';

export type { Reads, ReadView, SqlValue } from './reads.js';

/** Milliseconds that opening the embedded database waits for another process that is opening it too. */
const OPEN_PATIENCE = 5000;

/**
 * The connections of the service. `reader` is what Nest injects as the data source: on the embedded engine it cannot write,
 * so only the unit of work, which alone holds the `writer`, can change anything.
 *
 * It reads from the server that is written to, for whatever has to be so at this moment: accounts, logins, tokens. Published data
 * are read `anywhere`.
 */
export class Database implements Reads {
  readonly embedded: boolean;
  readonly writer: DataSource;
  readonly reader: DataSource;
  /** True after a write that the storage refused, read-only or full, until one is accepted again. */
  storageRefused = false;
  /** Called when a replica shows a revision that this process has not heard of. */
  onNewerRevision: () => void = () => undefined;
  /**
   * Called when the server that is written to has lost writes that this process knows of: it was put back to an earlier state, or
   * a replica that lacked them has taken its place. What is in memory then belongs to another history, so the process has to
   * begin anew; an error outside of requests ends it in order.
   */
  onRevisionRollback: () => void = () =>
    setImmediate(() => {
      throw new Error('The database has lost writes that it had acknowledged: starting anew.');
    });
  private opened = false;
  /** The newest revision that this process knows of. */
  private newest = 0;
  private readonly primary = new PrimaryReads(
    () => this.pool,
    () => this.newest,
    () => this.onRevisionRollback(),
  );
  private readonly replicas: Replicas | null;
  private readonly writeNodes: WriteNodes | null;
  private readonly rowStatements = new Map<string, BetterSqlite3.Statement>();
  private readonly arrayStatements = new Map<string, BetterSqlite3.Statement>();

  constructor(
    private readonly environment: Environment,
    entities: Entities,
  ) {
    this.embedded = environment.embedded;
    this.writeNodes = this.chooseAmongNodes();
    this.replicas = this.spreadOverReplicas();
    this.writer = new DataSource(
      dataSourceOptions(environment, entities, 'writer', this.writeNodes?.connect),
    );
    this.reader = this.embedded
      ? new DataSource(dataSourceOptions(environment, entities, 'reader'))
      : this.writer;
  }

  /** Whether the database is open. A server that is away for a while leaves it so: each use finds out by itself. */
  get connected(): boolean {
    return this.opened;
  }

  /** How the pool of a server's connections is used; null on the embedded engine. */
  get poolFigures(): PoolMetrics | null {
    return this.embedded || !this.opened ? null : poolMetrics(this.pool);
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
    this.replicas?.start();
    this.writeNodes?.watch();
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
    this.writeNodes?.stop();
    await this.replicas?.stop();
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
        if (error instanceof UnusableDatabaseError) throw error;
        // Another process may be making the file, recovering it or changing its journal mode.
        if (driverErrorKind(error) !== 'busy' || performance.now() > deadline) {
          throw new UnusableDatabaseError(
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
    try {
      if (!this.writer.isInitialized) await this.writer.initialize();
    } catch (error) {
      // A pool that was made before the failure would stay, with its connections, beside the one of the next try.
      await this.writer.driver.disconnect().catch(() => undefined);
      throw error;
    }
    if (!(await this.isCluster())) return;
    this.primary.invalidate();
    this.pool.on('connection', () => this.primary.invalidate());
  }

  /** Whether the server is one of several that can take its place, here or behind a proxy. */
  private async isCluster(): Promise<boolean> {
    if (this.writeNodes !== null) return true;
    const [setting] = (await this.writer.query("SHOW GLOBAL VARIABLES LIKE 'wsrep_on'")) as {
      Value: string;
    }[];
    return setting?.Value === 'ON';
  }

  private chooseAmongNodes(): WriteNodes | null {
    return WriteNodes.among(this.environment.databaseServers, (formerWorks) => {
      this.primary.invalidate();
      if (!this.opened) return;
      if (formerWorks) renewAll(this.pool);
      else breakOffAll(this.pool);
    });
  }

  private spreadOverReplicas(): Replicas | null {
    const accounts = this.environment.databaseReplicas;
    if (accounts.length === 0) return null;
    return new Replicas(accounts, {
      poolFor: (account) => replicaPool(this.environment, account),
      primary: this,
      newest: () => this.newest,
      onNewerRevision: () => this.onNewerRevision(),
    });
  }

  /**
   * For published data: reads from any server that has everything this process knows of. Without replicas that is this one.
   */
  get anywhere(): Reads {
    return this.replicas ?? this;
  }

  /** How the replicas are doing; null without them. */
  get replicaFigures(): ReplicaMetrics | null {
    return this.replicas?.figures ?? null;
  }

  /** Takes note of a revision: from now on nobody is answered from before it. */
  requireRevision(revision: number): void {
    if (revision <= this.newest) return;
    this.newest = revision;
    this.replicas?.catchUp();
  }

  /** The revisions that the database has now. While the server that is written to is away, the newest that a replica has. */
  async revisions(): Promise<Revisions> {
    if (this.embedded) return revisionsOf(await this.arrays(SELECT_REVISIONS));
    try {
      return await this.primary.revisions();
    } catch (error) {
      const isAway = driverErrorKind(error) === 'unavailable' && !(error instanceof PoolExhaustedError);
      const found = isAway && this.opened ? await this.replicas?.revisions() : null;
      if (!found) throw error;
      return found;
    }
  }

  /** Waits until the server that is written to has everything this process knows of; after a change of nodes it may lack some. */
  async caughtUp(): Promise<void> {
    if (!this.embedded) await this.primary.caughtUp();
  }

  async rows<T>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    if (this.embedded) return this.prepared(this.rowStatements, sql).all(...bindable(values)) as T[];
    return this.primary.rows<T>(sql, values);
  }

  async arrays<T extends unknown[]>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    if (this.embedded) return this.prepared(this.arrayStatements, sql, true).all(...bindable(values)) as T[];
    return this.primary.arrays<T>(sql, values);
  }

  async view<T>(work: (arrays: ReadView) => Promise<T>): Promise<T> {
    return this.embedded ? this.viewEmbedded(work) : this.primary.view(work);
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
}

/** The better-sqlite3 connection behind a data source. */
export function sqliteHandle(source: DataSource): BetterSqlite3.Database {
  return (source.driver as unknown as { databaseConnection: BetterSqlite3.Database }).databaseConnection;
}

/** better-sqlite3 binds no booleans. */
export function bindable(values: readonly SqlValue[]): (string | number | bigint | null)[] {
  return values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
}
