import fc from 'fast-check';
import { assertProperty } from '../../../test/support/property.js';
import { columnFrom, S1_FIRST } from '../../../test/support/test-series.js';
import { ALPS_WINDOWS, AlpsCalculation, type AlpsOptions } from './alps.js';
import { AlpsRegression } from './alps-regression.js';
import { changeAt } from './changes.js';
import { IfpaCalculation, type IfpaOptions } from './ifpa.js';
import { calendarMonthOf, type MonthlyColumn } from './monthly-column.js';
import { isValue } from './reason.js';
import { seasonalityOf } from './seasonality.js';

const ifpa: IfpaOptions = {
  mode: 'standard',
  historyFrom: null,
  gamma: 0.4,
  thresholds: [0.5, 1],
  allowGaps: true,
};
const alps: AlpsOptions = { window: 'realtime', fitUntil: null, breakMonth: null, thresholds: [0.25, 1, 2] };

const price = fc.integer({ min: 50, max: 5000 }).map((value) => value / 10);
const prices = (missing: number) =>
  fc.array(
    fc.tuple(fc.integer({ min: 1, max: 100 }), price).map(([at, value]) => (at <= missing ? null : value)),
    { minLength: 60, maxLength: 90 },
  );
const shared = { numRuns: 200 };
const scaled = (values: readonly (number | null)[], factor: number) =>
  columnFrom(
    S1_FIRST,
    values.map((value) => value && value * factor),
  );

/** Asserts that two numbers differ by rounding only. */
function expectClose(one: number, other: number): void {
  expect(Math.abs(one - other)).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(one)));
}

const monthsOf = ({ first, values }: MonthlyColumn) => Array.from(values, (_, index) => first + index);

const ifpaAt = (real: MonthlyColumn, nominal: MonthlyColumn, month: number, options: IfpaOptions) =>
  new IfpaCalculation(real, nominal, options).at(month);
const alpsAt = (column: MonthlyColumn, month: number, options: AlpsOptions) =>
  new AlpsCalculation(column, options).at(month);

describe('the methods', () => {
  it('do not depend on the unit of the prices', async () => {
    const property = fc.property(
      prices(10),
      fc.double({ min: 0.001, max: 1000, noNaN: true }),
      (values, factor) => {
        const [one, other] = [columnFrom(S1_FIRST, values), scaled(values, factor)];
        for (const month of monthsOf(one)) {
          const [a, b] = [ifpaAt(one, one, month, ifpa), ifpaAt(other, other, month, ifpa)];
          if (isValue(a) && isValue(b)) expectClose(a.value, b.value);
          else expect(a).toEqual(b);
          const [c, d] = [changeAt(one, month, 12), changeAt(other, month, 12)];
          if (isValue(c) && isValue(d)) expectClose(c, d);
          else expect(c).toEqual(d);
        }
        const [e, f] = [alpsAt(one, one.last, alps), alpsAt(other, one.last, alps)];
        if (isValue(e) && isValue(f)) expectClose(e.value, f.value);
        else expect(e).toEqual(f);
        const [g, h] = [seasonalityOf(one), seasonalityOf(other)];
        if (isValue(g) && isValue(h)) g.index.forEach((value, index) => expectClose(value, h.index[index]!));
        else expect(g).toEqual(h);
      },
    );
    await assertProperty('unit of prices', property, shared);
  });

  it('give earlier months the same value whatever comes later, but for the full window', async () => {
    const property = fc.property(prices(10), (values) => {
      const [all, earlier] = [columnFrom(S1_FIRST, values), columnFrom(S1_FIRST, values.slice(0, -8))];
      for (const month of monthsOf(earlier)) {
        expect(ifpaAt(all, all, month, ifpa)).toEqual(ifpaAt(earlier, earlier, month, ifpa));
        expect(alpsAt(all, month, alps)).toEqual(alpsAt(earlier, month, alps));
      }
    });
    await assertProperty('later prices', property, shared);
  });

  it('give the same value in both modes where no growth rate is missing', async () => {
    const property = fc.property(prices(0), (values) => {
      const column = columnFrom(S1_FIRST, values);
      for (const month of monthsOf(column).filter(
        (each) => each >= S1_FIRST + 36 && calendarMonthOf(each) > 2,
      )) {
        const [one, other] = [
          ifpaAt(column, column, month, ifpa),
          ifpaAt(column, column, month, { ...ifpa, mode: 'fpma' }),
        ];
        if (isValue(one) && isValue(other)) expectClose(one.value, other.value);
        else expect(one).toEqual(other);
      }
    });
    await assertProperty('modes', property, shared);
  });

  it('leave residuals that sum to 0 in each calendar month, and a deviation of 1', async () => {
    const property = fc.property(prices(20), (values) => {
      const column = columnFrom(S1_FIRST, values);
      const months = monthsOf(column).filter((month) => column.has(month));
      const regression = new AlpsRegression(column);
      for (const month of months) regression.add(month);
      const { residual, sd } = regression.fit();
      const sums = new Array<number>(12).fill(0);
      let squares = 0;
      for (const month of months) {
        sums[calendarMonthOf(month)]! += residual(month);
        squares += (residual(month) / sd) ** 2;
      }
      for (const sum of sums) expect(Math.abs(sum)).toBeLessThan(1e-6);
      expect(squares / (months.length - 1)).toBeCloseTo(1, 9);
    });
    await assertProperty('residuals', property, shared);
  });

  it('are the same for all months at once as for each month alone', async () => {
    const options = fc.record({
      window: fc.constantFrom(...ALPS_WINDOWS),
      fitUntil: fc.constantFrom(null, S1_FIRST + 50),
      breakMonth: fc.constantFrom(null, S1_FIRST + 20, S1_FIRST + 45),
    });
    const property = fc.property(prices(20), options, (values, chosen) => {
      const column = columnFrom(S1_FIRST, values);
      const all = new AlpsCalculation(column, { ...alps, ...chosen });
      for (const month of monthsOf(column).reverse())
        expect(all.at(month)).toEqual(alpsAt(column, month, { ...alps, ...chosen }));
    });
    await assertProperty('one pass', property, shared);
  });

  it('have seasonal indices that average 1', async () => {
    const property = fc.property(prices(2), (values) => {
      const seasonality = seasonalityOf(columnFrom(S1_FIRST, values));
      if (!isValue(seasonality)) return;
      expect(seasonality.index.reduce((sum, index) => sum + index, 0)).toBeCloseTo(12, 9);
    });
    await assertProperty('seasonal indices', property, shared);
  });

  it('find nothing in constant prices, and nothing in constant growth', async () => {
    const property = fc.property(price, fc.double({ min: -0.05, max: 0.05, noNaN: true }), (value, rate) => {
      const constant = columnFrom(S1_FIRST, new Array<number>(72).fill(value));
      expect(ifpaAt(constant, constant, constant.last, ifpa)).toBe('flat');
      expect(alpsAt(constant, constant.last, alps)).toBe('sd_zero');
      expect(isValue(new AlpsCalculation(constant, alps).fitAt(constant.last))).toBe(true);
      const seasonality = seasonalityOf(constant);
      if (isValue(seasonality)) for (const index of seasonality.index) expect(index).toBeCloseTo(1, 12);
      fc.pre(Math.abs(rate) > 1e-6);
      const growing = columnFrom(
        S1_FIRST,
        Array.from({ length: 72 }, (_, index) => value * (1 + rate) ** index),
      );
      expect(ifpaAt(growing, growing, growing.last, ifpa)).toBe('sd_zero');
    });
    await assertProperty('constant prices', property, shared);
  });
});
