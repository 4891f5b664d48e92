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
import { placeholders } from '../database/sql.js';
import { Clock, instantText } from '../platform/clock/clock.js';
import { newMark } from '../database/revision-mark.js';
import { bindable, sqliteHandle, type Database, type SqlValue } from '../database/database.js';
import { insertChangeSet, type ChangeSetReference, type NewChangeSet } from './changes/change-set.js';
import {
  ChangeList,
  type ChangeAction,
  type Changes,
  type SeriesChangeValues,
} from './changes/change-list.js';
import type { DataRevision, RevisionArea, Revisions } from './revision/data-revision.js';
import {
  DeadlineError,
  NewerSchemaError,
  NotConnectedError,
  OutcomeUnknownError,
  driverErrorKind,
  isRetryable,
  toCommitError,
} from '../database/errors/driver-errors.js';
import { SCHEMA_VERSION } from '../database/migrations/index.js';
import { abortConnection, guardOf } from '../database/server/server-pool.js';
import { preparedStatement } from '../database/sqlite/prepared-statement.js';
import { WriteQueue } from '../database/sqlite/write-queue.js';

/**
 * Derives data from what a commit changes, in the same transaction. Not called for transactions of
 * a running change set, such as an import, which has its end follow all of it.
 */
export interface CommitFollower {
  /** Called before the commit of an operation that changes published data. */
  beforeCommit(transaction: Transaction, changes: Changes): Promise<void>;
}

/** What Nest gives the unit of work: all followers, in the order in which they are called. */
export const COMMIT_FOLLOWERS = Symbol('CommitFollowers');

/** The result of a statement that changes rows. `affected` counts the matched rows. */
export interface WriteResult {
  affected: number;
  insertId: number;
}

/** Identifies a revision, also among databases that have the same numbers. */
export interface RevisionMark {
  readonly number: number;
  readonly mark: string;
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
  /** As `rows`, each row as an array of its values: in half the time where there are many. */
  arrays<T extends unknown[]>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  execute(sql: string, values?: readonly SqlValue[]): Promise<WriteResult>;
  /** The current time in milliseconds since 1970, for what depends on the date. */
  now(): number;
  /**
   * The number of the revision that the commit will make, for the versions that this transaction
   * writes. 0 outside of change sets, where nothing is published: in dry runs.
   */
  readonly revision: number;
  /** The revision that it began after; null outside of change sets, and where there is none. */
  readonly before: RevisionMark | null;
  /** The revision that the commit will make, if it makes one; null outside of change sets. */
  readonly next: RevisionMark | null;
  /** Whether published data have been changed so far: then the commit makes a revision. */
  readonly changesData: boolean;
  /**
   * Marks parts of the published data as changed, which invalidates their caches. Only in
   * transactions of a change set.
   */
  touch(...areas: RevisionArea[]): void;
  /**
   * Marks series, or their points or periods, as changed. Implies `touch('series')`.
   * @param change what has happened to each of them, beside what was noted before
   */
  touchSeries(ids: Iterable<number>, change?: Partial<SeriesChangeValues>): void;
  /**
   * Marks a record as changed, for the change feed. Does not imply `touch()`.
   * @param columns that have other values; null where any may have
   */
  touchRecord(table: string, id: number, action: ChangeAction, columns?: ReadonlySet<string> | null): void;
  /** What this transaction has changed so far, which no change list has yet. */
  readonly changes: Changes;
  /**
   * The id of the change set, which is created when it is first asked for; null if there is none.
   */
  changeSetId(): Promise<number | null>;
}

/** Milliseconds for which a write may wait for the embedded engine's single writer. */
const QUEUE_TIMEOUT = 5000;
/** Attempts at a transaction after deadlocks or lock waits. */
const MAX_ATTEMPTS = 3;

/**
 * The only way to write. On the embedded engine transactions run one at a time on a connection of
 * their own, so no request can see or roll back another's writes, and brief ones share commits; on
 * a server each uses a pooled connection and is retried as a whole after a deadlock.
 *
 * A transaction that changes published data belongs to a change set. It locks the data revision
 * before everything else, so it knows the number of its own revision from the start, and increments
 * it as its last statement. So such transactions run one after the other on a server, too.
 */
