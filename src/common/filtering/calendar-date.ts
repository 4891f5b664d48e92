const DATE = /^([1-9][0-9]{3})-([0-9]{2})-([0-9]{2})$/;
const RELATIVE = /^([0-9]{1,6}) (day|week|month|year)s? ago$/i;

/** True for `YYYY-MM-DD` that names a day of the calendar, years 1000 to 9999. `Date` alone would take 30 February. */
export function isCalendarDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const month = Number(match[2]);
  const day = Number(match[3]);
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(Number(match[1]), month);
}

/** @param month 1 to 12 */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

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
  if (match === null) return null;
  const count = Number(match[1]);
  const today = new Date(now);
  const year = today.getUTCFullYear();
  const month = today.getUTCMonth();
  const day = today.getUTCDate();
  let then: Date;
  switch (match[2]?.toLowerCase()) {
    case 'day':
      then = new Date(Date.UTC(year, month, day - count));
      break;
    case 'week':
      then = new Date(Date.UTC(year, month, day - 7 * count));
      break;
    case 'month':
      then = clamped(year, month - count, day);
      break;
    default:
      then = clamped(year - count, month, day);
  }
  const date = then.getUTCFullYear() >= 1000 ? then.toISOString().slice(0, 10) : '';
  return isCalendarDate(date) ? date : null;
}

/** @param month from 0, may be negative */
function clamped(year: number, month: number, day: number): Date {
  const first = new Date(Date.UTC(2000, month, 1));
  const inYear = year + first.getUTCFullYear() - 2000;
  if (inYear < 1000) return new Date(NaN);
  return new Date(
    Date.UTC(inYear, first.getUTCMonth(), Math.min(day, daysInMonth(inYear, first.getUTCMonth() + 1))),
  );
}
