import { csvValue } from '../../lib/text/csv.js';
import type { Column, ColumnType } from '../../platform/formats/listing.js';
import { MarkedDatapoint } from './plain-datapoint.js';
import { columnsOf, omitColumns } from '../../platform/formats/columns.js';
import { PricedSerie } from './priced-serie.js';

/*
 * The service's own CSV of prices (format `prices`): one line per point, with everything needed to
 * create its series again in another database. The export writes these columns; the import reads
 * them by name, in any order.
 */

/**
 * The fields of a series that reads of prices can choose among: those that lists of series have,
 * then more of its reference records.
 */
export const pricesSeriesFields = columnsOf(PricedSerie) as readonly (Column & {
  readonly name: PricesSeriesField;
})[];

export type PricesSeriesField = keyof PricedSerie;

/**
 * What the file does without: ids, which mean nothing in another database, and the list of what a
 * series has by periodicity, since each point says its own. Status is the last column of files that
 * may have other series than observed ones.
 */
const LEFT_OUT = [
  'commodity_id',
  'price_type_id',
  'market_id',
  'source_id',
  'measure_unit_id',
  'periodicity',
  'status',
] as const satisfies readonly PricesSeriesField[];

type PricesCsvSeriesColumn = Exclude<PricesSeriesField, (typeof LEFT_OUT)[number]>;

/** Columns of the series: those of its entry, without ids, then more of its reference records. */
export const pricesCsvSeriesColumns = omitColumns(pricesSeriesFields, LEFT_OUT).map(
  ({ name }) => name as PricesCsvSeriesColumn,
);

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
const pricesCsvColumns = [...pricesCsvSeriesColumns, ...pricesCsvPointColumns];

/** The last column of files that may have other series than observed ones. An import reads it. */
export const PRICES_CSV_STATUS = 'status';

/** Columns that are added on request, in this order. An import ignores them. */
export const pricesCsvExtraColumns = ['flags', 'rate_basis', 'index_base'] as const;

export type PricesCsvColumn = (typeof pricesCsvColumns)[number] | typeof PRICES_CSV_STATUS;

/** All columns that a file may have which an import knows, but for the extra ones. */
export const pricesCsvKnownColumns: readonly PricesCsvColumn[] = [...pricesCsvColumns, PRICES_CSV_STATUS];

/** Values of these fields: `true` and `false` for flags in files, empty where unknown. */
export type PricesSeriesValues = Readonly<
  Required<Omit<PricedSerie, 'status'>> & Pick<PricedSerie, 'status'>
>;

/** Types of the columns that series and points have; others hold texts. */
const TYPES: ReadonlyMap<string, ColumnType> = new Map(
  [...pricesSeriesFields, ...columnsOf(MarkedDatapoint)].map(({ name, type }) => [name, type]),
);

/** The columns of a table of prices. */
export const pricesTableColumns: readonly Column[] = pricesCsvColumns.map((name) => ({
  name,
  type: TYPES.get(name) ?? 'string',
}));

/** The series columns of a line, including the comma after them. */
export function pricesCsvLinePrefix(
  series: PricesSeriesValues,
  columns: readonly Exclude<PricesSeriesField, 'periodicity' | 'status'>[],
): string {
  let prefix = '';
  for (const column of columns) prefix += csvValue(series[column]) + ',';
  return prefix;
}
