import { monthNumber, S1_FIRST, s1 } from '../../../test/support/test-series.js';
import { type Transformation, transformed, transformedMonth } from './transformations.js';

describe('transformedMonth', () => {
  const august = (transformation: Transformation, base?: number) =>
    transformedMonth(transformation, s1(), monthNumber(2023, 8), base);

  it('gives the values of the example', () => {
    const expected = {
      lin: 299,
      chg: -31,
      ch1: 42,
      pch: -9.393939,
      pc1: 16.342412,
      pca: -69.388333,
      cch: -9.864908,
      cca: -118.378897,
      log: 5.700444,
    };
    for (const [transformation, value] of Object.entries(expected))
      expect(august(transformation as Transformation)).toBeCloseTo(value, 6);
    expect(august('index', 187)).toBeCloseTo(159.893048, 6);
    expect(august('index', 2404 / 12)).toBeCloseTo(149.251248, 6);
  });

  it('is NaN where a value is missing', () => {
    expect(transformedMonth('pch', s1(), S1_FIRST)).toBeNaN();
    expect(transformedMonth('pc1', s1(56), monthNumber(2023, 8))).toBeNaN();
    expect(transformedMonth('lin', s1(68), monthNumber(2023, 8))).toBeNaN();
    expect(august('index')).toBeNaN();
  });

  it('takes the number of periods in a year', () => {
    expect(transformed('pca', 110, 100, NaN, 4)).toBeCloseTo(46.41, 9);
    expect(transformed('cca', 110, 100, NaN, 4)).toBeCloseTo(400 * Math.log(1.1), 9);
  });
});
