import { isoFromDay } from '../../../../lib/dates/calendar-date.js';
import { dayOfSerial, isSerialDay } from '../../../../lib/dates/spreadsheet-day.js';
import { isLongPeriod } from '../../long-periods.js';
import { foldMonth, monthNames } from '../../month-names.js';
import { fits, MIN_SHARE } from '../columns/column-roles.js';
import type { Level } from '../columns/levels.js';
import { fieldOfHeader, foldWords } from '../columns/words.js';
import { type Draft, NoProposal, type ValuedColumn } from '../draft.js';
import type { Answer } from '../proposal.js';
import { columnAnswer, columnSubject, columnText, quoted } from '../sentences.js';
import {
  calendarOfYear,
  type ColumnPattern,
  type DateFinding,
  findDates,
  isGroupedYear,
  isYear,
  monthLanguages,
  monthsOfName,
  otherDay,
} from './date-patterns.js';
import { isFiscalYear } from './date-words.js';
import { rejectUnreadable, takeParts } from './parts-of-dates.js';

const NOTED =
  /\b(?:scraped|created|updated|update|modified|extracted|extraction|entered|entry|upload\w*|download\w*|published|release|retrieved|fetched|inserted|submi\w+|saisie|registro)\b/u;

const AHEAD =
  /\b(?:expiry|expiration|expires|maturity|contract|delivery|futures?|shipment|vencimiento|vencimento|echeance|livraison|entrega)\b/u;

/** Whether a column has dates of contracts, which are after those of their prices. */
const isAhead = ({ header }: ValuedColumn): boolean => AHEAD.test(foldWords(header));

/** Finds the column, or the columns, of the date. */
export function findDate(draft: Draft): void {
  const dateLevel = draft.levels.find(({ kind }) => kind === 'date');
  if (dateLevel !== undefined)
    return takeDates(draft, 'date', null, dateLevel.dates!, 'The headers of columns are dates');
  const monthLevel = draft.levels.find(({ kind }) => kind === 'month');
  if (monthLevel !== undefined) return takeMonths(draft, monthLevel);
  const year = draft.of('year');
  const month = draft.of('month') ?? (year === undefined ? undefined : monthsBeside(draft));
  const yearLevel = draft.levels.find(({ kind }) => kind === 'year');
  if (yearLevel !== undefined) return takeYears(draft, yearLevel, month);
  const day = year === undefined ? undefined : columnOfDays(draft);
  const isPart = day === undefined && (month === undefined || !draft.hasDates(month));
  if (year !== undefined && isPart && takeParts(draft, year, month)) return;
  if (year !== undefined && month !== undefined && isPart) return takeYearAndMonth(draft, year, month);
  const named = draft.columns.filter(
    (column) =>
      column.values.length > 0 && (fieldOfHeader(column.header) === 'date' || column.role === 'month'),
  );
  const found = (named.length > 0 ? named : draft.free().filter(({ isNumeric }) => !isNumeric))
    .map((column) => ({ column, dates: findDates(column.values, draft.languages) }))
    .filter(({ dates }) => dates !== null);
  if (found.length === 0 && named.length > 0) {
    const serial = named.find(({ distinct }) => distinct.every(isSerialDay));
    if (serial !== undefined) {
      draft.assign(
        serial,
        'date',
        `${columnSubject(serial)} has days as spreadsheets number them: ${serial.values[0]} is ${serialDay(serial.values[0]!)}.`,
      );
      draft.fields.date!.format = 'excel';
      return;
    }
  }
  if (found.length === 0) {
    const all = draft
      .free()
      .map((column) => ({ column, dates: findDates(column.values, draft.languages) }))
      .filter(({ dates }) => dates !== null);
    found.push(...all);
  }
  if (year !== undefined) draft.release(year, 'year');
  if (month !== undefined) draft.release(month, 'month');
  if (found.length === 0) {
    if (year !== undefined && takeOtherCalendar(draft, year)) return;
    if (takeOtherDays(draft)) return;
    rejectUnreadable(draft);
    if (year === undefined) return askForDate(draft);
    throw new NoProposal(`${YEARS} ${draft.storable} can.`);
  }
  // When a row was written down is no date of a price, and is the same in many.
  const isNoted = ({ header }: ValuedColumn) => NOTED.test(foldWords(header));
  const ordered = found.toSorted(
    (one, other) =>
      Number(isAhead(one.column)) - Number(isAhead(other.column)) ||
      Number(isNoted(one.column)) - Number(isNoted(other.column)) ||
      Number(one.column.distinct.length === 1) - Number(other.column.distinct.length === 1),
  );
  const [{ column, dates }] = ordered as [{ column: ValuedColumn; dates: DateFinding }];
  if (isAhead(column))
    draft.ask({
      control: 'fields.date',
      text: `Which column has the date of the ${draft.nouns}? Those of contracts lie ahead: ${found.map((one) => columnText(one.column)).join(', ')}.`,
      answers: found.map((one) => columnAnswer(one.column)),
    });
  else if (found.length > 1)
    draft.ask({
      control: 'fields.date',
      text: `Which column has the date: ${found.map((one) => columnText(one.column)).join(', ')}?`,
      answers: found.map((one) => columnAnswer(one.column)),
      proposed: `column:${column.index + 1}`,
      because: column === found[0]!.column ? 'It comes first.' : 'The others are not of the prices.',
    });
  takeDates(draft, 'date', column, dates, `${columnSubject(column)} has dates`);
}

