import type BetterSqlite3 from 'better-sqlite3';
import { beginImmediate } from './sqlite-lock.js';

/** The queue is full, or a write has waited in it too long. */
export class WriteQueueError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WriteQueueError';
  }
}

/** Writes that may wait for the single writer. */
const MAX_QUEUED = 100;
/** What one commit takes, and what it waits for. */
export interface CommitLimits {
  /** Most writes. */
  readonly writes: number;
  /** Milliseconds of its first writes after which it takes no more. */
  readonly milliseconds: number;
  /** Milliseconds after a commit for which the next one waits for as many writes. */
  readonly gatherMs: number;
}

const LIMITS: CommitLimits = { writes: 32, milliseconds: 10, gatherMs: 4 };

/** A write that may wait. */
export interface QueuedWrite<R> {
  /** Executes its statements, in a transaction that has begun. */
  readonly statements: () => Promise<R>;
  /** Whether it may share a commit: others in that wait until its statements have ended. */
  readonly brief: boolean;
  /** Milliseconds for which it may wait for the writes before it, and for the file's lock. */
  readonly timeoutMs: number;
}

interface Entry<R> extends QueuedWrite<R> {
  readonly deadline: number;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs the writes of the embedded engine one at a time, in the order in which they came. Brief ones
 * that wait together share a transaction, each in a savepoint, and one commit (group commit),
 * because a commit takes longer than the statements of most of them. None is acknowledged before
 * the commit, and one that fails takes back its own statements only.
 *
 * Clients whose writes have shared a commit mostly write again at once. Shortly after it, the first
 * of them waits for the others; a lone client never waits.
 */
export class WriteQueue<R> {
  private readonly queue: Entry<R>[] = [];
  /** A commit is under way, or about to begin. */
  private busy = false;
  /** Begins the next commit, while it waits for more writes. */
  private gathering: NodeJS.Timeout | null = null;
  /** Writes for which the next commit waits: those of the last, or one less than it expected. */
  private expected = 0;
  /** When that wait ends (`performance.now()`). */
  private gatherUntil = 0;

  /**
   * @param connection the writing connection, or throws where it is closed
   * @param onCommit called after each commit, before its writes are acknowledged, with results in
   * order and when the transaction began (`performance.now()`); it must not throw
   */
  constructor(
    private readonly connection: () => BetterSqlite3.Database,
    private readonly onCommit: (results: readonly R[], begunAt: number) => void,
    private readonly limits = LIMITS,
  ) {}

  /** Writes that wait. */
  get waiting(): number {
    return this.queue.length;
  }

  /**
   * Executes the statements of a write in a transaction and commits it.
   * @returns their result
   * @throws WriteQueueError
   * @throws whatever the statements or the driver threw, after the rollback
   */
  run(write: QueuedWrite<R>): Promise<R> {
    if (this.queue.length >= MAX_QUEUED)
      return Promise.reject(new WriteQueueError('Too many writes are waiting.'));
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.remove(entry);
        reject(waitedTooLong());
      };
      const { timeoutMs } = write;
      const deadline = performance.now() + timeoutMs;
      const entry = { ...write, deadline, timer: setTimeout(leave, timeoutMs), resolve, reject };
      this.queue.push(entry);
      if (!this.busy) this.gather();
      else if (this.gathering !== null && this.isGathered) this.begin();
    });
  }

  /** Begins a commit once the writes are there that are likely to share it. */
  private gather(): void {
    this.busy = true;
    const wait = this.gatherUntil - performance.now();
    if (wait <= 0 || this.isGathered) this.begin();
    else this.gathering = setTimeout(() => this.begin(), wait);
  }

  /** Whether no more writes are waited for. */
  private get isGathered(): boolean {
    return this.queue.length >= this.expected || this.queue.some(({ brief }) => !brief);
  }

  /** In the next turn of the event loop: then the writes of this one are in the queue. */
  private begin(): void {
    clearTimeout(this.gathering ?? undefined);
    this.gathering = null;
    setImmediate(() => void this.commitNext());
  }

  private async commitNext(): Promise<void> {
    const first = this.next();
    if (first !== undefined) await this.commit(first);
    if (this.queue.length > 0) this.gather();
    else this.busy = false;
  }

  /** Takes the next write out of the queue. */
  private next(): Entry<R> | undefined {
    const entry = this.first();
    if (entry !== undefined) this.remove(entry);
    return entry;
  }

  /** The next write; those before it whose time is over leave, whose timers wait for a turn. */
  private first(): Entry<R> | undefined {
    for (let entry; (entry = this.queue[0]) !== undefined;) {
      if (performance.now() < entry.deadline) return entry;
      this.remove(entry);
      entry.reject(waitedTooLong());
    }
    return undefined;
  }

  private remove(entry: Entry<R>): void {
    this.queue.splice(this.queue.indexOf(entry), 1);
    clearTimeout(entry.timer);
  }

  /** Commits a write and the brief ones behind it. Never rejects. */
  private async commit(first: Entry<R>): Promise<void> {
    let handle: BetterSqlite3.Database | null = null;
    const entries = [first];
    const results: R[] = [];
    const acknowledgements: (() => void)[] = [];
    let begunAt: number;
    try {
      handle = this.connection();
      await beginImmediate(handle, first.deadline - performance.now());
      begunAt = performance.now();
      const result = await first.statements();
      results.push(result);
      acknowledgements.push(() => first.resolve(result));
      for (let entry; (entry = this.nextSharing(entries, begunAt)) !== undefined;) {
        entries.push(entry);
        acknowledgements.push(await executeInSavepoint(handle, entry, results));
      }
      handle.exec('COMMIT');
    } catch (error) {
      const cause = rollbackError(handle) ?? error;
      for (const { reject } of entries) reject(cause);
      return;
    }
    this.onCommit(results, begunAt);
    this.expected = Math.max(entries.length, this.expected - 1);
    this.gatherUntil = performance.now() + this.limits.gatherMs;
    for (const acknowledge of acknowledgements) acknowledge();
  }

  /** The next write, if it is to share the commit of some that began at a time. */
  private nextSharing(entries: readonly Entry<R>[], begunAt: number): Entry<R> | undefined {
    const shares =
      entries[0]!.brief &&
      this.first()?.brief === true &&
      entries.length < this.limits.writes &&
      performance.now() - begunAt < this.limits.milliseconds;
    return shares ? this.next() : undefined;
  }
}

const waitedTooLong = () => new WriteQueueError('The write waited too long in the queue.');

/**
 * Executes the statements of a write, which are taken back if they fail.
 * @param results has the write's result added
 * @returns settles the caller's promise; to be called after the commit
 * @throws what failed where the engine has rolled back the whole transaction, as on a full disk
 */
async function executeInSavepoint<R>(
  handle: BetterSqlite3.Database,
  { statements, resolve, reject }: Entry<R>,
  results: R[],
): Promise<() => void> {
  handle.exec('SAVEPOINT queued_write');
  try {
    const result = await statements();
    handle.exec('RELEASE queued_write');
    results.push(result);
    return () => resolve(result);
  } catch (error) {
    if (!handle.inTransaction) throw error;
    handle.exec('ROLLBACK TO queued_write');
    handle.exec('RELEASE queued_write');
    return () => reject(error);
  }
}

/** Rolls back, where the engine has not done so. @returns why it could not; else null */
function rollbackError(handle: BetterSqlite3.Database | null): unknown {
  try {
    if (handle?.inTransaction) handle.exec('ROLLBACK');
    return null;
  } catch (error) {
    return error;
  }
}