export class UnitOfWork {
  private readonly queue = new WriteQueue<EmbeddedResult>(
    () => this.connectedWriter(),
    (results, begunAt) => this.publishNewest(results, begunAt),
  );

  constructor(
    private readonly database: Database,
    private readonly revision: DataRevision,
    private readonly clock = new Clock(),
    /** Derive data from changes; none where nothing is published. */
    public followers: readonly CommitFollower[] = [],
  ) {}

  /**
   * Runs `work` in a transaction and commits it. `work` may run more than once, so it must have no
   * side effects but its statements. It changes no published data: that is for `change()`.
   * @param deadline when it must be committed (`performance.now()`); without one, only single
   * statements and waits are limited
   * @returns what `work` returned
   * @throws NewerSchemaError when only newer releases may write
   * @throws DeadlineError, OutcomeUnknownError when it is not committed by the deadline
   * @throws FileGoneError where the file of the embedded database was removed or replaced
   * @throws whatever `work` or the driver threw, after the rollback
   */
  async run<T>(work: (transaction: Transaction) => Promise<T>, deadline = Infinity): Promise<T> {
    const { clock } = this;
    return this.execute({ changeSet: null, clock, followers: [], brief: false }, work, deadline);
  }

  /**
   * Runs `work` as `run()` does, as part of a change set: a new one, which is created if `work`
   * changes data, or one that has an id.
   */
  async change<T>(
    changeSet: ChangeSetReference,
    work: (transaction: Transaction) => Promise<T>,
    deadline = Infinity,
  ): Promise<T> {
    const { clock } = this;
    const followers = typeof changeSet === 'number' ? [] : this.followers;
    return this.execute({ changeSet, clock, followers, brief: false }, work, deadline);
  }

  /**
   * Runs `work` as `change()` does, for writes that take a few milliseconds at most: of one point,
   * or of one record that no series has. On the embedded engine those that wait together share a
   * commit, and are answered after it.
   */
  async changeBriefly<T>(
    changeSet: NewChangeSet,
    work: (transaction: Transaction) => Promise<T>,
    deadline = Infinity,
  ): Promise<T> {
    const { clock, followers } = this;
    return this.execute({ changeSet, clock, followers, brief: true }, work, deadline);
  }

