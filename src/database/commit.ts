import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeadlineError,
  OutcomeUnknownError,
  driverErrorKind,
  isLockWait,
  isRetryable,
} from './errors/driver-errors.js';
import type { WriteTransaction } from './write-transaction.js';

/** Attempts at a transaction on a server after deadlocks or lock waits. */
const MAX_ATTEMPTS = 3;

/** What writes need. `C` is what the writes of a commit share. */
export interface WriteRequest<C, R> {
  /** Called with the transaction that it is the first one of, once that has begun. */
  readonly begin: (transaction: WriteTransaction) => Promise<C>;
  /** Executes its statements, in a transaction that has begun. May be called more than once. */
  readonly statements: (commit: C) => Promise<R>;
  /** Until when it may wait for the writes before it, and for the file's lock. */
  readonly waitUntil: number;
  /** When it must be committed. Both are times of `performance.now()`. */
  readonly deadline: number;
}

/** How the transactions of commits begin and end. */
export interface CommitHooks<C> {
  /** A transaction that has not begun. */
  open(): Promise<WriteTransaction>;
  /** Called before COMMIT, once for all writes. */
  beforeCommit(commit: C): Promise<void>;
  /**
   * Called after it, before the writes are acknowledged; it must not throw.
   * @param begunAt when it had begun (`performance.now()`)
   */
  onCommit(commit: C, begunAt: number): void;
}

/** A write whose caller waits. */
export class PendingWrite<C, R = unknown> {
  /** Whether the caller has got an answer. */
  settled = false;
  readonly result: Promise<R>;
  private settle!: { resolve: (result: R) => void; reject: (error: unknown) => void };

  constructor(readonly request: WriteRequest<C, R>) {
    this.result = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
  }

  resolve(result: R): void {
    this.settled = true;
    this.settle.resolve(result);
  }

  reject(error: unknown): void {
    this.settled = true;
    this.settle.reject(error);
  }
}

/** What becomes of the writes of an attempt that are not answered: they fail, or are made again. */
type NextStep = 'reject' | 'retry' | 'withoutFailed' | 'eachAlone';

/** An attempt that has failed. */
class Failure {
  constructor(
    readonly error: unknown,
    readonly next: NextStep,
  ) {}
}

/** Takes the next write that is to share a commit. */
type TakeNext<C> = (taken: number, begunAt: number) => PendingWrite<C> | undefined;
const takeNone = () => undefined;

/**
 * Commits a write, and others that share its transaction: one has it from the start, each other one
 * a savepoint. None is acknowledged before the COMMIT, and one that fails rolls back its
 * own statements only. An error that ends the transaction has all of them made again, one that has
 * waited too long for a lock after the others; and an error that may not be that of one has each
 * made again by itself. A COMMIT that fails fails all.
 */
export class Commit<C> {
  private transaction: WriteTransaction | null = null;
  private readonly timers = new Map<PendingWrite<C>, NodeJS.Timeout>();
  private readonly writes: PendingWrite<C>[] = [];
  /** Those that have waited too long for a lock of another session: made after the others. */
  private readonly postponed = new Set<PendingWrite<C>>();
  /** Whether a deadline has ended the transaction. */
  private expired = false;

  constructor(private readonly hooks: CommitHooks<C>) {}

  /**
   * Answers the writes. Never rejects.
   * @returns how many writes there were
   */
  async run(first: PendingWrite<C>, takeNext: TakeNext<C> = takeNone): Promise<number> {
    this.add(first);
    let next = takeNext;
    for (let attempt = 1; this.open.length > 0;) {
      const failure = await this.attempt(next);
      next = takeNone;
      if (failure === null || this.open.length === 0) break;
      if (failure.next === 'eachAlone') await this.eachAlone(this.open);
      else if (failure.next === 'reject' || (failure.next === 'retry' && attempt === MAX_ATTEMPTS))
        for (const write of this.open) write.reject(failure.error);
      else if (failure.next === 'retry') {
        attempt++;
        await sleep(20 + Math.random() * 180);
      }
    }
    await this.eachAlone([...this.postponed]);
    for (const timer of this.timers.values()) clearTimeout(timer);
    return this.writes.length;
  }

  /** The writes that are not answered, without those that are postponed. */
  private get open(): PendingWrite<C>[] {
    return this.writes.filter((write) => !write.settled && !this.postponed.has(write));
  }

  private add(write: PendingWrite<C>): void {
    this.writes.push(write);
    const { deadline } = write.request;
    if (deadline === Infinity) return;
    const timer = setTimeout(() => this.expire(write), deadline - performance.now());
    this.timers.set(write, timer);
  }

