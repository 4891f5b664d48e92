import fc from 'fast-check';
import { assertProperty } from '../../../test/support/property.js';
import { columnFrom, monthNumber } from '../../../test/support/test-series.js';
import { chainedIndex, type IndexPoint } from './chained-index.js';
import { groupStatistics } from './group-statistics.js';
import type { MonthlyColumn } from './monthly-column.js';

const FIRST = monthNumber(2020, 1);
type Prices = readonly (number | null)[];

const columnsOf = (series: readonly Prices[]) => series.map((prices) => columnFrom(FIRST, prices));

function indexOf(columns: readonly MonthlyColumn[], minMatched: number, months = 1): IndexPoint[] {
  const last = Math.max(FIRST, ...columns.map((column) => column.last));
  return [...chainedIndex(columns, { first: FIRST, last, months }, minMatched)];
}

/** Month (0 for the first one), value, segment, the month it is linked to, matched series. */
const rowsOf = (points: readonly IndexPoint[]) =>
  points.map(({ month, value, segment, linkedFrom, matched }) => [
    month - FIRST,
    Number.isNaN(value) ? null : Math.round(value * 1e6) / 1e6,
    segment,
    linkedFrom === null ? null : linkedFrom - FIRST,
    matched,
  ]);

const gap = (months: number): null[] => new Array<null>(months).fill(null);

describe('chainedIndex', () => {
  it('compares the prices of the series that both months have', () => {
    const columns = columnsOf([
      [1, 2, null, 4],
      [2, 2, 3, null],
      [4, 4, 8, 16],
      [null, null, 100, 50],
    ]);
    expect(rowsOf(indexOf(columns, 2))).toEqual([
      [0, 100, 1, null, null],
      [1, 125.992105, 1, 0, 3],
      [2, 218.224727, 1, 1, 2],
      [3, 218.224727, 1, 2, 2],
    ]);
    // With three matched series, the last months have only two in common with any other month.
    expect(rowsOf(indexOf(columns, 3))).toEqual([
      [0, 100, 1, null, null],
      [1, 125.992105, 1, 0, 3],
      [2, 100, 2, null, null],
      [3, 100, 3, null, null],
    ]);
  });

  it('passes over months with too few prices, and begins a segment where nothing matches', () => {
    const columns = columnsOf([
      [10, 11, null, null, null],
      [10, null, null, null, null],
      [null, null, 7, null, 14],
      [null, null, 7, 8, 7],
    ]);
    expect(rowsOf(indexOf(columns, 2))).toEqual([
      [0, 100, 1, null, null],
      [1, null, null, null, null],
      [2, 100, 2, null, null],
      [3, null, null, null, null],
      [4, 141.421356, 2, 2, 2],
    ]);
  });

  it('goes back to a segment that was left', () => {
    const columns = columnsOf([
      [10, null, 20],
      [null, 5, null],
    ]);
    expect(rowsOf(indexOf(columns, 1))).toEqual([
      [0, 100, 1, null, null],
      [1, 100, 2, null, null],
      [2, 200, 1, 0, 1],
    ]);
  });

  it('links over twelve months, and not over thirteen', () => {
    const linked = indexOf(columnsOf([[10, ...gap(11), 20]]), 1);
    expect(rowsOf(linked).at(-1)).toEqual([12, 200, 1, 0, 1]);
    const broken = indexOf(columnsOf([[10, ...gap(12), 20]]), 1);
    expect(rowsOf(broken).at(-1)).toEqual([13, 100, 2, null, null]);
  });

  it('is calculated of quarters and years, too', () => {
    const prices = [10, ...gap(11), 20, ...gap(11), 30];
    expect(rowsOf(indexOf(columnsOf([prices]), 1, 12))).toEqual([
      [0, 100, 1, null, null],
      [12, 200, 1, 0, 1],
      [24, 300, 1, 12, 1],
    ]);
    expect(rowsOf(indexOf(columnsOf([[10, null, null, 15]]), 1, 3))).toEqual([
      [0, 100, 1, null, null],
      [3, 150, 1, 0, 1],
    ]);
  });

  it('has no value where there is no series, or none with a price', () => {
    expect(rowsOf(indexOf([], 1))).toEqual([[0, null, null, null, null]]);
    expect(rowsOf(indexOf(columnsOf([[null], [0]]), 1))).toEqual([[0, null, null, null, null]]);
  });
});

