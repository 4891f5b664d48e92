import { placeholders, rowPlaceholders } from '../database/sql.js';
import { batchesOf } from '../lib/collections/batches.js';
import type { SqlValue } from '../database/database.js';
import type { Transaction } from '../ledger/unit-of-work.js';

/** Rows of one statement. */
const BATCH = 1000;

interface AliasRow {
  readonly uuid: string;
  readonly serieId: number;
}

/** Lets series be found under another uuid each, which no series and no alias has. */
export async function addSeriesAliases(
  transaction: Transaction,
  aliases: readonly AliasRow[],
): Promise<void> {
  if (aliases.length === 0) return;
  for (const batch of batchesOf(aliases, BATCH)) {
    await transaction.execute(
      `INSERT INTO series_alias (uuid, serie_id, since) VALUES ${rowPlaceholders(batch.length, 3)}`,
      batch.flatMap(({ uuid, serieId }) => [uuid, serieId, transaction.revision]),
    );
  }
  transaction.touchSeries(aliases.map(({ serieId }) => serieId));
}

/** Removes aliases by their uuids or their series, and keeps them as versions. */
export async function removeAliases(
  transaction: Transaction,
  column: 'uuid' | 'serie_id',
  values: readonly SqlValue[],
): Promise<void> {
  const { revision } = transaction;
  for (const batch of batchesOf(values, BATCH)) {
    const condition = `${column} IN (${placeholders(batch.length)})`;
    await transaction.execute(
      'INSERT INTO series_alias_version (uuid, until, serie_id, since) SELECT uuid, ?, serie_id, since' +
        ` FROM series_alias WHERE since <> ? AND ${condition}`,
      [revision, revision, ...batch],
    );
    await transaction.execute(`DELETE FROM series_alias WHERE ${condition}`, batch);
  }
}

/** The id of the series with a uuid, or with an alias of it, in any letter case; or null. */
export async function findSeriesId(transaction: Transaction, uuid: string): Promise<number | null> {
  const text = uuid.toLowerCase();
  const [row] = await transaction.rows<{ id: number }>(
    'SELECT id FROM price_serie WHERE uuid = ? UNION ALL SELECT serie_id AS id FROM series_alias WHERE uuid = ?',
    [text, text],
  );
  return row?.id ?? null;
}
