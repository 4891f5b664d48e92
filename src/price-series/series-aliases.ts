import type { SqlValue } from '../database/database.js';
import type { Transaction } from '../database/unit-of-work.js';

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
  for (let from = 0; from < aliases.length; from += BATCH) {
    const batch = aliases.slice(from, from + BATCH);
    await transaction.execute(
      `INSERT INTO series_alias (uuid, serie_id, since) VALUES ${batch.map(() => '(?,?,?)').join(',')}`,
      batch.flatMap(({ uuid, serieId }) => [uuid, serieId, transaction.revision]),
    );
  }
  transaction.touchSeries(aliases.map(({ serieId }) => serieId));
}

/**
 * Takes back what a change set has done to aliases: those that it made go, also where the revert of
 * a revert has brought them back, and those that it removed return, if their uuids are free.
 */
export async function takeBackAliases(transaction: Transaction, changeSetId: number): Promise<void> {
  const own = '(SELECT number FROM revision WHERE change_set_id = ?)';
  const made = await transaction.rows<AliasRow>(
    `SELECT a.uuid, a.serie_id AS serieId FROM series_alias a WHERE a.since IN ${own} OR (a.since IN` +
      " (SELECT r.number FROM revision r JOIN change_set c ON c.id = r.change_set_id WHERE c.kind = 'revert')" +
      ' AND EXISTS (SELECT 1 FROM series_alias_version v WHERE v.uuid = a.uuid AND v.serie_id = a.serie_id' +
      ` AND v.since IN ${own}))`,
    [changeSetId, changeSetId],
  );
  const removed = await transaction.rows<AliasRow>(
    'SELECT v.uuid, v.serie_id AS serieId FROM series_alias_version v JOIN price_serie s ON s.id = v.serie_id' +
      ` WHERE v.until IN ${own} AND NOT EXISTS (SELECT 1 FROM series_alias a WHERE a.uuid = v.uuid)` +
      ' AND NOT EXISTS (SELECT 1 FROM price_serie o WHERE o.uuid = v.uuid)',
    [changeSetId],
  );
  for (let from = 0; from < made.length; from += BATCH) {
    const uuids = made.slice(from, from + BATCH).map(({ uuid }) => uuid);
    await removeAliases(transaction, `uuid IN (${uuids.map(() => '?').join(',')})`, uuids);
  }
  if (made.length > 0) transaction.touchSeries(made.map(({ serieId }) => serieId));
  await addSeriesAliases(transaction, removed);
}

/** Removes aliases by a condition, and keeps them as versions. */
export async function removeAliases(
  transaction: Transaction,
  condition: string,
  values: readonly SqlValue[],
): Promise<void> {
  const { revision } = transaction;
  await transaction.execute(
    'INSERT INTO series_alias_version (uuid, until, serie_id, since) SELECT uuid, ?, serie_id, since' +
      ` FROM series_alias WHERE since <> ? AND ${condition}`,
    [revision, revision, ...values],
  );
  await transaction.execute(`DELETE FROM series_alias WHERE ${condition}`, values);
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