/** Takes the column of periods, or else any other one, that has names of months. */
function monthsBeside(draft: Draft): ValuedColumn | undefined {
  const found = draft.columns.filter(
    (column) =>
      column.role === null && !column.isNumeric && fits(draft, column, 'month') && !draft.hasDates(column),
  );
  const column = found.find(({ header }) => fieldOfHeader(header) === 'date') ?? found[0];
  if (column !== undefined)
    draft.assign(
      column,
      'month',
      `${columnSubject(column)} has months such as ${quoted(column.values[0]!)}.`,
    );
  return column;
}

/** The column of days, where one stands beside years and months that are parts of these. */
const columnOfDays = (draft: Draft): ValuedColumn | undefined =>
  draft.columns.find((column) => {
    if (NOTED.test(foldWords(column.header))) return false;
    const dates = findDates(column.values, draft.languages);
    const isRange = dates?.patterns[0]?.pattern.startsWith('*') === true;
    if (fieldOfHeader(column.header) !== 'date' && !isRange) return false;
    const days = new Set([...(dates?.patterns[0]?.readings.values() ?? [])].map((text) => text.slice(8)));
    return dates?.unread.length === 0 && days.size > 1;
  });

function askForDate(draft: Draft): void {
  const constant = draft.context
    .concat(draft.sample.sheetName ?? '', draft.sample.fileName)
    .flatMap(
      (text) =>
        text.match(/(?:\d{1,2} )?\p{L}+ \d{4}|\d{4}-\d{2}(?:-\d{2})?|\d{1,2}\/\d{1,2}\/\d{4}/gu) ?? [],
    )
    .find((text) => findDates([text]) !== null);
  const dates = constant === undefined ? null : findDates([constant], draft.languages);
  draft.fields.date = dates === null || dates.patterns.length > 1 ? {} : { ...patternOf(dates.patterns[0]!) };
  draft.ask({
    control: 'fields.date',
    text: `No column has dates: of which date are the ${draft.nouns}?`,
    answers: [],
    proposed: constant === undefined ? null : `value:${constant}`,
    because: constant === undefined ? null : `The title, the sheet or the file says ${quoted(constant)}.`,
  });
  if (dates !== null && dates.patterns.length > 1) askForOrder(draft, dates);
}

function patternOf({ pattern, language }: ColumnPattern): { format: string; language?: string } {
  return { format: pattern, ...(language === null || language === 'en' ? {} : { language }) };
}

