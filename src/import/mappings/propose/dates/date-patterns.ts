import { dayFromIso } from '../../../../lib/dates/calendar-date.js';
import { foldMonth, monthNames } from '../../month-names.js';
import { isLongPeriod } from '../../long-periods.js';
import { withPlainDigits } from '../../plain-digits.js';

/*
 * The patterns in which dates may be written, in strptime's signs. A pattern is found by its
 * readings: of each text all that are possible are made, and a column has those that read all of
 * its texts.
 */

/** A date or a month as a pattern reads it, as `YYYY-MM-DD` or `YYYY-MM`; of weeks `YYYY-Www`. */
type Reading = string;

/** Languages of names of months, those of most files first. */
const LANGUAGES = [
  'en',
  'fr',
  'es',
  'pt',
  'ar',
  'ru',
  'ar-SY',
  'ar-DZ',
  'ar-MA',
  'sw',
  'id',
  'tr',
  'uk',
  'de',
];

/** Words of weeks. */
const WEEK_WORDS = new Set([
  'w',
  'wk',
  'week',
  's',
  'sem',
  'semaine',
  'semana',
  'se',
  'minggu',
  'hafta',
  'tuần',
  'неделя',
  'нед',
  'الاسبوع',
]);

/** The month of a name, by the languages that have it. */
export function monthsOfName(name: string): ReadonlyMap<string, number> {
  const key = foldMonth(name);
  const found = new Map<string, number>();
  for (const language of LANGUAGES) {
    const month = monthNames(language, 'gregorian').get(key);
    if (month !== undefined) found.set(language, month);
  }
  return found;
}

let long: ReadonlySet<string> | null = null;

