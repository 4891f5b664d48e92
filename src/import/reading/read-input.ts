import { ImportRejected } from '../formats/batch.js';
import { importFormats, type ImportOptions } from '../formats/index.js';
import { priceReaders, type PriceFormat } from '../formats/price-readers.js';
import { unpack, type Input } from '../input.js';
import type { InputPart } from './ordered-prices.js';
import { inOrder } from './price-intake.js';
import { readInThread } from './read-in-thread.js';

/** Bytes of an input from which a thread is worth its start, which takes about a tenth of a second. */
const WORTH_A_THREAD = 1024 * 1024;

/**
 * What an input holds, part by part as it is to be stored. Long tables of prices are read in a thread of their own.
 * @param least prices that are put in order at least, where there are as many
 * @throws ImportRefused for an unknown format, and where the input is not of the format
 */
export function readInput(
  format: string,
  input: Pick<Input, 'name' | 'size' | 'bytes' | 'most'>,
  options: ImportOptions,
  least: number,
): AsyncIterable<InputPart> {
  const reader = Object.hasOwn(importFormats, format) ? importFormats[format] : undefined;
  if (reader === undefined) throw new ImportRejected(unknownFormat(format));
  const known = { fileName: input.name, ...options };
  const isLong = input.size === null || input.size >= WORTH_A_THREAD;
  return isLong && isPriceFormat(format)
    ? readInThread(input.bytes, { format, options: known, most: input.most, least })
    : inOrder(reader(unpack(input), known), least);
}

function isPriceFormat(format: string): format is PriceFormat {
  return Object.hasOwn(priceReaders, format);
}

function unknownFormat(format: string): string {
  return `There is no format ${JSON.stringify(format)}. Known are ${Object.keys(importFormats).join(', ')}.`;
}
