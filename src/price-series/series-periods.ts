import type { Reads } from '../database/reads.js';
import { placeholders } from '../database/sql.js';
import { TableWithVersions } from '../ledger/versions/versioned-table.js';
import type { Period } from './periodicity.js';

/** The items with all that they were. */
export const periodVersions = new TableWithVersions('series_period', [
  'serie_id',
  'period',
  'start_day',
  'end_day',
  'calculated',
  'points',
]);

/*
 * The periodicity of series is stored beside them, and written by what writes their points, which
 * alone knows it. In each statement, `{rows}` is replaced with the placeholders of its rows or ids.
 */

/** Series by id with their items; one row, of NULL, for a series without periodicity. */
export const SELECT_PERIODS =
  'SELECT s.id, p.period, p.start_day, p.end_day, p.calculated, p.points FROM price_serie s' +
  ' LEFT JOIN series_period p ON p.serie_id = s.id WHERE s.id IN ({rows}) ORDER BY s.id, p.period';
export const REPLACE_PERIODS =
  'REPLACE INTO series_period (serie_id, period, start_day, end_day, calculated, points, since) VALUES {rows}';
/** Keeps items that are about to be changed or removed. Values: the revision twice, then keys. */
export const SUPERSEDE_PERIODS = periodVersions.supersede('(serie_id, period) IN ({rows})');
export const DELETE_PERIODS = 'DELETE FROM series_period WHERE (serie_id, period) IN ({rows})';

/** The item of a frequency of a series, as far as it says whose its points are. */
export async function readPeriod(
  reads: Pick<Reads, 'rows'>,
  serieId: number,
  period: Period,
): Promise<{ readonly calculated: number | boolean; readonly points: number } | undefined> {
  const [item] = await reads.rows<{ calculated: number | boolean; points: number }>(
    'SELECT calculated, points FROM series_period WHERE serie_id = ? AND period = ?',
    [serieId, period],
  );
  return item;
}

/** The last day of a frequency of a series. */
interface PeriodEnd {
  readonly serie_id: number;
  readonly period: Period;
  readonly end_day: number;
}

/** The last days of all frequencies of some series. */
export function readPeriodEnds(
  reads: Pick<Reads, 'rows'>,
  serieIds: readonly number[],
): Promise<PeriodEnd[]> {
  return reads.rows(
    `SELECT serie_id, period, end_day FROM series_period WHERE serie_id IN (${placeholders(serieIds.length)})`,
    serieIds,
  );
}
