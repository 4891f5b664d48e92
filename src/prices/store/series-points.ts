import type { Reads } from '../../database/reads.js';
import { selectByIds } from '../../database/select-by-ids.js';
import { placeholders } from '../../database/sql.js';
import { numbersOfPairs } from '../../database/sqlite/pair-list.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { DayRange } from '../../lib/dates/day-range.js';
import { MONTHLY, PERIODS, type Period } from '../../price-series/periodicity.js';
import { StoredPoints } from '../derive/derivation.js';
import type { PointKey } from './point-id.js';
import type { StoredPoint } from './point-merging.js';

/** Reads the points of series as a transaction sees them. */
type PointReads = Pick<Transaction, 'arrays' | 'embedded'>;

/** More than there are days; times the greatest id it is less than 2⁵³. */
const DAYS = 2 ** 22;

type PointRow = [
  serie_id: number,
  period: Period,
  day: number,
  value: number,
  calculated: number | boolean,
  comment: string | null,
  provisional: number,
];

/** The days and values of points, by day. */
interface DatedValues {
  readonly days: number[];
  readonly values: number[];
}

/** All points of some series, by its id; none of those without any. */
export async function readStoredPoints(
  reads: PointReads,
  serieIds: ReadonlySet<number>,
): Promise<Map<number, StoredPoints>> {
  const stored = new Map<number, StoredPoints>();
  const rows = await reads.arrays<PointRow>(
    'SELECT serie_id, period, day, value, calculated, comment, provisional FROM observation' +
      ` WHERE serie_id IN (${placeholders(serieIds.size)}) ORDER BY serie_id, period, day`,
    [...serieIds],
  );
  for (const [serie_id, period, day, value, calculated, comment, provisional] of rows) {
    let points = stored.get(serie_id);
    if (points === undefined) stored.set(serie_id, (points = new StoredPoints()));
    points.add(period, day, value, Boolean(calculated), comment, provisional === 1);
  }
  return stored;
}

/** All points of one series, frequency by frequency: one may have thousands of points. */
export async function readSeriesPoints(reads: Pick<Reads, 'rows'>, serieId: number): Promise<StoredPoints> {
  const points = new StoredPoints();
  for (const period of PERIODS) {
    const rows = await reads.rows<
      Pick<StoredPoint, 'value' | 'comment'> & { day: number; calculated: number }
    >(
      'SELECT day, value, calculated, comment FROM observation WHERE serie_id = ? AND period = ? ORDER BY day',
      [serieId, period],
    );
    for (const { day, value, calculated, comment } of rows)
      points.add(period, day, value, Boolean(calculated), comment);
  }
  return points;
}

/** A stored point, since which revision it is so; null where there is none. */
export async function readStoredPoint(
  reads: Pick<Reads, 'rows'>,
  { serieId, period, day }: PointKey,
): Promise<(StoredPoint & { readonly since: number }) | null> {
  const [row] = await reads.rows<Omit<StoredPoint, 'provisional'> & { since: number; provisional: number }>(
    'SELECT value, calculated, comment, provisional, since FROM observation WHERE serie_id = ? AND period = ? AND day = ?',
    [serieId, period, day],
  );
  if (row === undefined) return null;
  const { provisional, ...point } = row;
  return {
    ...point,
    calculated: Boolean(point.calculated),
    ...(provisional === 1 && { provisional: true }),
  };
}

/** How many points series have, by the id of the series; none of those without any. */
export async function countPoints(
  reads: Pick<Reads, 'rows'>,
  serieIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await selectByIds<{ id: number; points: number | string }>(
    reads,
    'SELECT serie_id AS id, COUNT(*) AS points FROM observation WHERE serie_id IN ({ids}) GROUP BY serie_id',
    serieIds,
  );
  return new Map(rows.map(({ id, points }) => [id, Number(points)]));
}

/**
 * The original monthly points of some series on the days of some ranges, by the id of the series;
 * none of those without any.
 * @param ranges none for all days
 */
export async function readMonthlyValues(
  reads: PointReads,
  serieIds: readonly number[],
  ranges: readonly DayRange[],
): Promise<Map<number, DatedValues>> {
  const within = ranges.map(() => 'day BETWEEN ? AND ?').join(' OR ');
  const stored =
    `FROM observation WHERE serie_id IN (${placeholders(serieIds.length)}) AND period = ${MONTHLY}` +
    ` AND calculated = 0${within === '' ? '' : ` AND (${within})`}`;
  const bound = [...serieIds, ...ranges.flat()];
  if (!reads.embedded) return readRows(reads, stored, bound);
  const rows = await reads.arrays<[id: number, pairs: Buffer]>(
    `SELECT serie_id, pair_list(day, value) ${stored} GROUP BY serie_id`,
    bound,
  );
  return new Map(rows.map(([id, pairs]) => [id, valuesOfPairs(numbersOfPairs(pairs))]));
}

/** @param pairs days and values in turn */
function valuesOfPairs(pairs: Float64Array): DatedValues {
  const days: number[] = [];
  const values: number[] = [];
  for (let at = 0; at < pairs.length; at += 2) {
    days.push(pairs[at]!);
    values.push(pairs[at + 1]!);
  }
  return { days, values };
}

async function readRows(
  reads: PointReads,
  stored: string,
  bound: readonly number[],
): Promise<Map<number, DatedValues>> {
  const points = new Map<number, DatedValues>();
  // Series and day in one number, which is exact: two values of each row to convert, not three.
  const rows = await reads.arrays<[key: number, value: number]>(
    `SELECT serie_id * ${DAYS} + day, value ${stored} ORDER BY serie_id, day`,
    bound,
  );
  let at = 0;
  while (at < rows.length) {
    const id = Math.floor(rows[at]![0] / DAYS);
    const end = (id + 1) * DAYS;
    const days: number[] = [];
    const values: number[] = [];
    for (; at < rows.length && rows[at]![0] < end; at++) {
      const [key, value] = rows[at]!;
      days.push(key - id * DAYS);
      values.push(value);
    }
    points.set(id, { days, values });
  }
  return points;
}
