import { CSV_LINE_END, csvValue, type CsvValue } from '../common/formats/csv.js';

/*
 * The service's own CSV of prices (format `prices`): one line a point, with all that is needed to make its series again in
 * another database. The export writes these columns, the import reads them, by their names and in any order.
 */

/** Columns that say which series a point is of: the entry's, without ids, then those of its reference records. */
export const pricesCsvSeriesColumns = [
  'uuid',
  'iso3_country_code',
  'country_name',
  'commodity',
  'hs_code',
  'category',
  'price_type',
  'market',
  'market_type',
  'admin_unit',
  'admin_unit2',
  'latitude',
  'longitude',
  'source',
  'currency',
  'measure_unit',
  'conversion_factor',
  'regional_average',
  'last_price_date',
  'market_code',
  'market_info',
  'source_url',
  'source_license',
  'measure_unit_dimension',
] as const;

/** Columns of the point itself; an import leaves the last three aside and skips the calculated points. */
export const pricesCsvPointColumns = [
  'date',
  'periodicity',
  'price_value',
  'comment',
  'calculated',
  'price_value_real',
  'price_value_dollar',
] as const;

/** All columns, in the order of the file. */
export const pricesCsvColumns = [...pricesCsvSeriesColumns, ...pricesCsvPointColumns] as const;

export type PricesCsvSeriesColumn = (typeof pricesCsvSeriesColumns)[number];
export type PricesCsvColumn = (typeof pricesCsvColumns)[number];

/** What stands in the series columns: `true` and `false` for flags, nothing for what is unknown. */
export type PricesCsvSeries = Readonly<Record<PricesCsvSeriesColumn, CsvValue>>;

/** The header line. */
export const pricesCsvHeader = pricesCsvColumns.join(',') + CSV_LINE_END;

/** The beginning that all lines of a series share, its last comma included. */
export function pricesCsvLineStart(series: PricesCsvSeries): string {
  let start = '';
  for (const column of pricesCsvSeriesColumns) start += csvValue(series[column]) + ',';
  return start;
}
