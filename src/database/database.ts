import BetterSqlite3 from 'better-sqlite3';
import type { Pool } from 'mysql2';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { Environment } from '../config/environment.js';
import {
  SQLITE_BUSY_TIMEOUT,
  dataSourceOptions,
  createReplicaPool,
  type Entities,
} from './data-source-options.js';
import { UnusableDatabaseError } from './errors/unusable-database.error.js';
import { connectionProblem } from './errors/connection-problem.js';
import { NotConnectedError, PoolExhaustedError, driverErrorKind } from './errors/driver-errors.js';
import { prepareEmbeddedFile } from './sqlite/embedded-file.js';
import { FileInPlace } from './sqlite/file-in-place.js';
import { bindable, preparedStatement } from './sqlite/prepared-statement.js';
import { PrimaryReads } from './server/primary-reads.js';
import type { Reads, SnapshotReader, SqlValue } from './reads.js';
import { Replicas, type ReplicaMetrics } from './server/replicas.js';
import { SELECT_REVISIONS, parseRevisions, type Revisions } from './revisions.js';
import { migrateEmbedded, migrateServer, assertSchemaUpToDate } from './schema.js';
import { abortConnections, poolMetrics, recycleConnections, type PoolMetrics } from './server/server-pool.js';
import { WriteNodes } from './server/write-nodes.js';

export type { Reads, SnapshotReader as ReadView, SqlValue } from './reads.js';

/** Milliseconds to wait for another process that is opening the embedded database too. */
const OPEN_TIMEOUT = 5000;

/**
 * The database connections of the service. `reader` is the data source that Nest injects: on the
 * embedded engine it is read-only, so only the unit of work, the sole user of `writer`, can write.
 *
 * Reads through this class go to the primary, for data that must be current: accounts, sessions,
 * tokens. Published data are read from `anyServer`.
 */
export class Database implements Reads {
  readonly embedded: boolean;
  readonly writer: DataSource;
  readonly reader: DataSource;
  /** True after a write failed because the storage is read-only or full, until a write succeeds. */
  storageUnavailable = false;
  /** Called when a replica has a newer revision than this process has seen. */
  onNewerRevision: () => void = () => undefined;
  /**
   * Called when the primary has lost writes that this process has seen: it was restored to an
   * earlier state, or a replica without them has been promoted. The caches then hold data that no
   * longer exist, so the process must restart; an error outside of requests shuts it down
   * gracefully.
   */
  onRevisionRollback: () => void = () =>
    setImmediate(() => {
      throw new Error('The database has lost acknowledged writes: restarting.');
    });
  private opened = false;
  /** Of the embedded engine, once it is open. */
  private file: FileInPlace | null = null;
  /** The newest revision that this process has seen. */
  private newestRevision = 0;
  private readonly primary = new PrimaryReads(
    () => this.pool,
    () => this.newestRevision,
    () => this.onRevisionRollback(),
  );
  private readonly replicas: Replicas | null;
  private readonly writeNodes: WriteNodes | null;
  /** The embedded engine's connection for snapshots, while none is read. */
  private idleSnapshot: BetterSqlite3.Database | null = null;

  constructor(
    private readonly environment: Environment,
    entities: Entities,
  ) {
    this.embedded = environment.embedded;
    this.writeNodes = this.createWriteNodes();
    this.replicas = this.createReplicas();
    this.writer = new DataSource(
      dataSourceOptions(environment, entities, 'writer', this.writeNodes?.connect),
    );
    this.reader = this.embedded
      ? new DataSource(dataSourceOptions(environment, entities, 'reader'))
      : this.writer;
  }

  /** Which database this is, for messages. */
  get databaseName(): string {
    return this.environment.databaseName;
  }

  /** Whether the database has been opened. Stays true while a server is temporarily unreachable. */
  get connected(): boolean {
    return this.opened;
  }

  /** Metrics of the primary's connection pool; null on the embedded engine. */
  get poolMetrics(): PoolMetrics | null {
    return this.embedded || !this.opened ? null : poolMetrics(this.pool);
  }

  /**
   * Opens the connections, and migrates the embedded database.
   * @param requireSchema whether to reject a server with pending migrations
   * @throws UnusableDatabaseError when retrying cannot help, else the driver's error
   */
  async connect(requireSchema = false): Promise<void> {
    if (this.opened) return;
    if (this.embedded) await this.openEmbedded();
    else await this.openPool();
    if (requireSchema) await assertSchemaUpToDate(this.writer);
    this.opened = true;
    this.replicas?.start();
    this.writeNodes?.watch();
  }

  /**
   * Connects for a command, which does not try again, and prints to standard error which database
   * that is.
   * @throws UnusableDatabaseError also for a server that cannot be reached
   */
  async connectForCommand(requireSchema = false): Promise<void> {
    process.stderr.write(`Database: ${this.environment.databaseName}.\n`);
    try {
      await this.connect(requireSchema);
    } catch (error) {
      throw connectionProblem(this.environment, error) ?? error;
    }
  }

