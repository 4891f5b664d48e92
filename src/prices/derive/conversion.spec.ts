import fc from 'fast-check';
import { assertProperty } from '../../../test/support/property.js';
import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import { DAILY, MONTHLY, WEEKLY } from '../../price-series/periodicity.js';
import {
  Conversion,
  DOLLAR_RATES,
  monthlyIndices,
  monthlyRates,
  type DatedRate,
  type MonthlyIndices,
  type MonthlyValues,
} from './conversion.js';

/** No value in any month. */
const NO_VALUES: MonthlyValues = { at: () => NaN };

const day = (date: string) => dayFromIso(date)!;
const month = (text: string) => monthOf(day(`${text}-01`));
const rate = (period: DatedRate['period'], date: string, value: number) => ({
  period,
  day: day(date),
  rate: value,
});
const index = (basePeriod: string, date: string, value: number) => ({ basePeriod, day: day(date), value });

describe('monthly rates', () => {
  it('are the monthly row or, without one, the mean of the daily rows of that month', () => {
    const rates = monthlyRates([
      rate('daily', '2024-02-29', 500),
      rate('monthly', '2024-01-01', 461.5),
      rate('daily', '2024-02-01', 450),
      rate('daily', '2024-01-31', 1),
      rate('daily', '2024-02-15', 460),
      rate('daily', '2024-04-30', 470),
    ]);
    expect(
      ['2023-12', '2024-01', '2024-02', '2024-03', '2024-04', '2024-05'].map((text) => rates.at(month(text))),
    ).toEqual([NaN, 461.5, 470, NaN, 470, NaN]);
  });

  it('are NaN without rows', () => {
    expect(monthlyRates([]).at(month('2024-01'))).toBeNaN();
  });
});

describe('monthly indices', () => {
  it('are in terms of the newest base period that has values', () => {
    const indices = monthlyIndices([
      index('2010', '2022-11-01', 250),
      index('2010', '2022-12-01', 200),
      index('2015', '2022-01-01', 180),
      index('2020', '2022-12-01', 100),
      index('2020', '2023-02-01', 109),
      index('2025', '2023-02-01', 0),
    ]);
    const months = ['2022-01', '2022-11', '2022-12', '2023-01', '2023-02'].map(month);
    expect(months.map((each) => indices.at(each))).toEqual([180, 125, 100, NaN, 109]);
    expect(indices.base).toBe('2020');
    expect([...indices.otherBases]).toEqual([[month('2022-01'), '2015']]);
    expect(monthlyIndices([])).toMatchObject({ base: null, otherBases: new Map(), bases: [] });
  });

  it('are given in terms of another base period, and of none that has no values', () => {
    const indices = monthlyIndices([
      index('2010', '2022-11-01', 250),
      index('2010', '2022-12-01', 200),
      index('2015', '2022-01-01', 180),
      index('2020', '2022-12-01', 100),
      index('2020', '2023-02-01', 110),
    ]);
    const months = ['2022-01', '2022-11', '2022-12', '2023-02'].map(month);
    const seen = (of: MonthlyIndices) => [
      of.base,
      months.map((each) => of.at(each)),
      Object.fromEntries(of.otherBases),
    ];
    expect(indices.bases).toEqual(['2020', '2015', '2010']);
    const older = indices.inTermsOf('2010');
    expect(seen(older)).toEqual(['2010', [180, 250, 200, 220], { [months[0]!]: '2015' }]);
    expect(seen(older.inTermsOf('2020'))).toEqual(seen(indices));
    const [, ...rest] = months;
    expect(seen(indices.inTermsOf('2015'))).toEqual([
      '2015',
      [180, 125, 100, 110],
      Object.fromEntries(rest.map((each) => [each, '2020'])),
    ]);
    const basesIn2000 = (of: MonthlyIndices) => [...new Set(of.inTermsOf('2000').otherBases.values())];
    expect(basesIn2000(indices)).toEqual(['2020', '2015']);
    expect(basesIn2000(monthlyIndices([index('2020', '2022-12-01', 100)]))).toEqual(['2020']);
  });

  it.each([
    ['2014-2016', '2015'],
    ['Dec 2019', '2015-2017'],
    ['2010=100', '2005=100'],
    ['2015=100', '2015'],
    ['1999', 'unknown'],
  ])('treat %s as newer than %s', (newer, older) => {
    const both = [index(older, '2024-01-01', 1), index(newer, '2024-01-01', 2)];
    expect([both, both.reverse()].map((rows) => monthlyIndices(rows).at(month('2024-01')))).toEqual([2, 2]);
  });
});

