/** The filter of series by the records of a table. */
const FILTERS: Readonly<Record<string, string>> = {
  Commodity: 'commodity_ids',
  Market: 'market_ids',
  MeasureUnit: 'measure_units_ids',
  PriceType: 'price_types_ids',
  Source: 'sources_ids',
};

/** The parameter that finds the series of a record; null for tables without such a filter. */
export function seriesFilter(table: string, id: number): string | null {
  const name = FILTERS[table];
  return name === undefined ? null : `${name}=${id}`;
}
