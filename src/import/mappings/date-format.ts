import { dayFromIso, firstDayOfMonth, monthOf, weekday, dayOf } from '../../lib/dates/calendar-date.js';
import { dayOfSerial } from '../../lib/dates/spreadsheet-day.js';
import { type Calendar, dayInCalendar, monthInCalendar } from './calendars.js';
import { foldMonth, monthNames } from './month-names.js';
import { withPlainDigits } from './plain-digits.js';

/*
 * Dates in the signs of strptime. Each sign takes what it can from the left, and nothing is tried
 * twice: a format takes as long as its text.
 */

/** What a text says: a day, or the first day of a month without saying which day. */
export interface ReadDate {
  readonly day: number;
  readonly isMonth: boolean;
  /** The first day of the month of its calendar, which another one than that of the day may be. */
  readonly month: number;
}

/** The format of the numbers that workbooks have for days. */
const EXCEL = 'excel';

/** Signs of strptime: parts of dates, then of times and names of days, which are read over. */
const SIGNS = [...'YymbBdejGVu', ...'HIMSfpzZaA', '%'];
const SHOWN_SIGNS = SIGNS.map((sign) => `%${sign}`).join(' ');

/** What begins a format of ranges of days, of which the last one is read: `*-` in `*-%d %b %Y`. */
const LAST_OF_RANGE = /^\*([^%]+)/;

/** What is wrong with a format of dates, as the rest of a sentence; null for nothing. */
export function dateFormatProblem(format: string, calendar: Calendar): string | null {
  if (format === EXCEL) return calendar === 'gregorian' ? null : 'must not be excel in another calendar.';
  if (format.startsWith('*') && !LAST_OF_RANGE.test(format)) return 'must have text between * and a sign.';
  const signs = [...format.matchAll(/%(.?)/gs)].map(([, sign]) => sign!);
  const unknown = signs.find((sign) => !SIGNS.includes(sign));
  if (unknown !== undefined) return `must not have %${unknown}; it can have ${SHOWN_SIGNS}.`;
  const repeated = signs.find((sign, index) => sign !== '%' && signs.indexOf(sign) !== index);
  if (repeated !== undefined) return `must not have %${repeated} twice.`;
  const has = (...some: string[]) => some.some((sign) => signs.includes(sign));
  const isOther = calendar !== 'gregorian';
  if (isOther && has('y', 'j', 'G', 'V')) return 'must have %Y and a month in another calendar.';
  const isWeek = has('G') && has('V');
  const isDate = has('Y', 'y') && (has('j') || has('m', 'b', 'B'));
  return isWeek !== isDate ? null : 'must have a year and a month, such as %Y-%m, or a week, %G-W%V.';
}

/** How the dates of a field are written. */
interface DateOptions {
  readonly format?: string | undefined;
  readonly language?: string | undefined;
  readonly calendar?: Calendar | undefined;
}

/** Reads the texts of a field; null for one that is not written so, or is no date. */
type DateParser = (text: string) => ReadDate | null;

/** Texts of a field that are remembered: dates repeat. */
const MAX_REMEMBERED = 10_000;

/** The parser of a format. Dates in ISO 8601 are read whatever the format is. */
export function dateParser({ format, language = 'en', calendar = 'gregorian' }: DateOptions): DateParser {
  const parse =
    format === undefined ? () => null : format === EXCEL ? parseSerial : strptime(format, language, calendar);
  const isGregorian = calendar === 'gregorian';
  const remembered = new Map<string, ReadDate | null>();
  return (text) => {
    let read = remembered.get(text);
    if (read === undefined) {
      read = parse(text) ?? (isGregorian ? parseIso(text) : null);
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(text, read);
    }
    return read;
  };
}

const ofDay = (day: number | null): ReadDate | null =>
  day === null ? null : { day, isMonth: false, month: monthStart(day) };

const ofMonth = (day: number | null): ReadDate | null =>
  day === null ? null : { day, isMonth: true, month: day };

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[ T]00:00(?::00(?:\.0+)?)?Z?)?$/;

/** A date or a month as ISO 8601 writes it. */
function parseIso(text: string): ReadDate | null {
  if (/^\d{4}-\d{2}$/.test(text)) return ofMonth(dayFromIso(`${text}-01`));
  const date = ISO.exec(text)?.[1];
  return date === undefined ? null : ofDay(dayFromIso(date));
}

/** The first of March 1900: before it, programs count differently. */
const FIRST_SERIAL = 61;

function parseSerial(text: string): ReadDate | null {
  if (!/^\d{1,7}(?:\.\d{1,12})?$/.test(text)) return null;
  const serial = Math.floor(Number(text));
  return serial < FIRST_SERIAL ? null : ofDay(dayOfSerial(serial));
}

/** What the signs of a format have taken from a text. */
type Parts = Partial<Record<'year' | 'month' | 'day' | 'ofYear' | 'isoYear' | 'week' | 'weekday', number>>;

/** Digits at most, and what they are. */
const NUMBERS: Readonly<Record<string, readonly [number, keyof Parts | null]>> = {
  Y: [4, 'year'],
  m: [2, 'month'],
  d: [2, 'day'],
  e: [2, 'day'],
  j: [3, 'ofYear'],
  G: [4, 'isoYear'],
  V: [2, 'week'],
  u: [1, 'weekday'],
  H: [2, null],
  I: [2, null],
  M: [2, null],
  S: [2, null],
  f: [9, null],
};