describe('conversion', () => {
  const rates = monthlyRates([rate('monthly', '2024-04-01', 400), rate('monthly', '2024-05-01', 500)]);
  const indices = monthlyIndices([index('2015', '2024-04-01', 120), index('2015', '2024-05-01', 125)]);

  it('uses the month of the date or, for a weekly price of any weekday, of its week', () => {
    const conversion = new Conversion(rates, indices);
    const both = (...[period, date]: [typeof DAILY | typeof WEEKLY | typeof MONTHLY, string]) => [
      conversion.dollar(1000, period, day(date)),
      conversion.real(1000, period, day(date)),
    ];
    expect(both(DAILY, '2024-05-01')).toEqual([2, 800]);
    expect(both(WEEKLY, '2024-05-03')).toEqual([2.5, 833.333333333333]);
    expect(both(WEEKLY, '2024-05-04')).toEqual([2, 800]);
    expect(both(DAILY, '2024-04-30')).toEqual([2.5, 833.333333333333]);
    expect(both(MONTHLY, '2024-05-01')).toEqual([2, 800]);
    expect(both(MONTHLY, '2024-06-01')).toEqual([null, null]);
    // A Wednesday, a Saturday, and the Friday of a week with more days of May.
    expect(both(WEEKLY, '2024-05-01')).toEqual([2.5, 833.333333333333]);
    expect(both(WEEKLY, '2024-06-01')).toEqual([null, null]);
    expect(both(WEEKLY, '2024-05-31')).toEqual([2, 800]);
  });

  it('returns null without a rate or an index, or with an index of 0, and a dollar price unchanged', () => {
    expect(new Conversion(NO_VALUES, indices).dollar(1000, MONTHLY, day('2024-05-01'))).toBeNull();
    expect(new Conversion(rates, NO_VALUES).real(1000, MONTHLY, day('2024-05-01'))).toBeNull();
    expect(new Conversion(rates, { at: () => 0 }).real(1000, MONTHLY, day('2024-05-01'))).toBeNull();
    expect(new Conversion(DOLLAR_RATES, NO_VALUES).dollar(123456789.012345, DAILY, day('1971-05-01'))).toBe(
      123456789.012345,
    );
  });

  // Nominal prices and CPI (2015 = 100) of four months; a price of 620 at 461.5 to the dollar.
  it.each([
    ['2023-01-01', 500, 120, 416.6667],
    ['2023-02-01', 505, 121.8, 414.6141],
    ['2023-03-01', 520, 124, 419.3548],
    ['2023-04-01', 515, 126.5, 407.1146],
  ])('of %s: %d at CPI %d is %d in real terms', (date, nominal, value, real) => {
    const conversion = new Conversion(
      monthlyRates([rate('monthly', date, 461.5)]),
      monthlyIndices([index('2015', date, value)]),
    );
    expect(conversion.real(nominal, MONTHLY, day(date))).toBeCloseTo(real, 4);
    expect(conversion.dollar(620, MONTHLY, day(date))).toBeCloseTo(1.343445, 6);
  });

  it('returns numbers of at most 15 significant digits, exactly rounded', async () => {
    const amount = fc.integer({ min: 1, max: 1e9 }).map((hundredths) => hundredths / 100);
    await assertProperty(
      'converted prices',
      fc.property(amount, amount, amount, (price, perDollar, cpi) => {
        const conversion = new Conversion({ at: () => perDollar }, { at: () => cpi });
        expect(conversion.dollar(price, DAILY, 739_000)).toBe(Number((price / perDollar).toPrecision(15)));
        expect(conversion.real(price, DAILY, 739_000)).toBe(Number(((price * 100) / cpi).toPrecision(15)));
      }),
    );
  });
});