  /**
   * Answers a write that is not committed in time, whatever it waits for. No COMMIT can follow that
   * would store it: those that share its transaction are made again without it. If the COMMIT has
   * been sent, they wait for its outcome.
   */
  private expire(write: PendingWrite<C>): void {
    if (write.settled) return;
    const error = new DeadlineError();
    if (this.postponed.has(write)) return write.reject(error);
    const isCommitting = this.transaction?.isCommitting ?? false;
    write.reject(isCommitting ? new OutcomeUnknownError(error) : error);
    if (isCommitting && this.open.length > 0) return;
    // Before it has a connection, or while another is made alone, nothing has begun with it.
    if (this.transaction === null) return;
    this.expired = true;
    this.transaction.abort(error);
  }

  /** Those that wait for their turn are answered at their deadlines meanwhile. */
  private async eachAlone(writes: readonly PendingWrite<C>[]): Promise<void> {
    for (const write of writes) {
      const { settled, request } = write;
      if (settled) continue;
      // From here on it has a deadline of its own.
      clearTimeout(this.timers.get(write));
      if (performance.now() >= request.deadline) {
        write.reject(new DeadlineError());
        continue;
      }
      const alone = new PendingWrite(request);
      alone.result.then(
        (result) => write.settled || write.resolve(result),
        (error: unknown) => write.settled || write.reject(error),
      );
      await new Commit(this.hooks).run(alone);
    }
  }

  /** @returns null where all writes are answered */
  private async attempt(takeNext: TakeNext<C>): Promise<Failure | null> {
    this.expired = false;
    let transaction: WriteTransaction;
    try {
      transaction = await this.hooks.open();
    } catch (error) {
      return new Failure(error, 'reject');
    }
    this.transaction = transaction;
    let failure: Failure | null;
    try {
      failure = await this.execute(transaction, takeNext).catch(
        (error: unknown) => new Failure(error, 'reject'),
      );
      if (failure !== null) {
        const cause = await transaction.rollback();
        if (cause !== null) failure = new Failure(cause, 'reject');
      }
    } finally {
      this.transaction = null;
      await transaction.release();
    }
    return failure !== null && this.expired ? new Failure(failure.error, 'withoutFailed') : failure;
  }

  private async execute(transaction: WriteTransaction, takeNext: TakeNext<C>): Promise<Failure | null> {
    const answers: (() => void)[] = [];
    const fail = (error: unknown, otherwise: NextStep) =>
      new Failure(error, isRetryable(error) && !transaction.embedded ? 'retry' : otherwise);
    let commit: C;
    let executed = 0;
    const [first] = this.open;
    // Whoever has waited for a connection may have no time left.
    if (first === undefined) return new Failure(new DeadlineError(), 'reject');
    let begunAt: number;
    try {
      await transaction.begin(first.request.waitUntil - performance.now());
      commit = await first.request.begin(transaction);
      begunAt = performance.now();
    } catch (error) {
      return fail(error, 'reject');
    }
    const again = this.open;
    for (let taken = 0; ; taken++) {
      let write = again[taken];
      if (write === undefined) {
        if ((write = takeNext(taken, begunAt)) === undefined) break;
        this.add(write);
      }
      const pending = write;
      const savepoint = `write_${taken}`;
      try {
        if (executed > 0) await transaction.savepoint(savepoint);
      } catch (error) {
        return fail(error, othersAfter(error));
      }
      try {
        const result = await pending.request.statements(commit);
        executed++;
        answers.push(() => pending.resolve(result));
      } catch (error) {
        if (this.expired) return new Failure(error, 'withoutFailed');
        if (transaction.isEnded) {
          if (transaction.embedded || driverErrorKind(error) === 'unavailable')
            return new Failure(error, 'reject');
          if (isLockWait(error) && this.open.length > 1) {
            this.postponed.add(pending);
            return new Failure(error, 'withoutFailed');
          }
          if (isRetryable(error)) return new Failure(error, 'retry');
        }
        if (transaction.isEnded || executed === 0) {
          // It has the transaction for itself, or has ended it: the others are made without it.
          pending.reject(error);
          return new Failure(error, 'withoutFailed');
        }
        try {
          await transaction.rollbackTo(savepoint);
        } catch (cause) {
          return fail(cause, othersAfter(cause));
        }
        answers.push(() => pending.reject(error));
      }
    }
    try {
      await this.hooks.beforeCommit(commit);
    } catch (error) {
      return fail(error, this.open.length > 1 ? othersAfter(error) : 'reject');
    }
    // An engine whose transactions cannot be aborted would commit what has been rejected.
    if (this.expired) return new Failure(new DeadlineError(), 'withoutFailed');
    try {
      await transaction.commit();
    } catch (error) {
      return fail(error, 'reject');
    }
    this.hooks.onCommit(commit, begunAt);
    for (const answer of answers) answer();
    return null;
  }
}

/** What becomes of writes that share a transaction after an error that may be that of any. */
const othersAfter = (error: unknown): NextStep =>
  driverErrorKind(error) === 'unavailable' ? 'reject' : 'eachAlone';
