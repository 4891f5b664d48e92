import type { Transaction } from '../../database/unit-of-work.js';
import { LAST_DAY, monthOf } from '../../lib/dates/calendar-date.js';
import { MONTHLY, type Period } from '../../price-series/periodicity.js';
import { StoredPoints } from '../../prices/derive/derivation.js';
import { readJoins } from '../../prices/joins/joined-extents.js';
import { joinedPoints } from '../../prices/joins/joined-points.js';
import type { MonthlyPoints } from '../rules/neighbours.js';

/** Series of one statement. */
const BATCH = 500;

/** More than there are days; times the greatest id it is less than 2⁵³. */
const DAYS = 2 ** 22;

type PointRow = [
  serie_id: number,
  period: Period,
  day: number,
  value: number,
  calculated: number | boolean,
  comment: string | null,
];

const NONE: MonthlyPoints = { days: [], months: [], values: [] };

/**
 * The original monthly points that series show, also those of series that were joined into them. A
 * series that was joined into another one is not listed, so it has none.
 * @param firstDay only points of this day and later
 * @param lastDay only points of this day and earlier
 */
export async function readMonthlyPoints(
  transaction: Transaction,
  serieIds: readonly number[],
  firstDay = 0,
  lastDay = LAST_DAY,
): Promise<Map<number, MonthlyPoints>> {
  const joins = await readJoins(transaction);
  const points = new Map<number, MonthlyPoints>();
  const alone: number[] = [];
  for (const id of serieIds) {
    const members = joins.membersOf(id);
    if (joins.isJoined(id)) points.set(id, NONE);
    else if (members === null) alone.push(id);
    else {
      const stored = await storedPoints(transaction, new Set(members.map(({ serieId }) => serieId)));
      points.set(id, within(joinedPoints(members, stored).original(MONTHLY), firstDay, lastDay));
    }
  }
  for (let from = 0; from < alone.length; from += BATCH) {
    await addMonthly(transaction, alone.slice(from, from + BATCH), firstDay, lastDay, points);
  }
  return points;
}

/** All points that series show, as `readMonthlyPoints`. */
export async function readPoints(
  transaction: Transaction,
  serieIds: readonly number[],
): Promise<Map<number, StoredPoints>> {
  const points = new Map<number, StoredPoints>();
  if (serieIds.length === 0) return points;
  const joins = await readJoins(transaction);
  for (const id of serieIds) {
    if (joins.isJoined(id)) continue;
    const members = joins.shownSeries(id);
    const stored = await storedPoints(transaction, new Set(members.map(({ serieId }) => serieId)));
    points.set(id, joinedPoints(members, stored));
  }
  return points;
}

function within(
  { days, values }: Pick<MonthlyPoints, 'days' | 'values'>,
  firstDay: number,
  lastDay: number,
): MonthlyPoints {
  const indexes = [...days.keys()].filter((index) => days[index]! >= firstDay && days[index]! <= lastDay);
  return {
    days: indexes.map((index) => days[index]!),
    months: indexes.map((index) => monthOf(days[index]!)),
    values: indexes.map((index) => values[index]!),
  };
}

async function addMonthly(
  transaction: Transaction,
  ids: readonly number[],
  firstDay: number,
  lastDay: number,
  points: Map<number, MonthlyPoints>,
): Promise<void> {
  // Series and day in one number, which is exact: two values of each row to convert, not three.
  const rows = await transaction.arrays<[place: number, value: number]>(
    `SELECT serie_id * ${DAYS} + day, value FROM observation WHERE serie_id IN (${ids.map(() => '?').join(',')})` +
      ` AND period = ${MONTHLY} AND day BETWEEN ? AND ? AND calculated = 0 ORDER BY serie_id, day`,
    [...ids, firstDay, lastDay],
  );
  for (const id of ids) points.set(id, NONE);
  let at = 0;
  while (at < rows.length) {
    const id = Math.floor(rows[at]![0] / DAYS);
    const end = (id + 1) * DAYS;
    const days: number[] = [];
    const months: number[] = [];
    const values: number[] = [];
    for (; at < rows.length && rows[at]![0] < end; at++) {
      const [place, value] = rows[at]!;
      const day = place - id * DAYS;
      days.push(day);
      months.push(monthOf(day));
      values.push(value);
    }
    points.set(id, { days, months, values });
  }
}

async function storedPoints(
  transaction: Transaction,
  ids: ReadonlySet<number>,
): Promise<Map<number, StoredPoints>> {
  const stored = new Map<number, StoredPoints>();
  const rows = await transaction.arrays<PointRow>(
    'SELECT serie_id, period, day, value, calculated, comment FROM observation' +
      ` WHERE serie_id IN (${[...ids].map(() => '?').join(',')}) ORDER BY serie_id, period, day`,
    [...ids],
  );
  for (const [serie_id, period, day, value, calculated, comment] of rows) {
    let points = stored.get(serie_id);
    if (points === undefined) stored.set(serie_id, (points = new StoredPoints()));
    points.add(period, day, value, Boolean(calculated), comment);
  }
  return stored;
}
