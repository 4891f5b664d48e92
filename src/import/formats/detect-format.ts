import { CsvFile } from './csv.js';
import { ImportRejected, WrongFormat } from './batch.js';
import { importFormats } from './index.js';

/**
 * Finds the format of an input by its header or, of JSON, by its first element. Formats of which
 * one reads what another one does come in the order of `importFormats`.
 * @param head the begin of the input, decompressed
 * @returns null where no format has such a header
 * @throws ImportRejected for an input that is empty or no text with lines
 */
export async function detectFormat(head: Uint8Array): Promise<string | null> {
  await CsvFile.open(chunkOf(head), 'windows-1252');
  for (const [format, read] of Object.entries(importFormats)) {
    try {
      await read(chunkOf(head), {}).next();
      return format;
    } catch (error) {
      if (!(error instanceof ImportRejected)) throw error;
      // Any other message is about the rows or needs an option: the header was right.
      if (!(error instanceof WrongFormat)) return format;
    }
  }
  return null;
}

async function* chunkOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
