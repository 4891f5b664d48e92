import { dayOf, firstDayOfMonth, LAST_DAY, lastDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';

/** Calendars that dates of files can be in. */
export const CALENDARS = ['gregorian', 'ethiopic', 'persian', 'buddhist'] as const;

/** A calendar, by the name that `Intl` has for it. */
export type Calendar = (typeof CALENDARS)[number];

/** Years of the Gregorian calendar less those of another one, at least. */
const YEARS_BEHIND: Readonly<Record<Exclude<Calendar, 'gregorian'>, number>> = {
  ethiopic: 7,
  persian: 621,
  buddhist: -543,
};

/** Most months of a year: the 13th of the Ethiopian calendar has 5 or 6 days. */
const MONTHS: Readonly<Record<Calendar, number>> = { gregorian: 12, ethiopic: 13, persian: 12, buddhist: 12 };

/** The most days that a month of any of these calendars has. */
const LONGEST_MONTH = 31;

const MS_PER_DAY = 86_400_000;
const EPOCH_DAY = dayOf(1970, 1, 1);

/** A date of a calendar; the month counts from 1. */
interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const formatters = new Map<Calendar, Intl.DateTimeFormat>();

/** A day as a calendar names it: `Intl` knows its rules. */
function dateIn(calendar: Calendar, day: number): CalendarDate {
  let formatter = formatters.get(calendar);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat(`en-u-nu-latn-ca-${calendar}`, {
      timeZone: 'UTC',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    });
    formatters.set(calendar, formatter);
  }
  const parts = formatter.formatToParts((day - EPOCH_DAY) * MS_PER_DAY);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((one) => one.type === type)?.value ?? NaN);
  return { year: part('year'), month: part('month'), day: part('day') };
}

/** First days of months that were computed, by calendar, year and month: files repeat them. */
const firstDays = new Map<string, number | null>();
const MAX_CACHED = 20_000;

/** The day on which a month of another calendar begins; null for one that does not exist. */
function firstDayIn(calendar: Exclude<Calendar, 'gregorian'>, year: number, month: number): number | null {
  const key = `${calendar} ${year} ${month}`;
  const known = firstDays.get(key);
  if (known !== undefined) return known;
  const found = searchFirstDay(calendar, year, month);
  if (firstDays.size >= MAX_CACHED) firstDays.clear();
  firstDays.set(key, found);
  return found;
}

/** Bisects the days for the first one that is in the month or later. */
function searchFirstDay(
  calendar: Exclude<Calendar, 'gregorian'>,
  year: number,
  month: number,
): number | null {
  const near = year + YEARS_BEHIND[calendar];
  if (near < 1000 || near > 9990 || month < 1 || month > MONTHS[calendar]) return null;
  let before = dayOf(near - 1, 1, 1);
  let after = Math.min(dayOf(near + 3, 1, 1), LAST_DAY);
  while (after - before > 1) {
    const middle = (before + after) >> 1;
    const date = dateIn(calendar, middle);
    const isBefore = date.year < year || (date.year === year && date.month < month);
    if (isBefore) before = middle;
    else after = middle;
  }
  const found = dateIn(calendar, after);
  return found.year === year && found.month === month && found.day === 1 ? after : null;
}

/** The day number of a date in a calendar; null for one that does not exist. */
export function dayInCalendar(calendar: Calendar, year: number, month: number, day: number): number | null {
  if (!(day >= 1 && day <= LONGEST_MONTH)) return null;
  if (calendar === 'gregorian') {
    if (!(year >= 1000 && year <= 9999 && month >= 1 && month <= 12)) return null;
    const first = dayOf(year, month, 1);
    return day > lastDayOfMonth(monthOf(first)) - first + 1 ? null : first + day - 1;
  }
  const first = firstDayIn(calendar, year, month);
  if (first === null) return null;
  const found = first + day - 1;
  return dateIn(calendar, found).month === month ? found : null;
}

/** A day in the middle of a month, by which it is the month of another calendar. */
const MIDDLE = 15;

/**
 * The first day of the Gregorian month that a month of a calendar stands for: the one that holds
 * its 15th, or its first day where it has no 15th.
 * @returns null for a month that does not exist
 */
export function monthInCalendar(calendar: Calendar, year: number, month: number): number | null {
  const middle = dayInCalendar(calendar, year, month, MIDDLE) ?? dayInCalendar(calendar, year, month, 1);
  return middle === null ? null : firstDayOfMonth(monthOf(middle));
}
