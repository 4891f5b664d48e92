import type { RejectedRow } from '../../formats/batch.js';
import type { FoundConvention } from '../../formats/convention/convention.js';
import type { CountedReplacements } from '../../formats/replaced-values.js';
import type { SeriesBatch, SeriesDescriptor } from '../../formats/series.js';
import type { RecordBatch } from '../../formats/table-rows.js';
import type { FirstRow } from './first-rows.js';

/** Maximum rows of one transaction. */
export const ROWS_PER_TRANSACTION = 10_000;

/** A batch after sorting: prices ordered by series, or series or records in input order. */
export type OrderedBatch = OrderedPrices | SeriesBatch | RecordBatch;

/** A series of an input with its number. */
export interface NumberedSeries {
  /** From 1, in the order in which series first appear. */
  readonly number: number;
  readonly uuid: string;
  readonly descriptor: SeriesDescriptor | null;
}

/**
 * Prices in columns. An array of objects would be cloned value by value between threads, and costs
 * the garbage collector more.
 */
export interface PriceColumns extends Columns {
  /** The distinct comments that `comment` indexes. */
  readonly comments: readonly string[];
}

/** The columns that have a value for each price. */
export interface Columns {
  readonly line: Uint32Array<ArrayBuffer>;
  /** The number of the series. */
  readonly series: Uint32Array<ArrayBuffer>;
  readonly period: Uint8Array<ArrayBuffer>;
  readonly day: Int32Array<ArrayBuffer>;
  readonly value: Float64Array<ArrayBuffer>;
  readonly comment: Uint32Array<ArrayBuffer>;
  /** 1 where the source has derived the price, else 0. */
  readonly calculated: Uint8Array<ArrayBuffer>;
  /** 1 where the source calls the price provisional, else 0. */
  readonly provisional: Uint8Array<ArrayBuffer>;
}

/** Prices ordered by series, within a series in input order, with counts of what was read. */
export interface OrderedPrices extends PriceColumns {
  readonly kind: 'prices';
  /** Rows read: those in the columns, and those counted below. */
  readonly read: number;
  /** Rows that repeat an earlier one. */
  readonly unchanged: number;
  readonly skipped: ReadonlyMap<string, number>;
  readonly rejects: readonly RejectedRow[];
  readonly rounded: number;
  readonly convention: FoundConvention | null;
  /** What is to be said of the file as a whole, in sentences. */
  readonly notes: readonly string[];
  /** Values that were read as others. */
  readonly replaced: CountedReplacements;
  /** Series that appear or are described for the first time. */
  readonly newSeries: readonly NumberedSeries[];
  /** Of those that the input begins with. */
  readonly firstRows: readonly FirstRow[];
}

/** Creates columns from others, each of the same type. */
export function mapColumns(columns: Columns, convert: <T extends Columns[keyof Columns]>(column: T) => T) {
  return {
    line: convert(columns.line),
    series: convert(columns.series),
    period: convert(columns.period),
    day: convert(columns.day),
    value: convert(columns.value),
    comment: convert(columns.comment),
    calculated: convert(columns.calculated),
    provisional: convert(columns.provisional),
  };
}

/** The buffers of the columns, for the transfer list of `postMessage`. */
export const columnBuffers = (columns: Columns): ArrayBuffer[] =>
  Object.values(mapColumns(columns, (column) => column)).map(({ buffer }) => buffer);

/** The counts of a batch whose rows were counted with another one. */
const NOTHING_READ = {
  read: 0,
  unchanged: 0,
  skipped: new Map(),
  rejects: [],
  rounded: 0,
  replaced: { cells: 0, list: [] },
  newSeries: [],
  firstRows: [],
} as const;

/** Splits prices into batches of at most `size`. The first has the counts. */
export function splitPrices(prices: OrderedPrices, size: number): OrderedPrices[] {
  const batches: OrderedPrices[] = [];
  let rest = prices;
  for (let from = 0; from === 0 || from < prices.line.length; from += size) {
    batches.push({
      ...rest,
      ...mapColumns(prices, (column) => column.subarray(from, from + size) as typeof column),
    });
    rest = { ...prices, ...NOTHING_READ };
  }
  return batches;
}
