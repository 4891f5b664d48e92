/*
 * Dates as day numbers: days since 0000-12-31, so that 0001-01-01 is 1 (proleptic Gregorian
 * calendar). Integer arithmetic only: `Date` is slow, depends on time zones, and reads 30 February
 * as 2 March.
 *
 * A month number is year × 12 + month − 1, so consecutive months differ by 1.
 */

/** The day number of 9999-12-31, the last date that can be written as `YYYY-MM-DD`. */
export const LAST_DAY = 3_652_059;

/** The earliest year that `dayFromIso` accepts. */
const FIRST_YEAR = 1000;

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeapYear = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const daysInMonth = (year: number, month: number) =>
  month === 2 && isLeapYear(year) ? 29 : DAYS_IN_MONTH[month - 1]!;

/** The day number of an existing date; month and day count from 1. Nothing is checked. */
export function dayOf(year: number, month: number, dayOfMonth: number): number {
  const before = year - 1;
  const leapDays = ((before / 4) | 0) - ((before / 100) | 0) + ((before / 400) | 0);
  const afterFebruary = month > 2 && isLeapYear(year) ? 1 : 0;
  return before * 365 + leapDays + DAYS_BEFORE_MONTH[month - 1]! + afterFebruary + dayOfMonth;
}

/**
 * Parses a date written exactly `YYYY-MM-DD`, of the years 1000 to 9999, to its day number.
 * @returns null for any other text, and for a date that does not exist
 */
export function dayFromIso(text: string): number | null {
  if (text.length !== 10 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return null;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const dayOfMonth = digits(text, 8, 10);
  // A character that is not a digit yields NaN, for which every comparison is false.
  if (!(year >= FIRST_YEAR && month >= 1 && month <= 12)) return null;
  if (!(dayOfMonth >= 1 && dayOfMonth <= daysInMonth(year, month))) return null;
  return dayOf(year, month, dayOfMonth);
}

/** Parses the digits from `start` up to, not including, `end`; NaN if one is not 0 to 9. */
function digits(text: string, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return NaN;
    number = number * 10 + digit;
  }
  return number;
}

/** The texts of 1900 to 2099, filled on first use: nearly all data are of these years. */
const CACHED_FROM = dayOf(1900, 1, 1);
const CACHED_TO = dayOf(2099, 12, 31);
const cachedTexts = new Array<string>(CACHED_TO - CACHED_FROM + 1).fill('');

/** The date of a day number (1 to `LAST_DAY`) as `YYYY-MM-DD`. */
export function isoFromDay(day: number): string {
  if (day < CACHED_FROM || day > CACHED_TO) return textOf(day);
  const cached = cachedTexts[day - CACHED_FROM]!;
  return cached === '' ? (cachedTexts[day - CACHED_FROM] = textOf(day)) : cached;
}

function textOf(day: number): string {
  const month = monthOf(day);
  const year = String((month / 12) | 0).padStart(4, '0');
  const monthOfYear = String((month % 12) + 1).padStart(2, '0');
  const dayOfMonth = String(day - firstDayOfMonth(month) + 1).padStart(2, '0');
  return `${year}-${monthOfYear}-${dayOfMonth}`;
}

/** The month number of the month that holds a day. */
export function monthOf(day: number): number {
  // Counted in years that begin in March, so that a leap day is the last day of its year, and in
  // eras of 400 years (146,097 days). 0000-03-01 is 306 days before 0001-01-01.
  const days = day + 305;
  const era = (days / 146_097) | 0;
  const ofEra = days - era * 146_097;
  const yearOfEra =
    ((ofEra - ((ofEra / 1460) | 0) + ((ofEra / 36_524) | 0) - ((ofEra / 146_096) | 0)) / 365) | 0;
  const ofYear = ofEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0));
  const monthsSinceMarch = ((5 * ofYear + 2) / 153) | 0;
  return (era * 400 + yearOfEra) * 12 + monthsSinceMarch + 2;
}

/** A month number as `YYYY-MM`. */
export const isoFromMonth = (month: number): string => isoFromDay(firstDayOfMonth(month)).slice(0, 7);

/** The first day of a month, by its month number. */
export function firstDayOfMonth(month: number): number {
  return dayOf((month / 12) | 0, (month % 12) + 1, 1);
}

/** The last day of a month, by its month number. */
export function lastDayOfMonth(month: number): number {
  return firstDayOfMonth(month + 1) - 1;
}

/** Adds months, which may be negative. A day that the month does not have becomes its last. */
export function addMonths(day: number, months: number): number {
  const month = monthOf(day);
  const moved = firstDayOfMonth(month + months) + (day - firstDayOfMonth(month));
  return Math.min(moved, lastDayOfMonth(month + months));
}

/** The day of the week: 1 Monday to 7 Sunday, as in ISO 8601. */
export function weekday(day: number): number {
  return ((day - 1) % 7) + 1;
}
