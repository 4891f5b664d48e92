import { isQuarter } from '../../long-periods.js';
import { foldWords } from '../columns/words.js';
import { type Draft, NoProposal, type ValuedColumn } from '../draft.js';
import { columnSubject, quoted } from '../sentences.js';
import { isFiscalYear, isUndatedWeek } from './date-words.js';
import { dayPattern, monthLanguages, patternReadings, otherDay } from './date-patterns.js';

/*
 * Dates in several columns beside that of the year: months as statistical offices number periods,
 * days of months, weeks; and texts that look like dates, but are none that a mapping reads.
 */

/** Periods of a year as the Bureau of Labor Statistics and others number them: M01, Q02, A01. */
const PERIOD = /^([MQSA])(\d{2})$/;
/** The thirteenth month is the average of the year. */
const AVERAGE = 'M13';

/** Takes the rest of a date from a column beside that of the year. @returns whether one has it */
export function takeParts(draft: Draft, year: ValuedColumn, month: ValuedColumn | undefined): boolean {
  rejectRanges(draft, year, month);
  const open = draft.columns.filter(({ role, values }) => role === null && values.length > 0);
  const periods = open.find(
    ({ distinct }) => distinct.every((text) => PERIOD.test(text)) && distinct.some((text) => text[0] === 'M'),
  );
  if (periods !== undefined) return takePeriods(draft, periods);
  if (month !== undefined) {
    const day = open.find((column) => isNamed(column, DAYS) && column.values.every(isUpTo(31)));
    return day !== undefined && takeDay(draft, year, month, day);
  }
  const week = open.find((column) => isNamed(column, WEEKS) && column.values.every(isUpTo(53)));
  if (week !== undefined) {
    join(draft, [year, week], '%G %V', `The columns ${names(year, week)} have weeks.`);
    draft.confirm('weeks', 'Weeks are read as those of ISO 8601: the first one has the first Thursday.');
    return true;
  }
  const days = open.find(({ distinct }) => distinct.every((text) => dayPattern(text) !== null));
  if (days !== undefined) return takeDays(draft, year, days);
  const numbers = open.find((column) => isNamed(column, PERIODS) && column.values.every(isUpTo(12)));
  if (numbers === undefined) return false;
  draft.assign(numbers, 'month', `${columnSubject(numbers)} has numbers from 1 to 12.`);
  draft.confirm(
    'months',
    `The numbers of ${quoted(numbers.header)} are read as months: they must be no quarters, weeks or other periods.`,
  );
  return true;
}

/** Rejects a table of weeks as ranges of days, of which the year and the month are parts. */
function rejectRanges(draft: Draft, year: ValuedColumn, month: ValuedColumn | undefined): void {
  const parts = new Set(year.cells.map((cell, at) => `${cell}-${month?.cells[at] ?? ''}`));
  const ranges = draft.columns.find(
    ({ role, distinct }) => role === null && distinct.length > parts.size && distinct.every(isRange),
  );
  if (ranges !== undefined) throw new NoProposal(`${columnSubject(ranges)} has ${rangesOf(ranges)}`);
}

const RANGES = 'ranges of days, of which the last one is no date';
const rangesOf = ({ distinct }: ValuedColumn): string => `${RANGES}: ${quoted(distinct[0]!)}.`;

function takePeriods(draft: Draft, column: ValuedColumn): boolean {
  const [first] = column.distinct.filter((text) => text[0] === 'M');
  draft.assign(column, 'month', `${columnSubject(column)} has months such as ${quoted(first!)}.`);
  draft.fields.month!.values = Object.fromEntries(
    Array.from({ length: 12 }, (_, month) => [`M${String(month + 1).padStart(2, '0')}`, String(month + 1)]),
  );
  const others = column.distinct.filter((text) => text[0] !== 'M' || Number(text.slice(1)) > 12);
  const skipped = [...new Set([AVERAGE, ...others])];
  for (const text of skipped) draft.skip.push({ column: column.ref, equals: text });
  draft.say('skip', `Rows of years and quarters are left out: ${skipped.map(quoted).join(', ')}.`);
  return true;
}

function takeDay(draft: Draft, year: ValuedColumn, month: ValuedColumn, day: ValuedColumn): boolean {
  const named = month.distinct.filter((text) => !/^\d+$/.test(text));
  const languages = named.length === 0 ? [] : monthLanguages(named);
  if (languages === null || (named.length > 0 && named.length < month.distinct.length)) return false;
  join(
    draft,
    [year, month, day],
    `%Y ${named.length > 0 ? '%b' : '%m'} %d`,
    `The columns ${names(year, month, day)} have the parts of dates.`,
    languages,
  );
  return true;
}

