import { iso3OfForeignName, iso3OfName } from '../../lib/codes/countries.js';
import { isoFromDay, isoFromMonth, monthOf } from '../../lib/dates/calendar-date.js';
import { periodOfWord } from '../formats/other-words.js';
import type { RowViolation } from '../formats/batch.js';
import { quoteValue } from '../formats/values.js';
import { dateParser, type ReadDate } from './date-format.js';
import type { FieldContent } from './mapped-columns.js';
import type { MappingField } from './mapping.js';
import { monthNames, foldMonth } from './month-names.js';
import { numberParser } from './number-format.js';
import { monthInCalendar } from './calendars.js';
import { isLongPeriod } from './long-periods.js';

/** A text as names of columns, values and marks are compared. */
export const comparableText = (text: string): string =>
  (/[^\x21-\x7e]/.test(text) ? text.trim().replace(/\s+/g, ' ') : text).normalize('NFC');

/** Reads the text of a field, which is not blank. @param label of it in the file, for violations */
export type MappedReader<T> = (text: string, label: string) => T | RowViolation;

export const isViolation = (value: unknown): value is RowViolation =>
  typeof value === 'object' && value !== null && 'reason' in value;

/** Texts that stand for others; the ones that are not known are kept or rejected. */
function valuesOf({ values, others }: MappingField, name: string): MappedReader<string> | null {
  if (values === undefined) return null;
  const known = new Map(Object.entries(values).map(([text, value]) => [comparableText(text), value]));
  const isKept = others === 'keep';
  return (text, label) => {
    const value = known.get(comparableText(text));
    if (value !== undefined) return value;
    if (isKept) return text;
    const detail = `${label} ${quoteValue(text)} is none of the texts that the mapping has for ${name}.`;
    return { field: label, reason: 'invalid_choice', detail };
  };
}

/** The reader of a field that is a text or a number. */
export function textReader(field: MappingField, name: string, content: FieldContent): MappedReader<string> {
  const values = valuesOf(field, name);
  const read = content === 'number' ? numberReader(field) : name === 'iso3_country_code' ? readCountry : null;
  if (read === null) return values ?? ((text) => text);
  if (values === null) return read;
  return (text, label) => {
    const value = values(text, label);
    return isViolation(value) ? value : value === text ? read(text, label) : value;
  };
}

function numberReader(field: MappingField): MappedReader<string> {
  const parse = numberParser(field);
  const { decimalChar = '.', groupChar } = field;
  const sign =
    decimalChar === '.' ? 'decimal point' : decimalChar === ',' ? 'decimal comma' : `decimal ${decimalChar}`;
  const groups =
    groupChar === undefined
      ? 'nothing between thousands'
      : `${groupChar.trim() === '' ? 'blanks' : JSON.stringify(groupChar)} between thousands`;
  return (text, label) => {
    const number = parse(text);
    if (number !== null) return number;
    const detail = `${label} must be a number with a ${sign} and ${groups}, not ${quoteValue(text)}.`;
    return { field: label, reason: 'invalid_number', detail };
  };
}

/** Reads numbers as JavaScript writes them, however texts of the field are written. */
export const storedNumberReader = ({ multiply }: MappingField): MappedReader<string> =>
  numberReader({ ...(multiply !== undefined && { multiply }) });

/** The code of a country that is named; another text as it is. */
const readCountry: MappedReader<string> = (text) =>
  /^[A-Za-z]{2,3}$/.test(text) ? text : (iso3OfName(text) ?? iso3OfForeignName(text) ?? text);

/** The reader of a date. */
export function dateReader(field: MappingField, name: string): MappedReader<ReadDate> {
  const values = valuesOf(field, name);
  const parse = dateParser(field);
  const { format = '%Y-%m-%d' } = field;
  return (text, label) => {
    const value = values === null ? text : values(text, label);
    if (isViolation(value)) return value;
    const date = parse(value);
    if (date !== null) return date;
    const detail = `${label} must be a date written ${format}, not ${quoteValue(text)}.`;
    return { field: label, reason: reasonOf(value), detail };
  };
}

/** The reader of a year, of four digits. */
export function yearReader(field: MappingField): MappedReader<number> {
  const values = valuesOf(field, 'year');
  return (text, label) => {
    const value = values === null ? text : values(text, label);
    if (isViolation(value)) return value;
    if (/^\d{4}(?:\.0+)?$/.test(value)) return Number(value);
    const detail = `${label} must be a year of four digits, not ${quoteValue(text)}.`;
    return { field: label, reason: 'invalid_date', detail };
  };
}

/** The reader of a month: its number, or its name in the language of the field. */
export function monthReader(field: MappingField): MappedReader<number> {
  const values = valuesOf(field, 'month');
  const names = monthNames(field.language ?? 'en', field.calendar ?? 'gregorian');
  return (text, label) => {
    const value = values === null ? text : values(text, label);
    if (isViolation(value)) return value;
    const number = /^\d{1,2}(?:\.0+)?$/.test(value) ? Number(value) : names.get(foldMonth(value));
    if (number !== undefined && number >= 1 && number <= 13) return number;
    const detail = `${label} must be a month, not ${quoteValue(text)}.`;
    return { field: label, reason: reasonOf(value), detail };
  };
}

/** Why a text is no date: quarters and years are no faults, and skipped. */
const reasonOf = (text: string): string => (isLongPeriod(text) ? 'longer_than_month' : 'invalid_date');

/** The month of a year and a month of the calendar that one of their fields has. */
export function monthOfParts(
  { year, month }: { readonly year: number; readonly month: number },
  fields: Readonly<Record<string, MappingField>>,
  label: string,
): ReadDate | RowViolation {
  const calendar = fields.year?.calendar ?? fields.month?.calendar ?? 'gregorian';
  const day = monthInCalendar(calendar, year, month);
  if (day !== null) return { day, isMonth: true, month: day };
  return { field: label, reason: 'invalid_date', detail: `${label} must be a month, not ${year}-${month}.` };
}

/** A date as the formats have it: of a monthly value the first of its month. */
export function textOfDate({ day, isMonth, month }: ReadDate, period: string): string {
  if (period === 'monthly') return isoFromDay(month);
  return isMonth ? isoFromMonth(monthOf(day)) : isoFromDay(day);
}

/** Words for frequencies that are not stored. */
const LONG_PERIODS = /^(?:quarter|trimest|semest|half|year|annu|anual|an$)/;

/** A frequency by the name of the service; null for one that is longer than a month. */
export function storedPeriod(text: string): string | null {
  const period = periodOfWord(text);
  return LONG_PERIODS.test(period) ? null : period;
}