  private async execute<T>(
    act: Act,
    work: (transaction: Transaction) => Promise<T>,
    deadline: number,
  ): Promise<T> {
    if (performance.now() >= deadline) throw new DeadlineError();
    if (!this.database.connected) throw new NotConnectedError();
    // Before the work, whose statements may fail on the newer schema. The transaction decides.
    if (!this.revision.writable) throw new NewerSchemaError();
    try {
      this.database.assertInPlace();
      const { result, published } = await (this.database.embedded
        ? this.runEmbedded(act, work, waitUntil(deadline))
        : this.runOnServer(act, work, new CommitDeadline(deadline)));
      // Nothing is acknowledged that only a file without a name has.
      this.database.assertInPlace();
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
    return this.queue.waiting;
  }

  private async runEmbedded<T>(
    act: Act,
    work: (transaction: Transaction) => Promise<T>,
    timeoutMs: number,
  ): Promise<Committed<T>> {
    const { writer } = this.database;
    let result!: T;
    const statements = async () => {
      const transaction = new EmbeddedTransaction(act, writer.createQueryRunner(), sqliteHandle(writer));
      await transaction.begin();
      result = await work(transaction);
      return { revisions: await transaction.incrementRevision(), published: Promise.resolve() };
    };
    const { published } = await this.queue.run({ statements, brief: act.brief, timeoutMs });
    return { result, published };
  }

  /** The writing connection of the embedded engine. @throws NotConnectedError after a shutdown */
  private connectedWriter(): BetterSqlite3.Database {
    if (!this.database.connected) throw new NotConnectedError();
    return sqliteHandle(this.database.writer);
  }

  /** Publishes the newest of the revisions that a commit has made, for all of its transactions. */
  private publishNewest(results: readonly EmbeddedResult[], begunAt: number): void {
    const made = results.filter(({ revisions }) => revisions !== null);
    const published = this.publish(made.at(-1)?.revisions ?? null, begunAt);
    for (const result of made) result.published = published;
  }

  private runOnServer<T>(
    act: Act,
    work: (transaction: Transaction) => Promise<T>,
    deadline: CommitDeadline,
  ): Promise<Committed<T>> {
    return deadline.enforce(async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.tryOnServer(act, work, deadline);
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error;
          await sleep(20 + Math.random() * 180);
        }
      }
    });
  }

  private async tryOnServer<T>(
    act: Act,
    work: (transaction: Transaction) => Promise<T>,
    deadline: CommitDeadline,
  ): Promise<Committed<T>> {
    await this.database.waitUntilCaughtUp();
    const runner = this.database.writer.createQueryRunner();
    try {
      const connection = (await runner.connect()) as Connection;
      deadline.begin(connection);
      const guard = guardOf(connection);
      const transaction = new ServerTransaction(act, runner, connection);
      await transaction.execute('START TRANSACTION');
      guard.beginTransaction();
      let revisions: Revisions | null;
      let result: T;
      try {
        await transaction.begin();
        result = await work(transaction);
        revisions = await transaction.incrementRevision();
      } catch (error) {
        guard.endTransaction();
        await rollback(connection);
        throw error;
      }
      guard.endTransaction();
      const sentAt = performance.now();
      deadline.onCommit();
      await transaction.execute('COMMIT').catch(async (error: unknown) => {
        await rollback(connection);
        throw toCommitError(error);
      });
      return { result, published: this.publish(revisions, sentAt) };
    } finally {
      deadline.end();
      await runner.release();
    }
  }

  private async publish(revisions: Revisions | null, sentAt: number): Promise<void> {
    if (revisions !== null) await this.revision.publish(revisions, sentAt);
  }

  /** Writes, without a change to published data: fails while the storage is unavailable. */
  async probeStorage(): Promise<void> {
    const now = instantText(this.clock.now());
    await this.run((transaction) =>
      transaction.execute('UPDATE data_revision SET `at` = ? WHERE id = 1 AND `at` < ?', [now, now]),
    );
  }
}

/** What a transaction is for: the change set it belongs to, if it changes published data. */
interface Act {
  readonly changeSet: ChangeSetReference | null;
  readonly clock: Clock;
  readonly followers: readonly CommitFollower[];
  /** Whether it may share a commit. */
  readonly brief: boolean;
}

/** What a transaction of the embedded engine has made. */
interface EmbeddedResult {
  readonly revisions: Revisions | null;
  /** As that of `Committed`. */
  published: Promise<void>;
}

interface Committed<T> {
  result: T;
  /** Settles when the other workers of this machine have seen the revision. */
  published: Promise<void>;
}

/** Base of both engines' transactions: collects what changes and increments the revision. */
abstract class OpenTransaction implements Transaction {
  abstract readonly embedded: boolean;
  revision = 0;
  private readonly areas = new Set<RevisionArea>();
  private readonly changeList = new ChangeList();
  private createdChangeSet: Promise<number> | null = null;
  /** The data revision before this transaction, locked; null outside of change sets. */
  private locked: RevisionRow | null = null;
  private readonly mark = newMark();

  constructor(
    private readonly act: Act,
    private readonly runner: QueryRunner,
  ) {}

  /**
   * Locks the data revision, if the transaction belongs to a change set. As its first statement,
   * which makes deadlocks between writers impossible, and its reads as new as the lock.
   * @throws NewerSchemaError
   */
  async begin(): Promise<void> {
    if (this.act.changeSet === null) return;
    this.locked = await this.readRevision(this.embedded ? '' : ' FOR UPDATE');
    this.revision = Number(this.locked.revision) + 1;
  }

