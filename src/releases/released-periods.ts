import type { Reads } from '../database/reads.js';
import { selectByIds } from '../database/select-by-ids.js';
import { rowPlaceholders } from '../database/sql.js';
import type { Transaction } from '../ledger/unit-of-work.js';
import { batchesOf } from '../lib/collections/batches.js';
import type { Period } from '../price-series/periodicity.js';
import { seriesWith } from '../price-series/series-views.js';
import type { NewPoint } from '../prices/store/point-merging.js';
import { dayOfInstant, periodEnd } from './period-end.js';
import { IS_OBSERVED } from '../price-series/series-status.js';

/** Rows of one statement. */
const BATCH = 200;

/** A source in a country, and the frequency of its values. */
export interface ReleaseGroup {
  readonly sourceId: number;
  readonly country: string;
  readonly period: Period;
}

/** When a period was released: the last day of it, and the day on which it was first stored. */
export interface Release {
  readonly endDay: number;
  readonly storedDay: number;
}

interface SourceOfSeries {
  readonly id: number;
  readonly source_id: number;
  readonly iso3_country_code: string;
}

interface FirstImport {
  readonly source_id: number;
  readonly day: number;
}

/**
 * Keeps of what periods points are first stored, in the transaction that stores them. Of a source
 * that is new, only the newest period of each frequency is kept: when older ones were published is
 * not known. Estimates and forecasts are no releases.
 */
export async function recordReleases(transaction: Transaction, points: readonly NewPoint[]): Promise<void> {
  const today = dayOfInstant(transaction.now());
  const ends = endsBySeries(points);
  if (ends.size === 0) return;
  const series = await selectByIds<SourceOfSeries>(
    transaction,
    `SELECT s.id, s.source_id, m.iso3_country_code FROM ${seriesWith('market')} WHERE s.id IN ({ids}) AND ${IS_OBSERVED}`,
    [...ends.keys()],
  );
  const firstImports = await firstImportsOf(transaction, new Set(series.map(({ source_id: id }) => id)));
  const rows = new Map<string, (number | string)[]>();
  const newest = new Map<string, (number | string)[]>();
  for (const { id, source_id: sourceId, iso3_country_code: country } of series) {
    const firstDay = firstImports.get(sourceId);
    for (const [period, days] of ends.get(id)!) {
      const group = `${sourceId} ${country} ${period}`;
      for (const end of days) {
        const row = [sourceId, country, period, end, today];
        if (firstDay === undefined) {
          if (end > Number(newest.get(group)?.[3] ?? 0)) newest.set(group, row);
        } else if (end >= firstDay) rows.set(`${group} ${end}`, row);
      }
    }
  }
  const ignore = transaction.embedded ? 'OR IGNORE' : 'IGNORE';
  for (const batch of batchesOf([...rows.values(), ...newest.values()], BATCH)) {
    await transaction.execute(
      `INSERT ${ignore} INTO released_period (source_id, iso3_country_code, period, end_day, stored_day)` +
        ` VALUES ${rowPlaceholders(batch.length, 5)}`,
      batch.flat(),
    );
  }
}

/** The last days of the periods of points, by series and frequency. */
function endsBySeries(points: readonly NewPoint[]): Map<number, Map<Period, Set<number>>> {
  const bySeries = new Map<number, Map<Period, Set<number>>>();
  for (const { serieId, period, day, calculated } of points) {
    if (calculated) continue;
    let ofSeries = bySeries.get(serieId);
    if (ofSeries === undefined) bySeries.set(serieId, (ofSeries = new Map<Period, Set<number>>()));
    let ends = ofSeries.get(period);
    if (ends === undefined) ofSeries.set(period, (ends = new Set()));
    ends.add(periodEnd(period, day));
  }
  return bySeries;
}

/** The days of the first imports of sources that have been imported since this is kept. */
async function firstImportsOf(
  reads: Pick<Reads, 'rows'>,
  sourceIds: ReadonlySet<number>,
): Promise<Map<number, number>> {
  const rows = await selectByIds<FirstImport>(
    reads,
    'SELECT source_id, MIN(stored_day) AS day FROM released_period WHERE source_id IN ({ids}) GROUP BY source_id',
    [...sourceIds],
  );
  return new Map(rows.map(({ source_id: id, day }) => [id, day]));
}

interface ReleaseRow {
  readonly source_id: number;
  readonly iso3_country_code: string;
  readonly period: Period;
  readonly end_day: number;
  readonly stored_day: number;
}

/** A text for a group, to find it by. */
export const groupKey = ({ sourceId, country, period }: ReleaseGroup): string =>
  `${sourceId} ${country} ${period}`;

/**
 * The releases of each group of sources, oldest first: those of periods that ended after the first
 * import of their source, so that no history is taken for a release.
 */
export async function readReleases(
  reads: Pick<Reads, 'rows'>,
  sourceIds: ReadonlySet<number>,
): Promise<ReadonlyMap<string, readonly Release[]>> {
  const rows = await selectByIds<ReleaseRow>(
    reads,
    'SELECT source_id, iso3_country_code, period, end_day, stored_day FROM released_period' +
      ' WHERE source_id IN ({ids}) ORDER BY source_id, iso3_country_code, period, end_day',
    [...sourceIds],
  );
  const firstImports = new Map<number, number>();
  for (const { source_id: id, stored_day: day } of rows)
    firstImports.set(id, Math.min(day, firstImports.get(id) ?? Infinity));
  const releases = new Map<string, Release[]>();
  for (const { source_id, iso3_country_code: country, period, end_day, stored_day } of rows) {
    if (end_day <= firstImports.get(source_id)!) continue;
    const key = groupKey({ sourceId: source_id, country, period });
    let ofGroup = releases.get(key);
    if (ofGroup === undefined) releases.set(key, (ofGroup = []));
    ofGroup.push({ endDay: end_day, storedDay: stored_day });
  }
  return releases;
}
