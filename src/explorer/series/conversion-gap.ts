import { firstDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import type { Conversion } from '../../prices/derive/conversion.js';
import { MONTHLY } from '../../price-series/periodicity.js';
import type { PageMeasure } from './series-state.js';
import type { PricedPoint } from './series-view.js';

/** Prices that cannot be converted, because rates or indices do not reach them. */
export interface ConversionGap {
  readonly count: number;
  /** The last month (a number) with a rate or index before the newest prices; null for none. */
  readonly after: number | null;
  /** The first month with one after the oldest prices; null for none. */
  readonly before: number | null;
}

/** Months in which a rate is looked for: more are as good as none. */
const MAX_MONTHS = 1200;

/**
 * What cannot be converted of the prices that a page shows; null where everything is, or nothing
 * is to be.
 * @param rows newest first
 */
export function conversionGap(
  rows: readonly PricedPoint[],
  measure: PageMeasure,
  conversion: Conversion,
): ConversionGap | null {
  const count = rows.filter((row) => row[measure] === null && row.nominal !== null).length;
  if (measure === 'nominal' || count === 0) return null;
  const isKnown = ({ nominal }: PricedPoint, month: number): boolean => {
    const day = firstDayOfMonth(month);
    return measure === 'usd'
      ? conversion.dollar(nominal ?? 1, MONTHLY, day) !== null
      : conversion.real(nominal ?? 1, MONTHLY, day) !== null && conversion.otherBase(MONTHLY, day) === null;
  };
  /** The nearest month with a rate on one side of a price that has none. */
  const nearest = (row: PricedPoint | undefined, step: 1 | -1): number | null => {
    if (row === undefined || row[measure] !== null) return null;
    const start = monthOf(row.day);
    for (let months = 1; months <= MAX_MONTHS; months++)
      if (isKnown(row, start + step * months)) return start + step * months;
    return null;
  };
  return { count, after: nearest(rows[0], -1), before: nearest(rows.at(-1), 1) };
}
