import { Injectable } from '@nestjs/common';
import { BatchReverts } from '../../history/revert/batch-reverts.js';
import { RevertTooLarge } from '../../history/revert/revert-errors.js';
import { type RevertRequest, type RevertResult, Reverts } from '../../history/revert/reverts.js';
import { Jobs } from '../../operations/jobs/jobs.js';

/**
 * Reverts change sets: in one transaction where a request of the API may, else in batches, which
 * go on when the request has ended.
 */
@Injectable()
export class DeskReverts {
  constructor(
    private readonly reverts: Reverts,
    private readonly batches: BatchReverts,
    private readonly jobs: Jobs,
  ) {}

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

  private inBatches(id: number, request: RevertRequest): Promise<number> {
    return this.jobs.begin(async (onBegin: (changeSet: number) => void) => {
      await this.batches.revert(id, { ...request, onBegin, signal: this.jobs.signal });
    });
  }
}
