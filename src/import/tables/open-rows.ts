import { peek } from '../containers/unpack.js';
import { isZip } from '../containers/unzip.js';
import { isPlain, plainCell } from './plain-cell.js';
import { CsvFile } from './csv.js';
import { isJson, JsonFile } from './json-file.js';
import type { TextEncoding } from './lines.js';
import type { TableRecords } from './table-file.js';
import { SheetFile } from './workbook/sheet-file.js';

/** Bytes by which a table is recognised, and those by which its delimiter is found. */
const HEAD_BYTES = 1024;
const DELIMITER_BYTES = 256 * 1024;

/** All rows of a table, from its first one on, with the numbers of their lines. */
export interface RowSource {
  /** The names of the columns where they are no row, as in JSON; else none. */
  readonly header: readonly string[];
  readonly delimiter: string | null;
  /** What is to be said of how the file is read, in sentences. */
  readonly notes?: readonly string[];
  batches(): AsyncGenerator<TableRecords>;
}

/** The rows of a file. */
export interface OpenedRows {
  readonly source: RowSource;
  /** Of a workbook: the sheet that is read; else ''. */
  readonly sheet: string;
  /** The names of the sheets of a workbook. */
  readonly sheets: readonly string[];
}

/** How a file is opened of which all rows are read. */
interface RowChoice {
  /** Of CSV, or what finds it in the text that a file begins with. */
  readonly delimiter: string | ((head: string) => string);
  /** Of CSV that is not UTF-8. */
  readonly encoding?: TextEncoding | undefined;
  /** Of a workbook: name or number, from 1, of the sheet; by default the first with a table. */
  readonly sheet?: string | number | undefined;
}

/**
 * Opens the rows of a file, in which somebody else finds the header.
 * @param chunks as `inputText` returns them
 * @throws ImportRejected for a workbook that is damaged or has no such sheet, and for JSON without
 * records
 */
export async function openRows(
  chunks: AsyncIterable<Uint8Array>,
  { delimiter, encoding, sheet }: RowChoice,
): Promise<OpenedRows> {
  const { head, whole } =
    typeof delimiter === 'string'
      ? await peek(chunks, HEAD_BYTES)
      : await peek(chunks, DELIMITER_BYTES, ({ length }) => length >= DELIMITER_BYTES);
  if (isZip(head)) {
    const opened = await SheetFile.openRows(whole, sheet);
    return { ...opened, source: withPlainCells(opened.source) };
  }
  if (isJson(head)) return { source: withPlainCells(await JsonFile.open(whole)), sheet: '', sheets: [] };
  const sign = typeof delimiter === 'string' ? delimiter : delimiter(Buffer.from(head).toString('utf8'));
  return { source: withPlainCells(CsvFile.openRows(whole, sign, encoding)), sheet: '', sheets: [] };
}

/** The rows of a source without unseen signs and references of HTML, which pages leave in them. */
function withPlainCells(source: RowSource): RowSource {
  return {
    header: source.header.map(plainCell),
    delimiter: source.delimiter,
    notes: source.notes ?? [],
    async *batches() {
      for await (const batch of source.batches()) {
        if (batch.text === undefined || !isPlain(batch.text))
          for (const record of batch.records)
            for (let at = 0; at < record.length; at++) record[at] = plainCell(record[at]!);
        yield batch;
      }
    },
  };
}
