import type { Period } from '../../price-series/periodicity.js';
import type { Reject } from '../formats/batch.js';
import { PriceBatch, type PriceRow } from '../formats/series.js';
import { flagByte, hasCalculated, hasForecast } from '../price-flags.js';

type Series = PriceRow['series'];

/**
 * A batch of prices as it goes from one thread to another: a column for each field, which is handed over or copied at once, where
 * an array of rows would be taken apart and put together value by value. Rows name their series and comments by number: a series
 * goes once, a comment once in each batch.
 */
export interface PackedPrices {
  readonly valueColumn: string;
  readonly read: number;
  readonly rounded: number;
  readonly skipped: ReadonlyMap<string, number>;
  readonly rejects: readonly Reject[];
  /** Series that no batch before has named; they have the next numbers. */
  readonly newSeries: readonly Series[];
  /** The comments of this batch; most prices share one. */
  readonly comments: readonly string[];
  readonly line: Uint32Array<ArrayBuffer>;
  readonly series: Uint32Array<ArrayBuffer>;
  readonly period: Uint8Array<ArrayBuffer>;
  readonly day: Int32Array<ArrayBuffer>;
  readonly value: Float64Array<ArrayBuffer>;
  readonly comment: Uint32Array<ArrayBuffer>;
  readonly flags: Uint8Array<ArrayBuffer>;
}

/** The number of a thing, in the order in which things were met. */
function numberOf<T>(thing: T, numbers: Map<T, number>, met: T[]): number {
  let number = numbers.get(thing);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(thing, number);
    met.push(thing);
  }
  return number;
}

/** Packs the batches of one input, in their order. */
export class PricePacker {
  private readonly numbers = new Map<Series, number>();

  pack({ valueColumn, read, rounded, skipped, rejects, rows }: PriceBatch): PackedPrices {
    const { length } = rows;
    const line = new Uint32Array(length);
    const series = new Uint32Array(length);
    const period = new Uint8Array(length);
    const day = new Int32Array(length);
    const value = new Float64Array(length);
    const comment = new Uint32Array(length);
    const flags = new Uint8Array(length);
    const newSeries: Series[] = [];
    const comments: string[] = [];
    const commentNumbers = new Map<string, number>();
    for (let at = 0; at < length; at++) {
      const row = rows[at]!;
      line[at] = row.line;
      series[at] = numberOf(row.series, this.numbers, newSeries);
      period[at] = row.period;
      day[at] = row.day;
      value[at] = row.value;
      comment[at] = numberOf(row.comment, commentNumbers, comments);
      flags[at] = flagByte(row);
    }
    return {
      ...{ valueColumn, read, rounded, skipped, rejects, newSeries, comments },
      ...{ line, series, period, day, value, comment, flags },
    };
  }
}

/** The buffers of a packed batch, which may be handed over. */
export function buffersOf({ line, series, period, day, value, comment, flags }: PackedPrices): ArrayBuffer[] {
  return [line, series, period, day, value, comment, flags].map(({ buffer }) => buffer);
}

/** Unpacks what a packer has packed, in the same order. */
export class PriceUnpacker {
  private readonly series: Series[] = [];

  unpack(packed: PackedPrices): PriceBatch {
    const { comments, line, series, period, day, value, comment, flags } = packed;
    for (const one of packed.newSeries) this.series.push(one);
    const batch = new PriceBatch(packed.valueColumn);
    batch.read = packed.read;
    batch.rounded = packed.rounded;
    for (const [reason, count] of packed.skipped) batch.skip(reason, count);
    batch.rejects.push(...packed.rejects);
    for (let at = 0; at < line.length; at++) {
      batch.rows.push({
        line: line[at]!,
        series: this.series[series[at]!]!,
        period: period[at] as Period,
        day: day[at]!,
        value: value[at]!,
        comment: comments[comment[at]!]!,
        calculated: hasCalculated(flags[at]!),
        forecast: hasForecast(flags[at]!),
      });
    }
    return batch;
  }
}
