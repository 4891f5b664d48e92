import type { Transaction } from '../../../ledger/unit-of-work.js';
import { PERIODS } from '../../../price-series/periodicity.js';
import { FIRST_EXPECTED_DAY, lastExpectedDay } from '../../rules/date-out-of-range.js';
import type { CheckedSeriesReader } from '../checked-series-reader.js';
import { datesOutOfRange, type DatesOutOfRange } from '../date-range.js';
import type { SeriesFacts } from '../series-facts.js';
import { todayOf } from '../today.js';

/**
 * What to say about series with prices of any frequency that are dated out of the expected range,
 * by the id of the series.
 */
export async function seriesOutOfRange(
  transaction: Transaction,
  series: readonly SeriesFacts[],
  reader: CheckedSeriesReader,
): Promise<Map<number, DatesOutOfRange>> {
  const found = new Map<number, DatesOutOfRange>();
  const today = todayOf(transaction);
  // Nearly always none: their points need not be read.
  const outside = series.filter(
    ({ first_day, last_day }) =>
      first_day !== null && (first_day < FIRST_EXPECTED_DAY || last_day! > lastExpectedDay(today)),
  );
  if (outside.length === 0) return found;
  for (const [id, points] of await reader.all(outside.map(({ id }) => id))) {
    const days = PERIODS.flatMap((period) => points.original(period).days);
    const dates = datesOutOfRange(days, 'price', today);
    if (dates !== null) found.set(id, dates);
  }
  return found;
}
