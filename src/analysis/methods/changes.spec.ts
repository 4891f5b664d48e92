import { monthNumber, S1_FIRST, s1 } from '../../../test/support/test-series.js';
import { changeAt } from './changes.js';
import { fiveYearMeanAt } from './five-year-mean.js';
import { MonthlyColumn } from './monthly-column.js';
import { logChanges, volatilityAt } from './volatility.js';

const AUGUST = monthNumber(2023, 8);

describe('changeAt', () => {
  it('compares calendar months', () => {
    expect(changeAt(s1(), AUGUST, 1)).toBeCloseTo(-0.09393939, 8);
    expect(changeAt(s1(), AUGUST, 3)).toBeCloseTo(-0.03858521, 8);
    expect(changeAt(s1(), AUGUST, 12)).toBeCloseTo(0.16342412, 8);
  });

  it('says why there is none', () => {
    expect(changeAt(s1(68), AUGUST, 1)).toBe('no_price');
    expect(changeAt(s1(67), AUGUST, 1)).toBe('no_price_1m_ago');
    expect(changeAt(s1(65), AUGUST, 3)).toBe('no_price_3m_ago');
    expect(changeAt(s1(56), AUGUST, 12)).toBe('no_price_12m_ago');
    expect(changeAt(s1(), S1_FIRST, 12)).toBe('no_price_12m_ago');
    const unconverted = MonthlyColumn.of([S1_FIRST, S1_FIRST + 1], [5, 'no_rate']);
    expect(changeAt(unconverted, S1_FIRST + 1, 1)).toBe('no_rate');
    expect(changeAt(MonthlyColumn.of([S1_FIRST, S1_FIRST + 1], ['no_cpi', 5]), S1_FIRST + 1, 1)).toBe(
      'no_cpi',
    );
    expect(changeAt(MonthlyColumn.of([], []), S1_FIRST, 1)).toBe('no_price');
  });

  it('takes no price that is not above 0', () => {
    const column = MonthlyColumn.of([S1_FIRST, S1_FIRST + 1, S1_FIRST + 2], [0, -3, 5]);
    expect(changeAt(column, S1_FIRST + 1, 1)).toBe('no_price');
    expect(changeAt(column, S1_FIRST + 2, 1)).toBe('no_price_1m_ago');
  });
});

describe('fiveYearMeanAt', () => {
  it('compares with the same month of five years', () => {
    expect(fiveYearMeanAt(s1(), AUGUST)).toEqual({
      mean: expect.closeTo(228.2, 9),
      years: 5,
      against: expect.closeTo(0.31025416, 8),
    });
  });

  it('needs three of them', () => {
    expect(fiveYearMeanAt(s1(8, 20), AUGUST)).toEqual({
      mean: expect.closeTo((226 + 235 + 257) / 3, 9),
      years: 3,
      against: expect.closeTo((299 * 3) / 718 - 1, 9),
    });
    const two = { mean: 'short_history', years: 2, against: 'short_history' };
    expect(fiveYearMeanAt(s1(8, 20, 32), AUGUST)).toEqual(two);
    expect(fiveYearMeanAt(s1(68), AUGUST)).toMatchObject({ years: 5, against: 'no_price' });
  });
});

describe('volatilityAt', () => {
  it('needs thirteen prices in a row', () => {
    expect(volatilityAt(logChanges(s1()), AUGUST)).toBeCloseTo(0.066362, 6);
    expect(volatilityAt(logChanges(s1(60)), AUGUST)).toBe('few_values');
    expect(volatilityAt(logChanges(s1()), S1_FIRST + 11)).toBe('few_values');
    expect(typeof volatilityAt(logChanges(s1()), S1_FIRST + 12)).toBe('number');
    expect(volatilityAt(logChanges(s1(68)), AUGUST)).toBe('no_price');
  });
});
