import { dayOf, isoFromDay } from '../../../lib/dates/calendar-date.js';

const WEEK = /^(?<year>(?:19|20)\d{2})-?W(?<week>\d{1,2})(?:-\d)?$/i;
const WEEK_FIRST = /^W(?<week>\d{1,2})[-/ ]?(?<year>(?:19|20)\d{2})$/i;
const QUARTER = /^(?:\d{4}[-/ ]?[QT][1-4]|[QT][1-4][-/ ]?\d{4})$/i;
const YEAR = /^(?:1[89]|20)\d{2}(?:\.0+)?$/;
/** A thirteenth month of five or six days. */
const MONTH_13 = /^\d{4}([-/.])13\1(?:0?[1-6])$/;
/** A month of 32 days. */
const DAY_32 = /^(?:\d{4}([-/.])\d{1,2}\1|)32(?:([-/.])\d{1,2}\2\d{4})?$/;

/** Weeks of a year at most. */
const MAX_WEEK = 53;

/** What a text is that is no date, as the end of a sentence; null where it is nothing known. */
export function explainDate(text: string): string | null {
  const written = text.trim();
  const { year, week } = (WEEK.exec(written) ?? WEEK_FIRST.exec(written))?.groups ?? {};
  if (year !== undefined && Number(week) >= 1 && Number(week) <= MAX_WEEK)
    return `a week, of which the Friday is ${isoFromDay(fridayOf(Number(year), Number(week)))}`;
  if (QUARTER.test(written)) return 'a quarter, of which no values are stored';
  if (YEAR.test(written)) return 'a year, of which no values are stored';
  if (MONTH_13.test(written)) return 'of a thirteenth month, as the Ethiopian calendar has it';
  if (written.length > 2 && DAY_32.test(written))
    return 'of a month with 32 days, as the calendar of Nepal has them';
  return null;
}

/** The day number of the Friday of a week of ISO 8601: the first one has 4 January. */
function fridayOf(year: number, week: number): number {
  const fourth = dayOf(year, 1, 4);
  // Day number 1 is a Monday.
  const monday = fourth - ((fourth - 1) % 7);
  return monday + 7 * (week - 1) + 4;
}
