import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds of work after which others get a turn. */
const SHARE = 2;

/**
 * Lets the other work of the process have its turn between the steps of a long piece of work. Steps should be short: a rest is
 * only taken where one is asked for.
 */
export class TimeSlice {
  private since = performance.now();

  constructor(private readonly milliseconds = SHARE) {}

  /** Waits for a turn of the event loop if this work has held it for its share. */
  async yield(): Promise<void> {
    if (performance.now() - this.since < this.milliseconds) return;
    await turn();
    this.since = performance.now();
  }
}
