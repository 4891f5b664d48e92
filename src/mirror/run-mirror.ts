import { Clock, instantText } from '../platform/clock/clock.js';
import type { Database } from '../database/database.js';
import { DataRevision } from '../ledger/revision/data-revision.js';
import { UnitOfWork } from '../ledger/unit-of-work.js';
import { FindingsUpdater } from '../quality/findings-updater.js';
import { ImportLock } from '../ledger/import-lock/import-lock.js';
import { ObservationStore } from '../prices/store/observation-store.js';
import { Mirror, type MirrorListener } from './mirror.js';
import type { MirrorSource } from './mirror-source.js';

export interface MirrorRun extends MirrorListener {
  readonly database: Database;
  readonly source: MirrorSource;
  /** Ends the run after the transaction under way. */
  readonly signal: AbortSignal;
  /** Stop when everything is copied. */
  readonly once: boolean;
}

/**
 * Copies another service, as one change set of kind `import`, under the lock of imports: what else
 * would write to a mirror would make it differ.
 * @throws ImportRunning, SourceRejected, NoMirror
 */
export async function runMirror(run: MirrorRun): Promise<void> {
  const { database, source, signal, once } = run;
  const clock = new Clock();
  const unitOfWork = FindingsUpdater.observe(new UnitOfWork(database, new DataRevision(database), clock));
  const mirror = new Mirror(database, new ObservationStore(), source);
  await mirror.position();
  const lock = await new ImportLock(unitOfWork, clock).acquire({
    kind: 'import',
    format: 'mirror',
    input: source.address.slice(0, 255),
    reason: '',
  });
  let state = 'failed';
  try {
    await mirror.run(lock, once, run);
    state = 'done';
  } catch (error) {
    if (!signal.aborted) throw error;
    state = 'done';
  } finally {
    lock.stopHeartbeat();
    const ended = [state, instantText(clock.now()), lock.changeSetId];
    const end = unitOfWork.run(async (transaction) => {
      await transaction.execute('UPDATE change_set SET state = ?, ended_at = ? WHERE id = ?', ended);
      await lock.release(transaction);
    });
    await end.catch(() => lock.abandon());
  }
}
