import { parse } from 'csv-parse/sync';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { unguardedText } from '../../lib/text/csv.js';
import { MAX_VIOLATIONS, ValidationError, type Violation } from '../../platform/errors/api-error.js';
import { ApiSchema, Optional, OrNull } from '../../platform/validation/field.js';
import { CalendarDate, Decimal, OneOf, Text, tooManyDigits, Uuid } from '../../platform/validation/fields.js';
import { SIGNIFICANT_DIGITS, parseJson, significantDigits } from '../../platform/validation/json-text.js';
import { ParseError } from '../../platform/validation/parsers.js';
import { bodyViolation, validateBody } from '../../platform/validation/validate-body.js';
import {
  PERIODS,
  PERIOD_NAMES,
  type Period,
  type PeriodName,
  periodNames,
} from '../../price-series/periodicity.js';
import { PRICE } from '../datapoint.dto.js';

/** Most corrections in one request. */
const MAX_CORRECTIONS = 1000;

/** A point of a series, as a maintainer sets it. */
@ApiSchema({ name: 'NewPrice', limits: true })
export class NewPointDto {
  @CalendarDate() date!: string;
  @OneOf(periodNames) periodicity!: PeriodName;
  @Decimal(PRICE) price_value!: number;
  @Optional(Text(500)) comment?: string;
}

/** An item of a request that makes several corrections; a null price removes the point. */
@ApiSchema({ name: 'NewCorrection', limits: true })
export class CorrectionDto {
  @Uuid() uuid!: string;
  @OneOf(periodNames) periodicity!: PeriodName;
  @CalendarDate() date!: string;
  @OrNull(Decimal({ ...PRICE, description: 'Null removes the price' })) price_value!: number | null;
  @Optional(Text(500)) comment?: string;
}

/** A correction as requested. */
export interface RequestedCorrection {
  readonly uuid: string;
  readonly period: Period;
  readonly day: number;
  /** Null removes the point. */
  readonly price: number | null;
  /** Undefined leaves the comment as it is. */
  readonly comment: string | undefined;
  /** What the author has seen, null for no point; where it is left out, any point is corrected. */
  readonly seen?: { readonly value: number; readonly comment: string | null } | null;
}

export const periodOf = (name: PeriodName): Period => PERIODS.find((code) => PERIOD_NAMES[code] === name)!;

/** The violation of a monthly point that is not dated the first day of its month. */
export function dateViolations({
  periodicity,
  date,
}: Pick<NewPointDto, 'periodicity' | 'date'>): Violation[] {
  if (periodicity !== 'monthly' || date.endsWith('-01')) return [];
  const reason = 'must be the first day of a month for a monthly price.';
  return [bodyViolation('date', new ParseError('invalid_date', reason))];
}

/**
 * The corrections in a body of JSON or CSV.
 * @throws ValidationError with the violations of all items, each with the index of its item
 */
export function parseCorrections(text: string, mediaType: 'json' | 'csv'): RequestedCorrection[] {
  const items = mediaType === 'csv' ? parseCsv(text) : parseJson(text);
  if (!Array.isArray(items)) throw invalidBody('invalid_type', 'The body must be a JSON array.');
  if (items.length === 0 || items.length > MAX_CORRECTIONS)
    throw invalidBody('out_of_range', `The body must have 1 to ${MAX_CORRECTIONS} corrections.`);
  const violations: Violation[] = [];
  const corrections: RequestedCorrection[] = [];
  const seen = new Set<string>();
  for (const [index, item] of (items as unknown[]).entries()) {
    if (violations.length >= MAX_VIOLATIONS) break;
    try {
      const correction = toCorrection(item);
      const { uuid, period, day } = correction;
      const key = `${uuid} ${period} ${day}`;
      if (seen.has(key)) throw new ValidationError([repeated]);
      seen.add(key);
      corrections.push(correction);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      violations.push(...error.violations.map((violation) => atItem(index, violation)));
    }
  }
  if (violations.length > 0) throw new ValidationError(violations);
  return corrections;
}

/** A violation of an item of the body. */
export const atItem = (index: number, violation: Violation): Violation => ({
  ...violation,
  pointer: `/${index}${violation.pointer ?? ''}`,
});

const repeated = bodyViolation('date', new ParseError('duplicate', 'is that of an earlier item, too.'));

function toCorrection(item: unknown): RequestedCorrection {
  const { uuid, periodicity, date, price_value, comment } = validateBody(CorrectionDto, item, {
    crossFieldRules: (dto) => [...dateViolations(dto), ...digitViolations(dto)],
  });
  const period = periodOf(periodicity);
  return { uuid, period, day: dayFromIso(date)!, price: price_value, comment };
}

function digitViolations({ price_value: price }: CorrectionDto): Violation[] {
  const isOverlong = price !== null && significantDigits(String(price)) > SIGNIFICANT_DIGITS;
  return isOverlong ? [bodyViolation('price_value', tooManyDigits)] : [];
}

/** The records of a CSV text by its header, with prices as numbers and empty ones as null. */
function parseCsv(text: string): object[] {
  let records: Record<string, string>[];
  try {
    records = parse(text, { bom: true, columns: true, skip_empty_lines: true });
  } catch {
    throw invalidBody('invalid_format', 'The body is not valid CSV.');
  }
  return records.map((record) => {
    const item: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(record)) item[name.trim()] = unguardedText(value);
    const price = item.price_value as string | undefined;
    if (price === undefined) return item;
    if (price.trim() === '') item.price_value = null;
    else if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(price.trim()))
      item.price_value = Number(price);
    return item;
  });
}

const invalidBody = (code: Violation['code'], detail: string) =>
  new ValidationError([{ in: 'body', pointer: '', code, detail }]);