describe('properties of the chained index', () => {
  const price = fc.integer({ min: 1, max: 5000 }).map((value) => value / 10);
  const prices = fc.array(fc.option(price, { freq: 4, nil: null }), { minLength: 30, maxLength: 30 });
  const group = fc.array(prices, { minLength: 1, maxLength: 8 });
  const minMatched = fc.integer({ min: 1, max: 4 });
  const expectClose = (one: readonly IndexPoint[], other: readonly IndexPoint[]) => {
    expect(
      other.map(({ month, segment, linkedFrom, matched }) => [month, segment, linkedFrom, matched]),
    ).toEqual(one.map(({ month, segment, linkedFrom, matched }) => [month, segment, linkedFrom, matched]));
    for (const [at, { value }] of one.entries())
      if (!Number.isNaN(value)) expect(other[at]!.value / value).toBeCloseTo(1, 9);
  };

  it('it does not depend on the units of the prices, nor on the order of the series', async () => {
    const property = fc.property(group, minMatched, fc.array(price), (series, least, factors) => {
      const scaled = series.map((each, at) => each.map((value) => value && value * (factors[at] ?? 3)));
      expectClose(indexOf(columnsOf(series), least), indexOf(columnsOf(scaled.reverse()), least));
    });
    await assertProperty('units of a chained index', property, { numRuns: 200 });
  });

  it('it does not jump when series come and go', async () => {
    const trend = fc.array(price, { minLength: 30, maxLength: 30 });
    const property = fc.property(
      group,
      minMatched,
      trend,
      fc.array(price),
      (series, least, common, levels) => {
        // All prices move alike, each on a level of its own; which of them there are is random.
        const moving = series.map((each, at) =>
          each.map((value, month) => value && common[month]! * (levels[at] ?? 7)),
        );
        const points = indexOf(columnsOf(moving), least);
        for (const { month, value, segment } of points) {
          if (segment === null) continue;
          const begin = points.find((point) => point.segment === segment)!.month;
          expect(value / ((100 * common[month - FIRST]!) / common[begin - FIRST]!)).toBeCloseTo(1, 9);
        }
      },
    );
    await assertProperty('series that come and go', property, { numRuns: 200 });
  });

  it('it has earlier values that later prices do not change', async () => {
    const property = fc.property(group, minMatched, (series, least) => {
      const all = indexOf(columnsOf(series), least);
      const earlier = indexOf(columnsOf(series.map((each) => each.slice(0, 20))), least);
      expect(all.slice(0, 20)).toEqual(earlier);
    });
    await assertProperty('later prices of a chained index', property, { numRuns: 200 });
  });

  it('it is the ratio of geometric means where all series have all prices', async () => {
    const whole = fc.array(fc.array(price, { minLength: 10, maxLength: 10 }), { minLength: 1, maxLength: 6 });
    const property = fc.property(whole, (series) => {
      const mean = (at: number) =>
        series.reduce((product, each) => product * each[at]! ** (1 / series.length), 1);
      for (const [at, { value }] of indexOf(columnsOf(series), 1).entries())
        expect(value / ((100 * mean(at)) / mean(0))).toBeCloseTo(1, 9);
    });
    await assertProperty('geometric means', property, { numRuns: 200 });
  });
});

describe('groupStatistics', () => {
  it('are the median, mean, least and greatest price', () => {
    expect(groupStatistics([10, 2, 33])).toEqual({ median: 10, mean: 15, min: 2, max: 33 });
    expect(groupStatistics([10, 2, 3, 1])).toEqual({ median: 2.5, mean: 4, min: 1, max: 10 });
    expect(groupStatistics([7])).toEqual({ median: 7, mean: 7, min: 7, max: 7 });
  });
});
