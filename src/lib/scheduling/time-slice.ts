import { connectionBurst } from './connection-burst.js';

/** Milliseconds of work after which the event loop gets a turn. */
const SLICE = 2;

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
    if (performance.now() - this.startedAt < this.milliseconds) return;
    await connectionBurst.nextTurn();
    this.startedAt = performance.now();
  }
}
