import type { Type } from '@nestjs/common';
import { type Field, type FieldKind, fieldsOf } from '../validation/field.js';
import type { Column, ColumnType } from './listing.js';

/** What columns of the kinds of fields hold, where it is not text. */
const TYPES: Partial<Record<FieldKind, ColumnType>> = {
  id: 'integer',
  integer: 'integer',
  decimal: 'number',
  flag: 'boolean',
  date: 'date',
};

/** A field as a column of a list; objects and arrays are shown as JSON. */
export const columnOf = ({ name, kind }: Field): Column => ({
  name,
  type: TYPES[kind] ?? 'string',
  ...(kind === 'json' ? { nested: true } : {}),
});

/** The fields of a class as columns of a list. */
export const columnsOf = (shape: Type): Column[] => fieldsOf(shape).map(columnOf);

/** The fields of a member of records as columns of their own: `ifpa_value`, `ifpa_class`. */
export const partsOf = (shape: Type, member: string): Column[] =>
  columnsOf(shape).map(({ name, type }) => ({ name: `${member}_${name}`, type, member }));

/** The columns without those of these names. */
export const omitColumns = (columns: readonly Column[], names: readonly string[]): Column[] =>
  columns.filter(({ name }) => !names.includes(name));
