import { placeholders } from '../../database/sql.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { removeSeries, supersedeSeries } from '../../price-series/series-versions.js';
import { COLUMNS, type SeriesRevert } from './series-attributes.js';

/** Stores the attributes of series, and reinstates those that have gone. */
export async function restoreSeries(
  transaction: Transaction,
  changes: readonly SeriesRevert[],
): Promise<void> {
  const { revision } = transaction;
  for (const { id, stored, values } of changes) {
    const attributes = COLUMNS.map((column) => values![column]);
    if (stored === null) {
      await transaction.execute(
        `INSERT INTO price_serie (id, ${COLUMNS.join(', ')}, since)` +
          ` VALUES (?, ${placeholders(COLUMNS.length)}, ?)`,
        [id, ...attributes, revision],
      );
      transaction.touchSeries([id], { action: 'created' });
    } else {
      await supersedeSeries(transaction, [id]);
      await transaction.execute(
        `UPDATE price_serie SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')}, since = ? WHERE id = ?`,
        [...attributes, revision, id],
      );
      transaction.touchSeries([id]);
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
