import type BetterSqlite3 from 'better-sqlite3';
import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager, QueryRunner } from 'typeorm';
import { bindable, sqliteHandle, type Database, type SqlValue } from './database.js';
import type { DataRevision, RevisionArea, Revisions } from './data-revision.js';
import { NotConnectedError, driverErrorKind, isRetryable, outcomeUnknown } from './driver-errors.js';
import { LOCK_WAIT, guardOf } from './server-pool.js';
import { beginImmediate } from './sqlite-lock.js';

/** What a statement that changes rows did. `affected` counts the rows matched. */
export interface Changes {
  affected: number;
  insertId: number;
}

/**
 * An open write transaction. Everything in it is stored together or not at all. Statements use `?` placeholders on every engine.
 */
export interface Transaction {
  /** TypeORM on the writing connection: for `insert`, `update`, `delete` and query builders. Not `save()`: it opens a transaction of its own. */
  readonly manager: EntityManager;
  /** True on SQLite: for the few statements that have to differ. */
  readonly embedded: boolean;
  rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  execute(sql: string, values?: readonly SqlValue[]): Promise<Changes>;
  /** Says which part of the data this transaction changes, so that readers drop what they keep of it. */
  touch(...areas: RevisionArea[]): void;
  /** Says that these series or their points or periods change; implies `touch('series')`. */
  touchSeries(ids: Iterable<number>): void;
}

/** The write queue is full, or a write waited in it for too long. */
export class WriteQueueError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WriteQueueError';
  }
}

/** Writes that may wait for the embedded engine's one writer, and for how long (ms). */
const QUEUE_LENGTH = 100;
const QUEUE_WAIT = 5000;
/** Tries of a whole transaction after a deadlock or a lock wait, and how long (ms) all of them may take. */
const TRIES = 3;
const TRIES_WAIT = 9500;

/**
 * The one way to write. On the embedded engine transactions take turns on a connection that nobody else uses, so no request
 * can see or roll back another's; on a server each has a pooled connection and is redone whole after a deadlock.
 * Every commit moves the data revision, as its last statement.
 */
export class UnitOfWork {
  private readonly turns = new Mutex(QUEUE_LENGTH, QUEUE_WAIT);

  constructor(
    private readonly database: Database,
    private readonly revision: DataRevision,
  ) {}

  /**
   * Runs `work` in a transaction and commits it. `work` may run more than once, so it must have no effects but its statements.
   * @returns what `work` returned
   * @throws whatever `work` or the driver threw, after the rollback
   */
  async run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    if (!this.database.connected) throw new NotConnectedError();
    try {
      const { result, told } = await (this.database.embedded
        ? this.turns.take(() => this.runEmbedded(work))
        : this.runOnServer(work));
      this.database.storageRefused = false;
      await told;
      return result;
    } catch (error) {
      if (driverErrorKind(error) === 'storage') this.database.storageRefused = true;
      throw error;
    }
  }

  /** Writes that wait for their turn on the embedded engine. */
  get waiting(): number {
    return this.turns.waiting;
  }

  private async runEmbedded<T>(work: (transaction: Transaction) => Promise<T>): Promise<Committed<T>> {
    const handle = sqliteHandle(this.database.writer);
    const transaction = new EmbeddedTransaction(this.database.writer.createQueryRunner(), handle);
    await beginImmediate(handle, QUEUE_WAIT);
    let revisions: Revisions;
    let result: T;
    const sentAt = performance.now();
    try {
      result = await work(transaction);
      revisions = await transaction.moveRevision();
      handle.exec('COMMIT');
    } catch (error) {
      if (handle.inTransaction) handle.exec('ROLLBACK');
      throw error;
    }
    return { result, told: this.revision.committed(revisions, sentAt) };
  }

  private async runOnServer<T>(work: (transaction: Transaction) => Promise<T>): Promise<Committed<T>> {
    const deadline = performance.now() + TRIES_WAIT;
    for (let attempt = 1, lockWait = LOCK_WAIT; ; attempt++) {
      try {
        return await this.tryOnServer(work, lockWait);
      } catch (error) {
        if (attempt === TRIES || !isRetryable(error)) throw error;
        await sleep(20 + Math.random() * 180);
        // Whoever asked has to hear of the end in time, so later tries wait for locks only as long as is left.
        lockWait = Math.min(LOCK_WAIT, Math.floor((deadline - performance.now()) / 1000));
        if (lockWait < 1) throw error;
      }
    }
  }

  private async tryOnServer<T>(
    work: (transaction: Transaction) => Promise<T>,
    lockWait: number,
  ): Promise<Committed<T>> {
    await this.database.caughtUp();
    const runner = this.database.writer.createQueryRunner();
    try {
      const connection = (await runner.connect()) as Connection;
      const guard = guardOf(connection);
      const transaction = new ServerTransaction(runner, connection);
      if (lockWait !== LOCK_WAIT) await runner.query(lockWaitOf(lockWait));
      await transaction.execute('START TRANSACTION');
      guard.beginTransaction();
      let revisions: Revisions;
      let result: T;
      try {
        result = await work(transaction);
        revisions = await transaction.moveRevision();
      } catch (error) {
        guard.endTransaction();
        await rollback(connection);
        throw error;
      }
      guard.endTransaction();
      const sentAt = performance.now();
      await transaction.execute('COMMIT').catch(async (error: unknown) => {
        await rollback(connection);
        throw outcomeUnknown(error);
      });
      return { result, told: this.revision.committed(revisions, sentAt) };
    } finally {
      if (lockWait !== LOCK_WAIT) await runner.query(lockWaitOf(LOCK_WAIT)).catch(() => undefined);
      await runner.release();
    }
  }
}

