import { columnFrom, monthNumber, S1_FIRST, S1_VALUES, s1 } from '../../../test/support/test-series.js';
import { AlpsCalculation, type AlpsOptions, alpsClass } from './alps.js';
import { AlpsRegression } from './alps-regression.js';
import type { MonthlyColumn } from './monthly-column.js';

const realtime: AlpsOptions = {
  window: 'realtime',
  fitUntil: null,
  breakMonth: null,
  thresholds: [0.25, 1, 2],
};
const full: AlpsOptions = { ...realtime, window: 'full' };
const in2023 = (month: number) => monthNumber(2023, month);
const S1_MONTHS = S1_VALUES.map((_, index) => S1_FIRST + index);

const alpsAt = (column: MonthlyColumn, month: number, options: AlpsOptions) =>
  new AlpsCalculation(column, options).at(month);

function fitAlps(column: MonthlyColumn, months: readonly number[], breakMonth: number | null = null) {
  const regression = new AlpsRegression(column, breakMonth);
  for (const month of months) regression.add(month);
  return regression.fit();
}

describe('AlpsRegression', () => {
  it('fits trend and season of the example', () => {
    const { alpha, sd, residual } = fitAlps(s1(), S1_MONTHS);
    expect(alpha).toBeCloseTo(1.137698, 6);
    expect(sd).toBeCloseTo(11.951167, 6);
    expect(residual(in2023(8))).toBeCloseTo(24.869, 4);
  });

  it('leaves holes for missing months', () => {
    const column = s1(20, 21, 50);
    const { alpha, sd } = fitAlps(
      column,
      S1_MONTHS.filter((month) => column.has(month)),
    );
    expect(alpha).toBeCloseTo(1.144461, 6);
    expect(sd).toBeCloseTo(11.919664, 6);
    expect(alpsAt(column, in2023(12), full)).toMatchObject({ value: expect.closeTo(-1.1466, 4) as number });
  });

  it('fits another level from a break on', () => {
    const step = S1_VALUES.map((value, index) => value + (index >= 30 ? 500 : 0));
    const { alpha, sd } = fitAlps(s1(), S1_MONTHS, S1_FIRST + 30);
    const broken = fitAlps(columnFrom(S1_FIRST, step), S1_MONTHS, S1_FIRST + 30);
    expect(broken.alpha).toBeCloseTo(alpha, 9);
    expect(broken.sd).toBeCloseTo(sd, 9);
    expect(broken.step - fitAlps(s1(), S1_MONTHS, S1_FIRST + 30).step).toBeCloseTo(500, 9);
    // A break outside the months changes nothing.
    expect(fitAlps(s1(), S1_MONTHS, S1_FIRST + 72).sd).toBe(fitAlps(s1(), S1_MONTHS).sd);
    expect(fitAlps(s1(), S1_MONTHS, S1_FIRST).sd).toBe(fitAlps(s1(), S1_MONTHS).sd);
  });
});

describe('AlpsCalculation', () => {
  it('measures 2023 by the whole series', () => {
    const expected = [
      [257.9643, -0.5827, 'normal'],
      [264.4643, -0.3735, 'normal'],
      [278.4643, 0.3795, 'stress'],
      [280.131, 0.3237, 'stress'],
      [291.7976, 1.6067, 'alert'],
      [301.4643, 2.555, 'crisis'],
      [296.131, 2.834, 'crisis'],
      [274.131, 2.0809, 'crisis'],
      [241.7976, 0.4353, 'stress'],
      [226.131, -0.6803, 'normal'],
      [235.631, -1.2242, 'normal'],
      [244.4643, -1.1266, 'normal'],
    ] as const;
    expect(expected.map((_, index) => alpsAt(s1(), in2023(index + 1), full))).toEqual(
      expected.map(([price, value, name]) => ({
        value: expect.closeTo(value, 4) as number,
        expected: expect.closeTo(price, 4) as number,
        class: name,
      })),
    );
  });

  it('measures a month by what was known then', () => {
    expect(alpsAt(s1(), in2023(6), realtime)).toMatchObject({
      value: expect.closeTo(2.9811, 4) as number,
      class: 'crisis',
    });
    expect(alpsAt(s1(), in2023(7), realtime)).toMatchObject({
      value: expect.closeTo(2.9082, 4) as number,
      class: 'crisis',
    });
    expect(alpsAt(s1(), in2023(8), realtime)).toEqual({
      value: expect.closeTo(1.9793, 4) as number,
      expected: expect.closeTo(275.42, 2) as number,
      class: 'alert',
    });
    const later = columnFrom(S1_FIRST, S1_VALUES.slice(0, 68));
    expect(alpsAt(s1(), in2023(8), realtime)).toEqual(alpsAt(later, in2023(8), full));
  });

  it('fits up to a month', () => {
    const until = { ...full, fitUntil: monthNumber(2022, 12) };
    const before = fitAlps(s1(), S1_MONTHS.slice(0, 60));
    expect(alpsAt(s1(), in2023(8), until)).toMatchObject({
      expected: before.expected(in2023(8)),
      value: (299 - before.expected(in2023(8))) / before.sd,
    });
    expect(alpsAt(s1(), in2023(8), { ...until, window: 'realtime' })).toEqual(alpsAt(s1(), in2023(8), until));
  });

  it('says why there is no value', () => {
    expect(alpsAt(s1(), monthNumber(2030, 1), realtime)).toBe('no_price');
    expect(alpsAt(s1(), monthNumber(2020, 11), realtime)).toBe('short_history');
    expect(typeof alpsAt(s1(), monthNumber(2020, 12), realtime)).toBe('object');
    const every3rd = columnFrom(
      S1_FIRST,
      Array.from({ length: 120 }, (_, index) => (index % 3 === 0 ? 100 + (index % 7) : null)),
    );
    expect(alpsAt(every3rd, S1_FIRST + 117, realtime)).toBe('sparse');
    // Of 60 months, 18 without a price leave exactly 70 %, 19 fewer.
    const without = (...missing: number[]) =>
      columnFrom(
        S1_FIRST,
        S1_VALUES.slice(0, 60).map((value, index) =>
          [3, 5, 8].includes(index % 10) || missing.includes(index) ? null : value,
        ),
      );
    for (const options of [realtime, full]) {
      expect(typeof alpsAt(without(), S1_FIRST + 59, options)).toBe('object');
      expect(alpsAt(without(1), S1_FIRST + 59, options)).toBe('sparse');
    }
    const constant = columnFrom(S1_FIRST, new Array<number>(72).fill(123.45));
    expect(alpsAt(constant, in2023(12), realtime)).toBe('sd_zero');
    // The calendar month of the price is in no fitted month.
    const withoutAugust = s1(8, 20, 32, 44, 56);
    const until = { ...full, fitUntil: monthNumber(2022, 12) };
    expect(alpsAt(withoutAugust, in2023(8), until)).toBe('short_history');
  });

  it('classifies at the thresholds', () => {
    expect([0.24, 0.25, 1, 1.99, 2, -5].map((value) => alpsClass(value, [0.25, 1, 2]))).toEqual([
      'normal',
      'stress',
      'alert',
      'alert',
      'crisis',
      'normal',
    ]);
  });
});
