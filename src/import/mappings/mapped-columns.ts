import { pricesCsvKnownColumns, type PricesCsvColumn } from '../../prices/read/prices-csv.js';

/** What the texts of a field are. */
export type FieldContent = 'text' | 'number' | 'date' | 'part of date';

/** The fields of a table that a mapping can fill. */
export interface MappedFields {
  /** What the texts of each are, by their names. */
  readonly content: ReadonlyMap<string, FieldContent>;
  /** Those that a mapping has in any case. */
  readonly required: readonly string[];
  /** The one whose blank cells are no rows: the price, the rate or the index. */
  readonly value: string | null;
  /** The one that has the frequency. */
  readonly period: string | null;
  /** The frequency of rows in which no field has it. */
  readonly defaultPeriod: string;
}

/** Fields of which a date is made. */
export const PARTS_OF_DATE = [
  ['year', 'part of date'],
  ['month', 'part of date'],
] as const;

const NUMBERS: readonly PricesCsvColumn[] = ['price_value', 'conversion_factor', 'latitude', 'longitude'];
/** Columns of exports that an import does not read. */
const UNREAD: readonly PricesCsvColumn[] = [
  'calculated',
  'price_value_real',
  'price_value_dollar',
  'partial',
];

const contentOf = (name: PricesCsvColumn): FieldContent =>
  NUMBERS.includes(name) ? 'number' : name === 'date' ? 'date' : 'text';

/** The fields of prices. They are read in a thread, which does not load the reference tables. */
export const priceFields: MappedFields = {
  content: new Map<string, FieldContent>([
    ...pricesCsvKnownColumns
      .filter((name) => !UNREAD.includes(name))
      .map((name) => [name, contentOf(name)] as const),
    ...PARTS_OF_DATE,
  ]),
  required: ['market', 'commodity', 'currency', 'measure_unit', 'date', 'periodicity', 'price_value'],
  value: 'price_value',
  period: 'periodicity',
  defaultPeriod: '',
};