  /** @throws NewerSchemaError */
  private async readRevision(lock: string): Promise<RevisionRow> {
    const [row] = await this.rows<RevisionRow>(
      `SELECT d.*, r.mark FROM data_revision d LEFT JOIN revision r ON r.number = d.revision WHERE d.id = 1${lock}`,
    );
    if (Number(row!.oldest_writer) > SCHEMA_VERSION) throw new NewerSchemaError();
    return row!;
  }

  get before(): RevisionMark | null {
    const mark = this.locked?.mark ?? null;
    return mark === null ? null : { number: this.revision - 1, mark };
  }

  get next(): RevisionMark | null {
    return this.locked === null ? null : { number: this.revision, mark: this.mark };
  }

  get manager(): EntityManager {
    return this.runner.manager;
  }

  async insert<E extends ObjectLiteral>(
    entity: EntityTarget<E>,
    values: QueryDeepPartialEntity<E>,
  ): Promise<number> {
    // TypeORM's builder takes a tenth of a write's processor time to compose this statement.
    const { tableName } = this.manager.dataSource.getMetadata(entity);
    const { driver } = this.manager.dataSource;
    const columns = Object.entries(values).filter(([, value]) => value !== undefined);
    const names = columns.map(([name]) => driver.escape(name)).join(', ');
    const { insertId } = await this.execute(
      `INSERT INTO ${driver.escape(tableName)} (${names}) VALUES (${placeholders(columns.length)})`,
      columns.map(([, value]) => value as SqlValue),
    );
    return insertId;
  }

  now(): number {
    return this.act.clock.now();
  }

  abstract rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  abstract arrays<T extends unknown[]>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  abstract execute(sql: string, values?: readonly SqlValue[]): Promise<WriteResult>;

  get changesData(): boolean {
    return this.areas.size > 0;
  }

  touch(...areas: RevisionArea[]): void {
    for (const area of areas) this.areas.add(area);
  }

  touchSeries(ids: Iterable<number>, change: Partial<SeriesChangeValues> = {}): void {
    this.areas.add('series');
    for (const id of ids) this.changeList.addSeries(id, change);
  }

  touchRecord(
    table: string,
    id: number,
    action: ChangeAction,
    columns: ReadonlySet<string> | null = null,
  ): void {
    this.changeList.addRecord({ table, id, action, columns });
  }

  get changes(): Changes {
    return this.changeList.changesSince(Number(this.locked?.revision ?? 0));
  }

  async changeSetId(): Promise<number | null> {
    const { changeSet } = this.act;
    if (changeSet === null || typeof changeSet === 'number') return changeSet;
    const at = instantText(this.act.clock.now());
    const row = { ...changeSet, state: 'done', startedAt: at, endedAt: at } as const;
    return (this.createdChangeSet ??= insertChangeSet(this, row));
  }

  /**
   * Stamps the changed series, lists what has changed and increments the revision: a reader that
   * has seen revision n has seen every series stamped up to n.
   * @returns null if no published data were changed: then there is no new revision
   */
  async incrementRevision(): Promise<Revisions | null> {
    const row = this.locked;
    if (this.areas.size === 0) {
      // The statements before may have waited: whether the release may write is decided now.
      if (row === null) await this.readRevision('');
      return null;
    }
    for (const follower of this.act.followers) await follower.beforeCommit(this, this.changes);
    const changeSetId = await this.changeSetId();
    if (row === null || changeSetId === null) throw new Error('Published data change in change sets only.');
    const all = this.revision;
    const areaRevision = (area: RevisionArea, column: keyof RevisionRow) =>
      this.areas.has(area) ? all : Number(row[column]);
    const revisions = {
      all,
      references: areaRevision('references', 'reference_revision'),
      series: areaRevision('series', 'series_revision'),
      rates: areaRevision('rates', 'rates_revision'),
      findings: areaRevision('findings', 'findings_revision'),
      oldestWriter: Number(row.oldest_writer),
    };
    await this.changeList.save(this, all);
    const now = instantText(this.act.clock.now());
    const at = now > row.at ? now : row.at;
    await this.execute('INSERT INTO revision (number, `at`, change_set_id, mark) VALUES (?, ?, ?, ?)', [
      all,
      at,
      changeSetId,
      this.mark,
    ]);
    const { references, series, rates, findings } = revisions;
    // What an import or an older release has left is not for a single write to follow.
    const isFollowed = this.act.followers.length > 0 && Number(row.checked_revision) >= all - 1;
    await this.execute(
      'UPDATE data_revision SET revision = ?, reference_revision = ?, series_revision = ?, rates_revision = ?,' +
        ` findings_revision = ?, \`at\` = ?${isFollowed ? ', checked_revision = ?' : ''} WHERE id = 1`,
      [all, references, series, rates, findings, at, ...(isFollowed ? [all] : [])],
    );
    return revisions;
  }
}

