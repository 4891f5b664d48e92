import { ImportRejected } from '../../formats/batch.js';
import { importFormats, type ImportOptions, inputReader } from '../../formats/index.js';
import { priceReaderOf } from '../../formats/price-readers.js';
import { textOptionsOf } from '../../mappings/open-mapped.js';
import { withMapping } from '../../mappings/shipped-mappings.js';
import { type Input, inputText } from '../input.js';
import type { OrderedBatch } from './ordered-prices.js';
import { orderBySeries } from './price-sorter.js';
import { readInThread } from './read-in-thread.js';

/** Minimum size of an input to start a thread for, which takes about 0.1 s. */
const THREAD_MIN_BYTES = 1024 * 1024;

/**
 * Reads an input in batches as they are to be stored. Long tables of prices are read in a thread.
 * @param minPrices minimum prices to sort at once, if the input has as many
 * @throws ImportRejected for an unknown format, and if the input is not in the format
 */
export function readInput(
  format: string,
  input: Pick<Input, 'name' | 'size' | 'bytes' | 'maxBytes'>,
  given: ImportOptions,
  minPrices: number,
): AsyncIterable<OrderedBatch> {
  const options = withMapping(format, given);
  const reader = inputReader(format, options);
  if (reader === null) throw new ImportRejected(unknownFormat(format));
  const readerOptions = { fileName: input.name, ...options };
  const isLong = input.size === null || input.size >= THREAD_MIN_BYTES;
  return isLong && priceReaderOf(format, options) !== null
    ? readInThread(input.bytes, {
        format,
        options: readerOptions,
        maxBytes: input.maxBytes,
        minPrices: minPrices,
      })
    : orderBySeries(reader(inputText(input, textOptionsOf(options)), readerOptions), minPrices);
}

function unknownFormat(format: string): string {
  return `Unknown format ${JSON.stringify(format)}. It must be one of ${Object.keys(importFormats).join(', ')}.`;
}