/** Whether a name of a month is no abbreviation. */
function isLongName(name: string): boolean {
  long ??= new Set(
    LANGUAGES.flatMap((language) => {
      const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory`, { month: 'long', timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, month) => foldMonth(format.format(Date.UTC(2024, month, 1))));
    }),
  );
  return long.has(foldMonth(name));
}

/** One way to read a text. */
interface PatternReading {
  readonly pattern: string;
  readonly reading: Reading;
  /** Those of the name of the month; null without one. */
  readonly languages: readonly string[] | null;
}

const TOKENS = /\d+|[\p{L}\p{M}]+|[^\d\p{L}\p{M}]+/gu;
const MIDNIGHT = /[ T]0?0:00(?::00(?:\.0+)?)?Z?$/;
const FIRST_YEAR = 1950;
const LAST_YEAR = new Date().getUTCFullYear() + 1;
/** Years of the Buddhist and the Persian calendar that are possible here. */
const OTHER_YEARS: Readonly<Record<string, readonly [number, number]>> = {
  buddhist: [FIRST_YEAR + 543, LAST_YEAR + 543],
  persian: [FIRST_YEAR - 621, LAST_YEAR - 621],
};

/** Whether a number is a year of prices. */
export const isYear = (text: string): boolean =>
  /^\d{4}$/.test(text) && Number(text) >= FIRST_YEAR && Number(text) <= LAST_YEAR;

/** Whether a number is a year that is written as other numbers are: `2,017`. */
export const isGroupedYear = (text: string): boolean =>
  /^\d[., ]\d{3}$/.test(text) && isYear(text.replace(/\D/, ''));

/** The calendar of which a number can only be a year; null for others. */
export function calendarOfYear(text: string): string | null {
  if (!/^\d{4}$/.test(text) || isYear(text)) return null;
  const year = Number(text);
  return (
    Object.keys(OTHER_YEARS).find((name) => year >= OTHER_YEARS[name]![0] && year <= OTHER_YEARS[name]![1]) ??
    null
  );
}

/**
 * All ways to read a text as a date, a month or a week, or a range of days as its last one; none
 * for other texts.
 */
export function patternReadings(written: string): PatternReading[] {
  const text = withPlainDigits(written.trim());
  const readings = readingsOfOne(text);
  return readings.length > 0 || text.length > MAX_RANGE ? readings : readingsOfRange(text);
}

/** Longest text of a range. */
const MAX_RANGE = 60;

/** What stands between two days. */
const BETWEEN = /\s*[-–—]\s*|\s(?:to|au|al|a|até|do|до|إلى)\s/gu;
/** The first of two days, of which the last one may have the month and the year. */
const FIRST_DAY = /^\D{0,20}\d{1,2}(?:[\s./-]*[\p{L}\p{M}.]{3,}|[./]\d{1,2}\.?)?$/u;
/** What stands before the first one: `from`. */
const FROM = /^(?:from|de|du|del|dal|von|od|с|من)\s+/iu;
/** Days of a range, at most. */
const MAX_DAYS = 31;

/** Reads `1-7 Jan 2024` and `24-11-2025 - 28-11-2025` as their last days. */
function readingsOfRange(text: string): PatternReading[] {
  for (const { 0: between, index } of text.matchAll(BETWEEN)) {
    const rest = text.slice(index + between.length);
    const last = readingsOfOne(rest).filter(({ reading }) => /^\d{4}-\d\d-\d\d$/.test(reading));
    const begin = text.slice(0, index);
    const first = readingsOfOne(begin.replace(FROM, ''));
    const isFirst = ({ pattern, reading }: PatternReading) =>
      FIRST_DAY.test(begin) || first.some((one) => one.pattern === pattern && isBefore(one.reading, reading));
    const found = last.filter(isFirst);
    // Blanks around the sign do not count, where the date behind it has none.
    const sign = rest.includes(between.trim()) ? between : between.trim() || between;
    if (found.length > 0) return found.map((one) => ({ ...one, pattern: `*${sign}${one.pattern}` }));
  }
  return [];
}

function isBefore(first: Reading, last: Reading): boolean {
  const days = (dayFromIso(last) ?? NaN) - (dayFromIso(first) ?? NaN);
  return days > 0 && days <= MAX_DAYS;
}

function readingsOfOne(text: string): PatternReading[] {
  if (text.length > 40 || !/\d/.test(text)) return [];
  const midnight = MIDNIGHT.exec(text)?.[0] ?? '';
  const tokens = joinedNames(text.slice(0, text.length - midnight.length).match(TOKENS) ?? []);
  if (tokens.length > 9) return [];
  const digits = tokens.flatMap((token, index) => (/^\d/.test(token) ? [index] : []));
  const names = tokens.flatMap((token, index) => (/^[\p{L}\p{M}]/u.test(token) ? [index] : []));
  const months = names.flatMap((index) => {
    const found = monthsOfName(tokens[index]!);
    return found.size === 0 ? [] : [{ index, found }];
  });
  const readings: PatternReading[] = [];
  const add = (
    signs: ReadonlyMap<number, string>,
    reading: Reading | null,
    languages: readonly string[] | null,
  ) => {
    if (reading === null) return;
    const pattern = tokens.map((token, index) => signs.get(index) ?? token).join('') + midnight;
    if (!readings.some((one) => one.pattern === pattern)) readings.push({ pattern, reading, languages });
  };
  const parts = digits.map((index) => tokens[index]!);
  if (months.length === 1) {
    const [{ index, found }] = months as [(typeof months)[number]];
    // `W4 Mar 2025` is a week of the month and no day.
    if (isWeek(tokens, digits[0]!)) return [];
    for (const month of new Set(found.values())) {
      const languages = [...found].flatMap(([language, each]) => (each === month ? [language] : []));
      const sign = isLongName(tokens[index]!) ? '%B' : '%b';
      // Of two digits, nobody writes the year before the name of the month: `15-Jan` is a day.
      if (parts.length === 1 && (parts[0]!.length === 4 || digits[0]! > index))
        add(
          new Map([
            [index, sign],
            [digits[0]!, yearSign(parts[0]!)],
          ]),
          monthOf(parts[0]!, month),
          languages,
        );
      if (parts.length === 2)
        for (const [day, year] of [
          [0, 1],
          [1, 0],
        ] as const) {
          if (year === 0 && parts[0]!.length === 2) continue;
          add(
            new Map([
              [index, sign],
              [digits[day]!, '%d'],
              [digits[year]!, yearSign(parts[year]!)],
            ]),
            dayOf(parts[year]!, month, parts[day]!),
            languages,
          );
        }
    }
    return readings;
  }
  if (months.length > 1) return [];
  if (parts.length === 1) {
    const [only] = parts as [string];
    const [at] = digits as [number];
    if (names.length > 0) return [];
    if (only.length === 8)
      add(new Map([[at, '%Y%m%d']]), dayOf(only.slice(0, 4), Number(only.slice(4, 6)), only.slice(6)), null);
    if (only.length === 6) {
      const month = monthOf(only.slice(0, 4), Number(only.slice(4)));
      add(new Map([[at, '%Y%m']]), month, null);
      const [one, two, three] = [only.slice(0, 2), only.slice(2, 4), only.slice(4)] as const;
      if (month === null) {
        add(new Map([[at, '%d%m%y']]), dayOf(three, Number(two), one), null);
        add(new Map([[at, '%m%d%y']]), dayOf(three, Number(one), two), null);
        add(new Map([[at, '%y%m%d']]), dayOf(one, Number(two), three), null);
      }
    }
    return readings;
  }
  if (parts.length === 2) {
    const [one, other] = parts as [string, string];
    const week = names.some((index) => WEEK_WORDS.has(foldMonth(tokens[index]!)));
    if (week) {
      const [year, number] = one.length === 4 ? [0, 1] : [1, 0];
      const text = parts[number]!;
      if (parts[year]!.length === 4 && isYear(parts[year]!) && Number(text) >= 1 && Number(text) <= 53)
        add(
          new Map([
            [digits[year]!, '%G'],
            [digits[number]!, '%V'],
          ]),
          `${parts[year]}-W${text.padStart(2, '0')}`,
          null,
        );
      return readings;
    }
    if (names.length > 0 && !names.every((index) => /^m$/i.test(tokens[index]!))) return [];
    for (const [year, month] of [
      [0, 1],
      [1, 0],
    ] as const) {
      if (parts[year]!.length !== 4 && one.length + other.length > 4) continue;
      // A number such as 2024.1 may be October that has lost its zero, and 12.50 is a price.
      if (parts[month]!.length === 1 && tokens.includes('.')) continue;
      if (parts[year]!.length === 2 && tokens.some((token) => /^[.,]$/.test(token))) continue;
      add(
        new Map([
          [digits[year]!, yearSign(parts[year]!)],
          [digits[month]!, '%m'],
        ]),
        monthOf(parts[year]!, Number(parts[month])),
        null,
      );
    }
    return readings;
  }
  if (parts.length === 3 && names.length === 0) {
    for (const [year, month, day] of [
      [2, 1, 0],
      [2, 0, 1],
      [0, 1, 2],
    ] as const) {
      const lengths = parts.map(({ length }) => length);
      if (lengths[year] !== 4 && (lengths.some((length) => length > 2) || lengths[year] !== 2)) continue;
      if (parts[month]!.length > 2 || parts[day]!.length > 2) continue;
      add(
        new Map([
          [digits[year]!, yearSign(parts[year]!)],
          [digits[month]!, '%m'],
          [digits[day]!, '%d'],
        ]),
        dayOf(parts[year]!, Number(parts[month]), parts[day]!),
        null,
      );
    }
  }
  return readings;
}

/** Whether a number has the word of a week before it. */
const isWeek = (tokens: readonly string[], at: number): boolean =>
  [tokens[at - 1], tokens[at - 2]].some((token) => token !== undefined && WEEK_WORDS.has(foldMonth(token)));

/** Names of months that are two words, such as those of the Levant, as one token. */
function joinedNames(tokens: readonly string[]): string[] {
  const joined: string[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const two = tokens.slice(index, index + 3).join('');
    const isName = /^[\p{L}\p{M}]+\s[\p{L}\p{M}]+$/u.test(two) && monthsOfName(two).size > 0;
    joined.push(isName ? two : tokens[index]!);
    if (isName) index += 2;
  }
  return joined;
}

const yearSign = (text: string) => (text.length === 4 ? '%Y' : '%y');

function fullYear(text: string): number | null {
  if (isYear(text)) return Number(text);
  if (text.length !== 2) return null;
  // As strptime reads them.
  const year = Number(text) + (Number(text) < 69 ? 2000 : 1900);
  return year >= FIRST_YEAR && year <= LAST_YEAR ? year : null;
}

function monthOf(yearText: string, month: number): Reading | null {
  const year = fullYear(yearText);
  return year === null || month < 1 || month > 12 ? null : `${year}-${String(month).padStart(2, '0')}`;
}

function dayOf(yearText: string, month: number, dayText: string): Reading | null {
  if (dayText.length > 2) return null;
  const iso = `${monthOf(yearText, month)}-${dayText.padStart(2, '0')}`;
  return dayFromIso(iso) === null ? null : iso;
}

/** The pattern of a day and the name of a month without a year; null for other texts. */
export function dayPattern(text: string): string | null {
  const [, day, between, name] = /^(\d{1,2})([ ./-]+)(\p{L}[\p{L}\p{M}.]*)$/u.exec(text) ?? [];
  if (day !== undefined) return isDay(day) && monthsOfName(name!).size > 0 ? `%d${between}%b` : null;
  const [, first, sign, last] = /^(\p{L}[\p{L}\p{M}.]*)([ ./-]+)(\d{1,2})$/u.exec(text) ?? [];
  return first !== undefined && isDay(last!) && monthsOfName(first).size > 0 ? `%b${sign}%d` : null;
}

const isDay = (text: string) => Number(text) >= 1 && Number(text) <= 31;

/** A day with a year that is none of the Gregorian calendar. */
interface OtherDay {
  readonly year: string;
  /** Null for one that no mapping reads. */
  readonly calendar: 'buddhist' | 'persian' | null;
  readonly isYearFirst: boolean;
  readonly sign: string;
  /** The numbers beside the year, in order. */
  readonly first: number;
  readonly second: number;
}

/** What a text is as a day of another calendar, such as `15/01/2567`; null for other texts. */
export function otherDay(text: string): OtherDay | null {
  const [, one = '', sign = '', middle = '', last = ''] =
    /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})$/.exec(withPlainDigits(text.trim())) ?? [];
  const isYearFirst = one.length === 4;
  const year = isYearFirst ? one : last;
  const beside = isYearFirst ? [middle, last] : [one, middle];
  if (year.length !== 4 || isYear(year) || !beside.every((part) => part.length <= 2 && isDay(part)))
    return null;
  if (Number(year) < FIRST_OTHER_YEAR || Number(year) > LAST_OTHER_YEAR) return null;
  const calendar = calendarOfYear(year) as OtherDay['calendar'];
  const [first, second] = beside.map(Number) as [number, number];
  return { year, calendar, isYearFirst, sign, first, second };
}

/** Years of calendars that are told from other numbers. */
const FIRST_OTHER_YEAR = 1300;
const LAST_OTHER_YEAR = 2700;

/** A way to read all dates of a column. */
export interface ColumnPattern {
  readonly pattern: string;
  /** Of the names of months; null without them. */
  readonly language: string | null;
  /** Of the distinct texts that it reads. */
  readonly readings: ReadonlyMap<string, Reading>;
}

/** What the texts of a column are as dates. */
export interface DateFinding {
  /** Those that read all, or most; of several the first one is the most usual. */
  readonly patterns: readonly ColumnPattern[];
  /** Texts that the first pattern does not read, but another one does. */
  readonly contradicting: readonly string[];
  /** Texts that no pattern reads. */
  readonly unread: readonly string[];
  /** Quarters, and averages of years. */
  readonly long: readonly string[];
}

/** The part of the texts that a pattern reads, of a column of dates. */
const MIN_SHARE = 0.8;

/**
 * The patterns that read the texts of a column, or of a header.
 * @param texts the values, without marks for missing ones
 * @param languages those that the other words of the file have, first
 * @returns null where the texts are no dates
 */
export function findDates(texts: Iterable<string>, languages: readonly string[] = []): DateFinding | null {
  const distinct = [...new Set(texts)];
  if (distinct.length === 0) return null;
  const byText = new Map(distinct.map((text) => [text, patternReadings(text)]));
  const found = new Map<string, Map<string, PatternReading>>();
  for (const [text, readings] of byText)
    for (const one of readings) {
      // Names of months and their abbreviations are read alike.
      const key = one.pattern.replace('%B', '%b');
      let read = found.get(key);
      if (read === undefined) found.set(key, (read = new Map<string, PatternReading>()));
      read.set(text, one);
    }
  const ordered = [...found.values()].sort((one, other) => other.size - one.size);
  const most = ordered[0]?.size ?? 0;
  const long = distinct.filter((text) => byText.get(text)!.length === 0 && isLongPeriod(text));
  if (most === 0 || most < (distinct.length - long.length) * MIN_SHARE) return null;
  const best = ordered.filter(({ size }) => size === most).map((read) => columnPattern(read, languages));
  const unread = distinct.filter((text) => byText.get(text)!.length === 0 && !long.includes(text));
  const contradicting = distinct.filter(
    (text) => !best[0]!.readings.has(text) && byText.get(text)!.length > 0,
  );
  // Patterns that read all alike are one.
  const differing = best.filter(
    (one, index) =>
      !best
        .slice(0, index)
        .some((before) =>
          [...one.readings].every(([text, reading]) => before.readings.get(text) === reading),
        ),
  );
  return { patterns: differing, contradicting, unread, long };
}

function columnPattern(
  read: ReadonlyMap<string, PatternReading>,
  preferred: readonly string[],
): ColumnPattern {
  const all = [...read.values()];
  const named = all.filter(({ languages }) => languages !== null);
  const common = LANGUAGES.filter((language) => named.every((one) => one.languages!.includes(language)));
  const language =
    named.length === 0 ? null : (preferred.find((one) => common.includes(one)) ?? common[0] ?? 'en');
  const hasShort = all.some(({ pattern }) => pattern.includes('%b'));
  const pattern = all.find((one) => !hasShort || one.pattern.includes('%b'))!.pattern;
  return {
    pattern,
    language,
    readings: new Map([...read].map(([text, { reading }]) => [text, reading])),
  };
}

/** The languages in which all of some names are months; null where they are none. */
export function monthLanguages(names: Iterable<string>): string[] | null {
  const distinct = [...new Set(names)];
  const found = distinct.map(monthsOfName);
  const common = LANGUAGES.filter((language) => found.every((months) => months.has(language)));
  return distinct.length === 0 || common.length === 0 ? null : common;
}
