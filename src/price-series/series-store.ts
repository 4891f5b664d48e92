import type { Reads } from '../database/reads.js';
import { selectByIds } from '../database/select-by-ids.js';

/** Whether there are series. */
export async function hasSeries(reads: Pick<Reads, 'rows'>): Promise<boolean> {
  return (await reads.rows('SELECT 1 FROM price_serie LIMIT 1')).length > 0;
}

/** The uuids of all series, by id in ascending order. */
export async function allUuids(reads: Pick<Reads, 'rows'>): Promise<string[]> {
  const rows = await reads.rows<{ uuid: string }>('SELECT uuid FROM price_serie ORDER BY id');
  return rows.map(({ uuid }) => uuid);
}

/** The markets that series had before they were moved or removed. */
export async function formerMarketsOf(
  reads: Pick<Reads, 'rows'>,
  serieIds: readonly number[],
): Promise<Set<number>> {
  const rows = await selectByIds<{ market_id: number }>(
    reads,
    'SELECT DISTINCT market_id FROM price_serie_version WHERE id IN ({ids})',
    serieIds,
  );
  return new Set(rows.map(({ market_id }) => market_id));
}

/** How many series refer to records of a table, by the record's id; without those of none. */
export async function countSeriesOf(
  reads: Pick<Reads, 'rows'>,
  table: string,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const column = `${table}_id`;
  const rows = await selectByIds<{ id: number; series: number | string }>(
    reads,
    `SELECT ${column} AS id, COUNT(*) AS series FROM price_serie WHERE ${column} IN ({ids}) GROUP BY ${column}`,
    ids,
  );
  return new Map(rows.map(({ id, series }) => [id, Number(series)]));
}
