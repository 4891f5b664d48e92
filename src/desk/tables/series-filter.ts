import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import { Criteria } from '../../price-series/filters/criteria.js';

/** The filter of series by the records of a table. */
const FILTERS = {
  Commodity: 'commodity_ids',
  Market: 'market_ids',
  MeasureUnit: 'measure_units_ids',
  PriceType: 'price_types_ids',
  Source: 'sources_ids',
} as const satisfies Readonly<Record<string, keyof typeof priceSeriesFilters>>;

const isFiltered = (table: string): table is keyof typeof FILTERS => Object.hasOwn(FILTERS, table);

/** The parameter that finds the series of a record; null for tables without such a filter. */
export function seriesFilter(table: string, id: number): string | null {
  return isFiltered(table) ? `${FILTERS[table]}=${id}` : null;
}

/** The criteria that select the series of a record; null for tables without such a filter. */
export const criteriaOfRecord = (table: string, id: number): Criteria | null =>
  isFiltered(table) ? Criteria.of(priceSeriesFilters, { [FILTERS[table]]: [id] }) : null;
