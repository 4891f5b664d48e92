import type { CellValue } from '../../platform/formats/listing.js';
import { ParquetEncoder, type ParquetColumn } from '../../platform/formats/parquet/parquet-encoder.js';
import { parquetValueOf, type ParquetValue } from '../../platform/formats/parquet/parquet-schema.js';
import type { EditionFile, FileRecord } from './edition-file.js';

/**
 * Rows of a row group: half a per cent of the bytes of ten million prices, so that a series is
 * read with little more than that.
 */
const ROWS_PER_GROUP = 50_000;

/** Writes rows as a Parquet file. */
export class ParquetFile {
  private readonly encoder: ParquetEncoder;
  private readonly convert: readonly ((value: CellValue) => ParquetValue)[];
  private values: ParquetValue[][];

  constructor(
    private readonly file: EditionFile,
    private readonly columns: readonly ParquetColumn[],
  ) {
    this.encoder = new ParquetEncoder(columns);
    this.convert = columns.map(({ type }) => parquetValueOf(type));
    this.values = columns.map(() => []);
  }

  /** Adds a row of values as tables have them; dates are texts. */
  add(row: readonly CellValue[]): void {
    this.addConverted(row.map((value, index) => this.convert[index]!(value)));
  }

  /** Adds a row of values as Parquet has them; dates are numbers. */
  addConverted(row: readonly ParquetValue[]): void {
    for (let index = 0; index < row.length; index++) this.values[index]!.push(row[index]!);
    if (this.values[0]!.length >= ROWS_PER_GROUP) this.writeGroup();
  }

  end(): FileRecord {
    if (this.values[0]!.length > 0) this.writeGroup();
    this.file.write(this.encoder.end());
    return this.file.end();
  }

  private writeGroup(): void {
    for (const bytes of this.encoder.group(this.values)) this.file.write(bytes);
    this.values = this.columns.map(() => []);
  }
}
