import { assignments, placeholders } from '../database/sql.js';
import { batchesOf } from '../lib/collections/batches.js';
import type { SqlValue } from '../database/database.js';
import type { Transaction } from '../ledger/unit-of-work.js';
import { endJoinFrom } from './joins/stored-joins.js';
import { seriesVersions } from './series-attributes.js';
import { periodVersions } from './series-periods.js';
import { removeAliases } from './series-aliases.js';

/** Keeps what series are, which this transaction changes or removes. */
export const supersedeSeries = (transaction: Transaction, ids: readonly number[]): Promise<void> =>
  seriesVersions.supersede(transaction, 'id', ids);

/** Inserts a series with its id. Does not imply `markSeriesModified()`. */
export async function insertSeries(
  transaction: Transaction,
  id: number,
  attributes: Readonly<Record<string, SqlValue>>,
): Promise<void> {
  const columns = ['id', ...Object.keys(attributes), 'since'];
  await transaction.execute(
    `INSERT INTO price_serie (${columns.join(', ')}) VALUES (${placeholders(columns.length)})`,
    [id, ...Object.values(attributes), transaction.revision],
  );
}

/**
 * Gives a series other attributes. What they were is kept. Does not imply `markSeriesModified()`.
 */
export async function changeSeries(
  transaction: Transaction,
  id: number,
  attributes: Readonly<Record<string, SqlValue>>,
): Promise<void> {
  await supersedeSeries(transaction, [id]);
  const set = assignments([...Object.keys(attributes), 'since']);
  await transaction.execute(`UPDATE price_serie SET ${set} WHERE id = ?`, [
    ...Object.values(attributes),
    transaction.revision,
    id,
  ]);
}

/** Removes series without points, their further uuids and their joins. What they were is kept. */
export async function removeSeries(transaction: Transaction, ids: readonly number[]): Promise<void> {
  await supersedeSeries(transaction, ids);
  await endJoinsOf(transaction, ids);
  for (const batch of batchesOf(ids, 1000)) {
    await removeAliases(transaction, 'serie_id', batch);
    await transaction.execute(`DELETE FROM price_serie WHERE id IN (${placeholders(batch.length)})`, batch);
  }
  transaction.markSeriesModified(ids, { action: 'removed' });
}

/**
 * The ids that series with these uuids had before they were removed. One that is created anew gets
 * its id again: so its points have theirs, and its history is one.
 */
export async function formerSeriesIds(
  transaction: Transaction,
  uuids: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const batch of batchesOf(uuids, 1000)) {
    const rows = await transaction.rows<{ id: number; uuid: string }>(
      `SELECT v.id, v.uuid FROM ${seriesVersions.past} v LEFT JOIN price_serie s ON s.id = v.id` +
        ` WHERE s.id IS NULL AND v.uuid IN (${placeholders(batch.length)}) ORDER BY v.until`,
      batch,
    );
    for (const { id, uuid } of rows) found.set(uuid, id);
  }
  return found;
}

/** Ends the joins of series that are removed: those joined into them are listed again. */
async function endJoinsOf(transaction: Transaction, ids: readonly number[]): Promise<void> {
  const joins = await transaction.rows<{ from_id: number; into_id: number }>(
    'SELECT from_id, into_id FROM series_join WHERE until IS NULL',
  );
  const removed = new Set(ids);
  for (const { from_id, into_id } of joins) {
    if (!removed.has(from_id) && !removed.has(into_id)) continue;
    await endJoinFrom(transaction, from_id);
    if (removed.has(from_id)) continue;
    transaction.markSeriesModified([from_id], { action: 'created' });
    await removePeriodicity(transaction, into_id);
  }
}

/** Removes the periodicity of a series without points of its own: it was that of joined ones. */
async function removePeriodicity(transaction: Transaction, id: number): Promise<void> {
  const { revision } = transaction;
  await transaction.execute(periodVersions.supersede('serie_id = ?'), [revision, revision, id]);
  await transaction.execute('DELETE FROM series_period WHERE serie_id = ?', [id]);
}
