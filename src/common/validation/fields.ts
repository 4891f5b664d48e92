import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { dayFromIso } from '../dates/calendar-date.js';
import {
  choice,
  currencyCode,
  date,
  decimal,
  digits,
  flag,
  iso3,
  type ItemParser,
  MAX_ID,
  MAX_ITEM_LENGTH,
  recordId,
  ParseError,
  text,
} from '../filtering/parsers.js';
import { cleanText } from '../text/clean-text.js';
import { SIGNIFICANT_DIGITS } from './json-text.js';

/*
 * Decorators of DTO properties. Each line says at once what a field takes, which code a refusal carries, how the value is
 * tidied, and how the API document shows it. They are class-validator and class-transformer decorators underneath.
 */

export interface FieldOptions {
  /** Must be given on POST and PUT. */
  required?: boolean;
  /** Takes null. */
  nullable?: boolean;
  description?: string;
  example?: string | number | boolean;
}

/** What is known of a field. */
export interface Field {
  name: string;
  required: boolean;
  nullable: boolean;
  /** Why the (tidied) value is refused; null when it is fine. */
  check(value: unknown): ParseError | null;
  /** How the API document shows the field. */
  schema: FieldSchema;
  /** Reads a value from a query string, where a list is filtered by the field. */
  parser: ItemParser<string | number | boolean>;
  /** Free text, which compares folded; anything else compares exactly. */
  folded: boolean;
}

/** The part of a schema object that fields use. */
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

/** The fields of a DTO class and the classes above it, in the order they are written. */
export function fieldsOf(dto: object): readonly Field[] {
  return (Reflect.getMetadata(FIELDS, dto) as Field[] | undefined) ?? [];
}

interface Kind extends Pick<Field, 'check' | 'parser'> {
  folded?: boolean;
  tidy?(value: unknown): unknown;
  schema: FieldSchema;
}

function fieldDecorator(kind: Kind, options: FieldOptions): PropertyDecorator {
  const required = options.required ?? false;
  const nullable = options.nullable ?? false;
  const register: PropertyDecorator = (target, name) => {
    const { check, parser, folded = false } = kind;
    const { description, example } = options;
    const schema = {
      ...kind.schema,
      ...(description === undefined ? {} : { description }),
      ...(example === undefined ? {} : { example }),
    };
    const field: Field = { name: String(name), required, nullable, check, schema, parser, folded };
    const others = fieldsOf(target.constructor).filter((other) => other.name !== field.name);
    Reflect.defineMetadata(FIELDS, [...others, field], target.constructor);
  };
  const { tidy } = kind;
  return applyDecorators(
    register,
    ...(tidy ? [Transform(({ value }) => tidy(value))] : []),
    ValidateBy({
      name: 'field',
      validator: {
        validate: (value) => (value === null && nullable) || kind.check(value) === null,
        defaultMessage: (args) => `${args!.property} ${kind.check(args!.value)!.reason}`,
      },
    }),
  );
}

const wrongType = (type: string): ParseError => new ParseError('invalid_type', `must be ${type}.`);
const tidyText =
  (max: number) =>
  (value: unknown): unknown =>
    typeof value === 'string' ? cleanText(value, max) : value;
const tidyCode = (value: unknown): unknown =>
  typeof value === 'string' ? value.trim().toUpperCase() : value;

/** Half a surrogate pair cannot be stored, and comes back as something else. */
const UNSTORABLE = /[\p{Cc}\p{Surrogate}]/u;

/** Text of at most `max` characters, trimmed, in normal form C. Required text may not be blank. */
export function Text(max: number, options: FieldOptions = {}): PropertyDecorator {
  return fieldDecorator(
    {
      tidy: tidyText(max),
      check(value) {
        if (typeof value !== 'string') return wrongType('a string');
        if (value === '' && options.required) return new ParseError('blank', 'may not be blank.');
        if (UNSTORABLE.test(value)) {
          return new ParseError('invalid_text', 'may not hold control characters or half a surrogate pair.');
        }
        return value.length > max && Array.from(value).length > max
          ? new ParseError('too_long', `may have at most ${max} characters.`, { max })
          : null;
      },
      parser: text(Math.max(max, MAX_ITEM_LENGTH)),
      folded: true,
      schema: { type: 'string', maxLength: max, ...(options.required ? { minLength: 1 } : {}) },
    },
    options,
  );
}

/** Text of `min` to `max` digits. A JSON number is refused: it would lose leading zeros. */
export function Digits(min: number, max: number, options: FieldOptions = {}): PropertyDecorator {
  const pattern = new RegExp(`^[0-9]{${min},${max}}$`);
  return fieldDecorator(
    {
      tidy: tidyText(max),
      check(value) {
        if (typeof value !== 'string') return wrongType(`a string of ${min} to ${max} digits`);
        if (value === '') return new ParseError('blank', 'may not be blank.');
        if (/^[0-9]+$/.test(value) && value.length > max)
          return new ParseError('too_long', `may have at most ${max} digits.`, { max });
        return pattern.test(value)
          ? null
          : new ParseError('invalid_format', `must be ${min} to ${max} digits.`);
      },
      parser: digits(max),
      schema: { type: 'string', pattern: pattern.source },
    },
    options,
  );
}

