import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { ImportLock } from '../ledger/import-lock/import-lock.js';
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
    private readonly lock: ImportLock,
    private readonly observations: ObservationStore,
    private readonly findings: FindingsFollower,
  ) {}

  /** @throws ImportRunning, SourceRejected, NoMirror */
  async run(options: MirrorOptions): Promise<void> {
    const { source, signal, once } = options;
    const mirror = new Mirror(this.database, this.observations, source, this.findings);
    await mirror.position();
    const input = source.address.slice(0, 255);
    await this.lock.hold({ kind: 'import', format: 'mirror', input, reason: '' }, async (lock) => {
      try {
        await mirror.run(lock, once, options);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      await lock.end('done');
    });
  }
}
