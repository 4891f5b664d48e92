import { isZip } from '../containers/unzip.js';
import { peek } from '../containers/unpack.js';
import { workbookHeads } from '../tables/workbook/sheet-file.js';
import { inputText, type InputTextOptions } from './input.js';

/** Bytes of text by which an input is recognised: more than the first element of most JSON. */
const HEAD_BYTES = 1024 * 1024;

/** What is said of the table of an input. */
export interface HeadOptions extends InputTextOptions {
  /** Name of the sheet of a workbook. */
  readonly sheet?: string | undefined;
}

/** The begins of the tables of an input. */
export interface InputHeads {
  /** In UTF-8; those of a workbook as CSV. */
  readonly heads: readonly Uint8Array[];
  /** The sheets of a workbook that have them; none of other inputs. */
  readonly sheets: readonly string[];
}

/**
 * The begin of the text of an input, in UTF-8; of a workbook that of each of its tables, as CSV.
 * @throws ImportRejected for damaged archives, and for files that no format reads, by name
 */
export async function inputHeads(
  bytes: AsyncIterable<Uint8Array>,
  { sheet, ...options }: HeadOptions,
): Promise<InputHeads> {
  const { head, whole } = await peek(inputText({ bytes, maxBytes: Infinity }, options), 1);
  if (isZip(head)) {
    const tables = await workbookHeads(whole, sheet);
    return {
      heads: tables.map(({ text }) => Buffer.from(text)),
      sheets: tables.map((table) => table.sheet),
    };
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of whole) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return { heads: [Buffer.concat(chunks)], sheets: [] };
}
