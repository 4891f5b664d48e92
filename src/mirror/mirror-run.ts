import { Injectable } from '@nestjs/common';
import { Clock, instantText } from '../platform/clock/clock.js';
import { Database } from '../database/database.js';
import { updateChangeSet } from '../ledger/changes/change-set.js';
import { ImportLock } from '../ledger/import-lock/import-lock.js';
import { UnitOfWork } from '../ledger/unit-of-work.js';
import { FindingsFollower } from '../quality/findings-follower.js';
import { ObservationStore } from '../prices/store/observation-store.js';
import { Mirror, type MirrorListener } from './mirror.js';
import type { MirrorSource } from './mirror-source.js';

export interface MirrorOptions extends MirrorListener {
  readonly source: MirrorSource;
  /** Ends the run after the transaction under way. */
  readonly signal: AbortSignal;
  /** Stop when everything is copied. */
  readonly once: boolean;
}

/**
 * Copies another service, as one change set of kind `import`, under the lock of imports: what else
 * would write to a mirror would make it differ.
 */
@Injectable()
export class MirrorRun {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly lock: ImportLock,
    private readonly observations: ObservationStore,
    private readonly findings: FindingsFollower,
    private readonly clock: Clock,
  ) {}

  /** @throws ImportRunning, SourceRejected, NoMirror */
  async run(options: MirrorOptions): Promise<void> {
    const { source, signal, once } = options;
    const mirror = new Mirror(this.database, this.observations, source, this.findings);
    await mirror.position();
    const lock = await this.lock.acquire({
      kind: 'import',
      format: 'mirror',
      input: source.address.slice(0, 255),
      reason: '',
    });
    let state: 'done' | 'failed' = 'failed';
    try {
      await mirror.run(lock, once, options);
      state = 'done';
    } catch (error) {
      if (!signal.aborted) throw error;
      state = 'done';
    } finally {
      lock.stopHeartbeat();
      const ended_at = instantText(this.clock.now());
      const end = this.unitOfWork.run(async (transaction) => {
        await updateChangeSet(transaction, lock.changeSetId, { state, ended_at });
        await lock.release(transaction);
      });
      await end.catch(() => lock.abandon());
    }
  }
}
