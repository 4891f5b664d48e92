import { columnFrom, monthNumber, S1_FIRST, s1 } from '../../../test/support/test-series.js';
import { earlierRates, growthHistory, growthRate, growthRates, type IfpaMode } from './growth-rates.js';
import { annualIfpa, IfpaCalculation, ifpaClass, type Ifpa, type IfpaOptions } from './ifpa.js';
import { MonthlyColumn } from './monthly-column.js';
import type { Outcome } from './reason.js';

const standard: IfpaOptions = {
  mode: 'standard',
  historyFrom: null,
  gamma: 0.4,
  thresholds: [0.5, 1],
  allowGaps: false,
};
const fpma: IfpaOptions = { ...standard, mode: 'fpma' };

const ifpaAt = (real: MonthlyColumn, nominal: MonthlyColumn, month: number, options: IfpaOptions) =>
  new IfpaCalculation(real, nominal, options).at(month);
const of = (column: MonthlyColumn, month: number, options = standard) =>
  ifpaAt(column, column, month, options);
const valueOf = (ifpa: Outcome<Ifpa>) => (typeof ifpa === 'string' ? ifpa : ifpa.value);
const in2023 = (month: number) => monthNumber(2023, month);

describe('ifpaAt', () => {
  it('calculates the example of August 2023', () => {
    const month = in2023(8);
    expect(growthRate(s1(), month, 3)).toBeCloseTo(-0.013031, 6);
    expect(growthRate(s1(), month, 12)).toBeCloseTo(0.012694, 6);
    const quarterly = growthHistory(growthRates(s1(), 3), month, 'standard', S1_FIRST);
    expect(quarterly.mean).toBeCloseTo(-0.026329, 6);
    expect(quarterly.sd).toBeCloseTo(0.016962, 6);
    expect(quarterly.n).toBe(5);
    const annual = growthHistory(growthRates(s1(), 12), month, 'standard', S1_FIRST + 12);
    expect(annual.mean).toBeCloseTo(0.005087, 6);
    expect(annual.sd).toBeCloseTo(0.003961, 6);
    expect(annual.n).toBe(4);
    expect(of(s1(), month)).toEqual({
      value: expect.closeTo(1.465954, 6),
      quarterly: expect.closeTo(0.784027, 6),
      annual: expect.closeTo(1.920573, 6),
      class: 'high',
      provisional: false,
      weak: false,
    });
  });

  it('calculates all months of 2023 in both modes', () => {
    const expected = [
      [-0.8253, 0.1308, -0.251661, -0.224366, 'normal'],
      [-0.8305, 1.0062, 0.271527, 0.296123, 'normal'],
      [-0.16, 2.1719, 1.239115, 1.412909, 'high'],
      [0.4691, 0.402, 0.428868, 0.428868, 'normal'],
      [1.1778, 0.4366, 0.733098, 0.733098, 'moderate'],
      [2.0881, 1.3184, 1.626278, 1.626278, 'high'],
      [2.7242, 0.9113, 1.636479, 1.636479, 'high'],
      [0.784, 1.9206, 1.465954, 1.465954, 'high'],
      [-0.5956, -0.2509, -0.388798, -0.388798, 'normal'],
      [-1.4477, -0.7374, -1.021495, -1.021495, 'normal'],
      [-2.4181, -1.2092, -1.69274, -1.69274, 'normal'],
      [-1.7575, -1.4624, -1.580463, -1.580463, 'normal'],
    ] as const;
    for (const [index, [quarterly, annual, value, inFpma, name]] of expected.entries()) {
      expect(of(s1(), in2023(index + 1))).toEqual({
        value: expect.closeTo(value, 6),
        quarterly: expect.closeTo(quarterly, 4),
        annual: expect.closeTo(annual, 4),
        class: name,
        provisional: false,
        weak: false,
      });
      expect(valueOf(of(s1(), in2023(index + 1), fpma))).toBeCloseTo(inFpma, 6);
    }
  });

  it('treats growth rates that are missing as each mode says', () => {
    const january = in2023(1);
    const history = (column: MonthlyColumn, month: number, months: number, mode: IfpaMode, from: number) => {
      const growth = growthRates(column, months);
      const summary = growthHistory(growth, month, mode, from);
      const rates = earlierRates(growth, month, mode, from);
      // The weights are ranks, the oldest 1, and their sum is 1.
      expect(rates.map(({ weight }) => weight * rates.length * (rates.length + 1))).toEqual(
        rates.map((_, index) => expect.closeTo(2 * (index + 1), 9)),
      );
      return { ...summary, years: rates.map(({ month }) => Math.floor(month / 12)) };
    };
    expect(growthRate(s1(), january, 3)).toBeCloseTo(0.043343, 6);
    expect(history(s1(), january, 3, 'standard', S1_FIRST)).toEqual({
      mean: expect.closeTo(0.082916, 6),
      sd: expect.closeTo(0.04795, 6),
      n: 4,
      defined: 4,
      years: [2019, 2020, 2021, 2022],
    });
    expect(history(s1(), january, 3, 'fpma', S1_FIRST)).toEqual({
      mean: expect.closeTo(0.077774, 6),
      sd: expect.closeTo(0.04548, 6),
      n: 5,
      defined: 4,
      years: [2018, 2019, 2020, 2021, 2022],
    });
    const withoutMay2022 = s1(53);
    expect(valueOf(of(withoutMay2022, in2023(8)))).toBeCloseTo(1.383998, 6);
    expect(history(withoutMay2022, in2023(8), 3, 'standard', S1_FIRST)).toEqual({
      mean: expect.closeTo(-0.025411, 6),
      sd: expect.closeTo(0.021377, 6),
      n: 4,
      defined: 4,
      years: [2018, 2019, 2020, 2021],
    });
    expect(valueOf(of(withoutMay2022, in2023(8), fpma))).toBeCloseTo(1.236493, 6);
    expect(history(withoutMay2022, in2023(8), 3, 'fpma', S1_FIRST)).toEqual({
      mean: expect.closeTo(-0.016941, 6),
      sd: expect.closeTo(0.018585, 6),
      n: 5,
      defined: 4,
      years: [2018, 2019, 2020, 2021, 2022],
    });
    expect(of(withoutMay2022, in2023(5))).toBe('no_price_12m_ago');
  });

  it('begins with the 37th month of a series that starts in January', () => {
    expect(of(s1(), monthNumber(2020, 12))).toBe('short_history');
    const first = of(s1(), monthNumber(2021, 1));
    expect(first).toMatchObject({
      value: expect.closeTo(1.273807, 6) as number,
      provisional: true,
      weak: true,
    });
    expect(valueOf(of(s1(), monthNumber(2021, 1), fpma))).toBeCloseTo(1.420749, 6);
  });

  it('gives the year the mean of its months', () => {
    const year = (y: number, options: IfpaOptions) =>
      annualIfpa(
        y,
        Array.from({ length: 12 }, (_, index) => of(s1(), monthNumber(y, index + 1), options)),
      );
    expect(year(2023, standard)).toEqual({
      year: 2023,
      n_months: 12,
      partial: false,
      ifpa: expect.closeTo(0.205514, 6),
    });
    expect(year(2023, fpma).ifpa).toBeCloseTo(0.224321, 6);
    expect(year(2022, standard).ifpa).toBeCloseTo(0.328748, 6);
    expect(year(2022, fpma).ifpa).toBeCloseTo(0.362502, 6);
    expect(year(2021, standard).ifpa).toBeCloseTo(-0.198773, 6);
    expect(year(2021, fpma).ifpa).toBeCloseTo(-0.163151, 6);
    expect(year(2020, standard)).toEqual({ year: 2020, n_months: 0, partial: true, ifpa: null });
  });

  it('marks a year as partial of whose months one has no value, or is missing', () => {
    const months = Array.from({ length: 12 }, (_, index) => of(s1(), in2023(index + 1)));
    expect(annualIfpa(2023, months)).toMatchObject({ n_months: 12, partial: false });
    expect(annualIfpa(2023, months.slice(0, 11))).toMatchObject({ n_months: 11, partial: true });
    expect(annualIfpa(2023, [...months.slice(1), 'flat'])).toMatchObject({ n_months: 11, partial: true });
  });

  it('counts the history from a year on', () => {
    const from = monthNumber(2019, 1);
    const cut = { ...standard, historyFrom: from };
    expect(of(s1(), in2023(8), cut)).toEqual(of(s1().from(from), in2023(8)));
    // Earlier prices may start a growth rate: the year 2019 has all three of its first months.
    const inFpma = { ...fpma, historyFrom: from };
    expect(of(s1(), in2023(1), inFpma)).not.toEqual(of(s1().from(from), in2023(1), fpma));
    expect(of(s1(), in2023(8), inFpma)).toEqual(of(s1().from(from), in2023(8), fpma));
    expect(of(s1(), monthNumber(2018, 12), cut)).toBe('short_history');
    expect(of(s1(), monthNumber(2018, 12), inFpma)).toBe('short_history');
  });

  it('says why there is no value, the first reason that holds', () => {
    expect(of(s1(), monthNumber(2030, 1))).toBe('no_price');
    expect(of(s1(69), in2023(12))).toBe('no_price_3m_ago');
    expect(of(s1(60), in2023(12))).toBe('no_price_12m_ago');
    expect(of(s1(), monthNumber(2018, 2))).toBe('no_price_3m_ago');
    const unconverted = MonthlyColumn.of([S1_FIRST, S1_FIRST + 3], ['no_cpi', 100]);
    expect(of(unconverted, S1_FIRST)).toBe('no_cpi');
    expect(of(unconverted, S1_FIRST + 3)).toBe('no_cpi');
  });

  it('allows three missing months in a row, and more where gaps are allowed', () => {
    expect(typeof of(s1(14, 15, 16), in2023(8))).toBe('object');
    expect(of(s1(14, 15, 16, 17), in2023(8))).toBe('gap_gt_3');
    expect(typeof of(s1(14, 15, 16, 17), in2023(8), { ...standard, allowGaps: true })).toBe('object');
    // Years before the four preceding ones do not matter, except for what the history lacks.
    expect(typeof of(s1(2, 3, 4, 5), in2023(8))).toBe('object');
    expect(of(s1(2, 3, 4, 5), monthNumber(2022, 8))).toBe('gap_gt_3');
  });

  it('names the gap where it leaves too few years, too', () => {
    const august2020 = monthNumber(2020, 8);
    expect(of(s1(), august2020)).toBe('short_history');
    expect(of(s1(14, 15, 16, 17), august2020)).toBe('gap_gt_3');
    expect(of(s1(14, 15, 16, 17), august2020, { ...standard, allowGaps: true })).toBe('short_history');
  });

  it('leaves out prices that do not move, and histories that do not vary', () => {
    const constant = columnFrom(S1_FIRST, new Array<number>(72).fill(5));
    expect(of(constant, in2023(8))).toBe('flat');
    const real = columnFrom(
      S1_FIRST,
      Array.from({ length: 72 }, (_, index) => 5 * 0.99 ** index),
    );
    expect(ifpaAt(real, constant, in2023(8), standard)).toBe('flat');
    expect(of(real, in2023(8))).toBe('sd_zero');
    const moved = columnFrom(S1_FIRST, [...new Array<number>(71).fill(5), 6]);
    expect(of(moved, in2023(12))).toBe('sd_zero');
  });

  it('names values weak that are far out because the years before hardly differ', () => {
    const still = columnFrom(S1_FIRST, [
      ...Array.from({ length: 71 }, (_, index) => 100 + (index % 2) * 0.001 * index),
      120,
    ]);
    expect(of(still, in2023(12))).toMatchObject({ weak: true, class: 'high', provisional: false });
  });

  it('classifies at the thresholds', () => {
    expect([0.49, 0.5, 0.99, 1, -3].map((value) => ifpaClass(value, [0.5, 1]))).toEqual([
      'normal',
      'moderate',
      'moderate',
      'high',
      'normal',
    ]);
  });
});
