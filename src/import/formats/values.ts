import { currenciesOf } from '../../lib/codes/country-currencies.js';
import { isoCurrency } from '../../lib/codes/currency-aliases.js';
import { iso3OfIso2, knownCountryCode } from '../../lib/codes/countries.js';
import { completeHsCode } from '../../lib/codes/hs-headings.js';
import { isShortenedCode, wholeCode } from '../../lib/codes/whole-code.js';
import { dayFromIso, isoFromDay } from '../../lib/dates/calendar-date.js';
import { QUANTITY } from '../../lib/numbers/quantity.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { textBeforeDecoding } from '../../lib/text/windows-1252.js';
import { normalizeText } from '../../lib/text/normalize-text.js';
import { oneLine } from '../../lib/text/one-line.js';
import type { RowViolation } from './batch.js';
import { isCfaFranc } from './other-words.js';

/*
 * Readers of values by kind, `read…`, and functions that make one for a limit: `textUpTo(50)`. They
 * know nothing of DTOs, whose decorators would take half a second to load in the thread that reads
 * prices.
 */

export type FieldValue = string | number | boolean | null;

/** A value as read: `rounded` where a number had more than 15 significant digits. */
export interface ReadValue<T extends FieldValue = FieldValue> {
  readonly value: T;
  readonly rounded?: boolean;
  /** Whether it is another value than the one that is written. */
  readonly replaced?: boolean;
}

/**
 * Reads the text of a field, which is not blank.
 * @param field name of the field in the input, for violations
 * @param shown the text as in the input, for violations
 */
export type FieldReader<T extends FieldValue = FieldValue> = (
  text: string,
  field: string,
  shown?: string,
) => ReadValue<T> | RowViolation;

/** The violation of a value that is not what is expected. */
export function invalid(field: string, reason: string, expected: string, text: string): RowViolation {
  return { field, reason, detail: `${field} must be ${expected}, not ${quoteValue(text)}.` };
}

/** The violation of a required field that is blank. */
export const missing = (field: string): RowViolation => ({
  field,
  reason: 'required',
  detail: `${field} is required.`,
});

const outOfRange = (field: string, expected: string): RowViolation => ({
  field,
  reason: 'out_of_range',
  detail: `${field} must be ${expected}.`,
});

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
/** Significant digits of a number. A text of at most this length needs no count. */
const MAX_DIGITS = 15;
/** Maximum length of a number in characters. */
const MAX_NUMBER_LENGTH = 400;

/**
 * Reads a decimal number and rounds it to 15 significant digits, which a double represents exactly.
 * A number too large for a double is infinite, so callers check the range.
 */
export const readNumber: FieldReader<number> = (text, field, shown = text) => {
  const trimmed = text.trim();
  if (trimmed === '') return missing(field);
  if (trimmed.length > MAX_NUMBER_LENGTH || !NUMBER.test(trimmed))
    return invalid(field, 'invalid_number', 'a number', shown);
  const value = Number(trimmed);
  if (trimmed.length <= MAX_DIGITS || significantDigits(trimmed) <= MAX_DIGITS)
    return { value, rounded: false };
  return { value: toSignificantDigits(value), rounded: true };
};

/** Number of digits from the first non-zero one to the last one, or the last before the point. */
function significantDigits(text: string): number {
  const [whole = '', fraction = ''] = text.replace(/[eE].*$|[+-]/g, '').split('.');
  // Not a regex: matching trailing zeros takes quadratic time.
  let end = fraction.length;
  while (fraction[end - 1] === '0') end--;
  return (whole + fraction.slice(0, end)).replace(/^0+/, '').length;
}

/** A number between bounds, which are part of the range. */
export const numberBetween =
  (min: number, max: number): FieldReader<number> =>
  (text, field) => {
    const read = readNumber(text, field);
    return 'reason' in read || (read.value >= min && read.value <= max)
      ? read
      : outOfRange(field, `between ${min} and ${max}`);
  };

/** A price, rate, index or factor. */
export const readQuantity: FieldReader<number> = (text, field, shown = text) => {
  const read = readNumber(text, field, shown);
  return 'reason' in read ? read : (quantityViolation(field, read.value, shown) ?? read);
};

/** An index: 0 is accepted, because published indices are rounded. */
export const readQuantityOrZero: FieldReader<number> = (text, field) => {
  const read = readNumber(text, field);
  if ('reason' in read || read.value === 0) return read;
  return read.value < 0 ? outOfRange(field, '0 or greater') : readQuantity(text, field);
};

/** The violation of a quantity that is not positive or out of bounds, or null. */
export function quantityViolation(field: string, value: number, text: string): RowViolation | null {
  const { atLeast, atMost } = QUANTITY;
  if (value >= atLeast && value <= atMost) return null;
  return value > 0
    ? invalid(field, 'out_of_range', `between ${atLeast} and ${atMost}`, text)
    : invalid(field, 'not_positive', 'greater than 0', text);
}

/** Control characters, lone surrogates, and what replaces bytes that are not UTF-8. */
const INVALID_CHARACTERS = /[\p{Cc}\p{Cs}\ufffd]/u;

/** The violation of a text normalized by `normalizeText`, or null. Lengths count code points. */
export function textViolation(
  field: string,
  text: string,
  maxLength: number,
  required = false,
): RowViolation | null {
  if (text === '') return required ? missing(field) : null;
  if (text.length > maxLength && [...text].length > maxLength) {
    return { field, reason: 'too_long', detail: `${field} must be at most ${maxLength} characters long.` };
  }
  if (INVALID_CHARACTERS.test(text)) {
    const detail = `${field} must not contain control characters or bytes that are not UTF-8.`;
    return { field, reason: 'invalid_text', detail };
  }
  const meant = textBeforeDecoding(text);
  if (meant === null) return null;
  const detail = `${field} ${quoteValue(text)} is text in UTF-8 that was read in another encoding: ${quoteValue(meant)}.`;
  return { field, reason: 'invalid_text', detail };
}

