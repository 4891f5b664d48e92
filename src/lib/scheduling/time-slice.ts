import { setImmediate as nextTurn } from 'node:timers/promises';
import { NewConnections } from './new-connections.js';

/** Milliseconds of work after which the event loop gets a turn. */
const SLICE = 2;

/**
 * Divides long work into slices, between which the other work of the process gets its turn. Steps
 * should be short: a slice ends only where the work calls `yield()`.
 */
export class TimeSlice {
  private startedAt = performance.now();

  constructor(private readonly milliseconds = SLICE) {}

  /** Waits for a turn of the event loop, or until no connections come, if this slice is used up. */
  async yield(): Promise<void> {
    if (performance.now() - this.startedAt < this.milliseconds) return;
    const connections = new NewConnections();
    do await nextTurn();
    while (connections.coming);
    this.startedAt = performance.now();
  }
}
