import type { ReferenceTable } from '../../reference/base/reference-table.js';
import { referenceTables } from '../../reference/reference.module.js';
import type { TableFile } from '../tables/table-file.js';
import { readCpi, readCpiTable } from './cpi.js';
import { readFpma } from './fpma.js';
import { readFx, readFxTable } from './fx.js';
import { type Mapping, mappedTables } from '../mappings/mapping.js';
import { openMapped } from '../mappings/open-mapped.js';
import { shippedMappings } from '../mappings/shipped-mappings.js';
import { priceReaders, readMappedPrices, type ImportOptions } from './price-readers.js';
import { tableFormat } from './table-format.js';
import { readTable } from './table-reader.js';
import type { PriceBatch, SeriesBatch } from './series.js';
import type { RecordBatch } from './table-rows.js';

export type { ImportOptions };

/** What a reader yields. */
export type ReaderBatch = PriceBatch | SeriesBatch | RecordBatch;

/** Reads an input of one format. */
export type ImportReader = (
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
) => AsyncGenerator<ReaderBatch>;

const tableReader = (table: ReferenceTable): ImportReader =>
  tableFormat((file: TableFile, options: ImportOptions) => readTable(file, table, options));

/** Reads an input by a mapping into the table that the mapping names. */
const mappedReader = (mapping: Mapping): ImportReader =>
  async function* (chunks, options) {
    if (mapping.table === 'prices') {
      yield* readMappedPrices(mapping)(chunks, options);
      return;
    }
    const table = await openMapped(chunks, { ...options, mapping }, mappedTables.get(mapping.table)!);
    const { per, invert = false } = mapping.fields.rate ?? {};
    // Rates that are crossed have been inverted there.
    const isInverted = per !== undefined && invert;
    if (mapping.table === 'fx')
      yield* readFx(table, {
        ...options,
        invert: isInverted ? options.invert === false : (options.invert ?? invert),
      });
    else if (mapping.table === 'cpi') yield* readCpi(table, options);
    else
      yield* readTable(
        table,
        referenceTables().find(({ name }) => name === mapping.table)!,
        options,
      );
  };

/** The reader of each format, by the format's name in requests. */
export const importFormats: Readonly<Record<string, ImportReader>> = {
  ...priceReaders,
  fpma: (chunks) => readFpma(chunks),
  fx: tableFormat(readFx, 'windows-1252'),
  // FAO publishes its wide table in Windows-1252.
  cpi: tableFormat(readCpi, 'windows-1252'),
  ...Object.fromEntries(referenceTables().map((table) => [table.name, tableReader(table)])),
  FxRate: tableFormat(readFxTable),
  Cpi: tableFormat(readCpiTable),
  ...Object.fromEntries([...shippedMappings].map(([name, mapping]) => [name, mappedReader(mapping)])),
};

/** The reader of an input of a format, or by the mapping of its options; null for no format. */
export function inputReader(format: string, options: ImportOptions): ImportReader | null {
  if (options.mapping !== undefined) return mappedReader(options.mapping);
  return Object.hasOwn(importFormats, format) ? importFormats[format]! : null;
}