/** Days such as `15-Jan`, whose year has a column. */
function takeDays(draft: Draft, year: ValuedColumn, column: ValuedColumn): boolean {
  const patterns = new Set(column.distinct.map(dayPattern));
  const languages = monthLanguages(column.distinct.flatMap((text) => text.match(/[\p{L}\p{M}.]+/gu) ?? []));
  if (patterns.size > 1 || languages === null) return false;
  const [pattern] = patterns;
  join(
    draft,
    [column, year],
    `${pattern} %Y`,
    `${columnSubject(column)} has days of the year beside it.`,
    languages,
  );
  return true;
}

function join(
  draft: Draft,
  columns: readonly ValuedColumn[],
  format: string,
  why: string,
  languages: readonly string[] = [],
): void {
  const language = draft.languages.find((one) => languages.includes(one)) ?? languages[0];
  for (const column of columns) {
    if (column.role !== null) draft.release(column, column.role);
    column.role = 'date';
  }
  draft.fields.date = {
    join: columns.map(({ ref }) => ref),
    format,
    ...(language === undefined || language === 'en' ? {} : { language }),
  };
  draft.say('fields.date', why);
}

/** Kinds of texts that look like dates, with what they are. */
const UNREADABLE: readonly (readonly [words: string, is: (text: string) => boolean])[] = [
  ['quarters of a year, which cannot be stored', isQuarter],
  ['years that begin in the middle of one, which cannot be stored', isFiscalYear],
  ['weeks without a year or of a month', isUndatedWeek],
  ['days of a calendar that is not read', (text) => otherDay(text)?.calendar === null],
  ['days without a year', (text) => dayPattern(text) !== null],
  [RANGES, isRange],
];

/** Days from one to another, such as `1-7 Jan 2024`. */
function isRange(text: string): boolean {
  if (!/(?:^|\D)(?:19|20)\d\d(?:\D|$)/.test(text) || patternReadings(text).length > 0) return false;
  return /\d\s*(?:\p{L}{3,}\.?\s*)?(?:\d{2,4}\s*)?(?:-|–|—|to|au|al|до|إلى)\s*(?:\p{L}{3,}\.?\s*)?\d/u.test(
    text,
  );
}

/**
 * Rejects a table with a column of texts that look like dates, but are read as none: a date for all
 * rows would be wrong.
 * @throws NoProposal
 */
export function rejectUnreadable(draft: Draft): void {
  for (const column of draft.columns.filter(({ role, distinct }) => role === null && distinct.length > 0))
    for (const [words, is] of UNREADABLE) {
      if (column.distinct.filter(is).length < column.distinct.length * MIN_SHARE) continue;
      throw new NoProposal(`${columnSubject(column)} has ${words}: ${quoted(column.distinct.find(is)!)}.`);
    }
  const named = draft.columns.find(
    (column) =>
      column.role === null &&
      column.distinct.length > 1 &&
      (isNamed(column, DATES) ||
        isNamed(column, WEEKS) ||
        isNamed(column, PERIODS) ||
        (foldWords(column.header)
          .split(' ')
          .some((word) => DATES.has(word)) &&
          column.distinct.every((text) => /\d/.test(text)))),
  );
  if (named !== undefined)
    throw new NoProposal(
      `${columnSubject(named)} is called as dates are, but ${named.distinct.slice(0, 2).map(quoted).join(' and ')} are none that can be read.`,
    );
}

const MIN_SHARE = 0.8;

const isUpTo = (most: number) => (text: string) =>
  /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= most;

const isNamed = ({ header, parts }: ValuedColumn, words: ReadonlySet<string>): boolean =>
  words.has(foldWords(header)) || words.has(foldWords(parts.at(-1) ?? ''));

const names = (...columns: readonly ValuedColumn[]): string =>
  columns.map(({ header }) => quoted(header)).join(', ');

const wordsOf = (...words: readonly string[]): ReadonlySet<string> => new Set(words.map(foldWords));

const DAYS = wordsOf('day', 'day of month', 'jour', 'jour du mois', 'dia', 'día', 'день', 'اليوم');
const WEEKS = wordsOf('week', 'week no', 'week number', 'semaine', 'semana', 'неделя', 'الأسبوع');
const PERIODS = wordsOf('period', 'periode', 'période', 'periodo', 'período', 'период', 'الفترة');
const DATES = wordsOf('date', 'dates', 'fecha', 'data', 'tanggal', 'tarih', 'дата', 'التاريخ');
