import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds for which work waits for connections at most, in each period. */
const MOST_WAIT = 250;
const PERIOD = 2000;

/**
 * Tells while connections come one after the other. libuv accepts one in a turn of the event loop:
 * with work in every turn, the last of 200 clients that connect at once would wait for the work of
 * 200 turns until its request is read. So work lets them in first, but for an eighth of the time at
 * most, so that connections that come all the time do not stop it.
 */
export class ConnectionBurst {
  /** Connections accepted so far. */
  connections = 0;
  private periodStartedAt = -Infinity;

  /** @param clock milliseconds */
  constructor(private readonly clock = () => performance.now()) {}

  /** Called for each connection that the process accepts. */
  onConnection(): void {
    this.connections++;
  }

  /** Whether work should wait for more connections: some have come since there were `before`. */
  continues(before: number): boolean {
    if (this.connections === before) return false;
    const now = this.clock();
    if (now - this.periodStartedAt >= PERIOD) this.periodStartedAt = now;
    return now - this.periodStartedAt < MOST_WAIT;
  }

  /** Waits for a turn of the event loop, and for more of them while connections come. */
  async nextTurn(): Promise<void> {
    let before: number;
    do {
      before = this.connections;
      await nextTurn();
    } while (this.continues(before));
  }
}

/** The connections of the process. */
export const connectionBurst = new ConnectionBurst();
