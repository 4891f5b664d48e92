import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { type HeldLock, ImportLock } from '../../ledger/import-lock/import-lock.js';
import { FindingsFollower } from '../../quality/findings-follower.js';
import type { RevertCounts } from './revert-counts.js';
import { takeSteps } from './revert-driver.js';
import { storeCounts, RevertLimits, type RevertRequest, type RevertResult, Reverts } from './reverts.js';
import { readChangeSet, type StoredChangeSet } from '../../ledger/changes/stored-change-sets.js';
import { readScope } from './revert-scope.js';
import { readAffected, requireRevertible } from './affected.js';

/** A revert in many transactions. */
interface BatchRequest extends RevertRequest {
  /** Called with the change set of the revert once it has begun; not in a dry run. */
  readonly onBegin?: (by: number) => void;
  /** Ends it after the transaction that is running; it can go on later. */
  readonly signal?: AbortSignal;
}

/**
 * Reverts change sets of any size, in many transactions under the import lock. One that was
 * killed goes on when it is run again: every step does what is left to be done.
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

  /** @throws NotFound, NotRevertible, ImportRunning */
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

  /** The change set that was to revert another one, but has not ended; null if there is none. */
  private async interruptedRevert({ reverted_by: by }: StoredChangeSet): Promise<number | null> {
    const revert = by === null ? null : await readChangeSet(this.database, by);
    return revert === null || revert.state === 'done' ? null : revert.id;
  }

  /** What a revert would do, read in the same batches. */
  private async preview(target: StoredChangeSet, interrupted: number | null): Promise<RevertCounts> {
    const scope = await readScope(this.database, target);
    const affected = await readAffected(this.database, scope);
    const context = await this.reverts.plan(scope, interrupted);
    return this.reverts.preview(context, affected, this.size);
  }

  private async run(
    lock: HeldLock,
    id: number,
    goesOn: boolean,
    request: BatchRequest,
  ): Promise<RevertResult> {
    const by = lock.changeSetId;
    const [context, affected] = await lock.transact(async (transaction) => {
      const target = goesOn
        ? await requireRevertible(transaction, id)
        : await this.reverts.requireTarget(transaction, id);
      const scope = await readScope(transaction, target);
      const begun = goesOn
        ? await this.reverts.resume(transaction, scope, by)
        : await this.reverts.begin(transaction, scope, by);
      return [begun, await readAffected(transaction, scope)] as const;
    });
    const total = await takeSteps(context, affected, this.size, (batch, before) => {
      request.signal?.throwIfAborted();
      return lock.transact(async (transaction) => {
        const done = await batch(transaction, transaction);
        await storeCounts(transaction, by, before.with(done));
        return done;
      });
    });
    const { target } = context.operation;
    const counts = await total.counts(this.database, target);
    await lock.end('done', async (transaction) => {
      await this.reverts.finish(transaction, target, by, counts, request);
      await this.findings.followPending(transaction);
    });
    return { change_set: by, counts };
  }

  /** What one transaction takes. */
  private get size() {
    const { inTransaction: points, itemsInTransaction: items } = this.limits;
    return { points, items };
  }
}