/** A text of at most so many characters. */
export const textUpTo =
  (maxLength: number, upperCase = false): FieldReader<string> =>
  (raw, field) => {
    const normalized = normalizeText(oneLine(raw), maxLength);
    const value = upperCase ? normalized.toUpperCase() : normalized;
    return textViolation(field, value, maxLength) ?? { value };
  };

/** A text that is a code, such as `7001`. One that has lost digits, `7E+03`, is blank. */
export const codeUpTo = (maxLength: number): FieldReader<string> => {
  const read = textUpTo(maxLength);
  return (raw, field) => {
    const written = raw.trim();
    if (isShortenedCode(written)) return { value: '', replaced: true };
    const bare = wholeCode(written);
    const result = read(bare, field);
    return 'reason' in result || bare === written ? result : { ...result, replaced: true };
  };
};

/** A code of the Harmonized System with points, as tariffs print it: `0713.33`, `1701.14.00`. */
const POINTED_HS_CODE = /^\d{3,4}\.\d{2}(?:\.\d{2}){0,3}$/;

/** A code of the Harmonized System: 2, 4 or 6 to 12 digits. A zero that was lost is added. */
export const readHsCode: FieldReader<string> = (raw, field) => {
  const written = raw.trim();
  const bare = POINTED_HS_CODE.test(written) ? written.replaceAll('.', '') : wholeCode(written);
  if (!/^\d{1,12}$/.test(bare)) return invalid(field, `invalid_${field}`, '2 to 12 digits', raw);
  const value = completeHsCode(bare);
  if (value === null) {
    const detail = `${field} ${quoteValue(raw)} may have lost a zero, but there is no code 0${bare}.`;
    return { field, reason: `invalid_${field}`, detail };
  }
  return value === written ? { value } : { value, replaced: true };
};

/** One of some words, in any case. */
export const choiceOf =
  (allowed: readonly string[]): FieldReader<string> =>
  (text, field) => {
    const word = text.trim().toLowerCase();
    const value = allowed.find((one) => one.toLowerCase() === word);
    return value === undefined ? invalid(field, 'invalid_choice', allowed.join(' or '), text) : { value };
  };

/** A truth value: `true`, `false`, 1 or 0. */
export const readFlag: FieldReader<boolean> = (text, field) => {
  const value = text.trim().toLowerCase();
  if (['true', '1'].includes(value)) return { value: true };
  if (['false', '0'].includes(value)) return { value: false };
  return invalid(field, 'invalid_boolean', 'true or false', text);
};

const threeLetters =
  (reason: string, kind: string): FieldReader<string> =>
  (text, field) => {
    const value = text.trim().toUpperCase();
    // What pandas writes for a missing value is no code of a country or currency.
    if (value === '' || value === 'NAN') return missing(field);
    return /^[A-Z]{3}$/.test(value) ? { value } : invalid(field, reason, `a three-letter ${kind} code`, text);
  };

const countryCode = threeLetters('invalid_country', 'country');

/**
 * A country code in capitals, the known one for its aliases and for alpha-2 codes. Unassigned ones
 * are accepted.
 */
export const readCountry: FieldReader<string> = (text, field) => {
  const written = text.trim().toUpperCase();
  const value = iso3OfIso2(written) ?? knownCountryCode(written);
  return value === written ? countryCode(text, field) : { value, replaced: true };
};

const currencyCode = threeLetters('invalid_currency', 'currency');

/** A currency code in capitals, that of ISO 4217 for its aliases. Withdrawn ones are accepted. */
export const readCurrency: FieldReader<string> = (text, field) => {
  const read = currencyCode(text, field);
  if ('reason' in read) return read;
  const value = isoCurrency(read.value);
  return value === read.value ? read : { value, replaced: true };
};

/**
 * The code of a currency of a country: `FCFA` is XOF or XAF there, which both have that name.
 * @param iso3 of the country
 */
export function readCurrencyOf(text: string, field: string, iso3: string): ReadValue<string> | RowViolation {
  if (!isCfaFranc(text)) return readCurrency(text, field);
  const value = currenciesOf(iso3).find((code) => code === 'XOF' || code === 'XAF');
  if (value !== undefined) return { value, replaced: true };
  const detail = `${field} ${quoteValue(text)} is XOF or XAF, of which ${iso3} has neither: write the code.`;
  return { field, reason: 'invalid_currency', detail };
}

/** The day number of a date `YYYY-MM-DD`, which may have a time of 00:00:00, as in some exports. */
export const readDay: FieldReader<number> = (text, field, shown = text) => {
  const value =
    dayFromIso(text) ?? (/^.{10}[ T]00:00:00(?:\.0+)?Z?$/.test(text) ? dayFromIso(text.slice(0, 10)) : null);
  return value === null ? dateViolation(field, shown) : { value };
};

/** The violation of a field that is not a date. */
export const dateViolation = (field: string, text: string): RowViolation =>
  invalid(field, 'invalid_date', 'a calendar date written YYYY-MM-DD', text);

/** A date as text. */
export const readDate: FieldReader<string> = (text, field) => {
  const read = readDay(text.trim(), field, text);
  return 'reason' in read ? read : { value: isoFromDay(read.value) };
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A uuid in lower case. */
export const readUuid: FieldReader<string> = (text, field) => {
  const value = text.trim().toLowerCase();
  return UUID.test(value) ? { value } : invalid(field, 'invalid_uuid', 'a UUID', value);
};

/** Text of the file, quoted and truncated for a message. */
export function quoteValue(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
