import type { Column, ColumnType } from '../../platform/formats/listing.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { SeriesReferences } from '../../price-series/catalogue/reference-dictionaries.js';
import { isReal, type Measure, type Per } from '../price-columns.js';

/** What series can be grouped by, in the order in which groups show and are sorted by it. */
export const DIMENSIONS = [
  'country',
  'admin_unit',
  'market',
  'commodity',
  'category',
  'source',
  'price_type',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** The fields of a dimension, in order. */
const FIELDS: Record<Dimension, Readonly<Record<string, ColumnType>>> = {
  country: { iso3_country_code: 'string', country_name: 'string' },
  admin_unit: { admin_unit: 'string' },
  market: { market: 'string', market_id: 'integer' },
  commodity: { commodity: 'string', commodity_id: 'integer' },
  category: { category: 'string' },
  source: { source: 'string', source_id: 'integer' },
  price_type: { price_type: 'string', price_type_id: 'integer' },
};

/** The fields that groups are identified by. */
export type GroupFields = Readonly<Record<string, string | number | null>>;

/** What groups are split by, too: names of administrative units repeat in other countries. */
const IMPLIED: Partial<Record<Dimension, readonly Dimension[]>> = {
  admin_unit: ['country'],
  market: ['country', 'admin_unit'],
};

/** The dimensions that groups are split by, in order: those asked for, and the price type. */
export function splitBy(asked: readonly Dimension[]): Dimension[] {
  const all = new Set<Dimension>(['price_type', ...asked, ...asked.flatMap((each) => IMPLIED[each] ?? [])]);
  return DIMENSIONS.filter((each) => all.has(each));
}

/**
 * The columns that identify a group: those of its dimensions, its currency and its unit, and the
 * base period of real prices.
 */
export function groupColumns(dimensions: readonly Dimension[], measure: Measure): Column[] {
  const fields = dimensions.flatMap((dimension) => Object.entries(FIELDS[dimension]));
  return [
    ...fields.map(([name, type]): Column => ({ name, type })),
    { name: 'currency', type: 'string' },
    { name: 'unit', type: 'string' },
    ...(isReal(measure) ? [{ name: 'index_base', type: 'string' as const }] : []),
  ];
}

/** The fields of the dimensions of a series. */
export function dimensionFields(
  catalogue: CatalogueSnapshot,
  row: number,
  dimensions: readonly Dimension[],
): GroupFields {
  const market = catalogue.referenceAt('market', row);
  const fieldsOf: Record<Dimension, () => GroupFields> = {
    country: () => ({ iso3_country_code: market.iso3_country_code, country_name: market.country_name }),
    admin_unit: () => ({ admin_unit: market.admin_unit }),
    market: () => ({ market: market.name, market_id: market.id }),
    commodity: () => named('commodity', catalogue.referenceAt('commodity', row)),
    category: () => ({ category: catalogue.referenceAt('commodity', row).category }),
    source: () => named('source', catalogue.referenceAt('source', row)),
    price_type: () => named('price_type', catalogue.referenceAt('price_type', row)),
  };
  return Object.assign({}, ...dimensions.map((dimension) => fieldsOf[dimension]())) as GroupFields;
}

const named = (table: string, { id, name }: { id: number; name: string }): GroupFields => ({
  [table]: name,
  [`${table}_id`]: id,
});

/** What equal keys say that two series have the same value of a dimension. */
export function dimensionKey(
  { columns, dictionaries }: CatalogueSnapshot,
  row: number,
  dimension: Dimension,
): number | string {
  const { marketIndex } = dictionaries;
  const market = columns.market[row]!;
  switch (dimension) {
    case 'country':
      return marketIndex.countryOf[market]!;
    case 'admin_unit':
      return dictionaries.of('market').at(market).admin_unit;
    case 'category':
      return dictionaries.of('commodity').at(columns.commodity[row]!).category;
    default:
      return columns[dimension][row]!;
  }
}

/** Prices of several currencies are never put together: that of the prices of a series. */
export const currencyOf = (catalogue: CatalogueSnapshot, row: number, measure: Measure): string =>
  measure === 'usd' || measure === 'real_usd' ? 'USD' : catalogue.currencyAt(row);

const BASE_UNITS: Record<SeriesReferences['measure_unit']['dimension'], string> = {
  mass: 'kg',
  volume: 'l',
  count: 'count',
  other: 'other',
};

/**
 * Prices per kilogram and per litre are never put together: the unit of the prices of a series.
 * Null where they cannot be converted to a base unit.
 */
export function unitOf(catalogue: CatalogueSnapshot, row: number, per: Per): string | null {
  const { name, dimension, conversion_factor: factor } = catalogue.referenceAt('measure_unit', row);
  if (per === 'unit') return name;
  return factor === null ? null : BASE_UNITS[dimension];
}
