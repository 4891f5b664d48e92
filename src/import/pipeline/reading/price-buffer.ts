import type { Period } from '../../../price-series/periodicity.js';
import type { PriceRow } from '../../formats/series.js';
import { mapColumns, type PriceColumns } from './ordered-prices.js';

const INITIAL_LENGTH = 1024;

/** A buffered price. */
export interface BufferedPrice extends Pick<PriceRow, 'line' | 'period' | 'day' | 'value'> {
  /** The number of its series. */
  readonly series: number;
}

/** Prices to be sorted by series, in columns of 27 bytes a price. */
export class PriceBuffer {
  private columns = createColumns(INITIAL_LENGTH);
  private comments: string[] = [];
  private readonly commentNumbers = new Map<string, number>();
  private count = 0;

  get length(): number {
    return this.count;
  }

  /** @param series number of its series, from 1 */
  add(series: number, price: PriceRow): void {
    if (this.count === this.columns.line.length) this.grow();
    const index = this.count++;
    const { columns } = this;
    columns.line[index] = price.line;
    columns.series[index] = series;
    columns.period[index] = price.period;
    columns.day[index] = price.day;
    columns.value[index] = price.value;
    columns.comment[index] = this.commentNumber(price.comment);
    columns.calculated[index] = Number(price.calculated);
    columns.provisional[index] = price.provisional === true ? 1 : 0;
  }

  /**
   * Returns the prices ordered by series number, within a series in the order of `add`, and empties
   * the buffer.
   * @param filter called for each price in that order; returns whether to include it
   */
  drain(filter: (price: BufferedPrice) => boolean): PriceColumns {
    const { columns, comments } = this;
    const drained = createColumns(this.count);
    let count = 0;
    for (const index of this.orderBySeries()) {
      const price = {
        line: columns.line[index]!,
        series: columns.series[index]!,
        period: columns.period[index] as Period,
        day: columns.day[index]!,
        value: columns.value[index]!,
      };
      if (!filter(price)) continue;
      drained.line[count] = price.line;
      drained.series[count] = price.series;
      drained.period[count] = price.period;
      drained.day[count] = price.day;
      drained.value[count] = price.value;
      drained.comment[count] = columns.comment[index]!;
      drained.calculated[count] = columns.calculated[index]!;
      drained.provisional[count] = columns.provisional[index]!;
      count++;
    }
    this.comments = [];
    this.commentNumbers.clear();
    this.count = 0;
    const kept =
      count === drained.line.length
        ? drained
        : mapColumns(drained, (column) => column.slice(0, count) as typeof column);
    return { ...kept, comments };
  }

  private commentNumber(comment: string): number {
    let number = this.commentNumbers.get(comment);
    if (number === undefined) {
      number = this.comments.push(comment) - 1;
      this.commentNumbers.set(comment, number);
    }
    return number;
  }

  /** The row indices ordered by series: a counting sort, which is stable. */
  private orderBySeries(): Uint32Array {
    const series = this.columns.series.subarray(0, this.count);
    let last = 0;
    for (const number of series) if (number > last) last = number;
    const next = new Uint32Array(last + 2);
    for (const number of series) next[number + 1]!++;
    for (let number = 1; number <= last; number++) next[number]! += next[number - 1]!;
    const order = new Uint32Array(this.count);
    for (let index = 0; index < this.count; index++) order[next[series[index]!]!++] = index;
    return order;
  }

  private grow(): void {
    const previous = this.columns;
    this.columns = createColumns(this.count * 2);
    for (const name of Object.keys(previous) as (keyof typeof previous)[])
      this.columns[name].set(previous[name]);
  }
}

function createColumns(length: number) {
  return {
    line: new Uint32Array(length),
    series: new Uint32Array(length),
    period: new Uint8Array(length),
    day: new Int32Array(length),
    value: new Float64Array(length),
    comment: new Uint32Array(length),
    calculated: new Uint8Array(length),
    provisional: new Uint8Array(length),
  };
}
