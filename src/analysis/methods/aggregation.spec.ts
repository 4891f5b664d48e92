import { columnFrom, monthNumber, S1_FIRST, s1 } from '../../../test/support/test-series.js';
import { aggregate, aggregated } from './aggregation.js';

describe('aggregate', () => {
  it('gives the values of the example of weeks', () => {
    const week = [424, 428, 436, 440];
    expect(aggregate(week, 'avg')).toBe(432);
    expect(aggregate(week, 'eop')).toBe(440);
    expect(aggregate(week, 'min')).toBe(424);
    expect(aggregate(week, 'max')).toBe(440);
    expect(aggregate(week, 'median')).toBe(432);
    expect(aggregate([420, 410, 414], 'median')).toBe(414);
    expect(aggregate([7], 'median')).toBe(7);
  });
});

describe('aggregated', () => {
  it('makes quarters and years', () => {
    const quarters = aggregated(s1(), 'quarterly', 'avg');
    expect(quarters).toHaveLength(24);
    expect(quarters[0]).toEqual({ month: S1_FIRST, value: (187 + 197 + 214) / 3, n: 3 });
    expect(aggregated(s1(), 'annual', 'eop').map(({ value }) => value)).toEqual([
      190, 200, 197, 211, 233, 231,
    ]);
    expect(aggregated(s1(), 'annual', 'avg').at(-1)!.value).toBeCloseTo(272.25, 9);
    expect(aggregated(s1(), 'annual', 'median').at(-1)!.value).toBe(271.5);
  });

  it('needs all months of each period', () => {
    const column = columnFrom(monthNumber(2020, 2), [1, 2, null, 4, 6, null, null, null, 9]);
    expect(aggregated(column, 'quarterly', 'avg')).toEqual([
      { month: monthNumber(2020, 1), value: 'few_values', n: 2 },
      { month: monthNumber(2020, 4), value: 'few_values', n: 2 },
      { month: monthNumber(2020, 7), value: 'no_price', n: 0 },
      { month: monthNumber(2020, 10), value: 'few_values', n: 1 },
    ]);
    expect(aggregated(columnFrom(S1_FIRST, []), 'annual', 'avg')).toEqual([]);
    expect(aggregated(columnFrom(S1_FIRST, [1, 2, 3]), 'quarterly', 'max')).toEqual([
      { month: S1_FIRST, value: 3, n: 3 },
    ]);
  });
});
