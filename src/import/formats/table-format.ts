import type { TextEncoding } from '../tables/lines.js';
import { openTable } from '../tables/open-table.js';
import type { TableFile } from '../tables/table-file.js';
import { type Batch, ImportRejected, WrongFormat } from './batch.js';

/** What every table may need to be opened. */
interface TableOptions {
  readonly sheet?: string | undefined;
}

/** Reads the records of a table. @throws WrongFormat for a table that is not in the format */
type RecordReader<B, O> = (file: TableFile, options: O) => AsyncGenerator<B>;

/**
 * The reader of a format of tables: CSV, JSON or a workbook, as the bytes are.
 * @param encoding of CSV that is not UTF-8
 */
export const tableFormat = <B extends Batch<unknown>, O>(read: RecordReader<B, O>, encoding?: TextEncoding) =>
  async function* (chunks: AsyncIterable<Uint8Array>, options: O & TableOptions): AsyncGenerator<B> {
    const isWanted = (file: TableFile) => isInFormat(() => read(file, options));
    yield* read(await openTable(chunks, { encoding, sheet: options.sheet, isWanted }), options);
  };

/** Whether the begin of a table is in the format that it is read as. */
async function isInFormat(begin: () => AsyncGenerator<unknown>): Promise<boolean> {
  try {
    // A header may be rejected at once, or with the first rows.
    await begin().next();
    return true;
  } catch (error) {
    // Any other message is about the rows, or asks for an option.
    if (error instanceof ImportRejected) return !(error instanceof WrongFormat);
    throw error;
  }
}
