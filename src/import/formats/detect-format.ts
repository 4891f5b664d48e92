import { CsvFile } from '../tables/csv.js';
import { isJson } from '../tables/json-file.js';
import { ImportRejected, WrongFormat } from './batch.js';
import { importFormats, type ImportReader } from './index.js';
import { quoteValue } from './values.js';

/**
 * Finds the format of an input by its header or, of JSON, by its first records. Formats of which
 * one reads what another one does come in the order of `importFormats`.
 * @param heads the begins of its tables, in UTF-8, of which one is to be in a format
 * @param fileName what some formats read a field from
 * @throws WrongFormat where no format has such a header, with what the nearest one misses
 * @throws ImportRejected for an input that is empty or no text with lines
 */
export async function detectFormat(heads: readonly Uint8Array[], fileName = ''): Promise<string> {
  const [first] = heads;
  const { header } = await CsvFile.open(chunkOf(first!), 'windows-1252');
  let nearest: WrongFormat | null = null;
  for (const head of heads) {
    for (const [format, read] of formatsFor(head)) {
      try {
        await read(chunkOf(head), { fileName }).next();
        return format;
      } catch (error) {
        if (!(error instanceof ImportRejected)) throw error;
        // Any other message is about the rows or needs an option: the header was right.
        if (!(error instanceof WrongFormat)) return format;
        if (error.nearness > (nearest?.nearness ?? 0)) nearest = error;
      }
    }
  }
  const begin = 'The input is in none of the formats that the service knows.';
  if (nearest !== null) throw new WrongFormat(`${begin} Compared with the nearest one: ${nearest.message}`);
  throw new WrongFormat(`${begin} Its first line is ${quoteValue(header.join(', '))}.`);
}

/** The formats that an input may be in, in the order in which they are tried. */
function formatsFor(head: Uint8Array): (readonly [string, ImportReader])[] {
  const { fpma, ...tables } = importFormats;
  // A long list may have no end of its first element here, of which only this format may be.
  return isJson(head) ? [['fpma', fpma!], ...Object.entries(tables)] : Object.entries(tables);
}

async function* chunkOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
