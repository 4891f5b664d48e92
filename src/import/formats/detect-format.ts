import { CsvFile } from '../tables/csv.js';
import { ImportRejected, WrongFormat } from './batch.js';
import { importFormats } from './index.js';
import { quoteValue } from './values.js';

/** Bytes in which JSON begins. */
const JSON_BEGIN = 1024;

/**
 * Finds the format of an input by its header or, of JSON, by its first element. Formats of which
 * one reads what another one does come in the order of `importFormats`.
 * @param head the begin of the text of the input, in UTF-8
 * @throws WrongFormat where no format has such a header, with what the nearest one misses
 * @throws ImportRejected for an input that is empty or no text with lines
 */
export async function detectFormat(head: Uint8Array): Promise<string> {
  const { header } = await CsvFile.open(chunkOf(head), 'windows-1252');
  let nearest: WrongFormat | null = null;
  const isJson = /^\ufeff?\s*[[{]/.test(Buffer.from(head.subarray(0, JSON_BEGIN)).toString());
  for (const [format, read] of Object.entries(importFormats)) {
    // The begin of a long table may have no end of what JSON would take for its first value.
    if (format === 'fpma' && !isJson) continue;
    try {
      await read(chunkOf(head), {}).next();
      return format;
    } catch (error) {
      if (!(error instanceof ImportRejected)) throw error;
      // Any other message is about the rows or needs an option: the header was right.
      if (!(error instanceof WrongFormat)) return format;
      if (error.nearness > (nearest?.nearness ?? 0)) nearest = error;
    }
  }
  const begin = 'The input is in none of the formats that the service knows.';
  throw new WrongFormat(
    nearest === null
      ? `${begin} Its first line is ${quoteValue(header.join(', '))}.`
      : `${begin} Compared with the nearest one: ${nearest.message}`,
  );
}

async function* chunkOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
