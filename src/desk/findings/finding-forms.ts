import { MAX_REASON_LENGTH } from '../../ledger/changes/change-set.js';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { QUANTITY } from '../../lib/numbers/quantity.js';
import { CalendarDate, Choice, Decimal, Text } from '../../platform/validation/fields.js';
import { validateBody } from '../../platform/validation/validate-body.js';
import { PERIOD_NAMES, PERIODS, type PeriodName } from '../../price-series/periodicity.js';
import { periodOf, type RequestedCorrection } from '../../prices/corrections/correction-batch.js';
import type { FindingPatchDto } from '../../quality/finding.dto.js';

/** A price as its finding has shown it, and what is to become of it. */
class CorrectionFormDto {
  @Text(36, { required: true }) uuid!: string;
  @Choice(PERIODS.map((period) => PERIOD_NAMES[period]), { required: true })
  periodicity!: PeriodName;
  @CalendarDate({ required: true }) date!: string;
  @Decimal(QUANTITY) seen_value?: number;
  @Text(500) seen_comment?: string;
  @Decimal({ ...QUANTITY, required: true, nullable: true }) price_value!: number | null;
  @Text(500) comment?: string;
}

class DismissalDto {
  @Text(MAX_REASON_LENGTH, { required: true }) reason!: string;
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
export function dismissalOf(form: URLSearchParams): FindingPatchDto {
  const text = form.get('reason')?.trim() ?? '';
  const { reason } = validateBody(DismissalDto, text === '' ? {} : { reason: text });
  return { state: 'dismissed', reason };
}
