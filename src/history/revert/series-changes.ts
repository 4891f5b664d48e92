import type { Transaction } from '../../ledger/unit-of-work.js';
import { changeSeries, insertSeries, removeSeries } from '../../price-series/series-versions.js';
import { SERIES_ATTRIBUTES } from '../../price-series/series-attributes.js';
import type { SeriesRevert } from './series-revert.js';

/** Stores the attributes of series, and reinstates those that have gone. */
export async function restoreSeries(
  transaction: Transaction,
  changes: readonly SeriesRevert[],
): Promise<void> {
  for (const { id, stored, values } of changes) {
    const attributes = Object.fromEntries(SERIES_ATTRIBUTES.map((column) => [column, values![column]]));
    if (stored === null) {
      await insertSeries(transaction, id, attributes);
      transaction.markSeriesModified([id], { action: 'created' });
    } else {
      await changeSeries(transaction, id, attributes);
      transaction.markSeriesModified([id]);
    }
  }
}

export async function removePlannedSeries(
  transaction: Transaction,
  removed: readonly SeriesRevert[],
): Promise<void> {
  const ids = removed.map(({ id }) => id);
  if (ids.length > 0) await removeSeries(transaction, ids);
}
