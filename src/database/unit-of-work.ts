import type BetterSqlite3 from 'better-sqlite3';
import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  EntityManager,
  EntityTarget,
  ObjectLiteral,
  QueryDeepPartialEntity,
  QueryRunner,
} from 'typeorm';
import { bindable, preparedStatement, sqliteHandle, type Database, type SqlValue } from './database.js';
import type { DataRevision, RevisionArea, Revisions } from './revision/data-revision.js';
import {
  NewerSchemaError,
  NotConnectedError,
  driverErrorKind,
  isRetryable,
  toCommitError,
} from './errors/driver-errors.js';
import { SCHEMA_VERSION } from './migrations/index.js';
import { LOCK_WAIT_TIMEOUT, guardOf } from './server/server-pool.js';
import { beginImmediate } from './sqlite/sqlite-lock.js';

/** The result of a statement that changes rows. `affected` counts the matched rows. */
export interface WriteResult {
  affected: number;
  insertId: number;
}

/** An open write transaction. Statements use `?` placeholders on every engine. */
export interface Transaction {
  /**
   * TypeORM on the writing connection: for `update`, `delete` and query builders. Not for `save()`
   * and `remove()`, which begin transactions of their own.
   */
  readonly manager: EntityManager;
  /** Inserts a record, without reading it back as `manager.insert` does. @returns its id */
  insert<E extends ObjectLiteral>(
    entity: EntityTarget<E>,
    values: QueryDeepPartialEntity<E>,
  ): Promise<number>;
  /** True on SQLite, for the few statements that differ between engines. */
  readonly embedded: boolean;
  rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  execute(sql: string, values?: readonly SqlValue[]): Promise<WriteResult>;
  /** Marks parts of the data as changed, which invalidates their caches. */
  touch(...areas: RevisionArea[]): void;
  /** Marks series, or their points or periods, as changed. Implies `touch('series')`. */
  touchSeries(ids: Iterable<number>): void;
}

/** The write queue is full, or a write has waited in it too long. */
export class WriteQueueError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WriteQueueError';
  }
}

/** Writes that may wait for the embedded engine's single writer, and for how long (ms). */
const MAX_QUEUED = 100;
const QUEUE_TIMEOUT = 5000;
/**
 * Attempts at a transaction after deadlocks or lock waits, and how long (ms) they may take
 * together.
 */
const MAX_ATTEMPTS = 3;
const RETRY_TIMEOUT = 9500;

/**
 * The only way to write. On the embedded engine transactions run one at a time on a connection of
 * their own, so no request can see or roll back another's writes; on a server each uses a pooled
 * connection and is retried as a whole after a deadlock. Every transaction increments the data
 * revision, as its last statement.
 */
export class UnitOfWork {
  private readonly mutex = new Mutex(MAX_QUEUED, QUEUE_TIMEOUT);

  constructor(
    private readonly database: Database,
    private readonly revision: DataRevision,
  ) {}

