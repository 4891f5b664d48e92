import type { Transaction } from '../database/unit-of-work.js';

/** Rows of one statement. */
const BATCH = 1000;

/** Lets series be found under another uuid each, which no series and no alias has. */
export async function addSeriesAliases(
  transaction: Transaction,
  aliases: readonly { readonly uuid: string; readonly serieId: number }[],
): Promise<void> {
  if (aliases.length === 0) return;
  for (let from = 0; from < aliases.length; from += BATCH) {
    const batch = aliases.slice(from, from + BATCH);
    await transaction.execute(
      `INSERT INTO series_alias (uuid, serie_id, since) VALUES ${batch.map(() => '(?,?,?)').join(',')}`,
      batch.flatMap(({ uuid, serieId }) => [uuid, serieId, transaction.revision]),
    );
  }
  transaction.touchSeries(aliases.map(({ serieId }) => serieId));
}

/** Removes the aliases that a change set has made. */
export async function removeAliasesMadeBy(transaction: Transaction, changeSetId: number): Promise<void> {
  const isMade = 'WHERE since IN (SELECT number FROM revision WHERE change_set_id = ?)';
  const made = await transaction.rows<{ id: number }>(
    `SELECT DISTINCT serie_id AS id FROM series_alias ${isMade}`,
    [changeSetId],
  );
  if (made.length === 0) return;
  await transaction.execute(`DELETE FROM series_alias ${isMade}`, [changeSetId]);
  transaction.touchSeries(made.map(({ id }) => id));
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
