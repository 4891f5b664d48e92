import { html, type Html, nameOf } from '../../web/html.js';
import { exact } from '../../web/numbers.js';
import type { ReferenceTable } from '../../reference/base/reference-table.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import { deskTexts } from '../texts.js';
import { textOf } from './form-values.js';

const { tables: texts } = deskTexts;

/** What a record is called: its name, or else the values of its unique key. */
export function recordLabel(
  { statements }: Pick<ReferenceTable, 'statements'>,
  record: RecordValues,
): string {
  const columns = 'name' in record ? ['name'] : statements.uniqueKey;
  return columns.map((column) => textOf(record[column])).join(' ');
}

/** A value as tables show it. */
export function shownValue(value: unknown): Html | string {
  if (typeof value === 'number') return exact(value, String);
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  const text = textOf(value);
  return text === '' ? html`–` : nameOf(text);
}
