import { seriesVersions } from './series-attributes.js';

/*
 * What statements of other tables join of series: parts of SQL, whose rows are shown beside them.
 */

/** The tables of the records that series refer to, and their aliases in `seriesWith`. */
const RECORD_TABLES = [
  ['commodity', 'c'],
  ['market', 'm'],
  ['price_type', 't'],
  ['measure_unit', 'u'],
  ['source', 'o'],
] as const;
type RecordTable = (typeof RECORD_TABLES)[number][0];

/**
 * The series that are there as `s`, each with the records that it refers to, for a FROM clause:
 * its commodity as `c`, market `m`, type `t`, unit `u` and source `o`.
 */
export function seriesWith(...tables: readonly RecordTable[]): string {
  const joins = RECORD_TABLES.filter(([table]) => tables.includes(table)).map(
    ([table, alias]) => ` JOIN ${table} ${alias} ON ${alias}.id = s.${table}_id`,
  );
  return `price_serie s${joins.join('')}`;
}

/** The condition that a series `s` is not joined into another one. */
export const IS_LISTED = 's.id NOT IN (SELECT from_id FROM series_join WHERE until IS NULL)';

/** The uuid of the series with an id; NULL where it is not there. */
export const uuidOf = (id: string): string => `(SELECT uuid FROM price_serie WHERE id = ${id})`;

/** The name of the record of a table that the series with an id refers to. */
export const recordNameOf = (table: RecordTable, id: string): string =>
  `(SELECT q.name FROM price_serie s JOIN ${table} q ON q.id = s.${table}_id WHERE s.id = ${id})`;

/** The uuid that the series with an id has, or had last. */
export const lastUuidOf = (id: string): string =>
  `COALESCE(${uuidOf(id)}, (SELECT MAX(v.uuid) FROM ${seriesVersions.past} v WHERE v.id = ${id}))`;

/** The day of the first point of a series, of any frequency; NULL where it has none. */
export const firstDayOf = (id: string): string =>
  `(SELECT MIN(start_day) FROM series_period WHERE serie_id = ${id})`;

/** The day of its last point. */
export const lastDayOf = (id: string): string =>
  `(SELECT MAX(end_day) FROM series_period WHERE serie_id = ${id})`;

/**
 * `SELECT` of what series are and were.
 * @param where ends with a limit, of each of both; its values are bound twice
 */
export const selectFirstStates = (columns: string, where: string): string =>
  `SELECT ${columns} FROM (SELECT ${columns} FROM price_serie ${where}) s` +
  ` UNION ALL SELECT ${columns} FROM (SELECT ${columns} FROM ${seriesVersions.past} p ${where}) v`;

/**
 * What series are, as `s`, or what those that are gone were last, as `v`, to be joined to rows with
 * their id; `COALESCE` of both gives a column of either.
 */
export const joinLastState = (id: string): string =>
  ` LEFT JOIN price_serie s ON s.id = ${id}` +
  ` LEFT JOIN ${seriesVersions.past} v ON s.id IS NULL AND v.id = ${id} AND v.until =` +
  ` (SELECT MAX(l.until) FROM ${seriesVersions.past} l WHERE l.id = ${id})`;
