import { type Batch, ImportRejected, type RejectedRow, type RowViolation } from '../formats/batch.js';
import { unreadColumns } from '../formats/unread-columns.js';
import type { Convention } from '../formats/convention/convention.js';

/** Some records of a table, each an array of fields, with the line number each starts on. */
export interface TableRecords {
  readonly records: string[][];
  readonly lines: number[];
  /** The lines that are no records. */
  readonly rejects: readonly RejectedRow[];
  /**
   * Of files that say what is a number and what a date, a letter for each field of each record: `n`
   * for a number as JavaScript writes it, `d` for a date as ISO 8601 writes it, `t` for a text.
   */
  readonly types?: readonly string[];
  /** Whether the last record may lack a part: the file ends within it, without a line end. */
  readonly isCut: boolean;
  /** The text that the records were parsed from, where there is one: what it lacks, no cell has. */
  readonly text?: string;
}

/** A file that has a header and records below it, in whatever form: what formats of tables read. */
export abstract class TableFile {
  /** The column names as in the file, trimmed. */
  abstract readonly header: readonly string[];
  /** What stands between the fields of a line; null where they are not parts of one text. */
  abstract readonly delimiter: string | null;
  /** What is to be said of how the file is read, in sentences. */
  readonly notes: readonly string[] = [];

  /** The records after the header, without blank lines. */
  abstract batches(): AsyncGenerator<TableRecords>;

  /**
   * Reads the records into batches. Lines that are no records, or have more or fewer fields than
   * the header, are rejected, unless only blank fields are too many, or the ones that are missing
   * at the end of the line are optional. Lines of blank fields are skipped.
   * @param convention how numbers and dates are written
   * @param readRecord adds a record to the batch, or returns why it is rejected
   * @param minimum fields that a line must have, as `fieldsUpTo` counts them; others are optional
   * @throws ImportRejected where there is no line below the header
   */
  async *read<B extends Batch<unknown>>(
    createBatch: () => B,
    convention: Convention,
    readRecord: (record: string[], line: number, batch: B) => RowViolation | void,
    minimum = this.header.length,
  ): AsyncGenerator<B> {
    const columns = this.header.length;
    let isEmpty = true;
    const notes = [...this.notes, ...unreadColumns(this.header, convention.columns)];
    for await (const { records, lines, rejects, isCut, types } of convention.resolve(this.batches())) {
      isEmpty = false;
      const batch = createBatch();
      batch.convention = convention.found;
      batch.notes = notes;
      batch.read = records.length + rejects.length;
      for (const { line, ...violation } of rejects) batch.reject(line, violation);
      for (let index = 0; index < records.length; index++) {
        const record = records[index]!;
        // A file that ends within a line may end within its last value.
        const mayBeCut = isCut && index === records.length - 1 && !isBlank(record.at(-1)!);
        const violation =
          record.length === columns || fit(record, columns, mayBeCut ? columns : minimum)
            ? (convention.normalize(record, types?.[index]) ?? readRecord(record, lines[index]!, batch))
            : columnCountViolation(columns, record.length);
        if (violation === undefined) continue;
        if (record.every(isBlank)) batch.skip('blank_line');
        else batch.reject(lines[index]!, violation);
      }
      yield batch;
    }
    if (isEmpty) throw new ImportRejected('The input has a header, but no line below it.');
  }
}

/** The fields of a line up to the last of some columns. */
export const fieldsUpTo = (header: readonly string[], columns: readonly string[]): number =>
  Math.max(...columns.map((name) => header.indexOf(name))) + 1;

const columnCountViolation = (expected: number, found: number): RowViolation => ({
  field: '',
  reason: 'columns',
  detail: `The line has ${found} ${found === 1 ? 'field' : 'fields'}, but the header has ${expected}.`,
});

const isBlank = (field: string): boolean => field.trim() === '';

/**
 * Makes the fields of a record those of the header: takes blank ones off its end, or adds them.
 * @param minimum fields that it must have
 * @returns whether it has `columns` fields now
 */
function fit(record: string[], columns: number, minimum: number): boolean {
  while (record.length > columns && isBlank(record.at(-1)!)) record.pop();
  if (record.length < minimum) return false;
  while (record.length < columns) record.push('');
  return record.length === columns;
}
