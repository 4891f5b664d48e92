import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database/database.js';
import { updateChangeSet } from '../ledger/changes/change-set.js';
import { readChangeSet, unfinishedRecordChange } from '../ledger/changes/stored-change-sets.js';
import { UnitOfWork, type Transaction } from '../ledger/unit-of-work.js';
import { Clock, instantText } from '../platform/clock/clock.js';
import { readCommentedForecasts } from '../prices/store/commented-forecasts.js';
import { ObservationStore } from '../prices/store/observation-store.js';
import { FindingsFollower } from '../quality/findings-follower.js';
import { readJoins } from '../price-series/joins/stored-joins.js';
import { readPeriodEnds } from '../price-series/series-periods.js';
import { removeSeries } from '../price-series/series-versions.js';
import { batchesOf } from '../lib/collections/batches.js';
import { seriesOfStatus } from './pipeline/series-writer.js';

/** Series of one statement. */
const BATCH = 500;

/**
 * Moves the forecasts that earlier releases have stored among observed prices to series of their
 * own, once: the migration to this release has left a change set for it. Series that had nothing
 * else are removed. Past states keep all of it where it was.
 */
@Injectable()
export class ForecastMove {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly observations: ObservationStore,
    private readonly findings: FindingsFollower,
    private readonly clock: Clock,
  ) {}

  /** Carries the move out, in one transaction, unless it has been or another process does. */
  async run(): Promise<void> {
    const id = await unfinishedRecordChange(this.database);
    if (id === null) return;
    const moved = await this.unitOfWork.change(id, async (transaction) => {
      if ((await readChangeSet(transaction, id))!.state === 'done') return 0;
      const count = await this.move(transaction);
      await this.findings.followPending(transaction);
      await updateChangeSet(transaction, id, { state: 'done', ended_at: instantText(this.clock.now()) });
      return count;
    });
    if (moved > 0) new Logger('Forecasts').log(`${moved} forecasts are in series of their own now.`);
  }

  private async move(transaction: Transaction): Promise<number> {
    const forecasts = await readCommentedForecasts(transaction);
    if (forecasts.length === 0) return 0;
    const ids = [...new Set(forecasts.map(({ serieId }) => serieId))];
    const beside = await seriesOfStatus(transaction, ids, 'forecast');
    await this.observations.remove(transaction, forecasts);
    await this.observations.write(
      transaction,
      forecasts.map((point) => ({ ...point, serieId: beside.get(point.serieId)!.id, rule: 'adds' })),
    );
    await removeSeries(transaction, await withoutPrices(transaction, ids));
    return forecasts.length;
  }
}

/** Those of some series that have no points, and no part in a join. */
async function withoutPrices(transaction: Transaction, ids: readonly number[]): Promise<number[]> {
  const joins = await readJoins(transaction);
  const kept = new Set<number>();
  for (const batch of batchesOf(ids, BATCH))
    for (const { serie_id: id } of await readPeriodEnds(transaction, batch)) kept.add(id);
  return ids.filter((id) => !kept.has(id) && joins.membersOf(id) === null && joins.shownBy(id).length === 0);
}