/** The row of `data_revision`: servers return big integers as text. */
type RevisionRow = Record<
  | 'revision'
  | 'reference_revision'
  | 'series_revision'
  | 'rates_revision'
  | 'findings_revision'
  | 'checked_revision'
  | 'oldest_writer',
  number | string
> & { at: string; mark: string | null };

class EmbeddedTransaction extends OpenTransaction {
  readonly embedded = true;

  constructor(
    act: Act,
    runner: QueryRunner,
    private readonly handle: BetterSqlite3.Database,
  ) {
    super(act, runner);
  }

  async rows<T>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    return preparedStatement(this.handle, sql).all(...bindable(values)) as T[];
  }

  async arrays<T extends unknown[]>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    return preparedStatement(this.handle, sql, true).all(...bindable(values)) as T[];
  }

  async execute(sql: string, values: readonly SqlValue[] = []): Promise<WriteResult> {
    const { changes, lastInsertRowid } = preparedStatement(this.handle, sql).run(...bindable(values));
    return { affected: changes, insertId: Number(lastInsertRowid) };
  }
}

class ServerTransaction extends OpenTransaction {
  readonly embedded = false;

  constructor(
    act: Act,
    runner: QueryRunner,
    private readonly connection: Connection,
  ) {
    super(act, runner);
  }

  async rows<T>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    return (await this.send(sql, values)) as T[];
  }

  arrays<T extends unknown[]>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    return new Promise((resolve, reject) =>
      this.connection.query<RowDataPacket[]>({ sql, rowsAsArray: true }, [...values], (error, rows) =>
        error ? reject(error) : resolve(rows as unknown as T[]),
      ),
    );
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

/** Milliseconds to wait for the embedded engine's writer. */
function waitUntil(deadline: number): number {
  return Math.min(QUEUE_TIMEOUT, deadline - performance.now());
}

/**
 * Ends a transaction on a server that is not committed by its deadline, whatever it is waiting for.
 * Its connection is aborted, so that no COMMIT can follow.
 */
class CommitDeadline {
  /** The connection of the open transaction. */
  private connection: Connection | null = null;
  private committing = false;
  private expired = false;

  constructor(private readonly deadline: number) {}

  /** @throws DeadlineError; OutcomeUnknownError if the COMMIT has been sent */
  async enforce<T>(work: () => Promise<T>): Promise<T> {
    if (this.deadline === Infinity) return work();
    let timer!: NodeJS.Timeout;
    const expiry = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.expire()), this.deadline - performance.now());
    });
    try {
      return await Promise.race([work(), expiry]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** @throws DeadlineError if it has passed already: nobody waits for the transaction */
  begin(connection: Connection): void {
    if (this.expired) throw new DeadlineError();
    this.connection = connection;
  }

  onCommit(): void {
    this.committing = true;
  }

  end(): void {
    this.connection = null;
    this.committing = false;
  }

  private expire(): Error {
    this.expired = true;
    const error = new DeadlineError();
    if (this.connection !== null) abortConnection(this.connection, error);
    return this.committing ? new OutcomeUnknownError(error) : error;
  }
}
