import { MAX_REASON_LENGTH } from '../../ledger/changes/change-set.js';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { QUANTITY } from '../../lib/numbers/quantity.js';
import { ValidationError } from '../../platform/errors/api-error.js';
import { Optional, OrNull } from '../../platform/validation/field.js';
import { CalendarDate, Decimal, OneOf, Text } from '../../platform/validation/fields.js';
import { validateBody } from '../../platform/validation/validate-body.js';
import { type PeriodName, periodNames } from '../../price-series/periodicity.js';
import { periodOf, type RequestedCorrection } from '../../prices/corrections/correction-batch.js';
import type { FindingPatch } from '../../quality/finding.dto.js';
import { openReading, readTypedNumber } from '../layout/typed-numbers.js';

/** A price as its finding has shown it, and what is to become of it. */
class CorrectionFormDto {
  @Text(36) uuid!: string;
  @OneOf(periodNames)
  periodicity!: PeriodName;
  @CalendarDate() date!: string;
  @Optional(Decimal(QUANTITY)) seen_value?: number;
  @Optional(Text(500)) seen_comment?: string;
  @OrNull(Decimal(QUANTITY)) price_value!: number | null;
  @Optional(Text(500)) comment?: string;
}

class DismissalDto {
  @Text(MAX_REASON_LENGTH) reason!: string;
}

/** The hidden field with the price that the form proposes. */
export const PROPOSED = 'proposed';

/** The fields in which people type. */
export const TYPED_FIELDS = ['price_value', 'comment', 'reason'];

/**
 * The correction that a form asks for.
 * @param removes the price instead of setting it
 * @throws ValidationError
 */
export function correctionOf(form: URLSearchParams, removes: boolean): RequestedCorrection {
  const sent = (name: string) => form.get(name)?.trim() ?? '';
  const texts = ['uuid', 'periodicity', 'date', 'seen_comment', 'comment'];
  const { uuid, periodicity, date, ...rest } = validateBody(CorrectionFormDto, {
    ...Object.fromEntries(texts.map((name) => [name, sent(name)]).filter(([, value]) => value !== '')),
    ...given('seen_value', sent('seen_value')),
    ...(removes ? { price_value: null } : typedPrice(form)),
  });
  const { price_value: price, comment, seen_value: value, seen_comment: seenComment = null } = rest;
  return {
    uuid,
    period: periodOf(periodicity),
    day: dayFromIso(date)!,
    price,
    comment,
    seen: value === undefined ? null : { value, comment: seenComment },
  };
}

/** A number as a form sends it; other texts stay texts, of which the field says what it accepts. */
function given(name: string, text: string): Record<string, string | number> {
  if (text === '') return {};
  return { [name]: /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text) ? Number(text) : text };
}

/**
 * A price as somebody has typed it, unless it is the one that the form has proposed.
 * @throws ValidationError for one that may be two
 */
function typedPrice(form: URLSearchParams): Record<string, string | number> {
  const text = form.get('price_value')?.trim() ?? '';
  const read = text === form.get(PROPOSED) ? text : readTypedNumber(text);
  if (typeof read !== 'string') throw new ValidationError([openReading('price_value', text, read)]);
  return given('price_value', read);
}

/** The dismissal that a form asks for. @throws ValidationError without a reason */
export function dismissalOf(form: URLSearchParams): FindingPatch {
  const text = form.get('reason')?.trim() ?? '';
  const { reason } = validateBody(DismissalDto, text === '' ? {} : { reason: text });
  return { state: 'dismissed', reason };
}