function takeDates(
  draft: Draft,
  field: 'date',
  column: ValuedColumn | null,
  dates: DateFinding,
  begin: string,
): void {
  const [first] = dates.patterns as [ColumnPattern, ...ColumnPattern[]];
  if (column === null) draft.fields[field] = { ...patternOf(first) };
  else {
    column.role = field;
    draft.fields[field] = { column: column.ref, ...patternOf(first) };
  }
  const example = [...first.readings.keys()][0]!;
  draft.say(`fields.${field}`, `${begin} such as ${quoted(example)}.`);
  if (dates.patterns.length > 1 || dates.contradicting.length > 0) return askForOrder(draft, dates);
  draft.say(`fields.${field}.format`, orderEvidence(first));
  const years = [...first.readings.values()].map((reading) => Number(reading.slice(0, 4)));
  const isFar = Math.max(...years) - Math.min(...years) > MAX_YEARS;
  if (first.pattern.includes('%y') && (isFar || areSparse([...first.readings.values()])))
    draft.confirm(
      'years',
      `The years of two digits are read as ${Math.min(...years)} to ${Math.max(...years)}.`,
    );
  sayLong(draft, `fields.${field}`, dates.long);
  if (dates.unread.length > 0)
    draft.say(`fields.${field}.format`, `No date: ${dates.unread.slice(0, 3).map(quoted).join(', ')}.`);
  if (first.pattern.startsWith('*'))
    draft.confirm('ranges', `Ranges of days such as ${quoted(example)} are read as their last day.`);
  if (first.pattern.includes('%V') && !/^%G-?W%V$/.test(first.pattern))
    draft.confirm(
      'weeks',
      `Weeks such as ${quoted(example)} are read as those of ISO 8601: the first one has the first Thursday.`,
    );
}

/** Says which rows the reader leaves out by itself. */
function sayLong(draft: Draft, control: string, texts: readonly string[]): void {
  if (texts.length === 0) return;
  const shown = texts.slice(0, MAX_SHOWN).map(quoted).join(', ');
  const more = texts.length > MAX_SHOWN ? ', …' : '';
  draft.say(control, `Rows of quarters and years are left out: ${shown}${more}.`);
}

/** Texts that a sentence shows. */
const MAX_SHOWN = 4;

/** Whether months lie so far apart that their years may be days: `Jan-15`, `Feb-12`. */
function areSparse(readings: readonly string[]): boolean {
  const months = readings
    .filter((reading) => /^\d{4}-\d\d$/.test(reading))
    .map((reading) => Number(reading.slice(0, 4)) * 12 + Number(reading.slice(5)))
    .sort((one, other) => one - other);
  const steps = months.slice(1).map((month, at) => month - months[at]!);
  return steps.length > 0 && steps.sort((one, other) => one - other)[steps.length >> 1]! > MAX_STEP;
}

/** Months between values, at most, where they are without doubt months. */
const MAX_STEP = 6;

function askForOrder(draft: Draft, dates: DateFinding): void {
  const example =
    dates.contradicting[0] ??
    [...dates.patterns[0]!.readings].find(([text, reading]) =>
      dates.patterns.some((other) => other.readings.get(text) !== reading),
    )![0];
  const answers = dates.patterns.map(({ pattern, readings }): Answer => ({
    value: pattern,
    label: `${patternWords(pattern)}: ${example} is ${readings.get(example) ?? 'no date'}`,
  }));
  draft.ask({
    control: 'fields.date.format',
    text:
      dates.contradicting.length > 0
        ? `Dates are written in different ways: ${quoted([...dates.patterns[0]!.readings.keys()][0]!)}, but ${quoted(example)}. How are they to be read? Others are rejected.`
        : `Nothing shows the order of the dates: how is ${quoted(example)} to be read?`,
    answers,
  });
}

function orderEvidence({ pattern, readings }: ColumnPattern): string {
  const words = patternWords(pattern);
  if (!/%d.%m|%m.%d/.test(pattern)) return `${words}: ${readings.size} values.`;
  const above = [...readings.values()].filter((reading) => Number(reading.slice(8)) > 12).length;
  return above > 0 ? `${words}: ${above} values above 12.` : `${words}: ${readings.size} values.`;
}

