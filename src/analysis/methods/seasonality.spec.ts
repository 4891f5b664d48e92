import { columnFrom, S1_FIRST, S1_VALUES, s1 } from '../../../test/support/test-series.js';
import { seasonalityOf } from './seasonality.js';

describe('seasonalityOf', () => {
  it('gives the indices of the example, with their spread', () => {
    const index = [
      99.7861, 101.6878, 106.641, 106.6834, 112.0398, 115.6204, 110.6953, 101.2662, 88.0811, 81.8785, 86.1629,
      89.4576,
    ];
    const sd = [6.9785, 5.5943, 3.3418, 4.1667, 3.7311, 6.3182, 3.9711, 3.3609, 5.7092, 6.2766, 4.24, 1.2275];
    expect(seasonalityOf(s1())).toEqual({
      index: index.map((value) => expect.closeTo(value / 100, 6) as number),
      sd: sd.map((value) => expect.closeTo(value / 100, 6) as number),
      years: 5,
    });
  });

  it('needs three ratios for each calendar month', () => {
    expect(seasonalityOf(columnFrom(S1_FIRST, S1_VALUES.slice(0, 48)))).toMatchObject({ years: 3 });
    expect(seasonalityOf(columnFrom(S1_FIRST, S1_VALUES.slice(0, 47)))).toBe('short_history');
    // A missing month takes 13 ratios with it: of the five for each month, one, or two of its own.
    expect(seasonalityOf(s1(36))).toMatchObject({ years: 3 });
    expect(seasonalityOf(s1(20, 36, 52))).toBe('short_history');
    expect(seasonalityOf(columnFrom(S1_FIRST, []))).toBe('short_history');
  });
});