  /**
   * Runs `work` in a transaction and commits it. `work` may run more than once, so it must have no
   * side effects but its statements.
   * @returns what `work` returned
   * @throws NewerSchemaError when only newer releases may write
   * @throws whatever `work` or the driver threw, after the rollback
   */
  async run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    if (!this.database.connected) throw new NotConnectedError();
    // Before the work, whose statements may fail on the newer schema. The transaction decides.
    if (!this.revision.writable) throw new NewerSchemaError();
    try {
      const { result, published } = await (this.database.embedded
        ? this.mutex.runExclusive(() => this.runEmbedded(work))
        : this.runOnServer(work));
      this.database.storageUnavailable = false;
      await published;
      return result;
    } catch (error) {
      if (driverErrorKind(error) === 'storage') this.database.storageUnavailable = true;
      throw error;
    }
  }

  /** Writes waiting in the queue of the embedded engine. */
  get waiting(): number {
    return this.mutex.waiting;
  }

  private async runEmbedded<T>(work: (transaction: Transaction) => Promise<T>): Promise<Committed<T>> {
    const handle = sqliteHandle(this.database.writer);
    const transaction = new EmbeddedTransaction(this.database.writer.createQueryRunner(), handle);
    await beginImmediate(handle, QUEUE_TIMEOUT);
    let revisions: Revisions;
    let result: T;
    const sentAt = performance.now();
    try {
      result = await work(transaction);
      revisions = await transaction.incrementRevision();
      handle.exec('COMMIT');
    } catch (error) {
      if (handle.inTransaction) handle.exec('ROLLBACK');
      throw error;
    }
    return { result, published: this.revision.publish(revisions, sentAt) };
  }

  private async runOnServer<T>(work: (transaction: Transaction) => Promise<T>): Promise<Committed<T>> {
    const deadline = performance.now() + RETRY_TIMEOUT;
    for (let attempt = 1, lockWaitTimeout = LOCK_WAIT_TIMEOUT; ; attempt++) {
      try {
        return await this.tryOnServer(work, lockWaitTimeout);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error;
        await sleep(20 + Math.random() * 180);
        // The client must get a reply in time, so later attempts wait for locks only as long as is
        // left.
        lockWaitTimeout = Math.min(LOCK_WAIT_TIMEOUT, Math.floor((deadline - performance.now()) / 1000));
        if (lockWaitTimeout < 1) throw error;
      }
    }
  }

  private async tryOnServer<T>(
    work: (transaction: Transaction) => Promise<T>,
    lockWaitTimeout: number,
  ): Promise<Committed<T>> {
    await this.database.waitUntilCaughtUp();
    const runner = this.database.writer.createQueryRunner();
    try {
      const connection = (await runner.connect()) as Connection;
      const guard = guardOf(connection);
      const transaction = new ServerTransaction(runner, connection);
      if (lockWaitTimeout !== LOCK_WAIT_TIMEOUT) await runner.query(setLockWaitTimeout(lockWaitTimeout));
      await transaction.execute('START TRANSACTION');
      guard.beginTransaction();
      let revisions: Revisions;
      let result: T;
      try {
        result = await work(transaction);
        revisions = await transaction.incrementRevision();
      } catch (error) {
        guard.endTransaction();
        await rollback(connection);
        throw error;
      }
      guard.endTransaction();
      const sentAt = performance.now();
      await transaction.execute('COMMIT').catch(async (error: unknown) => {
        await rollback(connection);
        throw toCommitError(error);
      });
      return { result, published: this.revision.publish(revisions, sentAt) };
    } finally {
      if (lockWaitTimeout !== LOCK_WAIT_TIMEOUT)
        await runner.query(setLockWaitTimeout(LOCK_WAIT_TIMEOUT)).catch(() => undefined);
      await runner.release();
    }
  }
}

interface Committed<T> {
  result: T;
  /** Settles when the other workers of this machine have seen the revision. */
  published: Promise<void>;
}

/** Base of both engines' transactions: collects what changes and increments the revision. */
abstract class OpenTransaction implements Transaction {
  abstract readonly embedded: boolean;
  private readonly areas = new Set<RevisionArea>();
  private readonly series = new Set<number>();

  constructor(private readonly runner: QueryRunner) {}

  get manager(): EntityManager {
    return this.runner.manager;
  }

  async insert<E extends ObjectLiteral>(
    entity: EntityTarget<E>,
    values: QueryDeepPartialEntity<E>,
  ): Promise<number> {
    const query = this.manager.createQueryBuilder().insert().into(entity).values(values);
    const { raw } = (await query.updateEntity(false).execute()) as { raw: number | ResultSetHeader };
    return typeof raw === 'object' ? raw.insertId : raw;
  }

  abstract rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  abstract execute(sql: string, values?: readonly SqlValue[]): Promise<WriteResult>;

  touch(...areas: RevisionArea[]): void {
    for (const area of areas) this.areas.add(area);
  }

  touchSeries(ids: Iterable<number>): void {
    this.areas.add('series');
    for (const id of ids) this.series.add(id);
  }

