import { Commit, PendingWrite, type CommitHooks } from '../database/commit.js';
import { sqliteHandle, type Database } from '../database/database.js';
import {
  DeadlineError,
  NewerSchemaError,
  NotConnectedError,
  driverErrorKind,
} from '../database/errors/driver-errors.js';
import { ServerTransaction } from '../database/server/server-transaction.js';
import { SqliteTransaction } from '../database/sqlite/sqlite-transaction.js';
import { WriteQueue } from '../database/write-queue.js';
import type { WriteTransaction } from '../database/write-transaction.js';
import { Clock, instantText } from '../platform/clock/clock.js';
import type { ChangeSetReference } from './changes/change-set.js';
import { OpenCommit } from './commits/open-commit.js';
import { Operation } from './commits/operation.js';
import type { DataRevision } from './revision/data-revision.js';
import type { CommitFollower, Transaction } from './transaction.js';

export { COMMIT_FOLLOWERS, type CommitFollower, type RevisionMark, type Transaction } from './transaction.js';
export type { WriteResult } from '../database/write-transaction.js';

/** Milliseconds for which a write may wait for others, and for the lock of the embedded engine. */
const QUEUE_TIMEOUT = 5000;

/**
 * The only way to write. Operations that change published data and take a few milliseconds share
 * commits: each has its revision and a savepoint, and all are answered after one COMMIT. On the
 * embedded engine one transaction runs at a time, on a connection of its own, so no request can see
 * or roll back another's writes; on a server each has a pooled connection, and is made again as a
 * whole after a deadlock.
 *
 * A transaction that changes published data belongs to change sets. It locks the data revision
 * before everything else, so it knows the numbers of its own revisions from the start, and
 * increments it as its last statement. So such transactions run one after the other on a server,
 * too.
 */
export class UnitOfWork {
  private readonly hooks: CommitHooks<OpenCommit> = {
    open: () => this.open(),
    beforeCommit: (commit) => commit.finish(),
    onCommit: (commit, begunAt) => {
      const { revisions } = commit;
      if (revisions !== null) commit.setPublished(this.revision.publish(revisions, begunAt));
    },
  };
  private readonly queue = new WriteQueue(this.hooks);

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
    return this.execute(null, work, deadline);
  }

  /**
   * Runs `work` as `run()` does, as part of a change set: a new one, which is created if `work`
   * changes data, or one that has an id. Brief operations of new ones share commits: writes of
   * records, and corrections of a few points.
   */
  async change<T>(
    changeSet: ChangeSetReference,
    work: (transaction: Transaction) => Promise<T>,
    deadline = Infinity,
  ): Promise<T> {
    return this.execute(changeSet, work, deadline);
  }

  /** Writes that wait for the commit before them. */
  get waiting(): number {
    return this.queue.waiting;
  }

  /** Writes, without a change to published data: fails while the storage is unavailable. */
  async probeStorage(): Promise<void> {
    const now = instantText(this.clock.now());
    await this.run((transaction) =>
      transaction.execute('UPDATE data_revision SET `at` = ? WHERE id = 1 AND `at` < ?', [now, now]),
    );
  }

  private async execute<T>(
    changeSet: ChangeSetReference | null,
    work: (transaction: Transaction) => Promise<T>,
    deadline: number,
  ): Promise<T> {
    const { database, clock } = this;
    if (performance.now() >= deadline) throw new DeadlineError();
    if (!database.connected) throw new NotConnectedError();
    // Before the work, whose statements may fail on the newer schema. The transaction decides.
    if (!this.revision.writable) throw new NewerSchemaError();
    try {
      database.assertInPlace();
      const { operation, result } = await this.commit(changeSet, deadline, async (commit) => {
        const operation = new Operation(commit, changeSet, clock);
        const result = await work(operation);
        commit.add(operation);
        return { operation, result };
      });
      // Nothing is acknowledged that only a file without a name has.
      database.assertInPlace();
      database.storageUnavailable = false;
      await operation.published;
      return result;
    } catch (error) {
      if (driverErrorKind(error) === 'storage') database.storageUnavailable = true;
      throw error;
    }
  }

  /** Executes statements with others that are brief, or else alone. */
  private commit<T>(
    changeSet: ChangeSetReference | null,
    deadline: number,
    statements: (commit: OpenCommit) => Promise<T>,
  ): Promise<T> {
    const { embedded } = this.database;
    const shares = isBrief(changeSet);
    // What the embedded engine executes cannot be ended from outside: a long operation is committed
    // though its caller got an error because it took too long. Brief ones are checked at the end.
    const request = {
      begin: (transaction: WriteTransaction) =>
        OpenCommit.begin(transaction, changeSet !== null, this.followers, this.clock),
      statements,
      deadline: embedded && !shares ? Infinity : deadline,
      waitUntil: Math.min(performance.now() + QUEUE_TIMEOUT, deadline),
    };
    if (embedded || shares) return this.queue.run({ ...request, shares });
    const write = new PendingWrite(request);
    void new Commit(this.hooks).run(write as unknown as PendingWrite<OpenCommit>);
    return write.result;
  }

  private async open(): Promise<WriteTransaction> {
    const { database } = this;
    if (!database.connected) throw new NotConnectedError();
    await database.waitUntilCaughtUp();
    const runner = database.writer.createQueryRunner();
    return database.embedded
      ? new SqliteTransaction(sqliteHandle(database.writer), runner.manager)
      : ServerTransaction.open(runner);
  }
}

/**
 * Whether an operation takes a few milliseconds at most: others wait for the end of its statements.
 */
function isBrief(changeSet: ChangeSetReference | null): boolean {
  if (changeSet === null || typeof changeSet === 'number' || changeSet.alone) return false;
  return changeSet.kind === 'record' || changeSet.kind === 'correction';
}