/** Months in headers: with years in headers, or in a column. */
function takeMonths(draft: Draft, level: Level): void {
  const yearLevel = draft.levels.find(({ kind }) => kind === 'year');
  const language = level.languages[0];
  draft.fields.month =
    language === undefined || language === 'en'
      ? {}
      : { language: draft.languages.find((one) => level.languages.includes(one)) ?? language };
  draft.say('fields.month', `The headers of columns are months: ${quoted(level.names[0]!)}.`);
  if (yearLevel !== undefined) {
    draft.fields.year = {};
    draft.say('fields.year', `The headers above them are years: ${quoted(yearLevel.names[0]!)}.`);
    return;
  }
  const isCalled = ({ header, distinct }: ValuedColumn) =>
    fieldOfHeader(header) === 'year' && distinct.filter(isYear).length >= distinct.length / 2;
  const year =
    draft.of('year') ??
    draft.free().find((column) => column.distinct.every(isYear)) ??
    draft.free().find(isCalled);
  if (year !== undefined) {
    if (year.role !== 'year') draft.assign(year, 'year', `${columnSubject(year)} has years.`);
    return;
  }
  const constants = draft.levels.filter(({ kind }) => kind === 'constant').map(({ pattern }) => pattern);
  const fiscal = [...constants, ...draft.context].find((text) =>
    (text.match(/(?:19|20)\d\d\s*[/–-]\s*\d{2,4}/g) ?? []).some(isFiscalYear),
  );
  if (fiscal !== undefined)
    throw new NoProposal(
      `The columns are months, of which ${quoted(fiscal)} does not say the year of each: only those of one year can be read.`,
    );
  const [said] = [
    ...constants,
    ...draft.context,
    draft.sample.sheetName ?? '',
    draft.sample.fileName,
  ].flatMap((text) => text.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g) ?? []);
  draft.ask({
    control: 'fields.year',
    text: 'The columns are months: of which year?',
    answers: [],
    proposed: said === undefined ? null : `value:${said}`,
    because: said === undefined ? null : `The title, the sheet or the file says ${said}.`,
  });
}

/** Years in headers, beside a column of months. */
function takeYears(draft: Draft, level: Level, named: ValuedColumn | undefined): void {
  const month =
    named ??
    draft
      .free()
      .find(({ distinct }) => distinct.length > 0 && distinct.every((text) => monthsOfName(text).size > 0));
  if (month === undefined) throw new NoProposal(`${YEARS} ${draft.storable} can.`);
  if (month.role !== 'month') draft.assign(month, 'month', `${columnSubject(month)} has months.`);
  draft.fields.year = {};
  draft.say('fields.year', `The headers of columns are years: ${quoted(level.names[0]!)}.`);
  takeMonthNames(draft, month);
}

function takeYearAndMonth(draft: Draft, year: ValuedColumn, month: ValuedColumn): void {
  takeMonthNames(draft, month);
  const grouped = year.distinct.filter(isGroupedYear);
  if (grouped.length > 0) {
    draft.fields.year!.values = Object.fromEntries(
      year.distinct.map((text) => [text, text.replace(/\D/g, '')]),
    );
    draft.say('fields.year', `Years such as ${quoted(grouped[0]!)} are read without the sign in them.`);
  }
  const other = year.distinct.map(calendarOfYear).find((calendar) => calendar !== null);
  if (other) askForCalendar(draft, 'year', other, year.distinct[0]!);
}

/** Takes years beside months that have names of another calendar. @returns whether it did */
function takeOtherCalendar(draft: Draft, year: ValuedColumn): boolean {
  for (const column of draft.columns)
    for (const [calendar, languages] of MONTHS_OF_CALENDARS)
      for (const language of languages) {
        const names = monthNames(language, calendar);
        const known = column.distinct.filter((text) => names.has(foldMonth(text)));
        if (known.length === 0 || known.length < column.distinct.length * MIN_SHARE) continue;
        draft.assign(year, 'year', `${columnSubject(year)} has years.`);
        draft.assign(
          column,
          'month',
          `${columnSubject(column)} has months of the ${calendar} calendar, such as ${quoted(known[0]!)}.`,
        );
        draft.fields.year!.calendar = calendar;
        draft.fields.month = {
          ...draft.fields.month,
          calendar,
          ...(language === 'en' ? {} : { language }),
        };
        const unknown = column.distinct.filter((text) => !names.has(foldMonth(text)));
        if (unknown.length > 0)
          draft.confirm(
            'months',
            `No months of this calendar: ${unknown.slice(0, 3).map(quoted).join(', ')}. Rows with them are rejected.`,
          );
        return true;
      }
  return false;
}

