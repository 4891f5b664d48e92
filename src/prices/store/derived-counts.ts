import { dayOf } from '../../lib/dates/calendar-date.js';
import { DAILY, WEEKLY } from '../../price-series/periodicity.js';

/*
 * How many points can be derived of those that are stored, counted in the database.
 */

/** Days from the Saturday of a week to its Friday, which dates it. */
export const WEEK_DAYS = 6;

/** Days back to the middle of the week, which decides its month. */
const FRIDAY_TO_MIDDLE = 3;

/** The Friday of the week of a day, as `weekOf`. */
const FRIDAY = '(o.day + (12 - o.day % 7) % 7)';

/**
 * The days of which months are counted: every fourth year is a leap year there, so that a month
 * follows from a day by three divisions.
 */
export const COUNTED_MONTHS = { first: dayOf(1900, 3, 1), last: dayOf(2100, 2, 28) } as const;

/** A whole part of a division on every engine: SQLite divides integers so, MariaDB does not. */
const quotient = (value: string, divisor: number) => `(${value} - (${value}) % ${divisor}) / ${divisor}`;

/** Originals of a frequency that others are derived of. Values: ids, then first and last day. */
const finerPoints = (columns: string, ids: string, periods: string) =>
  `SELECT ${columns} FROM observation o WHERE o.serie_id IN (${ids}) AND o.period IN (${periods})` +
  ' AND o.calculated = 0 AND o.day BETWEEN ? AND ?';

/** The weeks of daily points. Values: ids, first and last day. @param most that are counted */
export const selectWeekCount = (ids: string, most: number) =>
  `SELECT COUNT(*) FROM (${finerPoints(`DISTINCT o.serie_id, ${FRIDAY}`, ids, String(DAILY))} LIMIT ${most}) counted`;

/**
 * The months of daily and weekly points. Values: ids, first and last day of the points, and of what
 * decides their months: of a weekly one the middle of its week.
 */
export const selectMonthCount = (ids: string, most: number) => {
  const day = `CASE o.period WHEN ${WEEKLY} THEN ${FRIDAY} - ${FRIDAY_TO_MIDDLE} ELSE o.day END`;
  const days = finerPoints(`o.serie_id AS serie, ${day} AS d`, ids, `${DAILY}, ${WEEKLY}`);
  const since = `SELECT serie, d - ${COUNTED_MONTHS.first} AS z FROM (${days}) days WHERE d BETWEEN ? AND ?`;
  const years = `SELECT serie, z, ${quotient('4 * z + 3', 1461)} AS y FROM (${since}) since`;
  const inYears = `SELECT serie, y, z - ${quotient('1461 * y', 4)} AS d FROM (${years}) years`;
  const months = `SELECT DISTINCT serie, y, ${quotient('5 * d + 2', 153)} AS m FROM (${inYears}) in_years LIMIT ${most}`;
  return `SELECT COUNT(*) FROM (${months}) counted`;
};
