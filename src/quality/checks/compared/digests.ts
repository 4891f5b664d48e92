import type { Transaction } from '../../../ledger/unit-of-work.js';
import { outlineDigestOf } from '../../rules/identical-series.js';
import type { MonthlyPoints } from '../../rules/neighbours.js';

/** Rows of one statement. */
const BATCH = 250;

/** Stores the digests by which series that may be equal are found without reading their points. */
export async function saveDigests(
  transaction: Transaction,
  points: ReadonlyMap<number, MonthlyPoints>,
): Promise<void> {
  const rows = Array.from(points, ([id, series]) => [id, outlineDigestOf(series)] as const);
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = rows.slice(from, from + BATCH);
    await transaction.execute(
      `REPLACE INTO series_digest (serie_id, digest) VALUES ${batch.map(() => '(?,?)').join(',')}`,
      batch.flat(),
    );
  }
}

/** Removes the digests of series that are gone. */
export async function removeDigests(transaction: Transaction, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    const placeholders = batch.map(() => '?').join(',');
    await transaction.execute(`DELETE FROM series_digest WHERE serie_id IN (${placeholders})`, batch);
  }
}
