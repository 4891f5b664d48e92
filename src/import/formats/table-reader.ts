import { unguardedText } from '../../lib/text/csv.js';
import type { ReferenceTable } from '../../reference/base/reference-table.js';
import { ImportRejected } from './batch.js';
import { columnCountViolation, rejectUnreadable, type CsvFile } from './csv.js';
import { RecordBatch, RowReader } from './table-rows.js';

/**
 * Whether a header has the read-form columns of a table and no others. `id` is accepted and
 * ignored.
 */
export function isTableHeader(table: ReferenceTable, header: readonly string[]): boolean {
  const { fields } = table;
  return (
    header.every((name) => name === 'id' || fields.has(name)) &&
    new Set(header).size === header.length &&
    [...fields].every(([name, { required }]) => !required || header.includes(name))
  );
}

/** The accepted columns of a table, for error messages. */
export function describeColumns(table: ReferenceTable): string {
  const names = [...table.fields].map(([name, field]) => (field.required ? name : `[${name}]`));
  return `CSV with the columns ${names.join(',')}`;
}

/**
 * Reads a CSV file with the read-form columns of a reference table.
 * @throws ImportRejected for any other layout
 */
export async function* readTable(file: CsvFile, table: ReferenceTable): AsyncGenerator<RecordBatch> {
  const { header } = file;
  if (!isTableHeader(table, header)) {
    throw new ImportRejected(
      `The input is not in the format ${table.name}. Accepted: ${describeColumns(table)}.`,
    );
  }
  const rows = new RowReader(table);
  for await (const chunk of file.batches()) {
    const batch = new RecordBatch(table);
    batch.read = chunk.records.length;
    rejectUnreadable(batch, chunk);
    for (const [index, record] of chunk.records.entries()) {
      const line = chunk.lines[index]!;
      if (record.length !== header.length) {
        batch.reject(line, columnCountViolation(header.length, record.length));
        continue;
      }
      const raw: Record<string, string> = {};
      for (const [position, column] of header.entries()) raw[column] = unguardedText(record[position]!);
      const row = rows.read(line, raw, batch);
      if ('reason' in row) batch.reject(line, row);
      else batch.rows.push(row);
    }
    yield batch;
  }
}
