import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { BatchReverts } from '../../history/revert/batch-reverts.js';
import { RevertTooLarge } from '../../history/revert/revert-errors.js';
import { type RevertRequest, type RevertResult, Reverts } from '../../history/revert/reverts.js';
import { Draining } from '../../platform/shutdown/draining.js';

/** Milliseconds for which a request waits for the end: few reverts need a page in between. */
const WAIT_MS = 1500;
/** Milliseconds for which a shutdown waits for the transaction that is running. */
const SHUTDOWN_MS = 500;

/**
 * Reverts change sets: in one transaction where a request of the API may, else in batches, which
 * go on when the request has ended.
 */
@Injectable()
export class DeskReverts implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Reverts');
  private readonly running = new Set<Promise<unknown>>();

  constructor(
    private readonly reverts: Reverts,
    private readonly batches: BatchReverts,
    private readonly draining: Draining,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    this.draining.begin();
    await Promise.race([Promise.all(this.running), sleep(SHUTDOWN_MS)]);
  }

  /** What a revert would do. @throws NotFound, NotRevertible */
  preview(id: number): Promise<RevertResult> {
    return this.batches.revert(id, { reason: '', dryRun: true, caller: null, requestId: null });
  }

  /**
   * Reverts a change set, or begins to.
   * @param goesOn whether a revert was interrupted, which goes on
   * @returns the change set of the revert
   * @throws NotFound, NotRevertible, ImportRunning
   */
  async revert(id: number, request: RevertRequest, goesOn: boolean): Promise<number> {
    if (goesOn) return this.inBatches(id, request);
    try {
      return (await this.reverts.revert(id, request)).change_set!;
    } catch (error) {
      if (error instanceof RevertTooLarge) return this.inBatches(id, request);
      throw error;
    }
  }

  private async inBatches(id: number, request: RevertRequest): Promise<number> {
    const { promise: begun, resolve, reject } = withResolvers<number>();
    let by: number | null = null;
    const onBegin = (changeSet: number) => resolve((by = changeSet));
    const job = this.batches
      .revert(id, { ...request, onBegin, signal: this.draining.signal })
      .catch((error: Error) => {
        // Whoever began it is not waiting any more: the change set has the state.
        if (by !== null) this.logger.error(error);
        reject(error);
      });
    this.running.add(job);
    void job.finally(() => this.running.delete(job));
    const changeSet = await begun;
    await Promise.race([job, sleep(WAIT_MS, undefined, { ref: false })]);
    return changeSet;
  }
}

/** `Promise.withResolvers()`, which Node 20 does not have. */
function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((onDone, onError) => {
    resolve = onDone;
    reject = onError;
  });
  return { promise, resolve, reject };
}
