import type { Reads } from '../database/reads.js';
import { selectByIds } from '../database/select-by-ids.js';
import { placeholders, rowPlaceholders } from '../database/sql.js';
import { selectAffectedSeries } from '../ledger/changes/stored-changes.js';
import { batchesOf } from '../lib/collections/batches.js';
import type { SqlValue } from '../database/database.js';
import { TableWithJsonVersions } from '../ledger/versions/versioned-table.js';
import type { Transaction } from '../ledger/unit-of-work.js';

/** Rows of one statement. */
const BATCH = 1000;

/** The aliases with those that there were. */
const versionsOfAliases = new TableWithJsonVersions('series_alias', { id: 'serie_id', key: 'uuid' });

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
  transaction.markSeriesModified(aliases.map(({ serieId }) => serieId));
}

/** Removes aliases by their uuids or their series, and keeps them as versions. */
export async function removeAliases(
  transaction: Transaction,
  column: 'uuid' | 'serie_id',
  values: readonly SqlValue[],
): Promise<void> {
  await versionsOfAliases.supersede(transaction, column, values);
  for (const batch of batchesOf(values, BATCH))
    await transaction.execute(
      `DELETE FROM series_alias WHERE ${column} IN (${placeholders(batch.length)})`,
      batch,
    );
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

/** The id of the series that has a uuid itself; null where none has. */
export async function idOfUuid(reads: Pick<Reads, 'rows'>, uuid: string): Promise<number | null> {
  const [row] = await reads.rows<{ id: number }>('SELECT id FROM price_serie WHERE uuid = ?', [uuid]);
  return row?.id ?? null;
}

/** Whether a uuid is that of another series than one, or an alias of another. */
export async function leadsElsewhere(
  reads: Pick<Reads, 'rows'>,
  uuid: string,
  serieId: number,
): Promise<boolean> {
  const others = await reads.rows(
    'SELECT id FROM price_serie WHERE uuid = ? AND id <> ?' +
      ' UNION ALL SELECT serie_id FROM series_alias WHERE uuid = ? AND serie_id <> ?',
    [uuid, serieId, uuid, serieId],
  );
  return others.length > 0;
}

/** The aliases of some series, in the order of the uuids. @param serieIds of one statement */
export function aliasesOfSeries(
  reads: Pick<Reads, 'arrays'>,
  serieIds: readonly number[],
): Promise<[serieId: number, uuid: string][]> {
  return reads.arrays(
    `SELECT serie_id, uuid FROM series_alias WHERE serie_id IN (${placeholders(serieIds.length)}) ORDER BY uuid`,
    serieIds,
  );
}

/** What a uuid has led to since a revision, and until another: null where it still does. */
interface AliasVersion {
  readonly uuid: string;
  readonly serie_id: number;
  readonly since: number;
  readonly until: number | null;
}

/** All that some uuids have led to as aliases, and lead to now. */
export async function aliasVersions(
  reads: Pick<Reads, 'rows'>,
  uuids: readonly string[],
): Promise<AliasVersion[]> {
  const found: AliasVersion[] = [];
  for (const batch of batchesOf(uuids, BATCH)) {
    const where = `WHERE uuid IN (${placeholders(batch.length)})`;
    const select = versionsOfAliases.selectVersions('uuid, serie_id', where);
    found.push(...(await reads.rows<AliasVersion>(select, [...batch, ...batch])));
  }
  return found;
}

/** The aliases that some series have or had, and those that change sets have affected. */
export async function uuidsEverOf(
  reads: Pick<Reads, 'rows'>,
  serieIds: readonly number[],
  changeSetIds: readonly number[],
): Promise<Set<string>> {
  const affected = selectAffectedSeries(placeholders(changeSetIds.length));
  const found = new Set<string>();
  for (const table of ['series_alias', versionsOfAliases.past]) {
    const select = `SELECT uuid FROM ${table} a WHERE serie_id IN`;
    const rows = await reads.rows<{ uuid: string }>(`${select} (${affected})`, changeSetIds);
    const ofSeries = await selectByIds<{ uuid: string }>(reads, `${select} ({ids})`, serieIds);
    for (const { uuid } of [...rows, ...ofSeries]) found.add(uuid);
  }
  return found;
}

/** Of aliases, those whose series is there and whose uuid no series has. */
export async function freeAliases<A extends AliasRow>(
  reads: Pick<Reads, 'rows'>,
  aliases: readonly A[],
): Promise<A[]> {
  const select = 'SELECT id, uuid FROM price_serie WHERE';
  const stored = await selectByIds<{ id: number }>(
    reads,
    `${select} id IN ({ids})`,
    aliases.map(({ serieId }) => serieId),
  );
  const taken = await selectByIds<{ uuid: string }>(
    reads,
    `${select} uuid IN ({ids})`,
    aliases.map(({ uuid }) => uuid),
  );
  const ids = new Set(stored.map(({ id }) => id));
  const uuids = new Set(taken.map(({ uuid }) => uuid));
  return aliases.filter(({ uuid, serieId }) => ids.has(serieId) && !uuids.has(uuid));
}

/** The aliases made since a revision of series that refer to some records of a table. */
export const aliasesSince = (
  reads: Pick<Reads, 'rows'>,
  revision: number,
  table: string,
  recordIds: readonly number[],
): Promise<(AliasRow & { readonly since: number })[]> =>
  selectByIds(
    reads,
    'SELECT a.uuid, a.serie_id AS serieId, a.since FROM series_alias a JOIN price_serie s' +
      ` ON s.id = a.serie_id WHERE a.since > ? AND s.${table}_id IN ({ids})`,
    recordIds,
    [revision],
  );
