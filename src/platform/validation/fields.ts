import { dayFromIso } from '../../lib/dates/calendar-date.js';
import {
  choice,
  currencyCode,
  date,
  decimal,
  digits,
  flag,
  integer,
  iso3,
  type ValueParser,
  MAX_ID,
  MAX_ITEM_LENGTH,
  recordId,
  ParseError,
  text,
  UUID,
  uuid,
} from './parsers.js';
import { wholeCode } from '../../lib/codes/whole-code.js';
import { normalizeText } from '../../lib/text/normalize-text.js';
import {
  type FieldDecorator,
  fieldDecorator,
  type FieldKind,
  type FieldSchema,
  type FieldType,
} from './field.js';
import { SIGNIFICANT_DIGITS } from './json-text.js';
import type { Schema } from './schema.js';

/*
 * Decorators of the fields of classes. Each one defines which values a field has, the code of its
 * violations, how what is sent is normalized, and its schema in the OpenAPI document.
 */

interface FieldOptions {
  description?: string;
  example?: string | number | boolean;
  /** What the document says of the accepted values, in place of all that is checked. */
  stated?: Limits;
}

const LIMITS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
] as const satisfies (keyof FieldSchema)[];

type Limits = Pick<FieldSchema, (typeof LIMITS)[number]>;

interface Kind extends Pick<FieldType, 'kind' | 'check' | 'normalize' | 'parser' | 'imports' | 'isCode'> {
  schema: FieldSchema;
  /** Of integers: stands after the description. */
  format?: string;
}

function fieldType(
  { schema, format, ...kind }: Kind,
  { description, example, stated }: FieldOptions,
): FieldType {
  const described = stated === undefined ? schema : { ...withoutLimits(schema), ...stated };
  const whole = {
    ...described,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
    ...(format === undefined ? {} : { format }),
  };
  return {
    ...kind,
    required: true,
    nullable: false,
    schema: whole,
    describe: (limits) => (limits ? whole : withoutLimits(whole)) as Schema,
  };
}

function withoutLimits(schema: FieldSchema): FieldSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => !(LIMITS as readonly string[]).includes(name)),
  );
}

const scalar = <V>(kind: Kind, options: FieldOptions): FieldDecorator<V> =>
  fieldDecorator(fieldType(kind, options));

const wrongType = (type: string): ParseError => new ParseError('invalid_type', `must be ${type}.`);
const textNormalizer =
  (max: number) =>
  (value: unknown): unknown =>
    typeof value === 'string' ? normalizeText(value, max) : value;
const codeNormalizer =
  (max: number) =>
  (value: unknown): unknown =>
    typeof value === 'string' ? wholeCode(normalizeText(value, max)) : value;
const normalizeCode = (value: unknown): unknown =>
  typeof value === 'string' ? value.trim().toUpperCase() : value;

/** An unpaired surrogate cannot be stored: it is read back as another character. */
const UNSTORABLE = /[\p{Cc}\p{Surrogate}]/u;

/** Characters of a text without a limit of its own. */
const MAX_TEXT = 1_000_000;

interface TextOptions extends FieldOptions, Pick<FieldType, 'imports' | 'isCode'> {}

/**
 * Text of at most `max` characters, trimmed, in normal form C. It must not be blank, unless it may
 * be left out or has no limit.
 */
export function Text(max?: number, options?: TextOptions): FieldDecorator<string>;
export function Text(options?: TextOptions): FieldDecorator<string>;
export function Text(first?: number | TextOptions, second: TextOptions = {}): FieldDecorator<string> {
  if (typeof first !== 'number') return fieldDecorator(textType(undefined, true, first ?? {}));
  return fieldDecorator({
    ...textType(first, false, second),
    whenOptional: textType(first, true, second),
  });
}

