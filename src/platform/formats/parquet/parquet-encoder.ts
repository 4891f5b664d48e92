import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import type { Column } from '../listing.js';
import { parquetSchema, type ParquetValue } from './parquet-schema.js';

/** Bytes of a page before compression: a reader of a few rows reads a page of each column. */
const PAGE_BYTES = 256 * 1024;

/** How a column is written. */
export interface ParquetColumn extends Column {
  /** Lets readers find out which row groups have a value, where the order of rows does not. */
  readonly bloomFilter?: boolean;
}

/**
 * A Parquet file in pieces: each method returns the bytes that come next. Snappy compression; each
 * row group and each page has the least and the greatest value of each column, so that readers skip
 * what they do not need.
 */
export class ParquetEncoder {
  private readonly sink = new Sink();
  private readonly file: ParquetWriter;
  private readonly schema: SchemaElement[];

  constructor(private readonly columns: readonly ParquetColumn[]) {
    this.schema = parquetSchema(columns);
    this.file = new ParquetWriter({ writer: this.sink, schema: this.schema, createdBy: 'hyparquet-writer' });
  }

  /**
   * Writes a row group, one column at a time: `ParquetWriter.write()` would keep the event loop for
   * all of them.
   * @param values by column; all have the same length
   */
  *group(values: readonly (readonly ParquetValue[])[]): Generator<Buffer> {
    const rows = values[0]!.length;
    const begin = this.sink.offset;
    const chunks = [];
    for (const index of this.columns.keys()) {
      const written = this.writeColumn(index, values[index]!);
      this.file.pendingIndexes.push(written);
      chunks.push(written.chunk);
      yield this.sink.take();
    }
    this.file.num_rows += BigInt(rows);
    this.file.row_groups.push({
      columns: chunks,
      num_rows: BigInt(rows),
      total_byte_size: chunks.reduce((sum, chunk) => sum + chunk.meta_data!.total_uncompressed_size, 0n),
      total_compressed_size: BigInt(this.sink.offset - begin),
    });
  }

  /** The indices and the footer of the file. */
  end(): Buffer {
    void this.file.finish();
    return this.sink.take();
  }

  private writeColumn(index: number, values: readonly ParquetValue[]) {
    const { name, bloomFilter = false } = this.columns[index]!;
    const element = this.schema[index + 1]!;
    return writeColumn({
      writer: this.sink,
      column: {
        columnName: name,
        element,
        schemaPath: [this.schema[0]!, element],
        codec: 'SNAPPY',
        compressors: this.file.compressors,
        stats: true,
        pageSize: PAGE_BYTES,
        columnIndex: true,
        offsetIndex: true,
        bloomFilter,
      },
      pageData: {
        values: values as ParquetValue[],
        definitionLevels: values.map((value) => (value === null ? 0 : 1)),
        repetitionLevels: [],
        maxDefinitionLevel: 1,
      },
    });
  }
}

/** Collects bytes until they are taken. Its `offset` counts all of them. */
class Sink extends ByteWriter {
  take(): Buffer {
    const bytes = Buffer.from(this.getBytes());
    this.index = 0;
    return bytes;
  }
}
