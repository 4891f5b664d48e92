import type { Reads } from '../database/reads.js';
import { selectByIds } from '../database/select-by-ids.js';
import type { PriceSerie } from './price-serie.entity.js';
import { seriesWith } from './series-views.js';
import { IS_OBSERVED } from './series-status.js';
import { type Reference, REFERENCE_COLUMNS, seriesVersions } from './series-attributes.js';

/** Whether there are series. */
export async function hasSeries(reads: Pick<Reads, 'rows'>): Promise<boolean> {
  return (await reads.rows('SELECT 1 FROM price_serie LIMIT 1')).length > 0;
}

/** The uuids of all series, by id in ascending order. */
export async function allUuids(reads: Pick<Reads, 'rows'>): Promise<string[]> {
  const rows = await reads.rows<{ uuid: string }>(
    `SELECT s.uuid FROM price_serie s WHERE ${IS_OBSERVED} ORDER BY s.id`,
  );
  return rows.map(({ uuid }) => uuid);
}

/** The markets that series had before they were moved or removed. */
export async function formerMarketsOf(
  reads: Pick<Reads, 'rows'>,
  serieIds: readonly number[],
): Promise<Set<number>> {
  const rows = await selectByIds<{ market_id: number }>(
    reads,
    `SELECT DISTINCT market_id FROM ${seriesVersions.past} v WHERE id IN ({ids})`,
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

/** What prices of a series are converted by. */
interface ConvertedSeries {
  readonly currency: string;
  readonly country: string;
  readonly conversionFactor: number | null;
}

/** What prices of a series are converted by; null where none with this uuid or alias is listed. */
export async function readConvertedSeries(
  reads: Pick<Reads, 'arrays'>,
  uuid: string,
  serieId: number,
): Promise<ConvertedSeries | null> {
  const [row] = await reads.arrays<[string, string, number | null]>(
    `SELECT s.currency, m.iso3_country_code, u.conversion_factor FROM ${seriesWith('market', 'measure_unit')}` +
      ' WHERE s.id = ? AND (s.uuid = ? OR EXISTS' +
      ' (SELECT 1 FROM series_alias a WHERE a.serie_id = s.id AND a.uuid = ?))' +
      ' AND NOT EXISTS (SELECT 1 FROM series_join j WHERE j.from_id = s.id AND j.until IS NULL)',
    [serieId, uuid.toLowerCase(), uuid.toLowerCase()],
  );
  return row === undefined ? null : { currency: row[0], country: row[1], conversionFactor: row[2] };
}

/** Some columns of a series; undefined where it is not there. */
export async function readSeries<Column extends keyof PriceSerie>(
  reads: Pick<Reads, 'rows'>,
  id: number,
  columns: readonly Column[],
): Promise<Pick<PriceSerie, Column> | undefined> {
  const [row] = await reads.rows<Pick<PriceSerie, Column>>(
    `SELECT ${columns.join(', ')} FROM price_serie WHERE id = ?`,
    [id],
  );
  return row;
}

/** Whether a series has had an id and a uuid before it was changed or removed. */
export async function wasSeries(reads: Pick<Reads, 'arrays'>, id: number, uuid: string): Promise<boolean> {
  const sql = `SELECT 1 FROM ${seriesVersions.past} v WHERE id = ? AND uuid = ? LIMIT 1`;
  return (await reads.arrays(sql, [id, uuid.toLowerCase()])).length > 0;
}

/** The series that refer to some records of a table, and got attributes after a revision. */
export async function seriesChangedSince(
  reads: Pick<Reads, 'rows'>,
  revision: number,
  table: string,
  recordIds: readonly number[],
): Promise<number[]> {
  const rows = await selectByIds<{ id: number }>(
    reads,
    `SELECT id FROM price_serie WHERE since > ? AND ${table}_id IN ({ids})`,
    recordIds,
    [revision],
  );
  return rows.map(({ id }) => id);
}

/** A series with the names of its records, and their ids. */
interface NamedSeries extends Readonly<Record<Reference, number>> {
  readonly id: number;
  readonly iso3_country_code: string;
  readonly admin_unit: string;
  readonly admin_unit2: string;
  readonly market: string;
  readonly commodity: string;
  readonly price_type: string;
  readonly source: string;
  readonly measure_unit: string;
  readonly currency: string;
  readonly marked_periods: number;
}

/** Some series with the names of their records. */
export const readNamedSeries = (reads: Pick<Reads, 'rows'>, ids: readonly number[]): Promise<NamedSeries[]> =>
  selectByIds(
    reads,
    'SELECT s.id, m.iso3_country_code, m.admin_unit, m.admin_unit2, m.name AS market, c.name AS commodity,' +
      ' t.name AS price_type, o.name AS source, u.name AS measure_unit, s.currency, s.marked_periods,' +
      ` ${REFERENCE_COLUMNS.map((column) => `s.${column}`).join(', ')}` +
      ` FROM ${seriesWith('commodity', 'market', 'price_type', 'source', 'measure_unit')} WHERE s.id IN ({ids})`,
    ids,
  );
