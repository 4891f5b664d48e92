import { Commit, PendingWrite, type CommitHooks, type WriteRequest } from './commit.js';

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
export interface QueuedWrite<C, R> extends WriteRequest<C, R> {
  /** Whether it may share a commit: others in that wait until its statements have ended. */
  readonly shares: boolean;
}

interface Entry<C> {
  readonly write: PendingWrite<C>;
  readonly shares: boolean;
  readonly waitUntil: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * Runs writes one commit at a time, in the order in which they came. Those that wait together and
 * may share a commit do (group commit), because a commit takes longer than the statements of most
 * of them.
 *
 * Clients whose writes have shared a commit mostly write again at once. Shortly after it, the first
 * of them waits for the others; a lone client never waits.
 */
export class WriteQueue<C> {
  private readonly queue: Entry<C>[] = [];
  /** A commit is under way, or about to begin. */
  private busy = false;
  /** Begins the next commit, while it waits for more writes. */
  private gathering: NodeJS.Timeout | null = null;
  /** Writes for which the next commit waits: those of the last, or one less than it expected. */
  private expected = 0;
  /** When that wait ends (`performance.now()`). */
  private gatherUntil = 0;

  constructor(
    private readonly hooks: CommitHooks<C>,
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
  run<R>(request: QueuedWrite<C, R>): Promise<R> {
    if (this.queue.length >= MAX_QUEUED)
      return Promise.reject(new WriteQueueError('Too many writes are waiting.'));
    const { shares, waitUntil } = request;
    const pending = new PendingWrite<C, R>(request);
    const write = pending as unknown as PendingWrite<C>;
    const leave = () => {
      this.remove(entry);
      write.reject(waitedTooLong());
    };
    const timer = setTimeout(leave, waitUntil - performance.now());
    const entry = { write, shares, waitUntil, timer };
    this.queue.push(entry);
    if (!this.busy) this.gather();
    else if (this.gathering !== null && this.isGathered) this.begin();
    return pending.result;
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
    return this.queue.length >= this.expected || this.queue.some(({ shares }) => !shares);
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
  private next(): Entry<C> | undefined {
    const entry = this.first();
    if (entry !== undefined) this.remove(entry);
    return entry;
  }

  /** The same of one that may share a commit; undefined where the next one may not. */
  private nextThatShares(): PendingWrite<C> | undefined {
    const entry = this.first();
    if (entry === undefined || !entry.shares) return undefined;
    this.remove(entry);
    return entry.write;
  }

  /** The next write; those before it whose time is over leave, whose timers wait for a turn. */
  private first(): Entry<C> | undefined {
    for (let entry; (entry = this.queue[0]) !== undefined;) {
      if (performance.now() < entry.waitUntil) return entry;
      this.remove(entry);
      entry.write.reject(waitedTooLong());
    }
    return undefined;
  }

  private remove(entry: Entry<C>): void {
    this.queue.splice(this.queue.indexOf(entry), 1);
    clearTimeout(entry.timer);
  }

  /** Commits a write and those behind it that share. Never rejects. */
  private async commit({ write, shares }: Entry<C>): Promise<void> {
    const { writes, milliseconds } = this.limits;
    const taken = await new Commit(this.hooks).run(write, (count, begunAt) => {
      const isFull = count >= writes || performance.now() - begunAt >= milliseconds;
      return shares && !isFull ? this.nextThatShares() : undefined;
    });
    this.expected = Math.max(taken, this.expected - 1);
    this.gatherUntil = performance.now() + this.limits.gatherMs;
  }
}

const waitedTooLong = () => new WriteQueueError('The write waited too long in the queue.');
