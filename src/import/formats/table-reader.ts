import { unguardedText } from '../../lib/text/csv.js';
import type { ReferenceTable } from '../../reference/base/reference-table.js';
import { WrongFormat } from './batch.js';
import type { CsvFile } from './csv.js';
import { headerMessage, type HeaderLayout } from './header-problem.js';
import { RecordBatch, RowReader } from './table-rows.js';

/** Whether a header has the columns of a table and no others but `id`, which is ignored. */
export function isTableHeader(table: ReferenceTable, header: readonly string[]): boolean {
  const { fields } = table;
  return (
    header.every((name) => name === 'id' || fields.has(name)) &&
    new Set(header).size === header.length &&
    [...fields].every(([name, { required }]) => !required || header.includes(name))
  );
}

/** The columns of a table, for messages about headers. */
export function headerLayout({ fields }: ReferenceTable): HeaderLayout {
  const names = (required: boolean) =>
    [...fields].flatMap(([name, field]) => (Boolean(field.required) === required ? [name] : []));
  return { required: names(true), optional: [...names(false), 'id'] };
}

/** The accepted columns of a table, for error messages. */
export function describeColumns(table: ReferenceTable): string {
  const names = [...table.fields].map(([name, field]) => (field.required ? name : `[${name}]`));
  return `CSV with the columns ${names.join(',')}`;
}

/**
 * Reads a CSV file with the read-form columns of a reference table.
 * @param given values of rows that leave a field out
 * @throws ImportRejected for any other layout
 */
export function readTable(
  file: CsvFile,
  table: ReferenceTable,
  given: Readonly<Record<string, string>> = {},
): AsyncGenerator<RecordBatch> {
  const { header } = file;
  if (!isTableHeader(table, header)) {
    throw new WrongFormat(headerMessage(table.name, header, [headerLayout(table)], describeColumns(table)));
  }
  const rows = new RowReader(table);
  const create = () => new RecordBatch(table);
  return file.read(create, (record, line, batch) => {
    const raw = Object.fromEntries(header.map((column, index) => [column, unguardedText(record[index]!)]));
    for (const [name, value] of Object.entries(given)) raw[name] ||= value;
    const row = rows.read(line, raw, batch);
    if ('reason' in row) return row;
    batch.rows.push(row);
  });
}
