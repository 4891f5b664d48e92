import type { ValuedColumn } from './draft.js';
import type { Answer } from './proposal.js';
import type { SampleRow } from './table/sample.js';

export const quoted = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const columnText = ({ header, index }: Pick<ValuedColumn, 'header' | 'index'>): string =>
  header === '' ? `column ${index + 1}` : quoted(header);

export const columnSubject = (column: Pick<ValuedColumn, 'header' | 'index'>): string =>
  column.header === '' ? `Column ${column.index + 1}` : `The column ${quoted(column.header)}`;

export const columnAnswer = (column: ValuedColumn): Answer => ({
  value: `column:${column.index + 1}`,
  label: `${columnSubject(column)}: ${column.distinct.slice(0, 3).join(', ')}`,
});

/** `row 3`, `rows 3 and 4`, `rows 3, 9, 15, …`. */
export function rowsText(rows: readonly SampleRow[]): string {
  const numbers = rows.map(({ number }) => number);
  if (numbers.length === 1) return `row ${numbers[0]}`;
  if (numbers.length > 4) return `rows ${numbers.slice(0, 3).join(', ')}, …`;
  return `rows ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
}
