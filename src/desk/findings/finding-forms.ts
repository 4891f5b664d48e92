import { MAX_REASON_LENGTH } from '../../ledger/changes/change-set.js';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { QUANTITY } from '../../lib/numbers/quantity.js';
import { Optional, OrNull } from '../../platform/validation/field.js';
import { CalendarDate, Decimal, OneOf, Text } from '../../platform/validation/fields.js';
import { validateBody } from '../../platform/validation/validate-body.js';
import { type PeriodName, periodNames } from '../../price-series/periodicity.js';
import { periodOf, type RequestedCorrection } from '../../prices/corrections/correction-batch.js';
import type { FindingPatch } from '../../quality/finding.dto.js';

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
    ...(removes ? { price_value: null } : given('price_value', sent('price_value'))),
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

/** The dismissal that a form asks for. @throws ValidationError without a reason */
export function dismissalOf(form: URLSearchParams): FindingPatch {
  const text = form.get('reason')?.trim() ?? '';
  const { reason } = validateBody(DismissalDto, text === '' ? {} : { reason: text });
  return { state: 'dismissed', reason };
}
