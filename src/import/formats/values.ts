import { dayFromIso } from '../../common/dates/calendar-date.js';
import { QUANTITY } from '../../common/numbers/quantity.js';
import { toSignificantDigits } from '../../common/numbers/significant-digits.js';
import type { RowFault } from './batch.js';

/** A number as read: `rounded` where the text had more than 15 significant digits. */
export interface ReadNumber {
  readonly value: number;
  readonly rounded: boolean;
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
/** Texts up to this length cannot hold more than 15 digits. */
const SHORT = 15;
/** Longest text that is read as a number: nobody publishes figures of so many digits. */
const LONGEST_NUMBER = 400;

/**
 * Reads a decimal number, of 15 significant digits at most: a double gives those back exactly. Null for anything else.
 * One too large for a double is infinite, so a caller checks what it takes.
 */
export function readNumber(text: string): ReadNumber | null {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_NUMBER || !NUMBER.test(trimmed)) return null;
  const value = Number(trimmed);
  if (trimmed.length <= SHORT || significantDigits(trimmed) <= SHORT) return { value, rounded: false };
  return { value: toSignificantDigits(value), rounded: true };
}

/** Digits from the first that is not 0 to the last that is not 0 (or the last before the point). */
function significantDigits(text: string): number {
  const [whole = '', fraction = ''] = text.replace(/[eE].*$|[+-]/g, '').split('.');
  // A regex for the zeros at the end would try again at each zero.
  let end = fraction.length;
  while (fraction[end - 1] === '0') end--;
  return (whole + fraction.slice(0, end)).replace(/^0+/, '').length;
}

/** Control characters, lone surrogates, and the character that stands for bytes that could not be decoded. */
const NO_TEXT = /[\p{Cc}\p{Cs}\ufffd]/u;

/** What is wrong with a text that `cleanText` has cleaned, or null. Lengths count characters. */
export function textFault(field: string, text: string, longest: number, required = false): RowFault | null {
  if (text === '') {
    return required ? { field, reason: 'required', detail: `${field} is empty.` } : null;
  }
  if (text.length > longest && [...text].length > longest) {
    return { field, reason: 'too_long', detail: `${field} may have at most ${longest} characters.` };
  }
  if (NO_TEXT.test(text)) {
    return {
      field,
      reason: 'invalid_text',
      detail: `${field} holds a control character or bytes that are not UTF-8.`,
    };
  }
  return null;
}

/** The day number of `YYYY-MM-DD`, with or without a time of 00:00:00 behind it as some exports write it; null otherwise. */
export function readDay(text: string): number | null {
  return (
    dayFromIso(text) ?? (/^.{10}[ T]00:00:00(?:\.0+)?Z?$/.test(text) ? dayFromIso(text.slice(0, 10)) : null)
  );
}

/** The fault of a field that holds no calendar date. */
export function dateFault(field: string, text: string): RowFault {
  return {
    field,
    reason: 'invalid_date',
    detail: `${shown(text)} is not a calendar date written YYYY-MM-DD.`,
  };
}

/** The fault of a field that holds no number, or nothing. */
export function numberFault(field: string, text: string): RowFault {
  return text.trim() === ''
    ? { field, reason: 'required', detail: `${field} is empty.` }
    : { field, reason: 'invalid_number', detail: `${shown(text)} is not a number.` };
}

/**
 * What is wrong with a price, rate, index or factor that must be above 0 and within bounds, or null.
 * @param text what it was read from, for the message
 */
export function amountFault(field: string, value: number, text: string): RowFault | null {
  const { atLeast, atMost } = QUANTITY;
  if (value >= atLeast && value <= atMost) return null;
  return value > 0
    ? {
        field,
        reason: 'out_of_range',
        detail: `${field} must be from ${atLeast} to ${atMost}, not ${shown(text)}.`,
      }
    : { field, reason: 'not_positive', detail: `${field} must be more than 0, not ${shown(text)}.` };
}

/** Three capitals, of any currency that ever was; null for anything else. */
export function readCurrency(text: string): string | null {
  const code = text.trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

/** The fault of a field that holds no currency code, or nothing. */
export function currencyFault(field: string, text: string): RowFault {
  return text.trim() === ''
    ? { field, reason: 'required', detail: `${field} is empty.` }
    : {
        field,
        reason: 'invalid_currency',
        detail: `${shown(text)} is not a currency code of three letters.`,
      };
}

/** A three-letter country code in capitals; null for anything else. That it is in use is not asked: lists change. */
export function readCountry(text: string): string | null {
  const code = text.trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

/** The fault of a field that holds no country code, or nothing. */
export function countryFault(field: string, text: string): RowFault {
  return text.trim() === ''
    ? { field, reason: 'required', detail: `${field} is empty.` }
    : { field, reason: 'invalid_country', detail: `${shown(text)} is not a country code of three letters.` };
}

/** Text of the file, quoted and cut short for a message. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
