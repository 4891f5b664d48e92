import type { SchemaElement } from 'hyparquet-writer';
import { dayFromIso } from '../../../lib/dates/calendar-date.js';
import type { CellValue, Column, ColumnType } from '../listing.js';

/** A value as the writer takes it; dates are days since 1970-01-01. */
export type ParquetValue = string | number | bigint | boolean | null;

/** The day number of 1970-01-01, from which Parquet counts dates. */
const EPOCH = 719_163;

type PhysicalType = Pick<SchemaElement, 'type' | 'converted_type'>;

/** Integers have 64 bits: ids of points are greater than 32 bits hold. */
const TYPES: Readonly<Record<ColumnType, PhysicalType>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE' },
};

/** The schema of a file with these columns. All are optional: any cell may be null. */
export function parquetSchema(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...TYPES[type] })),
  ];
}

/** How values of a column are written. An empty text is null where the column is not of texts. */
export function parquetValueOf(type: ColumnType): (value: CellValue) => ParquetValue {
  if (type === 'string') return (value) => (value === null ? null : String(value));
  const convert = CONVERSIONS[type];
  return (value) => (value === null || value === '' ? null : convert(value));
}

const CONVERSIONS: Readonly<
  Record<Exclude<ColumnType, 'string'>, (value: NonNullable<CellValue>) => ParquetValue>
> = {
  integer: (value) => BigInt(value),
  number: Number,
  boolean: Boolean,
  date: (value) => parquetDay(dayFromIso(String(value))),
};

/** A day number as Parquet counts it. */
export const parquetDay = (day: number | null) => (day === null ? null : day - EPOCH);