function textType(limit: number | undefined, mayBeBlank: boolean, options: TextOptions): FieldType {
  const { imports, isCode } = options;
  const max = limit ?? MAX_TEXT;
  return fieldType(
    {
      kind: 'text',
      imports,
      isCode,
      normalize: isCode ? codeNormalizer(max) : textNormalizer(max),
      check(value) {
        if (typeof value !== 'string') return wrongType('a string');
        if (value === '' && !mayBeBlank) return new ParseError('blank', 'must not be blank.');
        if (UNSTORABLE.test(value)) {
          return new ParseError(
            'invalid_text',
            'must not contain control characters or unpaired surrogates.',
          );
        }
        return value.length > max && Array.from(value).length > max
          ? new ParseError('too_long', `must be at most ${max} characters long.`, { max })
          : null;
      },
      parser: text(Math.max(max, MAX_ITEM_LENGTH)),
      schema: {
        type: 'string',
        ...(limit === undefined ? {} : { maxLength: limit }),
        ...(mayBeBlank ? {} : { minLength: 1 }),
      },
    },
    options,
  );
}

/**
 * Text of `min` to `max` digits. A JSON number is rejected: it would lose leading zeros.
 * @param evenUpTo texts of fewer digits have an even number of them, as codes in steps of two
 */
export function Digits(
  min: number,
  max: number,
  { evenUpTo = min, ...options }: FieldOptions & { readonly evenUpTo?: number } = {},
): FieldDecorator<string> {
  const even = Array.from({ length: (evenUpTo - min) / 2 }, (_, step) => `[0-9]{${min + 2 * step}}`);
  const pattern = new RegExp(`^(?:${[...even, `[0-9]{${evenUpTo},${max}}`].join('|')})$`);
  return scalar(
    {
      kind: 'digits',
      normalize: textNormalizer(max),
      check(value) {
        if (typeof value !== 'string') return wrongType(`a string of ${min} to ${max} digits`);
        if (value === '') return new ParseError('blank', 'must not be blank.');
        if (/^[0-9]+$/.test(value) && value.length > max)
          return new ParseError('too_long', `must have at most ${max} digits.`, { max });
        return pattern.test(value)
          ? null
          : new ParseError(
              'invalid_format',
              `must consist of ${min} to ${max} digits${parity(value, evenUpTo)}.`,
            );
      },
      parser: digits(max),
      schema: { type: 'string', pattern: pattern.source },
    },
    options,
  );
}

/** What is wrong with an odd number of digits. */
const parity = (value: string, evenUpTo: number): string =>
  /^[0-9]+$/.test(value) && value.length < evenUpTo
    ? `, an even number of them up to ${evenUpTo}: ${value} may have lost its leading zero`
    : '';

/** More characters than any word of a choice has. */
const MAX_CHOICE_LENGTH = 100;

/**
 * One of the given words, case-sensitive.
 * @param options.typed false where the document names the words alone
 */
export function OneOf<const V extends string>(
  allowed: readonly V[],
  { typed = true, ...options }: FieldOptions & { readonly typed?: boolean } = {},
): FieldDecorator<V> {
  return scalar(
    {
      kind: 'choice',
      normalize: textNormalizer(MAX_CHOICE_LENGTH),
      check(value) {
        if (typeof value !== 'string') return wrongType('a string');
        return (allowed as readonly string[]).includes(value)
          ? null
          : new ParseError('invalid_choice', `must be one of ${allowed.join(', ')}.`, { allowed });
      },
      parser: choice(allowed),
      schema: { ...(typed ? { type: 'string' } : {}), enum: allowed },
    },
    options,
  );
}

