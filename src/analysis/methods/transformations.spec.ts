import { monthNumber, S1_FIRST, s1 } from '../../../test/support/test-series.js';
import type { MonthlyColumn } from './monthly-column.js';
import { type Transformation, transformed } from './transformations.js';

const AUGUST = monthNumber(2023, 8);

function transformedMonth(
  transformation: Transformation,
  column: MonthlyColumn,
  month: number,
  base?: number,
): number {
  const [value, before, yearAgo] = [0, 1, 12].map((months) => column.at(month - months));
  return transformed(transformation, value!, before!, yearAgo!, 12, base);
}

describe('transformed', () => {
  const august = (transformation: Transformation, base?: number) =>
    transformedMonth(transformation, s1(), AUGUST, base);

  it('gives the values of the example', () => {
    const expected = {
      lin: 299,
      chg: -31,
      pch: -9.393939,
      pc1: 16.342412,
      pca: -69.388333,
      cch: -9.864908,
      log: 5.700444,
    };
    for (const [transformation, value] of Object.entries(expected))
      expect(august(transformation as Transformation)).toBeCloseTo(value, 6);
    expect(august('index', 187)).toBeCloseTo(159.893048, 6);
    expect(august('index', 2404 / 12)).toBeCloseTo(149.251248, 6);
  });

  it('is NaN where a value is missing', () => {
    expect(transformedMonth('pch', s1(), S1_FIRST)).toBeNaN();
    expect(transformedMonth('pc1', s1(56), AUGUST)).toBeNaN();
    expect(transformedMonth('lin', s1(68), AUGUST)).toBeNaN();
    expect(august('index')).toBeNaN();
  });

  it('takes the number of periods in a year', () =>
    expect(transformed('pca', 110, 100, NaN, 4)).toBeCloseTo(46.41, 9));
});
