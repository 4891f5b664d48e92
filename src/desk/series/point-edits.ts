import { createHash } from 'node:crypto';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { ValidationError, type Violation } from '../../platform/errors/api-error.js';
import { fieldsOf } from '../../platform/validation/field.js';
import { validateBody } from '../../platform/validation/validate-body.js';
import { PERIOD_NAMES } from '../../price-series/periodicity.js';
import { NewPointDto, type RequestedCorrection } from '../../prices/corrections/correction-batch.js';
import { parsePointNumber } from '../../prices/datapoint.dto.js';
import { parsePointId, type PointKey } from '../../prices/store/point-id.js';
import { chosenReading, typedNumber } from '../layout/typed-numbers.js';
import { bodyOf } from '../tables/form-values.js';

/** The texts of a price in a form. */
export interface PointTexts {
  readonly price: string;
  readonly comment: string;
}

/** A price that is stored. */
export interface PointRow {
  readonly id: number;
  readonly price: number;
  readonly comment: string;
}

/** A price of a form that somebody has changed: to other texts, or null to be removed. */
export interface PointEdit {
  readonly id: number;
  readonly key: PointKey;
  readonly date: string;
  readonly texts: PointTexts | null;
  /** What is stored now; null for nothing. */
  readonly stored: PointRow | null;
  /** Whether it is another price now than the form was made of. */
  readonly isConflict: boolean;
}

/** The names of the fields of a price. */
export const fieldName = (field: 'price' | 'comment' | 'shown' | 'remove' | 'keep', id: number): string =>
  `${field}.${id}`;

export const pointTexts = ({ price, comment }: PointRow): PointTexts => ({ price: String(price), comment });

/** Identifies the texts of a price, so that a form can say what it was made of. */
export function tagOf(texts: PointTexts | null): string {
  if (texts === null) return 'none';
  // Fields of HTML have no line breaks, and 30.0 is the price 30.
  const [price, comment] = [texts.price, texts.comment].map((text) => text.replace(/\s+/g, ' ').trim());
  const number = typedNumber(price!);
  const parts = [Number.isFinite(number) ? String(number) : price, comment];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

/**
 * The prices of a form that differ from what it was made of and from what is stored.
 * @param rows what is stored now, by id
 */
export function editsOf(
  form: URLSearchParams,
  serieId: number,
  rows: ReadonlyMap<number, PointRow>,
): PointEdit[] {
  const edits: PointEdit[] = [];
  for (const [name, shown] of form) {
    const id = name.startsWith('shown.') ? parsePointNumber(name.slice('shown.'.length)) : null;
    const key = id === null ? null : parsePointId(id);
    if (id === null || key?.serieId !== serieId || form.get(fieldName('keep', id)) === 'stored') continue;
    const texts = form.has(fieldName('remove', id))
      ? null
      : { price: form.get(fieldName('price', id)) ?? '', comment: form.get(fieldName('comment', id)) ?? '' };
    const stored = rows.get(id) ?? null;
    const storedTag = tagOf(stored && pointTexts(stored));
    if ([shown, storedTag].includes(tagOf(texts))) continue;
    edits.push({ id, key, date: isoFromDay(key.day), texts, stored, isConflict: shown !== storedTag });
  }
  return edits;
}

const pointFields = new Map(fieldsOf(NewPointDto).map((field) => [field.name, field]));

/** The fields of a new price in a form, as a body of the API. */
export const newPointBody = (texts: Readonly<Record<string, string>>) => bodyOf(pointFields, texts);

/**
 * The corrections that the edits of a form ask for.
 * @throws ValidationError with the violations of all prices, under the names of their fields
 */
export function correctionsOf(uuid: string, edits: readonly PointEdit[]): RequestedCorrection[] {
  const violations: Violation[] = [];
  const corrections: RequestedCorrection[] = [];
  for (const { id, key, date, texts, stored } of edits) {
    const { period, day } = key;
    const seen = stored && { value: stored.price, comment: stored.comment || null };
    if (texts === null) {
      corrections.push({ uuid, period, day, price: null, comment: undefined, seen });
      continue;
    }
    const { price: typed, comment } = texts;
    // One that stands in the form as it is stored is no other number.
    const isStored = Number(typed) === stored?.price;
    const price = isStored ? chosenReading(typed, `${typed.trim()}0`) : typed;
    try {
      const body = newPointBody({ date, periodicity: PERIOD_NAMES[period], price_value: price, comment });
      const valid = validateBody(NewPointDto, body);
      corrections.push({ uuid, period, day, price: valid.price_value, comment: valid.comment, seen });
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      violations.push(
        ...error.violations.map((violation) => ({
          ...violation,
          name: fieldName(violation.name === 'comment' ? 'comment' : 'price', id),
        })),
      );
    }
  }
  if (violations.length > 0) throw new ValidationError(violations);
  return corrections;
}
