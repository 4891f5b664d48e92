import { unguardedText } from '../../lib/text/csv.js';
import type { Field } from '../../platform/validation/field.js';
import type { ReferenceTable } from '../../reference/base/reference-table.js';
import { Convention, type ConventionColumns, type ConventionOptions } from './convention/convention.js';
import { fieldsUpTo, type TableFile } from '../tables/table-file.js';
import { type HeaderLayout, wrongHeader } from './header-problem.js';
import { isMonth, periodOfWord } from './other-words.js';
import { fieldsWithMissingValues, RecordBatch, RowReader, type TableRecord } from './table-rows.js';

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
  const names = [...fields.keys()];
  const isRequired = (name: string) => fields.get(name)!.required;
  return {
    required: names.filter(isRequired),
    optional: [...names.filter((name) => !isRequired(name)), 'id'],
  };
}

/** The accepted columns of a table, for error messages. */
export function describeColumns(table: ReferenceTable): string {
  const names = [...table.fields].map(([name, field]) => (field.required ? name : `[${name}]`));
  return `CSV with the columns ${names.join(',')}`;
}

/** Whether the value of a row is that of a month, by the frequency in the row. */
const isMonthly = ({ fields }: ReferenceTable, period = ''): boolean =>
  !fields.has('period') || ['', 'monthly'].includes(periodOfWord(period));

/** Whether all numbers of a field are below 1000, so that none has a thousands separator. */
export const hasSmallNumbers = ({ schema: { maximum } }: Field): boolean =>
  maximum !== undefined && maximum < 1000;

/** The columns whose numbers and dates depend on the convention of the file. */
export function conventionColumns({ fields }: ReferenceTable): ConventionColumns {
  const names = (isWanted: (field: Field) => boolean) =>
    [...fields].flatMap(([name, field]) => (isWanted(field) ? [name] : []));
  return {
    numbers: names((field) => field.kind === 'decimal' && !hasSmallNumbers(field)),
    smallNumbers: names((field) => field.kind === 'decimal' && hasSmallNumbers(field)),
    dates: names(({ kind }) => kind === 'date'),
  };
}

/** Whether a file was exported by this service or one like it: files of others have no ids. */
export const isOwnExport = (header: readonly string[]): boolean => header.includes('id');

/** What a format changes about the reading of a table. */
interface TableReading {
  /** Texts of the fields that a row leaves blank or has no column for. */
  readonly defaultTexts?: Readonly<Record<string, string>>;
  /** Called with the texts of each row before they are validated. */
  readonly onRow?: (raw: Readonly<Record<string, string>>) => void;
  /** Converts a valid row to the one that is stored. */
  readonly asStored?: (row: TableRecord, batch: RecordBatch) => TableRecord;
}

/**
 * Reads a CSV file with the read-form columns of a reference table.
 * @throws ImportRejected for any other layout
 */
export function readTable(
  file: TableFile,
  table: ReferenceTable,
  options: ConventionOptions,
  { defaultTexts = {}, onRow, asStored = (row) => row }: TableReading = {},
): AsyncGenerator<RecordBatch> {
  const { header } = file;
  if (!isTableHeader(table, header)) {
    throw wrongHeader(table.name, header, [headerLayout(table)], describeColumns(table));
  }
  const rows = new RowReader(table);
  const mayBeMissing = fieldsWithMissingValues(table);
  const create = () => new RecordBatch(table);
  const columns = { ...conventionColumns(table), hasPoint: isOwnExport(header) };
  const convention = new Convention(file, columns, options);
  const readRecord = (record: string[], line: number, batch: RecordBatch) => {
    const raw: Record<string, string> = {};
    for (const [index, column] of header.entries()) {
      const value = record[index]!.trim();
      const isMissing = mayBeMissing.get(column)?.(value) === true;
      if (isMissing) batch.replaced.add({ column, value, read_as: '' });
      raw[column] = isMissing ? '' : unguardedText(record[index]!);
    }
    for (const [name, text] of Object.entries(defaultTexts)) raw[name] ||= text;
    // Monthly values are stored on the first day of their month.
    const date = raw.date?.trim() ?? '';
    if (isMonth(date) && isMonthly(table, raw.period)) raw.date = `${date}-01`;
    if (raw.period) raw.period = periodOfWord(raw.period);
    onRow?.(raw);
    const row = rows.read(line, raw, batch);
    if ('reason' in row) return row;
    batch.rows.push(asStored(row, batch));
  };
  return file.read(create, convention, readRecord, fieldsUpTo(header, headerLayout(table).required));
}
