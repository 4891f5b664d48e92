import type { Transaction } from '../../ledger/unit-of-work.js';
import type { SqlValue } from '../../database/database.js';
import type { JoinMember } from '../../price-series/joins/series-joins.js';
import { DAILY, StoredExtents, type Period } from '../../price-series/periodicity.js';

interface ExtentRow {
  period: Period;
  calculated: number;
  first: number;
  last: number;
  points: number;
}

/** The days of the points of one member that are shown. */
const MEMBER_POINTS =
  'SELECT period, day, calculated FROM observation WHERE serie_id = ? AND day BETWEEN ? AND ?';
const LAST_DAILY =
  `SELECT MAX(day) AS day FROM observation WHERE serie_id = ? AND period = ${DAILY} AND calculated = 0` +
  ' AND day BETWEEN ? AND ?';

/**
 * The extents of the points that joined series show together. Of two points of a frequency and day,
 * an original one is shown if there is one, whichever series is preferred.
 */
export async function joinedExtents(
  transaction: Transaction,
  members: readonly JoinMember[],
): Promise<StoredExtents> {
  const extents = new StoredExtents();
  const points = members.map(() => MEMBER_POINTS).join(' UNION ALL ');
  const shown = `SELECT period, day, MIN(calculated) AS calculated FROM (${points}) p GROUP BY period, day`;
  const rows = await transaction.rows<ExtentRow>(
    'SELECT period, calculated, MIN(day) AS first, MAX(day) AS last, COUNT(*) AS points' +
      ` FROM (${shown}) s GROUP BY period, calculated`,
    members.flatMap(({ serieId, firstDay, lastDay }): SqlValue[] => [serieId, firstDay, lastDay]),
  );
  for (const { period, calculated, first, last, points: count } of rows) {
    extents.set(period, Boolean(calculated), { first, last, points: Number(count) });
    if (period === DAILY && !calculated)
      extents.setLastOfEarlierWeek(await lastBefore(transaction, members, last));
  }
  return extents;
}

/** The last original daily point before the week of a day; 0 if there is none. */
async function lastBefore(
  transaction: Transaction,
  members: readonly JoinMember[],
  day: number,
): Promise<number> {
  // Weeks begin on Saturday, and day 6 was a Saturday.
  const before = day - ((day + 1) % 7) - 1;
  let latest = 0;
  for (const { serieId, firstDay, lastDay } of members) {
    const values = [serieId, firstDay, Math.min(lastDay, before)];
    const [row] = await transaction.rows<{ day: number | null }>(LAST_DAILY, values);
    latest = Math.max(latest, row?.day ?? 0);
  }
  return latest;
}
