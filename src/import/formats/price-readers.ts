import { CsvFile } from './csv.js';
import { readPrices } from './prices.js';
import type { PriceBatch } from './series.js';
import { readWfp, type WfpOptions } from './wfp.js';

/** Options of an import besides the format. */
export type ImportOptions = WfpOptions;

/** The formats whose files may be long: tables with one price per line. */
export type PriceFormat = 'wfp' | 'prices';

/** Reads prices of one format. */
export type PriceReader = (
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
) => AsyncGenerator<PriceBatch>;

export const priceReaders: Readonly<Record<PriceFormat, PriceReader>> = {
  wfp: async function* (chunks, options) {
    yield* readWfp(await CsvFile.open(chunks, 'windows-1252'), options);
  },
  prices: async function* (chunks) {
    yield* readPrices(await CsvFile.open(chunks));
  },
};
