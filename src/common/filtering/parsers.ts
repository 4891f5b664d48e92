import { cut, type Violation } from '../errors/api-error.js';
import type { ViolationCode } from '../errors/problem-codes.js';
import { dayFromIso } from '../dates/calendar-date.js';
import { relativeDate, utcDate } from './relative-date.js';
import { splitItems } from './item-list.js';

/** Largest id a record can have: a signed 32-bit integer. */
export const MAX_ID = 2_147_483_647;
/** Most items of one list parameter. */
export const MAX_ITEMS = 500;
/** Most characters of one text item. */
export const MAX_ITEM_LENGTH = 200;

/** The part of OpenAPI's schema object that parameters use. */
export interface ValueSchema {
  type: 'string' | 'integer' | 'number' | 'boolean';
  format?: string;
  pattern?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

/** What a parser may need to know beside the text. */
export interface ParseContext {
  /** Milliseconds since 1970; what "ago" counts from. */
  now: number;
  maxPageSize: number;
  /** Called with the UTC date that a relative date was counted from. */
  usedToday?: (date: string) => void;
}

/** Why a text is refused, without saying which parameter it was. */
export class ParseError {
  constructor(
    readonly code: ViolationCode,
    /** Continues a sentence that begins with the quoted value: `is not a calendar date.` */
    readonly reason: string,
    readonly extras: Partial<Pick<Violation, 'allowed' | 'max' | 'min' | 'suggestion'>> = {},
  ) {}
}

/** Reads one value from its text. The same parser serves scalars and items of lists. */
export interface ItemParser<T> {
  read(text: string, context: ParseContext): T | ParseError;
  schema: ValueSchema;
  /** Code of a malformed item in a list; that of the refusal itself unless given. */
  listCode?: ViolationCode;
  /** A quoted empty item is a value. */
  takesEmpty?: boolean;
}

/** A parameter: how its values are read, and how it is documented. */
export interface Parameter<T> {
  description: string;
  /** Schema of the value, of one item where it is a list. */
  schema: ValueSchema;
  list: boolean;
  /** @param values at least one, none of them empty; more than one only for lists */
  parse(
    name: string,
    values: readonly string[],
    context: ParseContext,
  ): { value: T } | { faults: Violation[] };
}

/** A parameter that may be given once. */
export function one<T>(parser: ItemParser<T>, description: string): Parameter<T> {
  return {
    description,
    schema: parser.schema,
    list: false,
    parse(name, values, context) {
      if (values.length > 1) {
        return { faults: [fault(name, 'repeated_parameter', `${name} may be given only once.`)] };
      }
      const text = values[0] as string;
      const value = parser.read(text, context);
      return value instanceof ParseError ? { faults: [refused(name, text, value)] } : { value };
    },
  };
}

/** A comma-separated list, which may be given several times and still is one list. Doubles are dropped. */
export function many<T>(parser: ItemParser<T>, description: string): Parameter<T[]> {
  return {
    description,
    schema: parser.schema,
    list: true,
    parse(name, values, context) {
      const split = values.map(splitItems);
      const count = split.reduce((sum, part) => sum + part.items.length + (part.broken ? 1 : 0), 0);
      if (count > MAX_ITEMS) {
        const detail = `${name} may hold at most ${MAX_ITEMS} items; it has ${count}.`;
        return { faults: [fault(name, 'too_many_items', detail, { max: MAX_ITEMS })] };
      }
      const found = new Set<T>();
      const faults: Violation[] = [];
      let index = 0;
      for (const part of split) {
        for (const item of part.items) {
          const value =
            item.text === '' && !(item.quoted && parser.takesEmpty)
              ? new ParseError('invalid_item', 'is empty.')
              : parser.read(item.text, context);
          if (!(value instanceof ParseError)) found.add(value);
          else faults.push(refused(name, item.text, value, index, parser.listCode));
          index++;
        }
        if (part.broken) {
          const detail = `Item ${index + 1} of ${name} has an unclosed or stray quote.`;
          faults.push(fault(name, 'invalid_item', detail, { index }));
          index++;
        }
      }
      return faults.length > 0 ? { faults } : { value: [...found] };
    },
  };
}

function refused(
  name: string,
  text: string,
  refusal: ParseError,
  index?: number,
  listCode?: ViolationCode,
): Violation {
  const shown = text === '' ? `Item ${(index ?? 0) + 1} of ${name}` : `${name}: ${cut(text)}`;
  const code = index !== undefined && refusal.code !== 'out_of_range' && listCode ? listCode : refusal.code;
  return fault(name, code, `${shown} ${refusal.reason}`, {
    ...refusal.extras,
    ...(index === undefined ? {} : { index }),
  });
}

function fault(
  name: string,
  code: ViolationCode,
  detail: string,
  extras: Partial<Violation> = {},
): Violation {
  return { in: 'query', name, code, detail, ...extras };
}

const matching = (
  pattern: RegExp,
  code: ViolationCode,
  reason: string,
  schema: ValueSchema,
  read: (text: string) => string = (text) => text,
): ItemParser<string> => ({
  read: (text) => (pattern.test(text) ? read(text) : new ParseError(code, reason)),
  schema,
  listCode: 'invalid_item',
});

/** A whole number from `minimum` to `maximum`, written without sign, point, exponent or leading zeros. */
export function wholeNumber(minimum: number, maximum: number): ItemParser<number> {
  return {
    read(text) {
      if (!/^(0|[1-9][0-9]*)$/.test(text) || (minimum > 0 && text === '0')) {
        return new ParseError('invalid_integer', `is not a ${minimum > 0 ? 'positive ' : ''}whole number.`);
      }
      const number = Number(text);
      return number >= minimum && number <= maximum
        ? number
        : new ParseError('out_of_range', `is outside ${minimum} to ${maximum}.`, {
            min: minimum,
            max: maximum,
          });
    },
    schema: { type: 'integer', minimum, maximum },
    listCode: 'invalid_item',
  };
}

/** The id of a record. */
export const recordId: ItemParser<number> = wholeNumber(1, MAX_ID);

/** Three letters, as `KEN`; given back in capitals. Whether there is such a country is not asked. */
export const iso3: ItemParser<string> = matching(
  /^[A-Za-z]{3}$/,
  'invalid_item',
  'is not an ISO 3166 code of three letters.',
  { type: 'string', pattern: '^[A-Za-z]{3}$' },
  (text) => text.toUpperCase(),
);

/** Three letters, as `KES`; given back in capitals. */
export const currencyCode: ItemParser<string> = matching(
  /^[A-Za-z]{3}$/,
  'invalid_item',
  'is not a currency code of three letters.',
  { type: 'string', pattern: '^[A-Za-z]{3}$' },
  (text) => text.toUpperCase(),
);

/** 1 to 12 digits, the beginning of an HS code or all of it. */
export const hsCode: ItemParser<string> = matching(
  /^[0-9]{1,12}$/,
  'invalid_item',
  'is not an HS code of 1 to 12 digits.',
  {
    type: 'string',
    pattern: '^[0-9]{1,12}$',
  },
);

/** 1 to `most` digits; text, because leading zeros count. */
export const digits = (most: number): ItemParser<string> =>
  matching(new RegExp(`^[0-9]{1,${most}}$`), 'invalid_item', `is not 1 to ${most} digits.`, {
    type: 'string',
    pattern: `^[0-9]{1,${most}}$`,
  });

/** A UUID of any version; given back in small letters. */
export const uuid: ItemParser<string> = matching(
  /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
  'invalid_item',
  'is not a UUID.',
  { type: 'string', format: 'uuid' },
  (text) => text.toLowerCase(),
);

/** Plain text, given back in normal form C. Nothing in it is special. */
export function text(maxLength = MAX_ITEM_LENGTH): ItemParser<string> {
  return {
    read(value) {
      const normal = value.normalize('NFC');
      return normal.length > maxLength && Array.from(normal).length > maxLength
        ? new ParseError('too_long', `is longer than ${maxLength} characters.`, { max: maxLength })
        : normal;
    },
    schema: { type: 'string', maxLength },
    takesEmpty: true,
  };
}

/** One of the given words; letter case does not matter. */
export function choice<T extends string>(allowed: readonly T[]): ItemParser<T> {
  return {
    read(value) {
      const wanted = value.toLowerCase();
      const found = allowed.find((word) => word.toLowerCase() === wanted);
      return found ?? new ParseError('invalid_choice', `is not one of ${allowed.join(', ')}.`, { allowed });
    },
    schema: { type: 'string', enum: allowed },
  };
}

/** true, false (letter case does not matter), 1 or 0. */
export const flag: ItemParser<boolean> = {
  read(value) {
    if (/^(true|1)$/i.test(value)) return true;
    return /^(false|0)$/i.test(value)
      ? false
      : new ParseError('invalid_boolean', 'is not true, false, 1 or 0.');
  },
  schema: { type: 'boolean' },
};

/** A calendar date, `YYYY-MM-DD`, years 1000 to 9999. */
export const date: ItemParser<string> = {
  read: (value) =>
    dayFromIso(value) !== null ? value : new ParseError('invalid_date', dateReason(value, '')),
  schema: { type: 'string', format: 'date' },
};

/** A calendar date, or `N days|weeks|months|years ago`; given back as a date. */
export const dateOrAgo: ItemParser<string> = {
  read(value, context) {
    if (dayFromIso(value) !== null) return value;
    const counted = relativeDate(value, context.now);
    if (counted === null)
      return new ParseError('invalid_date', dateReason(value, ' or "N days|weeks|months|years ago"'));
    context.usedToday?.(utcDate(context.now));
    return counted;
  },
  schema: {
    type: 'string',
    pattern: '^([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,6} (day|week|month|year)s? ago)$',
  },
};

function dateReason(value: string, also: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(value)
    ? 'is not a calendar date of the years 1000 to 9999.'
    : `is not a date written YYYY-MM-DD${also}.`;
}

/** A decimal number, as JSON writes it. */
export const decimal: ItemParser<number> = {
  read(value) {
    const number = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(value) ? Number(value) : NaN;
    return Number.isFinite(number) ? number : new ParseError('invalid_number', 'is not a number.');
  },
  schema: { type: 'number' },
  listCode: 'invalid_item',
};
