import type { Period } from '../../price-series/periodicity.js';
import type { PriceRow } from '../formats/series.js';
import type { PriceColumns } from './ordered-prices.js';
import { flagByte, hasForecast } from './price-flags.js';

const FIRST_LENGTH = 1024;

/** A price that has waited. */
export interface WaitingPrice extends Pick<PriceRow, 'line' | 'period' | 'day' | 'value' | 'forecast'> {
  /** The number of its series. */
  readonly series: number;
}

/** Prices that wait to be put in the order of their series: 26 bytes each. */
export class WaitingPrices {
  private columns = columnsOf(FIRST_LENGTH);
  private comments: string[] = [];
  private readonly commentNumbers = new Map<string, number>();
  private count = 0;

  get length(): number {
    return this.count;
  }

  /** @param series the number of its series, from 1 on */
  add(series: number, price: PriceRow): void {
    if (this.count === this.columns.line.length) this.grow();
    const at = this.count++;
    const { columns } = this;
    columns.line[at] = price.line;
    columns.series[at] = series;
    columns.period[at] = price.period;
    columns.day[at] = price.day;
    columns.value[at] = price.value;
    columns.comment[at] = this.commentNumber(price.comment);
    columns.flags[at] = flagByte(price);
  }

  /**
   * The prices by the number of their series, those of one series in the order in which they came. None waits any longer.
   * @param isWanted asked of each, in that order; the others are left out
   */
  take(isWanted: (price: WaitingPrice) => boolean): PriceColumns {
    const { columns, comments } = this;
    const taken = columnsOf(this.count);
    let count = 0;
    for (const at of this.inOrder()) {
      const price = {
        line: columns.line[at]!,
        series: columns.series[at]!,
        period: columns.period[at] as Period,
        day: columns.day[at]!,
        value: columns.value[at]!,
        forecast: hasForecast(columns.flags[at]!),
      };
      if (!isWanted(price)) continue;
      taken.line[count] = price.line;
      taken.series[count] = price.series;
      taken.period[count] = price.period;
      taken.day[count] = price.day;
      taken.value[count] = price.value;
      taken.comment[count] = columns.comment[at]!;
      taken.flags[count] = columns.flags[at]!;
      count++;
    }
    this.comments = [];
    this.commentNumbers.clear();
    this.count = 0;
    return { ...cutTo(taken, count), comments };
  }

  private commentNumber(comment: string): number {
    let number = this.commentNumbers.get(comment);
    if (number === undefined) {
      number = this.comments.push(comment) - 1;
      this.commentNumbers.set(comment, number);
    }
    return number;
  }

  /** The places of the prices in the order of their series: each series is counted, then its prices follow where it begins. */
  private inOrder(): Uint32Array {
    const series = this.columns.series.subarray(0, this.count);
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
    const former = this.columns;
    this.columns = columnsOf(this.count * 2);
    for (const name of Object.keys(former) as (keyof typeof former)[]) this.columns[name].set(former[name]);
  }
}

function columnsOf(length: number) {
  return {
    line: new Uint32Array(length),
    series: new Uint32Array(length),
    period: new Uint8Array(length),
    day: new Int32Array(length),
    value: new Float64Array(length),
    comment: new Uint32Array(length),
    flags: new Uint8Array(length),
  };
}

/** The columns with no more than so many prices. */
function cutTo(columns: ReturnType<typeof columnsOf>, count: number): ReturnType<typeof columnsOf> {
  if (count === columns.line.length) return columns;
  return {
    line: columns.line.slice(0, count),
    series: columns.series.slice(0, count),
    period: columns.period.slice(0, count),
    day: columns.day.slice(0, count),
    value: columns.value.slice(0, count),
    comment: columns.comment.slice(0, count),
    flags: columns.flags.slice(0, count),
  };
}
