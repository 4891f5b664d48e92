import type { SqlValue } from '../database/database.js';
import type { Transaction } from '../database/unit-of-work.js';

const COLUMNS =
  'uuid, commodity_id, price_type_id, market_id, source_id, measure_unit_id, currency, marked_periods';

/**
 * Keeps what series were before this transaction changes or removes them: as versions, known until
 * its revision. What this transaction itself has inserted was never committed.
 */
export async function supersedeSeries(transaction: Transaction, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += 1000) {
    const batch: SqlValue[] = ids.slice(from, from + 1000);
    await transaction.execute(
      `INSERT INTO price_serie_version (id, until, since, ${COLUMNS}) SELECT id, ?, since, ${COLUMNS}` +
        ` FROM price_serie WHERE since <> ? AND id IN (${batch.map(() => '?').join(',')})`,
      [transaction.revision, transaction.revision, ...batch],
    );
  }
}

/** Removes series without points, and their further uuids. What they were is kept. */
export async function removeSeries(transaction: Transaction, ids: readonly number[]): Promise<void> {
  await supersedeSeries(transaction, ids);
  for (let from = 0; from < ids.length; from += 1000) {
    const batch: SqlValue[] = ids.slice(from, from + 1000);
    const placeholders = batch.map(() => '?').join(',');
    await transaction.execute(`DELETE FROM series_alias WHERE serie_id IN (${placeholders})`, batch);
    await transaction.execute(`DELETE FROM price_serie WHERE id IN (${placeholders})`, batch);
  }
  transaction.touchSeries(ids, { action: 'removed' });
}
