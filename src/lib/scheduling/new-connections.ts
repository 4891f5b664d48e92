/** Most milliseconds for which work waits while one connection after the other comes. */
const MOST_WAIT = 100;

let connections = 0;

/** Called for each connection that the process accepts. */
export function countConnection(): void {
  connections++;
}

/**
 * Tells work that can wait whether connections are coming. libuv accepts one in a turn of the event
 * loop: with a few milliseconds of work in every turn, the last of 200 clients that connect at once
 * would wait for a second until its request is read.
 */
export class NewConnections {
  private seen = connections;
  private waitingSince = 0;

  /** Whether one has come since the last call; false once the work has waited for long. */
  get coming(): boolean {
    if (connections === this.seen) {
      this.waitingSince = 0;
      return false;
    }
    this.seen = connections;
    const now = performance.now();
    if (this.waitingSince === 0) this.waitingSince = now;
    const wait = now - this.waitingSince < MOST_WAIT;
    if (!wait) this.waitingSince = 0;
    return wait;
  }
}
