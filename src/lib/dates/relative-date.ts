import { addMonths, dayFromIso, isoFromDay } from './calendar-date.js';

const RELATIVE = /^([0-9]{1,6}) (day|week|month|year)s? ago$/i;

/** The UTC date of an instant, in milliseconds since 1970. */
export function utcDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** Hours by which the first places on Earth are ahead of UTC: Kiribati's Line Islands. */
const HOURS_AHEAD = 14;

/** The latest date that has begun anywhere at an instant, in milliseconds since 1970. */
export const latestDate = (instant: number): string => utcDate(instant + HOURS_AHEAD * 3_600_000);

/**
 * Resolves `N day(s)|week(s)|month(s)|year(s) ago`, counted back from the UTC date of `now`
 * (milliseconds since 1970). Months and years are calendar ones; a day that the month does not have
 * becomes its last day.
 * @returns null for any other text, and for a date before the year 1000
 */
export function relativeDate(text: string, now: number): string | null {
  const match = RELATIVE.exec(text);
  const today = dayFromIso(utcDate(now));
  if (match === null || today === null) return null;
  const count = Number(match[1]);
  const unit = match[2]?.toLowerCase();
  const earliest = dayFromIso('1000-01-01') as number;
  // Rejected early: addMonths would leave the range of day numbers.
  if (count * { day: 1, week: 7, month: 28, year: 365 }[unit as 'day'] > today - earliest) return null;
  const day =
    unit === 'day' || unit === 'week'
      ? today - count * (unit === 'week' ? 7 : 1)
      : addMonths(today, -count * (unit === 'year' ? 12 : 1));
  return day < earliest ? null : isoFromDay(day);
}