/** Takes days of another calendar, which their years show. @returns whether a column has some */
function takeOtherDays(draft: Draft): boolean {
  for (const column of draft.columns.filter(({ role, values }) => role === null && values.length > 0)) {
    const days = column.distinct.map(otherDay);
    const [first] = days;
    if (!first || first.calendar === null) continue;
    const { sign, isYearFirst, calendar } = first;
    if (!days.every((day) => day && day.sign === sign && day.isYearFirst === isYearFirst)) continue;
    if (!days.every((day) => day!.calendar === calendar)) continue;
    const pattern = (...signs: string[]) => signs.join(sign);
    const [dayFirst, monthFirst] = [pattern('%d', '%m', '%Y'), pattern('%m', '%d', '%Y')];
    draft.assign(column, 'date', `${columnSubject(column)} has days of the ${calendar} calendar.`);
    draft.fields.date!.format = isYearFirst
      ? pattern('%Y', '%m', '%d')
      : days.some((day) => day!.second > 12)
        ? monthFirst
        : dayFirst;
    draft.fields.date!.calendar = calendar;
    askForCalendar(draft, 'date', calendar, first.year);
    if (!isYearFirst && days.every((day) => day!.first <= 12 && day!.second <= 12))
      draft.ask({
        control: 'fields.date.format',
        text: `Nothing shows the order of the dates: how is ${quoted(column.distinct[0]!)} to be read?`,
        answers: [
          { value: dayFirst, label: patternWords(dayFirst) },
          { value: monthFirst, label: patternWords(monthFirst) },
        ],
      });
    return true;
  }
  return false;
}

function takeMonthNames(draft: Draft, month: ValuedColumn): void {
  const long = month.distinct.filter(isLongPeriod);
  sayLong(draft, 'fields.month', long);
  const names = month.distinct.filter((text) => !/^\d+$/.test(text) && !long.includes(text));
  if (names.length === 0) return;
  const languages = monthLanguages(names) ?? [];
  const language = draft.languages.find((one) => languages.includes(one)) ?? languages[0];
  if (language !== undefined && language !== 'en') draft.fields.month!.language = language;
  if (language === undefined) {
    const unknown = names.filter((text) => monthsOfName(text).size === 0);
    draft.confirm(
      'months',
      `Not all months are names of one language: ${unknown.slice(0, 3).map(quoted).join(', ')}. Rows with others are rejected.`,
    );
  }
}

function askForCalendar(draft: Draft, field: string, calendar: string, example: string): void {
  draft.ask({
    control: `fields.${field}.calendar`,
    text: `Of which calendar is the year ${quoted(example)}?`,
    answers: ['gregorian', 'buddhist', 'persian', 'ethiopic'].map((value) => ({ value, label: value })),
    proposed: calendar,
    because: 'Such years are of no other one.',
  });
}

/** Calendars whose months have names of their own, with the languages of these. */
const MONTHS_OF_CALENDARS: readonly (readonly ['ethiopic' | 'persian', readonly string[]])[] = [
  ['ethiopic', ['en', 'am']],
  ['persian', ['en', 'fa']],
];

const YEARS = 'The table has years without months, which cannot be stored: only';

/** Years of two digits that are further apart may be read wrong. */
const MAX_YEARS = 60;

/** A pattern of dates in words. */
function patternWords(pattern: string): string {
  if (pattern.includes('%V')) return 'Weeks of ISO 8601';
  const order = [...pattern.matchAll(/%([YyGmbBd])/g)].map(([, sign]) =>
    sign!.toLowerCase().replace('b', 'm'),
  );
  if (!order.includes('d')) return order[0] === 'm' ? 'Month, year' : 'Year, month';
  return { d: 'Day first', m: 'Month first', y: 'Year first' }[order[0]!] ?? pattern;
}

/** The date of a day as workbooks number it, from 1900. */
export const serialDay = (text: string): string => isoFromDay(dayOfSerial(Math.floor(Number(text)))!);
