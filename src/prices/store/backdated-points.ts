import { batchesOf } from '../../lib/collections/batches.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { readPeriodEnds } from '../../price-series/series-periods.js';
import type { PointKey } from './point-id.js';

/** Days by which a new point is before the newest stored one to be counted. */
export const BACKDATED_DAYS = 90;
/** Series of one statement. */
const BATCH = 500;

/**
 * The newest days that series had before an input, by which points of it are found that are long
 * before them, as they are where day and month have been exchanged.
 */
export class BackdatedPoints {
  private readonly newest = new Map<number, Map<number, number>>();

  /** Reads the newest days of series; to be called before points of them are first written. */
  async load(transaction: Transaction, serieIds: readonly number[]): Promise<void> {
    const unknown = serieIds.filter((id) => !this.newest.has(id));
    for (const id of unknown) this.newest.set(id, new Map());
    for (const batch of batchesOf(unknown, BATCH))
      for (const { serie_id: id, period, end_day: end } of await readPeriodEnds(transaction, batch))
        this.newest.get(id)!.set(period, end);
  }

  /** Whether a point is long before the newest one of its series and frequency. */
  includes({ serieId, period, day }: PointKey): boolean {
    const newest = this.newest.get(serieId)?.get(period);
    return newest !== undefined && day < newest - BACKDATED_DAYS;
  }
}
