import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds for which work waits for connections at most, of each period. */
const MAX_WAIT = 250;
const PERIOD = 2000;
/** Milliseconds of a turn that count at most: before the end of longer ones, work has gone on. */
const MAX_TURN = 20;

/**
 * Tells whether connections are still coming in. libuv accepts one per turn of the event loop: with
 * work in every turn, the last of 200 clients that connect at once would wait for the work of 200
 * turns until its request is read. So work lets them in first, but for an eighth of the time at
 * most, so that connections that come all the time do not stop it.
 */
export class ConnectionBurst {
  /** Connections accepted so far. */
  connections = 0;
  private periodStartedAt = -Infinity;
  /** Milliseconds waited in this period. */
  private waited = 0;
  private waitingSince: number | null = null;

  /** @param clock milliseconds */
  constructor(private readonly clock = () => performance.now()) {}

  /** Called for each connection that the process accepts. */
  onConnection(): void {
    this.connections++;
  }

  /**
   * Whether work should wait for more connections: some have come since there were `before`. What
   * waits asks again in the next turn of the event loop.
   */
  continues(before: number): boolean {
    const now = this.clock();
    if (this.waitingSince !== null) this.waited += Math.min(now - this.waitingSince, MAX_TURN);
    this.waitingSince = null;
    if (now - this.periodStartedAt >= PERIOD) {
      this.periodStartedAt = now;
      this.waited = 0;
    }
    if (this.connections === before || this.waited >= MAX_WAIT) return false;
    this.waitingSince = now;
    return true;
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
