import { dayFromIso, dayOf, isoFromDay } from '../../../lib/dates/calendar-date.js';
import { foldForSearch } from '../../../lib/text/folding.js';

/** The order of year, month and day in the dates of a file, as the option names it. */
export type DateOrder = 'ymd' | 'dmy' | 'mdy';

export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const satisfies readonly DateOrder[];

const DATE = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})$/;
/** Eight digits, as ISO 8601 writes a date without hyphens. */
const COMPACT = /^((?:19|20)\d{2})(\d{2})(\d{2})(?:\.0+)?$/;
/** With the name of the month: `15-Jan-24`, `15 janvier 2024`, `15 de enero de 2024`. */
const NAMED =
  /^(?:(?<first>\d{1,4})(?:er)?[-/ .]{1,2}(?:de )?)?(?<name>\p{L}{3,12})\.?[-/ .](?:de |del )?(?:(?<day>\d{1,2}),? )?(?<last>\d{1,4})$/iu;

/** The months in English, French, Spanish, Portuguese, German and Russian, as they are compared. */
const MONTHS: readonly (readonly string[])[] = [
  ['january', 'janvier', 'enero', 'janeiro', 'januar', 'января', 'январь'],
  ['february', 'février', 'febrero', 'fevereiro', 'februar', 'февраля', 'февраль'],
  ['march', 'mars', 'marzo', 'março', 'märz', 'mrz', 'марта', 'март'],
  ['april', 'avril', 'abril', 'апреля', 'апрель'],
  ['may', 'mai', 'mayo', 'maio', 'мая', 'май'],
  ['june', 'juin', 'junio', 'junho', 'juni', 'июня', 'июнь'],
  ['july', 'juillet', 'julio', 'julho', 'juli', 'июля', 'июль'],
  ['august', 'août', 'agosto', 'августа'],
  ['september', 'septembre', 'septiembre', 'setiembre', 'setembro', 'сентября', 'сентябрь'],
  ['october', 'octobre', 'octubre', 'outubro', 'oktober', 'октября', 'октябрь'],
  ['november', 'novembre', 'noviembre', 'novembro', 'ноября', 'ноябрь'],
  ['december', 'décembre', 'diciembre', 'dezembro', 'dezember', 'декабря', 'декабрь'],
].map((names) => names.map(foldForSearch));

/** Months without a day. A number such as 2024.1 may be October that has lost its zero. */
const MONTH_LAST = /^(\d{4})(?:-?M|[-/ ])(\d{1,2})$/i;
const MONTH_LAST_OF_TWO = /^(\d{4})\.(\d{2})$/;
const MONTH_FIRST = /^(\d{1,2})[-/.](\d{4})$/;
const COMPACT_MONTH = /^((?:19|20)\d{2})(\d{2})$/;
/** Two years in a row: that of a budget or harvest, or a month: `2010/11`. */
const TWO_YEARS = /^(\d{4})([-/. ]?)(\d{2}|\d{4})$/;
/** A number with two decimals, as 2024.1 is shown beside others, that is none of a month. */
const NO_MONTH = /^\d{4}\.[2-9]0$/;
/** A time of midnight, as spreadsheets and databases append it. */
const MIDNIGHT = /[ T](?:0?0:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?|12:00(?::00)? AM)$/i;
/** Of two digits, earlier years are rather those of another era: 67 is 2567 in Thailand. */
const FIRST_YEAR = 1980;

/** A date without a time of midnight. */
const withoutTime = (text: string) => text.trim().replace(MIDNIGHT, '');

/** Whether a date has its year first and is written as ISO 8601 writes it. */
export const isIsoDate = (text: string): boolean =>
  text.length === 10 && text.charCodeAt(4) === 45 && dayFromIso(text) !== null;

/**
 * The readings of a date, as `YYYY-MM-DD`, by the orders in which it is one; empty for other texts.
 * A year of two digits is one of 1980 to the coming year, and comes first with both others in two
 * digits only.
 */
export function dateReadings(text: string): ReadonlyMap<DateOrder, string> {
  const readings = new Map<DateOrder, string>();
  const written = withoutTime(text);
  const parts = DATE.exec(written);
  if (parts === null) {
    const [, year, month, day] = COMPACT.exec(written) ?? [];
    return year === undefined ? namedReading(written) : readingOf('ymd', isoOf(year, month!, day!));
  }
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

/** The one reading of a date whose month has its name. */
function namedReading(text: string): ReadonlyMap<DateOrder, string> {
  const { first, name, day, last } = NAMED.exec(text)?.groups ?? {};
  if (name === undefined || last === undefined || (first === undefined) === (day === undefined))
    return new Map();
  const month = monthOfName(name);
  if (day !== undefined) return readingOf('mdy', isoOf(last, month, day));
  return first!.length === 4
    ? readingOf('ymd', isoOf(first!, month, last))
    : readingOf('dmy', isoOf(last, month, first!));
}

const readingOf = (order: DateOrder, iso: string | null): ReadonlyMap<DateOrder, string> =>
  new Map(iso === null ? [] : [[order, iso]]);

/** The number of a month by its name or the begin of it; 0 where it is none, or of two months. */
function monthOfName(name: string): string {
  const begin = foldForSearch(name);
  const found = [...MONTHS.keys()].filter((index) => MONTHS[index]!.some((each) => each.startsWith(begin)));
  return found.length === 1 ? String(found[0]! + 1) : '0';
}

/**
 * A month without a day, as `YYYY-MM`: `Jan-24`, `janvier 2024`, `01/2024`, `2024M01`, `202401`;
 * null for other texts.
 */
export function monthReading(text: string): string | null {
  const written = text.trim();
  const monthLast =
    MONTH_LAST.exec(written) ?? MONTH_LAST_OF_TWO.exec(written) ?? COMPACT_MONTH.exec(written);
  if (monthLast !== null) return isoMonthOf(monthLast[1]!, monthLast[2]!);
  const monthFirst = MONTH_FIRST.exec(written);
  if (monthFirst !== null) return isoMonthOf(monthFirst[2]!, monthFirst[1]!);
  const { first, name, day, last } = NAMED.exec(written)?.groups ?? {};
  if (name === undefined || first !== undefined || day !== undefined) return null;
  return isoMonthOf(last!, monthOfName(name));
}

/** Two years in a row in one date. */
interface YearPair {
  readonly first: string;
  /** The month that it may be instead, as `YYYY-MM`; null where it is none. */
  readonly month: string | null;
  readonly isIsoMonth: boolean;
}

/** The years of a date that are two in a row: `2010/11`, `1999-00`, `2010/2011`; else null. */
export function yearPair(text: string): YearPair | null {
  const written = text.trim();
  const [, first, sign, last] = TWO_YEARS.exec(written) ?? [];
  if (first === undefined || !/^(?:19|20)/.test(first)) return null;
  const next = String(Number(first) + 1);
  if (last !== next && last !== next.slice(2)) return null;
  const month = monthReading(written);
  return { first, month, isIsoMonth: month !== null && sign === '-' };
}

/** Whether a text shows that dates of its file are months, or numbers with two decimals. */
export function decimalsOfMonth(text: string): 'none' | 'some' | 'either' | null {
  const written = text.trim();
  if (NO_MONTH.test(written)) return 'some';
  if (!MONTH_LAST_OF_TWO.test(written) || monthReading(written) === null) return null;
  return written.endsWith('.10') ? 'either' : 'none';
}

const isoMonthOf = (year: string, month: string): string | null =>
  isoOf(year, month, '1')?.slice(0, 7) ?? null;

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
