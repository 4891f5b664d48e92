import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Draining } from '../../platform/shutdown/draining.js';

/** Milliseconds for which a request waits, so that brief work needs no page in between. */
const WAIT_MS = 1500;
/**
 * Milliseconds for which a shutdown waits for transactions that are running. It has 700 in all, and
 * what takes longer is rolled back.
 */
const SHUTDOWN_MS = 500;

/** Work that a request begins, which goes on after it and ends with the service at the latest. */
@Injectable()
export class Jobs implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Jobs');
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly draining: Draining) {}

  /** Aborted when the service begins to shut down: jobs are to end. */
  get signal(): AbortSignal {
    return this.draining.signal;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.draining.begin();
    await Promise.race([Promise.all(this.running), sleep(SHUTDOWN_MS)]);
  }

  /**
   * Begins a job. What it throws after it has begun is only logged: nobody waits for it any more.
   * @param work calls `begun` once the request may be answered
   * @returns what `begun` was called with, when the work has ended, or soon
   * @throws what the work throws before it has begun
   */
  async begin<T>(work: (begun: (value: T) => void) => Promise<void>): Promise<T> {
    let job!: Promise<void>;
    const value = await new Promise<T>((resolve, reject) => {
      let hasBegun = false;
      const begun = (value: T) => {
        hasBegun = true;
        resolve(value);
      };
      job = work(begun).catch((error: Error) => (hasBegun ? this.logger.error(error) : reject(error)));
      this.running.add(job);
      void job.finally(() => this.running.delete(job));
    });
    await Promise.race([job, sleep(WAIT_MS, undefined, { ref: false })]);
    return value;
  }
}
