import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { normalizeText } from '../../lib/text/normalize-text.js';
import type { RowViolation } from './batch.js';
import {
  countryViolation,
  currencyViolation,
  dateViolation,
  numberViolation,
  quantityViolation,
  quoteValue,
  readCountry,
  readCurrency,
  readDay,
  readNumber,
  textViolation,
} from './values.js';

/*
 * Readers of the fields of an input by kind. They know nothing of DTOs, whose decorators would take
 * half a second to load in the thread that reads prices.
 */

export type FieldValue = string | number | boolean | null;

/** A value as read, or why it is rejected. */
export type FieldResult = { readonly value: FieldValue; readonly rounded?: boolean } | RowViolation;

/**
 * Reads the text of a field, which is not blank.
 * @param column name of the field in the input, for violations
 */
export type FieldReader = (raw: string, column: string) => FieldResult;

export const text =
  (maxLength: number, upperCase = false): FieldReader =>
  (raw, column) => {
    const normalized = normalizeText(raw, maxLength);
    const value = upperCase ? normalized.toUpperCase() : normalized;
    return textViolation(column, value, maxLength) ?? { value };
  };

/** Text of digits, as long as the pattern `^[0-9]{2,12}$` says. */
export const digits = (pattern: string): FieldReader => {
  const format = new RegExp(pattern);
  const [, min, max] = /\{(\d+),(\d+)\}/.exec(pattern)!;
  return (raw, column) => {
    const value = raw.trim();
    if (format.test(value)) return { value };
    const detail = `${column} must be ${min} to ${max} digits, not ${quoteValue(raw)}.`;
    return { field: column, reason: `invalid_${column}`, detail };
  };
};

/** A number, of any size. */
export const number: FieldReader = (raw, column) => readNumber(raw) ?? numberViolation(column, raw);

/** A number between bounds, which are part of the range. */
export const numberBetween =
  (min: number, max: number): FieldReader =>
  (raw, column) => {
    const read = readNumber(raw);
    if (read === null) return numberViolation(column, raw);
    if (read.value >= min && read.value <= max) return read;
    return { field: column, reason: 'out_of_range', detail: `${column} must be between ${min} and ${max}.` };
  };

/** A price, rate, index or factor. */
export const quantity: FieldReader = (raw, column) => {
  const read = readNumber(raw);
  if (read === null) return numberViolation(column, raw);
  return quantityViolation(column, read.value, raw) ?? read;
};

/** An index: 0 is accepted, because published indices are rounded. */
export const quantityOrZero: FieldReader = (raw, column) => {
  const read = readNumber(raw);
  if (read?.value === 0) return read;
  return read !== null && read.value < 0
    ? { field: column, reason: 'out_of_range', detail: `${column} must be 0 or greater.` }
    : quantity(raw, column);
};

export const choice =
  (allowed: readonly string[]): FieldReader =>
  (raw, column) => {
    const word = raw.trim().toLowerCase();
    const value = allowed.find((one) => one.toLowerCase() === word);
    if (value !== undefined) return { value };
    const detail = `${column} must be ${allowed.join(' or ')}, not ${quoteValue(raw)}.`;
    return { field: column, reason: 'invalid_choice', detail };
  };

export const flag: FieldReader = (raw, column) => {
  const value = raw.trim().toLowerCase();
  if (['true', '1'].includes(value)) return { value: true };
  if (['false', '0'].includes(value)) return { value: false };
  const detail = `${column} must be true or false, not ${quoteValue(raw)}.`;
  return { field: column, reason: 'invalid_boolean', detail };
};

export const country: FieldReader = (raw, column) => {
  const value = readCountry(raw);
  return value === null ? countryViolation(column, raw) : { value };
};

export const currency: FieldReader = (raw, column) => {
  const value = readCurrency(raw);
  return value === null ? currencyViolation(column, raw) : { value };
};

export const date: FieldReader = (raw, column) => {
  const day = readDay(raw.trim());
  return day === null ? dateViolation(column, raw) : { value: isoFromDay(day) };
};
