import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import {
  choice,
  currencyCode,
  date,
  decimal,
  digits,
  flag,
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
import { SIGNIFICANT_DIGITS } from './json-text.js';

/*
 * Decorators of DTO properties. Each one defines what a field accepts, the code of its violations,
 * how its value is normalized, and its schema in the OpenAPI document. They are built from
 * class-validator and class-transformer decorators.
 */

export interface FieldOptions {
  /** Must be given on POST and PUT. */
  required?: boolean;
  /** Accepts null. */
  nullable?: boolean;
  description?: string;
  example?: string | number | boolean;
  /** What imports do that the API does not: store a text in upper case. */
  imports?: 'in upper case';
  /** A code, which is stored without the decimals that a spreadsheet has added to it. */
  isCode?: boolean;
}

/** What the values of a field are. */
export type FieldKind =
  | 'id'
  | 'uuid'
  | 'text'
  | 'verbatim'
  | 'digits'
  | 'choice'
  | 'date'
  | 'country'
  | 'currency'
  | 'decimal'
  | 'flag';

/** A field of a DTO, as its decorator describes it. */
export interface Field {
  name: string;
  kind: FieldKind;
  required: boolean;
  nullable: boolean;
  /** Why the normalized value is invalid; null when it is valid. */
  check(value: unknown): ParseError | null;
  /** Schema of the field in the OpenAPI document. */
  schema: FieldSchema;
  /** Parses a value of the query string, for lists that are filtered by the field. */
  parser: ValueParser<string | number | boolean>;
  imports?: FieldOptions['imports'];
  isCode?: boolean;
}

/** The subset of OpenAPI's schema object that fields use. */
export interface FieldSchema extends Partial<
  Record<'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum', number>
> {
  type: string;
  description?: string;
  example?: string | number | boolean;
  format?: string;
  pattern?: string;
  maxLength?: number;
  minLength?: number;
  enum?: readonly string[];
}

const FIELDS = 'pds:fields';

/** The fields of a DTO class and its base classes, in order of declaration. */
export function fieldsOf(dto: object): readonly Field[] {
  return (Reflect.getMetadata(FIELDS, dto) as Field[] | undefined) ?? [];
}

interface FieldType extends Pick<Field, 'kind' | 'check' | 'parser'> {
  normalize?: (value: unknown) => unknown;
  schema: FieldSchema;
}

function fieldDecorator(type: FieldType, options: FieldOptions): PropertyDecorator {
  const required = options.required ?? false;
  const nullable = options.nullable ?? false;
  const register: PropertyDecorator = (target, name) => {
    const { kind, check, parser } = type;
    const { description, example, imports, isCode } = options;
    const schema = {
      ...type.schema,
      ...(description === undefined ? {} : { description }),
      ...(example === undefined ? {} : { example }),
    };
    const field: Field = {
      name: String(name),
      kind,
      required,
      nullable,
      check,
      schema,
      parser,
      imports,
      isCode,
    };
    const others = fieldsOf(target.constructor).filter((other) => other.name !== field.name);
    Reflect.defineMetadata(FIELDS, [...others, field], target.constructor);
  };
  const { normalize } = type;
  return applyDecorators(
    register,
    ...(normalize ? [Transform(({ value }) => normalize(value))] : []),
    ValidateBy({
      name: 'field',
      validator: {
        validate: (value) => (value === null && nullable) || type.check(value) === null,
        defaultMessage: (args) => `${args!.property} ${type.check(args!.value)!.reason}`,
      },
    }),
  );
}

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

/** Text of at most `max` characters, trimmed, in normal form C. Required text must not be blank. */
export function Text(max: number, options: FieldOptions = {}): PropertyDecorator {
  return fieldDecorator(
    {
      kind: 'text',
      normalize: options.isCode ? codeNormalizer(max) : textNormalizer(max),
      check(value) {
        if (typeof value !== 'string') return wrongType('a string');
        if (value === '' && options.required) return new ParseError('blank', 'must not be blank.');
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
      schema: { type: 'string', maxLength: max, ...(options.required ? { minLength: 1 } : {}) },
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
): PropertyDecorator {
  const even = Array.from({ length: (evenUpTo - min) / 2 }, (_, step) => `[0-9]{${min + 2 * step}}`);
  const pattern = new RegExp(`^(?:${[...even, `[0-9]{${evenUpTo},${max}}`].join('|')})$`);
  return fieldDecorator(
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

/** More characters than any word of a `Choice` has. */
const MAX_CHOICE_LENGTH = 100;

/** One of the given words, case-sensitive. */
export function Choice(allowed: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return fieldDecorator(
    {
      kind: 'choice',
      normalize: textNormalizer(MAX_CHOICE_LENGTH),
      check(value) {
        if (typeof value !== 'string') return wrongType('a string');
        return allowed.includes(value)
          ? null
          : new ParseError('invalid_choice', `must be one of ${allowed.join(', ')}.`, { allowed });
      },
      parser: choice(allowed),
      schema: { type: 'string', enum: allowed },
    },
    options,
  );
}

/** A calendar date, `YYYY-MM-DD`; with `firstOfMonth`, only the first day of a month. */
export function CalendarDate(options: FieldOptions & { firstOfMonth?: boolean } = {}): PropertyDecorator {
  return fieldDecorator(
    {
      kind: 'date',
      check(value) {
        if (typeof value !== 'string') return wrongType('a string');
        if (dayFromIso(value) === null)
          return new ParseError('invalid_date', 'must be a calendar date written YYYY-MM-DD.');
        return options.firstOfMonth && !value.endsWith('-01')
          ? new ParseError('invalid_date', 'must be the first day of a month.')
          : null;
      },
      parser: date,
      schema: { type: 'string', format: 'date' },
    },
    options,
  );
}

function code(
  kind: FieldKind,
  expected: string,
  example: string,
  parser: ValueParser<string>,
  options: FieldOptions,
): PropertyDecorator {
  return fieldDecorator(
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
    { example, ...options },
  );
}

/** A country code of three letters (ISO 3166 alpha-3), stored in upper case. */
export const Iso3 = (options: FieldOptions = {}) =>
  code('country', 'a three-letter ISO 3166 code', 'KEN', iso3, options);

/** A currency code of three letters (ISO 4217, also retired ones), stored in upper case. */
export const CurrencyCode = (options: FieldOptions = {}) =>
  code('currency', 'a three-letter currency code', 'KES', currencyCode, options);

export interface Bounds {
  above?: number;
  atLeast?: number;
  below?: number;
  atMost?: number;
  /** 0 is valid too, though below the other bounds. */
  orZero?: boolean;
}

/** A number of at most 15 significant digits, which is returned exactly as it was sent. */
export function Decimal(options: FieldOptions & Bounds = {}): PropertyDecorator {
  const { above, atLeast, below, atMost, orZero = false } = options;
  return fieldDecorator(
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
export function Flag(options: FieldOptions = {}): PropertyDecorator {
  return fieldDecorator(
    {
      kind: 'flag',
      check: (value) => (typeof value === 'boolean' ? null : wrongType('true or false')),
      parser: flag,
      schema: { type: 'boolean' },
    },
    options,
  );
}

/** The id of a record: an integer from 1 to 2147483647. */
export function RecordId(options: FieldOptions = {}): PropertyDecorator {
  return fieldDecorator(
    {
      kind: 'id',
      check(value) {
        if (typeof value !== 'number' || !Number.isInteger(value)) return wrongType('an integer');
        return value >= 1 && value <= MAX_ID
          ? null
          : new ParseError('out_of_range', `must be between 1 and ${MAX_ID}.`, { min: 1, max: MAX_ID });
      },
      parser: recordId,
      schema: { type: 'integer', minimum: 1, maximum: MAX_ID },
    },
    options,
  );
}

/** A UUID of any version, returned in lower case. */
export function Uuid(options: FieldOptions = {}): PropertyDecorator {
  return fieldDecorator(
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
}

/** Text of at most `maxBytes` bytes of UTF-8, not normalized: passwords, tokens, user names. */
export function Verbatim(maxBytes: number, options: FieldOptions = {}): PropertyDecorator {
  return fieldDecorator(
    {
      kind: 'verbatim',
      check(value) {
        if (typeof value !== 'string') return wrongType('a string');
        if (value.trim() === '' && options.required) return new ParseError('blank', 'must not be blank.');
        // Unpaired surrogates have no encoding in UTF-8: different texts would become the same
        // bytes.
        if (/\p{Surrogate}/u.test(value))
          return new ParseError('invalid_text', 'must not contain unpaired surrogates.');
        return Buffer.byteLength(value) > maxBytes
          ? new ParseError('too_long', `must be at most ${maxBytes} bytes long.`, { max: maxBytes })
          : null;
      },
      parser: text(maxBytes),
      schema: { type: 'string', maxLength: maxBytes, ...(options.required ? { minLength: 1 } : {}) },
    },
    options,
  );
}
