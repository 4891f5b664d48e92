import { batchesOf } from '../../lib/collections/batches.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { isAddedByCorrection } from '../../ledger/corrections/correction-store.js';
import { readPeriodEnds } from '../../price-series/series-periods.js';

/** Series of one statement. */
const BATCH = 200;

/** The id of a series that has a later price of its source than a day. */
const SELECT_LATER =
  'SELECT * FROM (SELECT o.serie_id FROM observation o WHERE o.serie_id = ? AND o.period = ? AND o.day > ?' +
  ` AND NOT ${isAddedByCorrection('o')} LIMIT 1) later`;

/** The newest days of the prices that an input has of each series and frequency. */
export class NewestDays {
  private readonly bySeries = new Map<number, number[]>();

  /** Those of a series, by frequency, to be raised as prices are read. */
  of(serieId: number): number[] {
    let days = this.bySeries.get(serieId);
    if (days === undefined) this.bySeries.set(serieId, (days = []));
    return days;
  }

  /**
   * How many series have prices of one of these frequencies stored that are newer than all in the
   * input. Those that a maintainer has added do not count: the source does not have them.
   */
  async countOlder(transaction: Transaction): Promise<number> {
    const older = new Set<number>();
    const ids = [...this.bySeries.keys()];
    for (const batch of batchesOf(ids, BATCH)) {
      const candidates = await this.endingLater(transaction, batch);
      for (const batch of batchesOf(candidates, BATCH)) {
        const rows = await transaction.rows<{ serie_id: number }>(
          batch.map(() => SELECT_LATER).join(' UNION ALL '),
          batch.flat(),
        );
        for (const { serie_id: id } of rows) older.add(id);
      }
    }
    return older.size;
  }

  /** Series, frequency and the input's newest day where what is served ends later. */
  private async endingLater(transaction: Transaction, ids: readonly number[]): Promise<SqlValue[][]> {
    const rows = await readPeriodEnds(transaction, ids);
    const later: SqlValue[][] = [];
    for (const { serie_id: id, period, end_day: end } of rows) {
      const newest = this.bySeries.get(id)![period];
      if (newest !== undefined && end > newest) later.push([id, period, newest]);
    }
    return later;
  }
}
