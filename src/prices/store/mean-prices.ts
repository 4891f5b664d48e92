import type { Reads } from '../../database/reads.js';
import type { DayRange } from '../../lib/dates/day-range.js';
import { seriesWith } from '../../price-series/series-views.js';
import { IS_OBSERVED } from '../../price-series/series-status.js';

/** The mean price of a series, a kilogram or litre. */
interface MeanPrice {
  readonly commodity: string;
  readonly category: string;
  readonly price: number | string;
}

/**
 * The mean prices of all observed series in a currency whose unit can be converted, of their points
 * of all frequencies within some days; without series that have none, by the id of the series.
 */
export function meanPrices(
  reads: Pick<Reads, 'rows'>,
  currency: string,
  days: DayRange,
): Promise<MeanPrice[]> {
  return reads.rows(
    'SELECT MAX(c.name) AS commodity, MAX(c.category) AS category,' +
      ` AVG(o.value) * MAX(u.conversion_factor) AS price FROM ${seriesWith('commodity', 'measure_unit')}` +
      ' JOIN observation o ON o.serie_id = s.id AND o.day BETWEEN ? AND ?' +
      ` WHERE s.currency = ? AND ${IS_OBSERVED} AND u.conversion_factor IS NOT NULL GROUP BY s.id ORDER BY s.id`,
    [...days, currency],
  );
}
