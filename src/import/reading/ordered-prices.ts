import type { Reject } from '../formats/batch.js';
import type { SeriesBatch, SeriesDescriptor } from '../formats/series.js';
import type { RecordBatch } from '../formats/table-rows.js';

/** Rows that one transaction stores at most. */
export const ROWS_PER_TRANSACTION = 10_000;

/** What an input holds, as it is stored: prices in the order of their series, series and records as they come. */
export type InputPart = OrderedPrices | SeriesBatch | RecordBatch;

/** A series of an input, which may give no more than its uuid. */
export interface NumberedSeries {
  /** From 1, in the order in which series were met. */
  readonly number: number;
  readonly uuid: string;
  readonly descriptor: SeriesDescriptor | null;
}

/**
 * Prices in columns. An array of objects would be taken apart and put together value by value on its way from one thread to
 * another, and gives the garbage collector as many things to follow.
 */
export interface PriceColumns {
  /** The comments that are numbered in `comment`, from 0; most prices share one. */
  readonly comments: readonly string[];
  readonly line: Uint32Array<ArrayBuffer>;
  /** The number of the series. */
  readonly series: Uint32Array<ArrayBuffer>;
  readonly period: Uint8Array<ArrayBuffer>;
  readonly day: Int32Array<ArrayBuffer>;
  readonly value: Float64Array<ArrayBuffer>;
  readonly comment: Uint32Array<ArrayBuffer>;
  /** As `flagByte` gives them. */
  readonly flags: Uint8Array<ArrayBuffer>;
}

/** Prices by the number of their series, those of one series in the order in which they came, and what else was found meanwhile. */
export interface OrderedPrices extends PriceColumns {
  readonly kind: 'prices';
  /** Rows found: those in the columns, and the ones that follow. */
  readonly read: number;
  /** Rows that say again what an earlier one has said. */
  readonly unchanged: number;
  readonly skipped: ReadonlyMap<string, number>;
  readonly rejects: readonly Reject[];
  readonly rounded: number;
  /** Series that were met or described for the first time. */
  readonly newSeries: readonly NumberedSeries[];
}

/** The buffers of the columns, which may be handed over. */
export function buffersOf({ line, series, period, day, value, comment, flags }: PriceColumns): ArrayBuffer[] {
  return [line, series, period, day, value, comment, flags].map(({ buffer }) => buffer);
}

/** Prices cut into parts of at most so many, for a transaction each. What was found besides goes with the first. */
export function cut(prices: OrderedPrices, most: number): OrderedPrices[] {
  const { line, series, period, day, value, comment, flags } = prices;
  const parts: OrderedPrices[] = [];
  let found = prices;
  for (let from = 0; from === 0 || from < line.length; from += most) {
    const to = from + most;
    parts.push({
      ...found,
      line: line.subarray(from, to),
      series: series.subarray(from, to),
      period: period.subarray(from, to),
      day: day.subarray(from, to),
      value: value.subarray(from, to),
      comment: comment.subarray(from, to),
      flags: flags.subarray(from, to),
    });
    found = { ...prices, read: 0, unchanged: 0, skipped: new Map(), rejects: [], rounded: 0, newSeries: [] };
  }
  return parts;
}
