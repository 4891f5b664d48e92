import type { Period } from '../price-series/periodicity.js';
import type { NewPoint } from '../prices/observation-store.js';
import type { PriceRow } from './formats/series.js';
import { flagByte, hasCalculated, hasForecast } from './price-flags.js';

/** A price that has waited: a point that lacks the id of its series until that is stored. */
export interface WaitedPrice extends NewPoint {
  readonly line: number;
  /** The number of its series. */
  readonly series: number;
}

const FIRST_LENGTH = 1024;

/**
 * Prices that wait to be put in the order of their series, in columns: 34 bytes each, and nothing for the garbage collector to
 * follow, where as many objects would take three times that and be copied again and again.
 */
export class WaitingPrices {
  private line = new Uint32Array(FIRST_LENGTH);
  private series = new Uint32Array(FIRST_LENGTH);
  private period = new Uint8Array(FIRST_LENGTH);
  private day = new Int32Array(FIRST_LENGTH);
  private value = new Float64Array(FIRST_LENGTH);
  private flags = new Uint8Array(FIRST_LENGTH);
  private comments: string[] = [];
  private count = 0;

  get length(): number {
    return this.count;
  }

  /** @param series the number of its series, from 1 on */
  add(series: number, price: PriceRow): void {
    if (this.count === this.line.length) this.grow();
    const at = this.count++;
    this.line[at] = price.line;
    this.series[at] = series;
    this.period[at] = price.period;
    this.day[at] = price.day;
    this.value[at] = price.value;
    this.flags[at] = flagByte(price);
    this.comments.push(price.comment);
  }

  /**
   * All prices by the number of their series, those of one series in the order in which they came, so many at a time. None waits
   * any longer.
   */
  *take(most: number): Generator<WaitedPrice[]> {
    const order = this.inOrder();
    for (let from = 0; from < order.length; from += most) {
      yield Array.from(order.subarray(from, from + most), (at) => this.at(at));
    }
    this.comments = [];
    this.count = 0;
  }

  private at(at: number): WaitedPrice {
    return {
      serieId: 0,
      line: this.line[at]!,
      series: this.series[at]!,
      period: this.period[at] as Period,
      day: this.day[at]!,
      value: this.value[at]!,
      comment: this.comments[at]!,
      calculated: hasCalculated(this.flags[at]!),
      forecast: hasForecast(this.flags[at]!),
    };
  }

  /** The places of the prices in the order of their series: each series is counted, then its prices follow where it begins. */
  private inOrder(): Uint32Array {
    const series = this.series.subarray(0, this.count);
    let last = 0;
    for (const number of series) if (number > last) last = number;
    const next = new Uint32Array(last + 2);
    for (const number of series) next[number + 1]!++;
    for (let number = 1; number <= last; number++) next[number]! += next[number - 1]!;
    const order = new Uint32Array(this.count);
    for (let at = 0; at < this.count; at++) order[next[series[at]!]!++] = at;
    return order;
  }

  private grow(): void {
    const length = this.count * 2;
    const { line, series, period, day, value, flags } = this;
    (this.line = new Uint32Array(length)).set(line);
    (this.series = new Uint32Array(length)).set(series);
    (this.period = new Uint8Array(length)).set(period);
    (this.day = new Int32Array(length)).set(day);
    (this.value = new Float64Array(length)).set(value);
    (this.flags = new Uint8Array(length)).set(flags);
  }
}