/** What a transaction has come to once it is stored. */
interface Committed<T> {
  result: T;
  /** Settles when the other processes of this machine know of it. */
  told: Promise<void>;
}

/** What both engines' transactions share: noting what changes and moving the revision by it. */
abstract class OpenTransaction implements Transaction {
  abstract readonly embedded: boolean;
  private readonly areas = new Set<RevisionArea>();
  private readonly series = new Set<number>();

  constructor(private readonly runner: QueryRunner) {}

  get manager(): EntityManager {
    return this.runner.manager;
  }

  abstract rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  abstract execute(sql: string, values?: readonly SqlValue[]): Promise<Changes>;

  touch(...areas: RevisionArea[]): void {
    for (const area of areas) this.areas.add(area);
  }

  touchSeries(ids: Iterable<number>): void {
    this.areas.add('series');
    for (const id of ids) this.series.add(id);
  }

  /**
   * Stamps the changed series and moves the revision row. The row is locked before the stamp and updated last, so revisions
   * become visible in their order: whoever has seen revision n has seen every series stamped up to n.
   */
  async moveRevision(): Promise<Revisions> {
    const lock = this.embedded ? '' : ' FOR UPDATE';
    const [row] = await this.rows<Record<string, number>>(`SELECT * FROM data_revision WHERE id = 1${lock}`);
    const all = Number(row!.revision) + 1;
    const moved = (area: RevisionArea, column: string) => (this.areas.has(area) ? all : Number(row![column]));
    const revisions = {
      all,
      references: moved('references', 'reference_revision'),
      series: moved('series', 'series_revision'),
      rates: moved('rates', 'rates_revision'),
    };
    const ids = [...this.series];
    for (let from = 0; from < ids.length; from += 1000) {
      const chunk = ids.slice(from, from + 1000);
      const places = chunk.map(() => '?').join(',');
      await this.execute(`UPDATE price_serie SET revision = ? WHERE id IN (${places})`, [all, ...chunk]);
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
    return this.prepare(sql).all(...bindable(values)) as T[];
  }

  async execute(sql: string, values: readonly SqlValue[] = []): Promise<Changes> {
    const { changes, lastInsertRowid } = this.prepare(sql).run(...bindable(values));
    return { affected: changes, insertId: Number(lastInsertRowid) };
  }

  private prepare(sql: string): BetterSqlite3.Statement {
    let cache = preparedStatements.get(this.handle);
    if (cache === undefined) preparedStatements.set(this.handle, (cache = new Map()));
    let statement = cache.get(sql);
    if (statement === undefined) {
      if (cache.size >= 500) cache.clear();
      cache.set(sql, (statement = this.handle.prepare(sql)));
    }
    return statement;
  }
}

const preparedStatements = new WeakMap<BetterSqlite3.Database, Map<string, BetterSqlite3.Statement>>();

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

  async execute(sql: string, values: readonly SqlValue[] = []): Promise<Changes> {
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

/** A rollback that fails means that the connection is gone, and with it the transaction. */
async function rollback(connection: Connection): Promise<void> {
  await new Promise<void>((resolve) =>
    connection.query('ROLLBACK', (error) => (error && connection.destroy(), resolve())),
  );
}

function lockWaitOf(seconds: number): string {
  return `SET innodb_lock_wait_timeout = ${seconds}`;
}

/** Lets one task run at a time, in the order they came, with a bounded queue. */
class Mutex {
  private last: Promise<unknown> = Promise.resolve();
  waiting = 0;

  constructor(
    private readonly length: number,
    private readonly patience: number,
  ) {}

  async take<T>(task: () => Promise<T>): Promise<T> {
    if (this.waiting >= this.length) throw new WriteQueueError('Too many writes are waiting.');
    this.waiting++;
    const before = this.last;
    let finish!: () => void;
    this.last = new Promise<void>((resolve) => (finish = resolve));
    try {
      if (!(await within(before, this.patience))) {
        // This turn is given up, but whoever follows still has to wait for the one before it.
        void before.then(finish, finish);
        throw new WriteQueueError('The write waited too long for its turn.');
      }
    } finally {
      this.waiting--;
    }
    try {
      return await task();
    } finally {
      finish();
    }
  }
}

/** Whether a promise settles within so many milliseconds. */
async function within(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer!: NodeJS.Timeout;
  const timeout = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), milliseconds)));
  try {
    return await Promise.race([promise.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