/** A calendar date, `YYYY-MM-DD`; with `firstOfMonth`, only the first day of a month. */
export function CalendarDate({
  firstOfMonth = false,
  ...options
}: FieldOptions & { readonly firstOfMonth?: boolean } = {}): FieldDecorator<string> {
  return scalar(
    {
      kind: 'date',
      check(value) {
        if (typeof value !== 'string') return wrongType('a string');
        if (dayFromIso(value) === null)
          return new ParseError('invalid_date', 'must be a calendar date written YYYY-MM-DD.');
        return firstOfMonth && !value.endsWith('-01')
          ? new ParseError('invalid_date', 'must be the first day of a month.')
          : null;
      },
      parser: date,
      schema: { type: 'string', format: 'date' },
    },
    options,
  );
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** An instant of UTC, `YYYY-MM-DDThh:mm:ssZ`. */
export const Instant = (options: FieldOptions = {}): FieldDecorator<string> =>
  scalar(
    {
      kind: 'instant',
      check: (value) =>
        typeof value === 'string' && INSTANT.test(value)
          ? null
          : new ParseError('invalid_format', 'must be an instant written YYYY-MM-DDThh:mm:ssZ.'),
      schema: { type: 'string', format: 'date-time' },
    },
    options,
  );

const code = (
  kind: FieldKind,
  expected: string,
  parser: ValueParser<string>,
  options: FieldOptions,
): FieldDecorator<string> =>
  scalar(
    {
      kind,
      normalize: normalizeCode,
      check(value) {
        if (typeof value !== 'string') return wrongType('a string');
        if (value === '') return new ParseError('blank', 'must not be blank.');
        return /^[A-Z]{3}$/.test(value) ? null : new ParseError('invalid_format', `must be ${expected}.`);
      },
      parser,
      schema: { type: 'string', pattern: '^[A-Za-z]{3}$' },
    },
    options,
  );

/** A country code of three letters (ISO 3166 alpha-3), stored in upper case. */
export const Iso3 = (options: FieldOptions = {}) =>
  code('country', 'a three-letter ISO 3166 code', iso3, options);

/** A currency code of three letters (ISO 4217, also retired ones), stored in upper case. */
export const CurrencyCode = (options: FieldOptions = {}) =>
  code('currency', 'a three-letter currency code', currencyCode, options);

export interface Bounds {
  above?: number;
  atLeast?: number;
  below?: number;
  atMost?: number;
  /** 0 is valid too, though below the other bounds. */
  orZero?: boolean;
}

/** A number of at most 15 significant digits, which is returned exactly as it was sent. */
export function Decimal(options: FieldOptions & Bounds = {}): FieldDecorator<number> {
  const { above, atLeast, below, atMost, orZero = false } = options;
  return scalar(
    {
      kind: 'decimal',
      normalize: (value) => (value === 0 ? 0 : value),
      check(value) {
        if (typeof value !== 'number') return wrongType('a number');
        if (!Number.isFinite(value))
          return new ParseError('out_of_range', 'must not exceed the range of a double-precision number.');
        if (Number(value.toPrecision(SIGNIFICANT_DIGITS)) !== value) return tooManyDigits;
        if (orZero && value === 0) return null;
        if (above !== undefined && value <= above)
          return new ParseError('out_of_range', `must be greater than ${above}.`, { min: above });
        if (atLeast !== undefined && value < atLeast) {
          return new ParseError('out_of_range', `must be at least ${atLeast}.`, { min: atLeast });
        }
        if (below !== undefined && value >= below)
          return new ParseError('out_of_range', `must be less than ${below}.`, { max: below });
        return atMost !== undefined && value > atMost
          ? new ParseError('out_of_range', `must be at most ${atMost}.`, { max: atMost })
          : null;
      },
      parser: decimal,
      schema: {
        type: 'number',
        ...(above === undefined || (atLeast ?? above) > above ? {} : { exclusiveMinimum: above }),
        ...(atLeast === undefined ? {} : { minimum: orZero ? 0 : atLeast }),
        ...(below === undefined ? {} : { exclusiveMaximum: below }),
        ...(atMost === undefined ? {} : { maximum: atMost }),
      },
    },
    options,
  );
}

/** The error for a number that would not be returned as it was sent. */
export const tooManyDigits = new ParseError(
  'out_of_range',
  `must have at most ${SIGNIFICANT_DIGITS} significant digits.`,
);

/** The JSON literals true and false; no other representation is accepted. */
export const Flag = (options: FieldOptions = {}): FieldDecorator<boolean> =>
  scalar(
    {
      kind: 'flag',
      check: (value) => (typeof value === 'boolean' ? null : wrongType('true or false')),
      parser: flag,
      schema: { type: 'boolean' },
    },
    options,
  );

const integers = (
  kind: 'id' | 'integer',
  [min, max]: readonly [number, number],
  parser: ValueParser<number>,
  { format, ...options }: FieldOptions & { format?: string },
): FieldDecorator<number> =>
  scalar(
    {
      kind,
      check(value) {
        if (typeof value !== 'number' || !Number.isInteger(value)) return wrongType('an integer');
        return value >= min && value <= max
          ? null
          : new ParseError('out_of_range', `must be between ${min} and ${max}.`, { min, max });
      },
      parser,
      schema: { type: 'integer', minimum: min, maximum: max },
      format,
    },
    options,
  );

/** The id of a record: an integer from 1 to 2147483647. */
export const Id = (options: FieldOptions = {}) => integers('id', [1, MAX_ID], recordId, options);

/** A count. */
export const Count = (options: FieldOptions = {}) =>
  integers('integer', [0, MAX_ID], integer(0, MAX_ID), options);

/** A count or an id that may pass 2^31: of points, rows, bytes or revisions. */
export const WideCount = ({ min = 0, ...options }: FieldOptions & { min?: number } = {}) =>
  integers('integer', [min, Number.MAX_SAFE_INTEGER], integer(min, Number.MAX_SAFE_INTEGER), {
    ...options,
    format: 'int64',
  });

/** A UUID of any version, returned in lower case. */
export const Uuid = (options: FieldOptions = {}): FieldDecorator<string> =>
  scalar(
    {
      kind: 'uuid',
      normalize: (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
      check(value) {
        if (typeof value !== 'string') return wrongType('a string');
        return UUID.test(value) ? null : new ParseError('invalid_format', 'must be a UUID.');
      },
      parser: uuid,
      schema: { type: 'string', format: 'uuid' },
    },
    options,
  );

/**
 * Characters as they are, blanks at the ends and control characters included: signs that separate
 * others, and texts that are compared. May be empty with a `min` of 0.
 */
export const Characters = (
  max: number,
  { min = 1, ...options }: FieldOptions & { readonly min?: number } = {},
): FieldDecorator<string> =>
  scalar(
    {
      kind: 'verbatim',
      check(value) {
        if (typeof value !== 'string') return wrongType('a string');
        if (value.length < min) return new ParseError('blank', 'must not be blank.');
        if (/\p{Surrogate}/u.test(value))
          return new ParseError('invalid_text', 'must not contain unpaired surrogates.');
        return value.length > max && Array.from(value).length > max
          ? new ParseError('too_long', `must be at most ${max} characters long.`, { max })
          : null;
      },
      schema: { type: 'string', minLength: min, maxLength: max },
    },
    options,
  );

/**
 * Text of 1 to `maxBytes` bytes of UTF-8, not normalized: passwords, tokens, user names.
 * @param options.format of the schema
 */
export const Verbatim = (
  maxBytes: number,
  { format, ...options }: FieldOptions & { readonly format?: string } = {},
): FieldDecorator<string> =>
  scalar(
    {
      kind: 'verbatim',
      check(value) {
        if (typeof value !== 'string') return wrongType('a string');
        if (value.trim() === '') return new ParseError('blank', 'must not be blank.');
        // Unpaired surrogates have no encoding in UTF-8: different texts would become the same
        // bytes.
        if (/\p{Surrogate}/u.test(value))
          return new ParseError('invalid_text', 'must not contain unpaired surrogates.');
        return Buffer.byteLength(value) > maxBytes
          ? new ParseError('too_long', `must be at most ${maxBytes} bytes long.`, { max: maxBytes })
          : null;
      },
      parser: text(maxBytes),
      schema: {
        type: 'string',
        minLength: 1,
        maxLength: maxBytes,
        ...(format === undefined ? {} : { format }),
      },
    },
    options,
  );
