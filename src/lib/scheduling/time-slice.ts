import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work after which the event loop gets a turn. */
const SLICE = 2;
/** Milliseconds for which the work waits at most while connections come. */
const MOST_WAIT = 20;

let connections = 0;

/**
 * Called for each connection that the process accepts. libuv accepts one in a turn of the event
 * loop: with a slice of work in every turn, the last of 200 clients that connect at once would wait
 * for 200 slices until its request is read.
 */
export function countConnection(): void {
  connections++;
}

/**
 * Divides long work into slices, between which the other work of the process gets its turn. Steps
 * should be short: a slice ends only where the work calls `yield()`.
 */
export class TimeSlice {
  private startedAt = performance.now();

  constructor(private readonly milliseconds = SLICE) {}

  /**
   * If this slice is used up, waits for a turn of the event loop, and for more of them while
   * connections come.
   */
  async yield(): Promise<void> {
    const now = performance.now();
    if (now - this.startedAt < this.milliseconds) return;
    let before: number;
    do {
      before = connections;
      await nextTurn();
    } while (connections > before && performance.now() - now < MOST_WAIT);
    this.startedAt = performance.now();
  }
}