  /**
   * Stamps the changed series and increments the revision. The revision row is locked before the
   * stamp and updated last, so revisions become visible in order: a reader that has seen revision n
   * has seen every series stamped up to n.
   */
  async incrementRevision(): Promise<Revisions> {
    const lock = this.embedded ? '' : ' FOR UPDATE';
    const [row] = await this.rows<Record<string, number>>(`SELECT * FROM data_revision WHERE id = 1${lock}`);
    const oldestWriter = Number(row!.oldest_writer);
    if (oldestWriter > SCHEMA_VERSION) throw new NewerSchemaError();
    const all = Number(row!.revision) + 1;
    const areaRevision = (area: RevisionArea, column: string) =>
      this.areas.has(area) ? all : Number(row![column]);
    const revisions = {
      all,
      references: areaRevision('references', 'reference_revision'),
      series: areaRevision('series', 'series_revision'),
      rates: areaRevision('rates', 'rates_revision'),
      oldestWriter,
    };
    const ids = [...this.series];
    for (let from = 0; from < ids.length; from += 1000) {
      const chunk = ids.slice(from, from + 1000);
      const placeholders = chunk.map(() => '?').join(',');
      await this.execute(`UPDATE price_serie SET revision = ? WHERE id IN (${placeholders})`, [
        all,
        ...chunk,
      ]);
    }
    await this.execute(
      'UPDATE data_revision SET revision = ?, reference_revision = ?, series_revision = ?, rates_revision = ? WHERE id = 1',
      [all, revisions.references, revisions.series, revisions.rates],
    );
    return revisions;
  }
}

class EmbeddedTransaction extends OpenTransaction {
  readonly embedded = true;

  constructor(
    runner: QueryRunner,
    private readonly handle: BetterSqlite3.Database,
  ) {
    super(runner);
  }

  async rows<T>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    return preparedStatement(this.handle, sql).all(...bindable(values)) as T[];
  }

  async execute(sql: string, values: readonly SqlValue[] = []): Promise<WriteResult> {
    const { changes, lastInsertRowid } = preparedStatement(this.handle, sql).run(...bindable(values));
    return { affected: changes, insertId: Number(lastInsertRowid) };
  }
}

class ServerTransaction extends OpenTransaction {
  readonly embedded = false;

  constructor(
    runner: QueryRunner,
    private readonly connection: Connection,
  ) {
    super(runner);
  }

  async rows<T>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    return (await this.send(sql, values)) as T[];
  }

  async execute(sql: string, values: readonly SqlValue[] = []): Promise<WriteResult> {
    const { affectedRows, insertId } = (await this.send(sql, values)) as ResultSetHeader;
    return { affected: affectedRows, insertId };
  }

  private send(sql: string, values: readonly SqlValue[]): Promise<RowDataPacket[] | ResultSetHeader> {
    return new Promise((resolve, reject) =>
      this.connection.query<RowDataPacket[] | ResultSetHeader>(sql, [...values], (error, result) =>
        error ? reject(error) : resolve(result),
      ),
    );
  }
}

/** If the rollback fails, closing the connection makes the server roll back. */
async function rollback(connection: Connection): Promise<void> {
  await new Promise<void>((resolve) =>
    connection.query('ROLLBACK', (error) => (error && connection.destroy(), resolve())),
  );
}

function setLockWaitTimeout(seconds: number): string {
  return `SET innodb_lock_wait_timeout = ${seconds}`;
}

/** Runs one task at a time, first come first served, with a bounded queue. */
class Mutex {
  private last: Promise<unknown> = Promise.resolve();
  waiting = 0;

  constructor(
    private readonly maxWaiting: number,
    private readonly timeoutMs: number,
  ) {}

  async runExclusive<T>(task: () => Promise<T>): Promise<T> {
    if (this.waiting >= this.maxWaiting) throw new WriteQueueError('Too many writes are waiting.');
    this.waiting++;
    const previous = this.last;
    let release!: () => void;
    this.last = new Promise<void>((resolve) => (release = resolve));
    try {
      if (!(await settlesWithin(previous, this.timeoutMs))) {
        // This task is abandoned, but the next one still has to wait for the previous one.
        void previous.then(release, release);
        throw new WriteQueueError('The write waited too long in the queue.');
      }
    } finally {
      this.waiting--;
    }
    try {
      return await task();
    } finally {
      release();
    }
  }
}

/** Whether a promise resolves within the given milliseconds. */
async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer!: NodeJS.Timeout;
  const timeout = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), milliseconds)));
  try {
    return await Promise.race([promise.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
