import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { QUANTITY } from '../../lib/numbers/quantity.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import type { RowViolation } from './batch.js';

/** A number as read: `rounded` where the text had more than 15 significant digits. */
export interface ReadNumber {
  readonly value: number;
  readonly rounded: boolean;
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
/** Significant digits of a number. A text of at most this length needs no count. */
const MAX_DIGITS = 15;
/** Maximum length of a number in characters. */
const MAX_NUMBER_LENGTH = 400;

/**
 * Reads a decimal number and rounds it to 15 significant digits, which a double represents exactly.
 * Null for anything else. A number too large for a double is infinite, so callers check the range.
 */
export function readNumber(text: string): ReadNumber | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_NUMBER_LENGTH || !NUMBER.test(trimmed)) return null;
  const value = Number(trimmed);
  if (trimmed.length <= MAX_DIGITS || significantDigits(trimmed) <= MAX_DIGITS)
    return { value, rounded: false };
  return { value: toSignificantDigits(value), rounded: true };
}

/**
 * Number of digits from the first non-zero one to the last non-zero one, or the last before the
 * point.
 */
function significantDigits(text: string): number {
  const [whole = '', fraction = ''] = text.replace(/[eE].*$|[+-]/g, '').split('.');
  // Not a regex: matching trailing zeros takes quadratic time.
  let end = fraction.length;
  while (fraction[end - 1] === '0') end--;
  return (whole + fraction.slice(0, end)).replace(/^0+/, '').length;
}

/**
 * Control characters, lone surrogates, and the replacement character for bytes that are not UTF-8.
 */
const INVALID_CHARACTERS = /[\p{Cc}\p{Cs}\ufffd]/u;

/** The violation of a text normalized by `normalizeText`, or null. Lengths count code points. */
export function textViolation(
  field: string,
  text: string,
  maxLength: number,
  required = false,
): RowViolation | null {
  if (text === '') {
    return required ? { field, reason: 'required', detail: `${field} is required.` } : null;
  }
  if (text.length > maxLength && [...text].length > maxLength) {
    return { field, reason: 'too_long', detail: `${field} must be at most ${maxLength} characters long.` };
  }
  if (INVALID_CHARACTERS.test(text)) {
    return {
      field,
      reason: 'invalid_text',
      detail: `${field} must not contain control characters or bytes that are not UTF-8.`,
    };
  }
  return null;
}

/**
 * The day number of a date `YYYY-MM-DD`, optionally with a time of 00:00:00 as in some exports;
 * else null.
 */
export function readDay(text: string): number | null {
  return (
    dayFromIso(text) ?? (/^.{10}[ T]00:00:00(?:\.0+)?Z?$/.test(text) ? dayFromIso(text.slice(0, 10)) : null)
  );
}

/** The violation of a field that is not a date. */
export function dateViolation(field: string, text: string): RowViolation {
  return {
    field,
    reason: 'invalid_date',
    detail: `${field} must be a calendar date written YYYY-MM-DD, not ${quoteValue(text)}.`,
  };
}

/** The violation of a field that is blank or not a number. */
export function numberViolation(field: string, text: string): RowViolation {
  return text.trim() === ''
    ? { field, reason: 'required', detail: `${field} is required.` }
    : { field, reason: 'invalid_number', detail: `${field} must be a number, not ${quoteValue(text)}.` };
}

/**
 * The violation of a price, rate, index or factor that is not positive or out of bounds, or null.
 * @param text the original text, for the message
 */
export function quantityViolation(field: string, value: number, text: string): RowViolation | null {
  const { atLeast, atMost } = QUANTITY;
  if (value >= atLeast && value <= atMost) return null;
  return value > 0
    ? {
        field,
        reason: 'out_of_range',
        detail: `${field} must be between ${atLeast} and ${atMost}, not ${quoteValue(text)}.`,
      }
    : { field, reason: 'not_positive', detail: `${field} must be greater than 0, not ${quoteValue(text)}.` };
}

/**
 * A currency code of three letters, in capitals; null for anything else. Withdrawn currencies are
 * accepted.
 */
export function readCurrency(text: string): string | null {
  const code = text.trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

/** The violation of a field that is blank or not a currency code. */
export function currencyViolation(field: string, text: string): RowViolation {
  return text.trim() === ''
    ? { field, reason: 'required', detail: `${field} is required.` }
    : {
        field,
        reason: 'invalid_currency',
        detail: `${field} must be a three-letter currency code, not ${quoteValue(text)}.`,
      };
}

/**
 * A country code of three letters, in capitals; null for anything else. Unassigned codes are
 * accepted.
 */
export function readCountry(text: string): string | null {
  const code = text.trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

/** The violation of a field that is blank or not a country code. */
export function countryViolation(field: string, text: string): RowViolation {
  return text.trim() === ''
    ? { field, reason: 'required', detail: `${field} is required.` }
    : {
        field,
        reason: 'invalid_country',
        detail: `${field} must be a three-letter country code, not ${quoteValue(text)}.`,
      };
}

/** Text of the file, quoted and truncated for a message. */
export function quoteValue(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
