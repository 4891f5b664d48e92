import { ImportRejected } from './batch.js';
import { columnCountFault, rejectUnreadable, type CsvFile } from './csv.js';
import { checkedRow, importTables, type ImportTable, RecordBatch, type TableName } from './table-rows.js';

/** Whether a header has the read-form columns of a table and no others. `id` is taken and ignored: ids are given here. */
export function isTableHeader(table: ImportTable, header: readonly string[]): boolean {
  const names = Object.keys(table.fields);
  return (
    header.every((name) => name === 'id' || names.includes(name)) &&
    new Set(header).size === header.length &&
    names.every((name) => !table.fields[name]!.required || header.includes(name))
  );
}

/** One line on the columns of a table, for refusals. */
export function knownColumns(table: ImportTable): string {
  const names = Object.entries(table.fields).map(([name, field]) => (field.required ? name : `[${name}]`));
  return `CSV with the columns ${names.join(',')}`;
}

/**
 * Reads a CSV file with the read-form columns of a reference table.
 * @throws ImportRefused for another layout
 */
export async function* readTable(file: CsvFile, name: TableName): AsyncGenerator<RecordBatch> {
  const table = importTables[name];
  const { header } = file;
  if (!isTableHeader(table, header)) {
    throw new ImportRejected(`The input is not of the format ${name}. It takes ${knownColumns(table)}.`);
  }
  for await (const found of file.batches()) {
    const batch = new RecordBatch(table);
    batch.read = found.records.length;
    rejectUnreadable(batch, found);
    for (const [index, record] of found.records.entries()) {
      const line = found.lines[index]!;
      if (record.length !== header.length) {
        batch.reject(line, columnCountFault(header.length, record.length));
        continue;
      }
      const raw: Record<string, string> = {};
      for (const [position, column] of header.entries()) raw[column] = record[position]!;
      const row = checkedRow(table, line, raw, () => batch.rounded++);
      if ('reason' in row) batch.reject(line, row);
      else batch.rows.push(row);
    }
    yield batch;
  }
}
