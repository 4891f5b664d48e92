import { peek } from '../containers/unpack.js';
import { isZip } from '../containers/unzip.js';
import { CsvFile } from './csv.js';
import { isJson, JsonFile } from './json-file.js';
import type { TextEncoding } from './lines.js';
import type { TableFile } from './table-file.js';
import { SheetFile } from './workbook/sheet-file.js';

/** Bytes by which a table is recognised. */
const HEAD_BYTES = 1024;

/** How a table is opened. */
interface TableChoice {
  /** Of CSV that is not UTF-8. */
  readonly encoding?: TextEncoding | undefined;
  /** Name of the sheet of a workbook. */
  readonly sheet?: string | undefined;
  /** Whether a table of a workbook with several, of which some rows are there, is to be read. */
  readonly isWanted: (file: TableFile) => Promise<boolean>;
}

/**
 * Opens a table: a workbook, JSON or CSV, recognised by its bytes.
 * @param chunks as `inputText` returns them
 * @throws ImportRejected for an input that is no table
 */
export async function openTable(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, sheet, isWanted }: TableChoice,
): Promise<TableFile> {
  const { head, whole } = await peek(chunks, HEAD_BYTES);
  if (isZip(head)) return SheetFile.open(whole, { sheet, isWanted });
  return isJson(head) ? JsonFile.open(whole) : CsvFile.open(whole, encoding);
}
