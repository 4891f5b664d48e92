import { placeholders } from '../../../database/sql.js';
import type { Transaction } from '../../../ledger/unit-of-work.js';
import { PERIODS } from '../../../price-series/periodicity.js';
import { isForecast } from '../../../prices/store/forecast.js';
import { FIRST_EXPECTED_DAY, lastExpectedDay } from '../../rules/date-out-of-range.js';
import type { CheckedSeriesReader } from '../checked-series-reader.js';
import { datesOutOfRange, type DatesOutOfRange } from '../date-range.js';
import { todayOf } from '../today.js';

/**
 * What to say about series with prices of any frequency that are dated out of the expected range,
 * by the id of the series. Forecasts may be.
 */
export async function seriesOutOfRange(
  transaction: Transaction,
  serieIds: readonly number[],
  reader: CheckedSeriesReader,
): Promise<Map<number, DatesOutOfRange>> {
  const found = new Map<number, DatesOutOfRange>();
  if (serieIds.length === 0) return found;
  const today = todayOf(transaction);
  // Nearly always none: their points need not be read.
  const outside = await transaction.arrays<[number]>(
    `SELECT DISTINCT serie_id FROM series_period WHERE serie_id IN (${placeholders(serieIds.length)})` +
      ' AND (start_day < ? OR end_day > ?) ORDER BY serie_id',
    [...serieIds, FIRST_EXPECTED_DAY, lastExpectedDay(today)],
  );
  for (const [id, points] of await reader.all(outside.map(([id]) => id))) {
    const days = PERIODS.flatMap((period) => {
      const { days, comments } = points.original(period);
      return days.filter((_, index) => !isForecast(comments?.[index] ?? null));
    });
    const dates = datesOutOfRange(days, 'price', today);
    if (dates !== null) found.set(id, dates);
  }
  return found;
}
