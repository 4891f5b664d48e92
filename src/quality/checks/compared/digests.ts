import { placeholders, rowPlaceholders } from '../../../database/sql.js';
import { batchesOf } from '../../../lib/collections/batches.js';
import type { Transaction } from '../../../ledger/unit-of-work.js';

/** Rows of one statement. */
const BATCH = 250;

/**
 * Stores the digests by which series that may be equal are found without reading their points.
 * @param digests by the id of the series
 */
export async function saveDigests(
  transaction: Transaction,
  digests: ReadonlyMap<number, string>,
): Promise<void> {
  for (const batch of batchesOf([...digests], BATCH)) {
    await transaction.executeWithNext(
      `REPLACE INTO series_digest (serie_id, digest) VALUES ${rowPlaceholders(batch.length, 2)}`,
      batch.flat(),
    );
  }
}

/** Removes the digests of series that are gone. */
export async function removeDigests(transaction: Transaction, ids: readonly number[]): Promise<void> {
  for (const batch of batchesOf(ids, BATCH)) {
    await transaction.execute(
      `DELETE FROM series_digest WHERE serie_id IN (${placeholders(batch.length)})`,
      batch,
    );
  }
}
