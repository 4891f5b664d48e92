import { priceFields } from '../mappings/mapped-columns.js';
import type { Mapping } from '../mappings/mapping.js';
import { openMapped } from '../mappings/open-mapped.js';
import type { FxOptions } from './fx.js';
import { type PricesOptions, readPrices } from './prices.js';
import type { PriceBatch } from './series.js';
import { tableFormat } from './table-format.js';
import { readWfp, type WfpOptions } from './wfp.js';

/** Options of an import besides the format. */
export interface ImportOptions extends WfpOptions, PricesOptions, Pick<FxOptions, 'invert'> {
  /** Label of the encoding of the input; see `toUtf8`. */
  readonly encoding?: string | undefined;
  /** How the table of the input becomes that of a format, in place of the format that is named. */
  readonly mapping?: Mapping | undefined;
  /** Name of the file of a zip archive. */
  readonly file?: string | undefined;
  /** Name of the sheet of a workbook. */
  readonly sheet?: string | undefined;
}

/** The formats whose files may be long: tables with one price per line. */
export type PriceFormat = 'wfp' | 'prices';

/** Reads prices of one format. */
type PriceReader = (chunks: AsyncIterable<Uint8Array>, options: ImportOptions) => AsyncGenerator<PriceBatch>;

export const priceReaders: Readonly<Record<PriceFormat, PriceReader>> = {
  wfp: tableFormat(readWfp, 'windows-1252'),
  prices: tableFormat(readPrices),
};

/** Reads prices by a mapping. */
export const readMappedPrices = (mapping: Mapping): PriceReader =>
  async function* (chunks, options) {
    yield* readPrices(await openMapped(chunks, { ...options, mapping }, priceFields), options);
  };

/** The reader of an input whose prices may be many; null where its format has others. */
export function priceReaderOf(format: string, { mapping }: ImportOptions): PriceReader | null {
  if (mapping !== undefined) return mapping.table === 'prices' ? readMappedPrices(mapping) : null;
  return Object.hasOwn(priceReaders, format) ? priceReaders[format as PriceFormat] : null;
}
