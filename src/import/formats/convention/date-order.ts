import { dayFromIso, dayOf, isoFromDay } from '../../../lib/dates/calendar-date.js';

/** The order of year, month and day in the dates of a file, as the option names it. */
export type DateOrder = 'ymd' | 'dmy' | 'mdy';

export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const satisfies readonly DateOrder[];

const DATE = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})$/;
/** With the month in English, as in `15-Jan-24`, `15 January 2024`, `Jan 15, 2024`. */
const NAMED =
  /^(?:(?<first>\d{1,4})[-/ .])?(?<name>[a-z]{3,9})\.?[-/ ](?:(?<day>\d{1,2}),? )?(?<last>\d{1,4})$/i;
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
/** A time of midnight, as spreadsheets and databases append it. */
const MIDNIGHT = /[ T](?:0?0:00(?::00(?:\.0+)?)?Z?|12:00(?::00)? AM)$/i;
/** Days since 1899-12-31 or 1904-01-01, of the years 1950 to 2200. */
const SERIAL = /^(?:1[89]|[2-9]\d|10\d)\d{3}(?:\.0+)?$/;
const FIRST_YEAR = 1950;

/** A date without a time of midnight. */
const withoutTime = (text: string) => text.trim().replace(MIDNIGHT, '');

/** Whether a text may be a day of a spreadsheet, which counts them from 1900 or from 1904. */
export const isSerialDay = (text: string): boolean => SERIAL.test(text.trim());

/** Whether a date has its year first and is written as ISO 8601 writes it. */
export const isIsoDate = (text: string): boolean =>
  text.length === 10 && text.charCodeAt(4) === 45 && dayFromIso(text) !== null;

/**
 * The readings of a date, as `YYYY-MM-DD`, by the orders in which it is one; empty for other texts.
 * A year of two digits is one of 1950 to the coming year, and comes first with both others in two
 * digits only.
 */
export function dateReadings(text: string): ReadonlyMap<DateOrder, string> {
  const readings = new Map<DateOrder, string>();
  const written = withoutTime(text);
  const parts = DATE.exec(written);
  if (parts === null) return namedReading(written);
  const [, first = '', , second = '', third = ''] = parts;
  const add = (order: DateOrder, year: string, month: string, day: string) => {
    const iso = isoOf(year, month, day);
    if (iso !== null) readings.set(order, iso);
  };
  if (first.length === 4) {
    add('ymd', first, second, third);
    return readings;
  }
  if (first.length > 2 || third.length === 3) return readings;
  add('dmy', third, second, first);
  add('mdy', third, first, second);
  if (first.length === 2 && second.length === 2 && third.length === 2) add('ymd', first, second, third);
  return readings;
}

/** The one reading of a date whose month has its English name. */
function namedReading(text: string): ReadonlyMap<DateOrder, string> {
  const { first, name, day, last } = NAMED.exec(text)?.groups ?? {};
  if (name === undefined || last === undefined || (first === undefined) === (day === undefined))
    return new Map();
  const month = String(1 + MONTHS.findIndex((each) => each.startsWith(name.toLowerCase())));
  const [order, iso]: [DateOrder, string | null] =
    day !== undefined
      ? ['mdy', isoOf(last, month, day)]
      : first!.length === 4
        ? ['ymd', isoOf(first!, month, last)]
        : ['dmy', isoOf(last, month, first!)];
  return new Map(iso === null ? [] : [[order, iso]]);
}

function isoOf(yearText: string, monthText: string, dayText: string): string | null {
  if (monthText.length > 2 || dayText.length > 2) return null;
  const year = yearText.length === 4 ? Number(yearText) : fullYear(yearText);
  const [month, day] = [Number(monthText), Number(dayText)];
  if (year === null || month < 1 || month > 12 || day < 1 || day > 31) return null;
  const iso = isoFromDay(dayOf(year, month, 1)).slice(0, 8) + String(day).padStart(2, '0');
  return dayFromIso(iso) === null ? null : iso;
}

/** The year of two digits; null for other texts, and for years that are still to come. */
function fullYear(text: string): number | null {
  if (text.length !== 2) return null;
  const coming = new Date().getUTCFullYear() + 1;
  const year = Math.floor(coming / 100) * 100 + Number(text);
  if (year <= coming) return year;
  return year - 100 >= FIRST_YEAR ? year - 100 : null;
}
