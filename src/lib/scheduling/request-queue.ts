import { connectionBurst } from './connection-burst.js';
import { FairLine } from './fair-line.js';

/** Milliseconds of work after which sockets are read, and how many tasks may start in that time. */
const SLICE = 4;
const MAX_AT_ONCE = 8;
/** Most tasks that are held back for a burst of connections: requests that wait count as work. */
const MAX_HELD = 150;

interface Waiting {
  task: () => void;
  since: number;
}

/**
 * Starts tasks by turns of the clients that they are of, a few at a time, and lets the event loop
 * read from sockets in between. Without it a burst of requests would be processed one by one as
 * each is read, and the number waiting in the kernel would be unknown: a visible queue can be kept
 * short.
 */
export class RequestQueue {
  private readonly waiting = new FairLine<Waiting>();
  /** Tasks are started in this turn of the event loop, or will be in the next. */
  private draining = false;
  private turnStartedAt = 0;
  /** The connections of the process in the turn before. */
  private connections = 0;

  constructor(private readonly burst = connectionBurst) {}

  /** Tasks in the queue. */
  get length(): number {
    return this.waiting.length;
  }

  /** Milliseconds that the oldest task has waited so far; 0 when the queue is empty. */
  get oldestWait(): number {
    const now = performance.now();
    let oldest = now;
    for (const { since } of this.waiting.heads()) oldest = Math.min(oldest, since);
    return now - oldest;
  }

  /** Whether as many tasks of a client wait as of the others in the mean, or more. */
  hasShare(client: string): boolean {
    return this.waiting.hasShare(client);
  }

  /**
   * Starts a task: at once if none has started in this turn of the event loop, else when its turn
   * comes.
   * @param client whose tasks are in order; those of several take turns
   */
  run(task: () => void, client = ''): void {
    if (this.draining) {
      this.waiting.push(client, { task, since: performance.now() });
      return;
    }
    this.draining = true;
    this.connections = this.burst.connections;
    setImmediate(this.drain);
    task();
  }

  /**
   * Schedules the tasks of the next turn, each in a callback: its promises run before the next.
   * Tasks wait for the connections of a burst.
   */
  private readonly drain = (): void => {
    const before = this.connections;
    this.connections = this.burst.connections;
    const held = this.waiting.length;
    if (held > 0 && held <= MAX_HELD && this.burst.continues(before)) {
      setImmediate(this.drain);
      return;
    }
    const count = Math.min(MAX_AT_ONCE, this.waiting.length);
    this.draining = count > 0;
    if (!this.draining) return;
    setImmediate(this.first);
    for (let more = 1; more < count; more++) setImmediate(this.next);
    setImmediate(this.drain);
  };

  private readonly first = (): void => {
    this.turnStartedAt = performance.now();
    this.next();
  };

  private readonly next = (): void => {
    if (performance.now() - this.turnStartedAt < SLICE) this.waiting.shift()?.task();
  };
}