/** Years of two digits below it are of this century, as in POSIX. */
const PIVOT = 69;

const LETTERS = /[\p{L}\p{M}.'\u2019]*/uy;
const ZONE = /(?:[+-]\d{2}:?\d{2}|\p{L}*)/uy;
const DIGITS = Array.from({ length: 10 }, (_, length) => new RegExp(`\\d{1,${Math.max(1, length)}}`, 'y'));
const FOUR_DIGITS = /\d{4}/y;

function strptime(format: string, language: string, calendar: Calendar): DateParser {
  const [over, between] = LAST_OF_RANGE.exec(format) ?? [];
  if (between !== undefined) {
    const parse = strptime(format.slice(over!.length), language, calendar);
    return (given) => {
      const at = given.lastIndexOf(between);
      return at < 0 ? null : parse(given.slice(at + between.length));
    };
  }
  const tokens = format.match(/%.|\s+|[^%\s]+/gs) ?? [];
  const names = monthNames(language, calendar);
  // Longest first: `mar` begins `mars`.
  const months = [...names].sort(([one], [other]) => other.length - one.length);
  return (given) => {
    const text = withPlainDigits(given.trim());
    const parts: Parts = {};
    let at = 0;
    const take = (pattern: RegExp): string | null => {
      pattern.lastIndex = at;
      const found = pattern.exec(text)?.[0] ?? null;
      if (found !== null) at += found.length;
      return found;
    };
    for (const [index, token] of tokens.entries()) {
      const sign = token[0] === '%' ? token[1]! : null;
      if (sign === null && token.trim() === '') take(/\s*/y);
      else if (sign === null || sign === '%') {
        const literal = sign === null ? token : '%';
        if (text.slice(at, at + literal.length).toLowerCase() !== literal.toLowerCase()) return null;
        at += literal.length;
      } else if (sign === 'b' || sign === 'B') {
        const month = monthAt(text, at, months, tokens[index + 1]?.startsWith('.') === true);
        if (month === null) return null;
        parts.month = month.number;
        at = month.end;
      } else if (sign === 'y') {
        const year = take(/\d{2}/y);
        if (year === null) return null;
        parts.year = Number(year) + (Number(year) < PIVOT ? 2000 : 1900);
      } else if (sign in NUMBERS) {
        const [digits, part] = NUMBERS[sign]!;
        const number = take(digits === 4 ? FOUR_DIGITS : DIGITS[digits]!);
        if (number === null) return null;
        if (part !== null) parts[part] = Number(number);
      } else if (sign === 'z' || sign === 'Z') take(ZONE);
      else if (take(LETTERS) === '') return null;
    }
    return at === text.length ? dateOf(parts, calendar) : null;
  };
}

/**
 * The month whose name begins at an index of a text, dots ignored, with where it ends.
 * @param hasDot whether the format has a dot after it
 */
function monthAt(
  text: string,
  at: number,
  months: readonly (readonly [string, number])[],
  hasDot: boolean,
): { number: number; end: number } | null {
  LETTERS.lastIndex = at;
  const word = LETTERS.exec(text)![0];
  const folded = foldMonth(word);
  const whole = months.find(([name]) => name === folded);
  const dots = hasDot && word.endsWith('.') ? 1 : 0;
  if (whole !== undefined) return { number: whole[1], end: at + word.length - dots };
  // Names of several words, or with digits, as in Vietnamese and Japanese.
  const rest = text.slice(at, at + MAX_NAME).toLowerCase();
  const longer = months.find(([name]) => rest.startsWith(name) || foldMonth(rest).startsWith(name));
  return longer === undefined ? null : { number: longer[1], end: at + longer[0].length };
}

/** Longest name of a month. */
const MAX_NAME = 40;

function dateOf(parts: Parts, calendar: Calendar): ReadDate | null {
  const { year, month, day, ofYear, isoYear, week, weekday: dayOfWeek } = parts;
  if (isoYear !== undefined && week !== undefined) return ofDay(dayOfWeekNumber(isoYear, week, dayOfWeek));
  if (year === undefined) return null;
  if (ofYear !== undefined) {
    const first = dayInCalendar('gregorian', year, 1, 1);
    const last = dayInCalendar('gregorian', year, 12, 31);
    return first === null || ofYear < 1 || first + ofYear - 1 > last! ? null : ofDay(first + ofYear - 1);
  }
  if (month === undefined) return null;
  const ofWholeMonth = monthInCalendar(calendar, year, month);
  if (day === undefined) return ofMonth(ofWholeMonth);
  const found = dayInCalendar(calendar, year, month, day);
  return found === null ? null : { day: found, isMonth: false, month: ofWholeMonth! };
}

const FRIDAY = 5;

/** A day of an ISO week, by default the Friday, on which weeks are stored. */
function dayOfWeekNumber(year: number, week: number, dayOfWeek = FRIDAY): number | null {
  const january4 = dayInCalendar('gregorian', year, 1, 4);
  if (january4 === null || week < 1 || dayOfWeek < 1 || dayOfWeek > 7) return null;
  const monday = january4 - weekday(january4) + 1 + (week - 1) * 7;
  const nextJanuary4 = dayOf(year + 1, 1, 4);
  const isInYear = monday < nextJanuary4 - weekday(nextJanuary4) + 1;
  return isInYear ? monday + dayOfWeek - 1 : null;
}

function monthStart(day: number): number {
  return firstDayOfMonth(monthOf(day));
}