/** Characters of a word to choose, generously. */
const LONGEST_CHOICE = 100;

/** One of the given words, exactly so spelt. */
export function Choice(allowed: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return fieldDecorator(
    {
      tidy: tidyText(LONGEST_CHOICE),
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

/** A calendar date, `YYYY-MM-DD`; with `firstOfMonth` the first day of one. */
export function CalendarDate(options: FieldOptions & { firstOfMonth?: boolean } = {}): PropertyDecorator {
  return fieldDecorator(
    {
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
  letters: string,
  example: string,
  parser: ItemParser<string>,
  options: FieldOptions,
): PropertyDecorator {
  return fieldDecorator(
    {
      tidy: tidyCode,
      check(value) {
        if (typeof value !== 'string') return wrongType('a string');
        if (value === '') return new ParseError('blank', 'may not be blank.');
        return /^[A-Z]{3}$/.test(value) ? null : new ParseError('invalid_format', `must be ${letters}.`);
      },
      parser,
      schema: { type: 'string', pattern: '^[A-Za-z]{3}$' },
    },
    { example, ...options },
  );
}

/** A country by its three letters (ISO 3166 alpha-3); kept in capitals. */
export const Iso3 = (options: FieldOptions = {}) =>
  code('an ISO 3166 code of three letters', 'KEN', iso3, options);

/** A currency by its three letters (ISO 4217, retired and unofficial ones too); kept in capitals. */
export const CurrencyCode = (options: FieldOptions = {}) =>
  code('a currency code of three letters', 'KES', currencyCode, options);

export interface Bounds {
  above?: number;
  atLeast?: number;
  below?: number;
  atMost?: number;
}

/** A number of at most 15 significant digits, which comes back exactly as it was sent. */
export function Decimal(options: FieldOptions & Bounds = {}): PropertyDecorator {
  const { above, atLeast, below, atMost } = options;
  return fieldDecorator(
    {
      tidy: (value) => (value === 0 ? 0 : value),
      check(value) {
        if (typeof value !== 'number') return wrongType('a number');
        if (!Number.isFinite(value)) return new ParseError('out_of_range', 'is larger than a number can be.');
        if (Number(value.toPrecision(SIGNIFICANT_DIGITS)) !== value) return tooManyDigits;
        if (above !== undefined && value <= above)
          return new ParseError('out_of_range', `must be above ${above}.`, { min: above });
        if (atLeast !== undefined && value < atLeast) {
          return new ParseError('out_of_range', `must be at least ${atLeast}.`, { min: atLeast });
        }
        if (below !== undefined && value >= below)
          return new ParseError('out_of_range', `must be below ${below}.`, { max: below });
        return atMost !== undefined && value > atMost
          ? new ParseError('out_of_range', `must be at most ${atMost}.`, { max: atMost })
          : null;
      },
      parser: decimal,
      schema: {
        type: 'number',
        ...(above === undefined ? {} : { exclusiveMinimum: above }),
        ...(atLeast === undefined ? {} : { minimum: atLeast }),
        ...(below === undefined ? {} : { exclusiveMaximum: below }),
        ...(atMost === undefined ? {} : { maximum: atMost }),
      },
    },
    options,
  );
}

/** Refusal of a number that would not come back as it was sent. */
export const tooManyDigits = new ParseError(
  'out_of_range',
  `may have at most ${SIGNIFICANT_DIGITS} significant digits.`,
);

/** true or false; nothing else stands for them. */
export function Flag(options: FieldOptions = {}): PropertyDecorator {
  return fieldDecorator(
    {
      check: (value) => (typeof value === 'boolean' ? null : wrongType('true or false')),
      parser: flag,
      schema: { type: 'boolean' },
    },
    options,
  );
}

/** The id of a record: a whole number from 1 to 2147483647. */
export function RecordId(options: FieldOptions = {}): PropertyDecorator {
  return fieldDecorator(
    {
      check(value) {
        if (typeof value !== 'number' || !Number.isInteger(value)) return wrongType('a whole number');
        return value >= 1 && value <= MAX_ID
          ? null
          : new ParseError('out_of_range', `must be 1 to ${MAX_ID}.`, { min: 1, max: MAX_ID });
      },
      parser: recordId,
      schema: { type: 'integer', minimum: 1, maximum: MAX_ID },
    },
    options,
  );
}

/** Text of at most `maxBytes` bytes of UTF-8 that is kept exactly as it was sent: passwords, tokens, names to log in with. */
export function Verbatim(maxBytes: number, options: FieldOptions = {}): PropertyDecorator {
  return fieldDecorator(
    {
      check(value) {
        if (typeof value !== 'string') return wrongType('a string');
        if (value.trim() === '' && options.required) return new ParseError('blank', 'may not be blank.');
        // Half a surrogate pair has no bytes of its own: two such texts would be the same.
        if (/\p{Surrogate}/u.test(value))
          return new ParseError('invalid_text', 'may not hold half a surrogate pair.');
        return Buffer.byteLength(value) > maxBytes
          ? new ParseError('too_long', `may have at most ${maxBytes} bytes.`, { max: maxBytes })
          : null;
      },
      parser: text(maxBytes),
      schema: { type: 'string', maxLength: maxBytes, ...(options.required ? { minLength: 1 } : {}) },
    },
    options,
  );
}