  /**
   * Runs the pending migrations.
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
    this.idleSnapshot?.close();
    this.idleSnapshot = null;
    if (this.reader.isInitialized) await this.reader.destroy();
    if (this.writer.isInitialized) await this.writer.destroy();
  }

  private async openEmbedded(): Promise<void> {
    const deadline = performance.now() + OPEN_TIMEOUT;
    for (;;) {
      try {
        prepareEmbeddedFile(this.environment.sqlitePath);
        if (!this.writer.isInitialized) await this.writer.initialize();
        break;
      } catch (error) {
        if (error instanceof UnusableDatabaseError) throw error;
        // Another process may be creating the file, recovering it or changing its journal mode.
        if (driverErrorKind(error) !== 'busy' || performance.now() > deadline) {
          throw new UnusableDatabaseError(
            `The embedded database cannot be opened: ${(error as Error).message}.`,
            error,
          );
        }
        await sleep(50);
      }
    }
    // Waiting inside the driver would block the event loop: the unit of work retries instead.
    sqliteHandle(this.writer).pragma('busy_timeout = 0');
    await this.migrate();
    // Else savepoints keep former pages in a file of the temporary folder, which takes time and
    // fails where none is writable. Not before the migrations, which may sort whole tables.
    sqliteHandle(this.writer).pragma('temp_store = MEMORY');
    if (!this.reader.isInitialized) await this.reader.initialize();
    this.file = new FileInPlace(this.environment.sqlitePath);
  }

  private async openPool(): Promise<void> {
    try {
      if (!this.writer.isInitialized) await this.writer.initialize();
    } catch (error) {
      // A pool created before the failure would leak its connections when the next attempt creates
      // another.
      await this.writer.driver.disconnect().catch(() => undefined);
      throw error;
    }
    if (!(await this.isCluster())) return;
    this.primary.invalidate();
    this.pool.on('connection', () => this.primary.invalidate());
  }

  /** Whether another server may take over as the primary, configured here or behind a proxy. */
  private async isCluster(): Promise<boolean> {
    if (this.writeNodes !== null) return true;
    const [setting] = await this.writer.query<{ Value: string }[]>("SHOW GLOBAL VARIABLES LIKE 'wsrep_on'");
    return setting?.Value === 'ON';
  }

  private createWriteNodes(): WriteNodes | null {
    return WriteNodes.create(this.environment.databaseServers, (previousHealthy) => {
      this.primary.invalidate();
      if (!this.opened) return;
      if (previousHealthy) recycleConnections(this.pool);
      else abortConnections(this.pool);
    });
  }

  private createReplicas(): Replicas | null {
    const accounts = this.environment.databaseReplicas;
    if (accounts.length === 0) return null;
    return new Replicas(accounts, {
      createPool: (account) => createReplicaPool(this.environment, account),
      primary: this,
      newestRevision: () => this.newestRevision,
      onNewerRevision: () => this.onNewerRevision(),
    });
  }

  /** Reads published data from any server at the newest revision: a replica or the primary. */
  get anyServer(): Reads {
    return this.replicas ?? this;
  }

  /** Metrics of the replicas; null without replicas. */
  get replicaMetrics(): ReplicaMetrics | null {
    return this.replicas?.metrics ?? null;
  }

  /** From now on, reads must see at least this revision. */
  requireRevision(revision: number): void {
    if (revision <= this.newestRevision) return;
    this.newestRevision = revision;
    this.replicas?.pollNow();
  }

  /** Reads the current revisions. While the primary is unreachable, the newest of any replica. */
  async revisions(): Promise<Revisions> {
    if (this.embedded) return parseRevisions(await this.arrays(SELECT_REVISIONS));
    try {
      return await this.primary.revisions();
    } catch (error) {
      const isAway = driverErrorKind(error) === 'unavailable' && !(error instanceof PoolExhaustedError);
      const found = isAway && this.opened ? await this.replicas?.revisions() : null;
      if (!found) throw error;
      return found;
    }
  }

  /** Waits until the primary is at the newest revision: after a failover it may lag behind. */
  async waitUntilCaughtUp(): Promise<void> {
    if (!this.embedded) await this.primary.waitUntilCaughtUp();
  }

  async rows<T>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    if (this.embedded)
      return preparedStatement(sqliteHandle(this.reader), sql).all(...bindable(values)) as T[];
    return this.primary.rows<T>(sql, values);
  }

  async arrays<T extends unknown[]>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    if (this.embedded)
      return preparedStatement(sqliteHandle(this.reader), sql, true).all(...bindable(values)) as T[];
    return this.primary.arrays<T>(sql, values);
  }

  async readSnapshot<T>(work: (arrays: SnapshotReader) => Promise<T>): Promise<T> {
    return this.embedded ? this.readEmbeddedSnapshot(work) : this.primary.readSnapshot(work);
  }

  private async readEmbeddedSnapshot<T>(work: (arrays: SnapshotReader) => Promise<T>): Promise<T> {
    const handle = this.idleSnapshot ?? this.openSnapshot();
    this.idleSnapshot = null;
    try {
      handle.exec('BEGIN');
      const result = await work(
        async <T>(sql: string, values: readonly SqlValue[] = []) =>
          preparedStatement(handle, sql, true).all(...bindable(values)) as T[],
      );
      handle.exec('COMMIT');
      if (this.idleSnapshot === null && this.opened) this.idleSnapshot = handle;
      else handle.close();
      return result;
    } catch (error) {
      handle.close();
      throw error;
    }
  }

  /** @throws FileGoneError where the file of the embedded database is not in its place any more */
  assertInPlace(): void {
    this.file?.assert();
  }

  /**
   * Reads a page of each table of the embedded database by a new connection: open ones have what
   * they read before in memory, and do not notice that the file is damaged.
   * @throws the driver's error when it is
   */
  checkFile(): void {
    const handle = this.openSnapshot();
    try {
      for (const { tableName } of this.writer.entityMetadatas)
        handle.prepare(`SELECT 1 FROM "${tableName}" LIMIT 1`).get();
    } finally {
      handle.close();
    }
  }

  private openSnapshot(): BetterSqlite3.Database {
    const handle = new BetterSqlite3(this.environment.sqlitePath, {
      fileMustExist: true,
      timeout: SQLITE_BUSY_TIMEOUT,
    });
    handle.pragma('query_only = ON');
    return handle;
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
