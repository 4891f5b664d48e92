import { csvValue, type CsvValue } from '../../lib/text/csv.js';

import type { Column, ColumnType } from '../../platform/formats/listing.js';
import type { SeriesEntry } from '../../price-series/price-serie.view.js';
import { entryColumns } from '../../price-series/series-listing.js';
import { MarkedDatapoint } from './plain-datapoint.js';
import { columnsOf } from '../../platform/formats/columns.js';

/*
 * The service's own CSV of prices (format `prices`): one line per point, with everything needed to
 * create its series again in another database. The export writes these columns; the import reads
 * them by name, in any order.
 */

/** Columns of the series: those of its entry, without ids, then more of its reference records. */
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

/** Columns that say who has published the prices, and under which terms. */
export const pricesNotedColumns = ['source', 'source_url', 'source_license'] as const;

/**
 * Columns of the point. An import skips calculated points and ignores the two converted prices and
 * `partial`.
 */
export const pricesCsvPointColumns = [
  'date',
  'periodicity',
  'price_value',
  'comment',
  'calculated',
  'price_value_real',
  'price_value_dollar',
  'partial',
] as const;

/** All columns, in the order of the file. */
export const pricesCsvColumns = [...pricesCsvSeriesColumns, ...pricesCsvPointColumns] as const;

/** Columns that are added on request, in this order. An import ignores them. */
export const pricesCsvExtraColumns = ['flags', 'rate_basis', 'index_base'] as const;

export type PricesCsvSeriesColumn = (typeof pricesCsvSeriesColumns)[number];
export type PricesCsvColumn = (typeof pricesCsvColumns)[number];

/** The fields of a series that reads of prices can choose among: of its entry, then more. */
export const pricesSeriesFields: readonly (Column & { readonly name: PricesSeriesField })[] = [
  ...entryColumns,
  { name: 'periodicity', type: 'string', nested: true },
  { name: 'market_code', type: 'string' },
  { name: 'market_info', type: 'string' },
  { name: 'source_url', type: 'string' },
  { name: 'source_license', type: 'string' },
  { name: 'measure_unit_dimension', type: 'string' },
];

export type PricesSeriesField = keyof SeriesEntry | PricesCsvSeriesColumn;

/** Values of these fields: `true` and `false` for flags, empty where unknown. */
export type PricesSeriesValues = Readonly<
  Record<Exclude<PricesSeriesField, 'periodicity'>, CsvValue> & Pick<SeriesEntry, 'periodicity'>
>;

/** Types of the columns that series and points have; others hold texts. */
const TYPES: ReadonlyMap<string, ColumnType> = new Map(
  [...entryColumns, ...columnsOf(MarkedDatapoint)].map(({ name, type }) => [name, type]),
);

/** The columns of a table of prices. */
export const pricesTableColumns: readonly Column[] = pricesCsvColumns.map((name) => ({
  name,
  type: TYPES.get(name) ?? 'string',
}));

/** The series columns of a line, including the comma after them. */
export function pricesCsvLinePrefix(
  series: PricesSeriesValues,
  columns: readonly Exclude<PricesSeriesField, 'periodicity'>[],
): string {
  let prefix = '';
  for (const column of columns) prefix += csvValue(series[column]) + ',';
  return prefix;
}
