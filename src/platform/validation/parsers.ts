import { truncate, type Violation } from '../errors/api-error.js';
import type { ViolationCode } from '../errors/problem-codes.js';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { relativeDate, utcDate } from '../../lib/dates/relative-date.js';
import { splitItems } from './item-list.js';

/** Largest id of a record: a signed 32-bit integer. */
export const MAX_ID = 2_147_483_647;
/** Most items of one list parameter. */
export const MAX_ITEMS = 500;
/** Most characters of one text item. */
export const MAX_ITEM_LENGTH = 200;

type ValueType = 'string' | 'integer' | 'number' | 'boolean';

/** The subset of OpenAPI's schema object that parameters use. */
interface ValueSchema {
  type: ValueType | readonly ValueType[];
  format?: string;
  pattern?: string;
  enum?: readonly (string | boolean)[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

/** What parsers depend on besides the text. */
export interface ParseContext {
  /** Milliseconds since 1970; relative dates ("2 days ago") count back from it. */
  now: number;
  maxPageSize: number;
  /** Called with the UTC date that a relative date counts back from. */
  onRelativeDate?: (date: string) => void;
  /** Called whenever `as_of` is given, whatever its value. */
  onAsOf?: () => void;
  /** Called with the fields that the records of a list are to have. */
  onFields?: (names: readonly string[]) => void;
}

/** Why a value is invalid, independent of the parameter or field it was given for. */
export class ParseError {
  constructor(
    readonly code: ViolationCode,
    /** The rest of a sentence that begins with the parameter's or field's name. */
    readonly reason: string,
    readonly extras: Partial<Pick<Violation, 'allowed' | 'max' | 'min' | 'suggestion'>> = {},
  ) {}
}

/** Parses one value from its text. The same parser serves scalars and items of lists. */
export interface ValueParser<T> {
  parse(text: string, context: ParseContext): T | ParseError;
  schema: ValueSchema;
  /** Code of an invalid item of a list; by default the code of the `ParseError`. */
  listCode?: ViolationCode;
  /** Whether a quoted empty item of a list is a value. */
  allowsEmpty?: boolean;
}

/** A query parameter: how its values are parsed, and how it is documented. */
export interface Parameter<T> {
  description: string;
  /** Schema of the value; for a list, of one item. */
  schema: ValueSchema;
  list: boolean;
  /** How many items a list must have, where the handler checks it. */
  items?: { min: number; max: number };
  /** What the error of a request without it says; undefined where it may be left out. */
  missing?: Missing;
  /** @param values at least one, none of them empty; more than one only for lists */
  parse(
    name: string,
    values: readonly string[],
    context: ParseContext,
  ): { value: T } | { violations: Violation[] };
}

/** A parameter that each request has. */
export interface RequiredParameter<T> extends Parameter<T> {
  missing: Missing;
}

/** What is said of a parameter that is missing. */
type Missing = Pick<Violation, 'detail' | 'allowed'>;

/** A parameter with one value, which may be given only once. */
export function one<T>(parser: ValueParser<T>, description: string): Parameter<T> {
  return {
    description,
    schema: parser.schema,
    list: false,
    parse(name, values, context) {
      if (values.length > 1) {
        const detail = `${name} may be given only once.`;
        return { violations: [queryViolation(name, 'repeated_parameter', detail)] };
      }
      const text = values[0] as string;
      const value = parser.parse(text, context);
      return value instanceof ParseError ? { violations: [parseViolation(name, text, value)] } : { value };
    },
  };
}

/** A parameter without which the request is rejected, and what the error says. */
export const required = <T>(parameter: Parameter<T>, missing: Missing): RequiredParameter<T> => ({
  ...parameter,
  missing,
});

/** A comma-separated list. Given several times, it is one list; duplicates are dropped. */
export function many<T>(parser: ValueParser<T>, description: string): Parameter<T[]> {
  return {
    description,
    schema: parser.schema,
    list: true,
    parse(name, values, context) {
      const lists = values.map(splitItems);
      const count = lists.reduce((sum, list) => sum + list.items.length + (list.malformed ? 1 : 0), 0);
      if (count > MAX_ITEMS) {
        const detail = `${name} must have at most ${MAX_ITEMS} items; got ${count}.`;
        return { violations: [queryViolation(name, 'too_many_items', detail, { max: MAX_ITEMS })] };
      }
      const parsed = new Set<T>();
      const violations: Violation[] = [];
      let index = 0;
      for (const list of lists) {
        for (const item of list.items) {
          const value =
            item.text === '' && !(item.quoted && parser.allowsEmpty)
              ? new ParseError('invalid_item', 'must not be empty.')
              : parser.parse(item.text, context);
          if (!(value instanceof ParseError)) parsed.add(value);
          else violations.push(parseViolation(name, item.text, value, index, parser.listCode));
          index++;
        }
        if (list.malformed) {
          const detail = `Item ${index + 1} of ${name} has an unclosed or stray quote.`;
          violations.push(queryViolation(name, 'invalid_item', detail, { index }));
          index++;
        }
      }
      return violations.length > 0 ? { violations } : { value: [...parsed] };
    },
  };
}

/** @param index of the item in a list, counted from 0; undefined for a scalar */
function parseViolation(
  name: string,
  text: string,
  error: ParseError,
  index?: number,
  listCode?: ViolationCode,
): Violation {
  const subject = index === undefined ? name : `Item ${index + 1} of ${name}`;
  const expected = error.reason.replace(/\.$/, '');
  const received = text === '' ? '' : `; got "${truncate(text)}"`;
  const code = index !== undefined && error.code !== 'out_of_range' && listCode ? listCode : error.code;
  return queryViolation(name, code, `${subject} ${expected}${received}.`, {
    ...error.extras,
    ...(index === undefined ? {} : { index }),
  });
}

function queryViolation(
  name: string,
  code: ViolationCode,
  detail: string,
  extras: Partial<Violation> = {},
): Violation {
  return { in: 'query', name, code, detail, ...extras };
}

const unchanged = (text: string) => text;

/** Text that matches a pattern. */
const matching = (
  pattern: RegExp,
  reason: string,
  normalize = unchanged,
  schema: ValueSchema = { type: 'string', pattern: pattern.source },
): ValueParser<string> => ({
  parse: (text) => (pattern.test(text) ? normalize(text) : new ParseError('invalid_item', reason)),
  schema,
});

/** An integer from `minimum` (0 or more) to `maximum`: digits only, without leading zeros. */
export function integer(minimum: number, maximum: number): ValueParser<number> {
  return {
    parse(text) {
      if (!/^(0|[1-9][0-9]*)$/.test(text) || (minimum > 0 && text === '0')) {
        return new ParseError(
          'invalid_integer',
          `must be a ${minimum > 0 ? 'positive' : 'non-negative'} integer.`,
        );
      }
      const number = Number(text);
      return number >= minimum && number <= maximum
        ? number
        : new ParseError('out_of_range', `must be between ${minimum} and ${maximum}.`, {
            min: minimum,
            max: maximum,
          });
    },
    schema: { type: 'integer', ...(maximum > MAX_ID ? { format: 'int64' } : {}), minimum, maximum },
    listCode: 'invalid_item',
  };
}

/** Parses the id in an address; NaN, which equals no id in a body, if it cannot be one. */
export function parseId(text: string): number {
  const id = /^[1-9][0-9]*$/.test(text) ? Number(text) : NaN;
  return id <= MAX_ID ? id : NaN;
}

/** The id of a record. */
export const recordId: ValueParser<number> = integer(1, MAX_ID);

const threeLetters = (reason: string) => matching(/^[A-Za-z]{3}$/, reason, (text) => text.toUpperCase());

/** A code such as `KEN`, returned in upper case. Whether the country exists is not checked. */
export const iso3 = threeLetters('must be a three-letter ISO 3166 code.');

/** A code such as `KES`, returned in upper case. */
export const currencyCode = threeLetters('must be a three-letter currency code.');

/** 1 to 12 digits: an HS code or the beginning of one. */
export const hsCode = matching(/^[0-9]{1,12}$/, 'must be an HS code of 1 to 12 digits.');

/** 1 to `maxLength` digits; a string, because leading zeros count. */
export const digits = (maxLength: number): ValueParser<string> =>
  matching(new RegExp(`^[0-9]{1,${maxLength}}$`), `must consist of 1 to ${maxLength} digits.`);

export const UUID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** A UUID of any version, returned in lower case. */
export const uuid = matching(UUID, 'must be a UUID.', (text) => text.toLowerCase(), {
  type: 'string',
  format: 'uuid',
});

/** Plain text, returned in normal form C. It has no wildcards or other special characters. */
export function text(maxLength = MAX_ITEM_LENGTH): ValueParser<string> {
  return {
    parse(value) {
      const normal = value.normalize('NFC');
      return normal.length > maxLength && Array.from(normal).length > maxLength
        ? new ParseError('too_long', `must be at most ${maxLength} characters long.`, { max: maxLength })
        : normal;
    },
    schema: { type: 'string', maxLength },
    allowsEmpty: true,
  };
}

/** One of the given words, case-insensitive. */
export function choice<T extends string>(allowed: readonly T[]): ValueParser<T> {
  return {
    parse(value) {
      const wanted = value.toLowerCase();
      // Two words may differ in their case alone.
      const found =
        allowed.find((word) => word === value) ?? allowed.find((word) => word.toLowerCase() === wanted);
      return found ?? new ParseError('invalid_choice', `must be one of ${allowed.join(', ')}.`, { allowed });
    },
    schema: { type: 'string', enum: allowed },
  };
}

/** true, false (case-insensitive), 1 or 0. */
export const flag: ValueParser<boolean> = {
  parse(value) {
    if (/^(true|1)$/i.test(value)) return true;
    return /^(false|0)$/i.test(value)
      ? false
      : new ParseError('invalid_boolean', 'must be true, false, 1 or 0.');
  },
  schema: { type: 'boolean' },
};

/** A calendar date, `YYYY-MM-DD`, years 1000 to 9999. */
export const date: ValueParser<string> = {
  parse: (value) =>
    dayFromIso(value) !== null ? value : new ParseError('invalid_date', dateReason(value, '')),
  schema: { type: 'string', format: 'date' },
};

/** A calendar date, or `N days|weeks|months|years ago`, returned as a date. */
export const dateOrRelative: ValueParser<string> = {
  parse(value, context) {
    if (dayFromIso(value) !== null) return value;
    const resolved = relativeDate(value, context.now);
    if (resolved === null)
      return new ParseError('invalid_date', dateReason(value, ' or "N days|weeks|months|years ago"'));
    context.onRelativeDate?.(utcDate(context.now));
    return resolved;
  },
  schema: {
    type: 'string',
    pattern: '^([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,6} (day|week|month|year)s? ago)$',
  },
};

function dateReason(value: string, alternative: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(value)
    ? 'must be a calendar date between 1000-01-01 and 9999-12-31.'
    : `must be a date written YYYY-MM-DD${alternative}.`;
}

/** A decimal number in JSON's notation. */
export const decimal: ValueParser<number> = {
  parse(value) {
    const number = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(value) ? Number(value) : NaN;
    return Number.isFinite(number) ? number : new ParseError('invalid_number', 'must be a number.');
  },
  schema: { type: 'number' },
  listCode: 'invalid_item',
};
