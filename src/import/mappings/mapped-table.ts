import { ImportRejected, type Batch, type RowViolation } from '../formats/batch.js';
import type { Convention } from '../formats/convention/convention.js';
import type { RowSource } from '../tables/open-rows.js';
import { TableFile, type TableRecords } from '../tables/table-file.js';
import type { MappedFields } from './mapped-columns.js';
import { comparableText } from './mapped-fields.js';
import { MappedMonths } from './mapped-months.js';
import type { Mapping } from './mapping.js';
import { listOfNames, RecordMapper, type SourceNames, type UnpivotedColumn } from './record-mapper.js';
import { readSourceHeader } from './source-header.js';

/**
 * A table that is read by a mapping. Its records are mapped to the columns of a format, with
 * decimal points and ISO 8601 dates, so that the reader of the format validates them; they keep the
 * line numbers of the source, and violations name its columns.
 */
export class MappedTable extends TableFile {
  readonly delimiter = ',';
  private readonly months = new MappedMonths();
  private readonly mapper: RecordMapper;

  private constructor(
    private readonly rows: AsyncGenerator<TableRecords>,
    readonly mapping: Mapping,
    sourceHeader: readonly string[],
    names: SourceNames,
    target: MappedFields,
  ) {
    super();
    this.mapper = new RecordMapper(mapping, sourceHeader, names, target, this.months);
  }

  get header(): readonly string[] {
    return this.mapper.header;
  }

  /**
   * Reads the header of a source.
   * @throws ImportRejected for a source that the mapping does not fit, with the column or the
   * pattern
   */
  static async open(
    source: RowSource,
    mapping: Mapping,
    names: SourceNames,
    target: MappedFields,
  ): Promise<MappedTable> {
    const { dialect = {} } = mapping;
    if (source.header.length > 0 && dialect.header !== false)
      return new MappedTable(source.batches(), mapping, source.header.map(comparableText), names, target);
    const headerRows = dialect.header === false ? [] : (dialect.headerRows ?? [1]);
    const { header, rows } = await readSourceHeader(source.batches(), headerRows, dialect.headerJoin ?? ' ');
    return new MappedTable(rows, mapping, header, names, target);
  }

  /** The records of the source, which are mapped by `read` alone. */
  batches(): AsyncGenerator<TableRecords> {
    return this.rows;
  }

  override read<B extends Batch<unknown>>(
    createBatch: () => B,
    _: Convention,
    readRecord: (record: string[], line: number, batch: B) => RowViolation | void,
  ): AsyncGenerator<B> {
    return this.months.guard(this.readRows(createBatch, readRecord));
  }

  private async *readRows<B extends Batch<unknown>>(
    createBatch: () => B,
    readRecord: (record: string[], line: number, batch: B) => RowViolation | void,
  ): AsyncGenerator<B> {
    const { mapper } = this;
    const notes = unreadColumnsNote(mapper.unknownColumns);
    let isEmpty = true;
    let hasEnded = false;
    const emit = (record: string[], line: number, column: UnpivotedColumn | null, batch: B) => {
      const violation = readRecord(record, line, batch);
      if (violation !== undefined) batch.reject(line, mapper.inSourceTerms(violation, column));
    };
    for await (const { records, lines, rejects, isCut, types } of this.rows) {
      // The rest of the file is read all the same, for its digest.
      if (hasEnded) continue;
      isEmpty = false;
      const batch = createBatch();
      batch.notes = notes;
      batch.read = records.length + rejects.length;
      for (const { line, ...violation } of rejects) batch.reject(line, violation);
      for (const [index, cells] of records.entries()) {
        hasEnded = mapper.isEnd(cells);
        if (hasEnded) {
          batch.read -= records.length - index;
          break;
        }
        const isLast = index === records.length - 1;
        const record = { cells, line: lines[index]!, types: types?.[index] ?? null, isCut: isCut && isLast };
        mapper.map(record, batch, emit);
      }
      yield batch;
    }
    if (isEmpty) throw new ImportRejected('The input has a header, but no line below it.');
    if (mapper.crossing === null) return;
    for (const held of mapper.crossing.drain()) {
      const batch = createBatch();
      batch.read = held.length;
      for (const { record, line, column, violation } of held)
        if (violation !== null) batch.reject(line, violation);
        else emit(record, line, column, batch);
      yield batch;
    }
  }
}

const unreadColumnsNote = (columns: readonly string[]): string[] =>
  columns.length === 0
    ? []
    : [`Columns are not read, because the mapping has no value for their names: ${listOfNames(columns)}.`];
