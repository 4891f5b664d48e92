import { FairLine } from './fair-line.js';

/**
 * Lets a few long tasks run at the same time. The others wait for their turn: clients have theirs
 * one after the other, whatever they have waiting.
 */
export class TurnQueue {
  private readonly waiting = new FairLine<() => void>();
  private running = 0;

  /** @param atOnce tasks that may have a turn at the same time */
  constructor(private readonly atOnce: number) {}

  /** Tasks in the queue. */
  get length(): number {
    return this.waiting.length;
  }

  /**
   * Waits for a turn, which `release` ends.
   * @param client whose tasks are in order
   * @throws the reason of the signal if it is aborted before
   */
  acquire(signal: AbortSignal, client = ''): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (this.running < this.atOnce) {
        this.running++;
        return resolve();
      }
      const start = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = () => {
        this.waiting.remove(client, start);
        reject(signal.reason as Error);
      };
      this.waiting.push(client, start);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Ends a turn: the next task has it. */
  release(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running--;
    else next();
  }
}
