import { addMonths, dayFromIso, isoFromDay } from '../dates/calendar-date.js';

const RELATIVE = /^([0-9]{1,6}) (day|week|month|year)s? ago$/i;

/** The UTC date of an instant, in milliseconds since 1970. */
export function utcDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/**
 * `N day(s)|week(s)|month(s)|year(s) ago`, counted back from the UTC date of `now` (milliseconds since 1970). Months and
 * years are calendar ones; where the month has no such day, its last day is meant.
 * @returns null when the text is not of this form, or reaches back before the year 1000
 */
export function relativeDate(text: string, now: number): string | null {
  const match = RELATIVE.exec(text);
  const today = dayFromIso(utcDate(now));
  if (match === null || today === null) return null;
  const count = Number(match[1]);
  const unit = match[2]?.toLowerCase();
  const earliest = dayFromIso('1000-01-01') as number;
  // Longer ago than this no calendar arithmetic is needed, and none would stay among the days there are.
  if (count * { day: 1, week: 7, month: 28, year: 365 }[unit as 'day'] > today - earliest) return null;
  const then =
    unit === 'day' || unit === 'week'
      ? today - count * (unit === 'week' ? 7 : 1)
      : addMonths(today, -count * (unit === 'year' ? 12 : 1));
  return then < earliest ? null : isoFromDay(then);
}
