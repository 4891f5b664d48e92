import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { type HeldLock, ImportLock } from '../../ledger/import-lock/import-lock.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { FindingsFollower } from '../../quality/findings-follower.js';
import type { RevertCounts } from './revert-counts.js';
import { takeSteps } from './revert-driver.js';
import { storeCounts, RevertLimits, type RevertRequest, type RevertResult, Reverts } from './reverts.js';
import { readChangeSet, type StoredChangeSet } from '../../ledger/changes/stored-change-sets.js';
import { readScope } from './revert-scope.js';
import { readAffected, requireRevertible } from './affected.js';

/** Who reverts a change set in many transactions, and how it is followed and stopped. */
interface BatchRequest extends RevertRequest {
  /** Called with the change set of the revert before its first step; not in a dry run. */
  readonly onBegin?: (changeSetId: number) => void;
  /** Stops the revert between two transactions; another request continues it. */
  readonly signal?: AbortSignal;
}

/**
 * Reverts change sets of any size, in many transactions under the import lock. A revert that was
 * interrupted continues when it is requested again: each step does only what has not been done.
 */
@Injectable()
export class BatchReverts {
  constructor(
    private readonly database: Database,
    private readonly lock: ImportLock,
    private readonly reverts: Reverts,
    private readonly limits: RevertLimits,
    private readonly findings: FindingsFollower,
  ) {}

  /**
   * Reverts a change set, or continues an interrupted revert of it.
   * @throws NotFound, NotRevertible, ImportRunning
   */
  async revert(id: number, request: BatchRequest): Promise<RevertResult> {
    const target = await requireRevertible(this.database, id);
    const interrupted = await this.interruptedRevert(target);
    if (interrupted === null) await this.reverts.requireTarget(this.database, id);
    if (request.dryRun) return { change_set: null, counts: await this.preview(target, interrupted) };
    const { reason, onBegin } = request;
    return this.lock.hold(
      interrupted ?? { kind: 'revert', reason, format: '' },
      (lock) => {
        onBegin?.(lock.changeSetId);
        return this.run(lock, id, interrupted !== null, request);
      },
      (transaction) => this.findings.followPending(transaction),
    );
  }

  /** The change set of a revert of the target that was begun and is not done; null if none was. */
  private async interruptedRevert({ reverted_by: by }: StoredChangeSet): Promise<number | null> {
    const revert = by === null ? null : await readChangeSet(this.database, by);
    return revert === null || revert.state === 'done' ? null : revert.id;
  }

  /** What a revert would do, read in the batches that it would take: memory stays bounded. */
  private async preview(target: StoredChangeSet, interrupted: number | null): Promise<RevertCounts> {
    const scope = await readScope(this.database, target);
    const affected = await readAffected(this.database, scope);
    const context = await this.reverts.plan(scope, interrupted);
    return this.reverts.preview(context, affected, this.batchSize);
  }

  private async run(
    lock: HeldLock,
    id: number,
    isResumed: boolean,
    request: BatchRequest,
  ): Promise<RevertResult> {
    const { changeSetId } = lock;
    const { context, affected } = await lock.transact((transaction) =>
      this.begin(transaction, id, changeSetId, isResumed),
    );
    const total = await takeSteps(context, affected, this.batchSize, (batch, totalBefore) => {
      request.signal?.throwIfAborted();
      return lock.transact(async (transaction) => {
        const result = await batch(transaction, transaction);
        await storeCounts(transaction, changeSetId, totalBefore.with(result));
        return result;
      });
    });
    const { target } = context.operation;
    const counts = await total.counts(this.database, target);
    await lock.end('done', async (transaction) => {
      await this.reverts.finish(transaction, target, changeSetId, counts, request);
      await this.findings.followPending(transaction);
    });
    return { change_set: changeSetId, counts };
  }

  /** Checks the target again, now under the lock, and reads what its revert is about. */
  private async begin(transaction: Transaction, id: number, changeSetId: number, isResumed: boolean) {
    // The target of a resumed revert is reverted by it already.
    const target = isResumed
      ? await requireRevertible(transaction, id)
      : await this.reverts.requireTarget(transaction, id);
    const scope = await readScope(transaction, target);
    const context = isResumed
      ? await this.reverts.resume(transaction, scope, changeSetId)
      : await this.reverts.begin(transaction, scope, changeSetId);
    return { context, affected: await readAffected(transaction, scope) };
  }

  /** How much one transaction takes. */
  private get batchSize() {
    const { pointsInTransaction: points, itemsInTransaction: items } = this.limits;
    return { points, items };
  }
}
