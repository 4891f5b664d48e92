import { indexBreaks, shorterBases } from './index-break.js';
import { straightMonths } from './index-interpolated.js';
import type { MonthlySeries } from './monthly-values.js';
import { frozenMonths, stillSpans } from './rate-frozen.js';
import { rateOutsideCurrencyLife } from './rate-outside-currency-life.js';
import { rateSteps } from './rate-step.js';

/** Values of months in a row from month 100 on; null for a month without one. */
function monthly(...values: readonly (number | null)[]): MonthlySeries {
  const all = values.flatMap((value, at) => (value === null ? [] : [{ month: 100 + at, value }]));
  return { months: all.map(({ month }) => month), values: all.map(({ value }) => value) };
}
const times = (count: number, value: number) => Array<number>(count).fill(value);

describe('rate_step', () => {
  const steps = (...values: (number | null)[]) =>
    rateSteps(monthly(...values)).map(
      ({ month, returned }) => `${month} ${returned === null ? 'stays' : `returns ${returned.month}`}`,
    );

  it.each([
    ['nothing', [], []],
    ['one rate', [100], []],
    ['a step of 30 % and back within 15 %', [100, 130, 115], ['101 returns 102']],
    ['one down, and back within 15 %', [100, 70, 85], ['101 returns 102']],
    ['back in the third month after it', [100, 130, 130, 130, 100], ['101 returns 104']],
    ['back in the fourth month after it', [100, 130, 130, 130, 130, 100], []],
    ['less than 30 %', [100, 129.9, 100], []],
    ['back to more than 15 %', [100, 140, 115.1], []],
    ['no return', [100, 150, 150], []],
    ['ten times, which stays', [100, 1000, 1000], ['101 stays']],
    ['a tenth, which stays', [100, 10, 10], ['101 stays']],
    ['ten times and back', [100, 1000, 100], ['101 returns 102', '102 stays']],
    ['a gap before the step', [100, null, 130, 100], []],
    ['a gap after the step', [100, 130, null, 100], ['101 returns 103']],
    ['a rate of 0', [0, 100, 0], []],
  ])('%s', (_name, values, expected) => {
    expect(steps(...values)).toEqual(expected);
  });
});

describe('rate_frozen', () => {
  const frozen = (rates: MonthlySeries, ...indices: [string, MonthlySeries][]) =>
    frozenMonths(
      stillSpans(rates),
      indices.map(([country, index]) => ({ country, index })),
    );
  const rising = (to: number, months = 13) =>
    monthly(...Array.from({ length: months }, (_, at) => 100 + ((to - 100) * at) / 12));

  it('holds for 13 rates within 0.5 % while an index rises by 15 %', () => {
    expect(frozen(monthly(...times(12, 100), 100.5), ['AGO', rising(115)])).toEqual([
      { first: 100, last: 112, country: 'AGO', rise: 1.15 },
    ]);
  });

  it.each([
    ['12 rates', monthly(...times(12, 100)), rising(115)],
    ['a rate that moves', monthly(...times(12, 100), 100.51), rising(115)],
    ['an index that rises less', monthly(...times(13, 100)), rising(114.9)],
    ['a month without rate', monthly(...times(6, 100), null, ...times(6, 100)), rising(115)],
    ['an index that begins later', monthly(...times(13, 100)), monthly(null, ...rising(115).values)],
    ['an index from 0', monthly(...times(13, 100)), monthly(0, ...times(12, 50))],
    ['no rates', monthly(), rising(115)],
  ])('does not for %s', (_name, rates, index) => {
    expect(frozen(rates, ['AGO', index])).toEqual([]);
  });

  it('joins spans that overlap, and names the country whose index rises most', () => {
    expect(frozen(monthly(...times(15, 100)), ['AAA', rising(130, 15)], ['BBB', rising(140, 14)])).toEqual([
      { first: 100, last: 114, country: 'BBB', rise: 1.4 },
    ]);
  });

  it('keeps spans apart that do not overlap', () => {
    const rates = monthly(...times(13, 100), ...times(13, 200));
    const index = monthly(...rising(115).values, ...rising(120).values);
    expect(frozen(rates, ['AGO', index]).map(({ first, last }) => [first, last])).toEqual([
      [100, 112],
      [113, 125],
    ]);
  });
});

describe('rate_outside_currency_life', () => {
  const found = (currency: string, date: string, period: 'daily' | 'monthly' = 'daily') =>
    rateOutsideCurrencyLife({ currency, date, period });

  it('tells what became of the code', () => {
    expect(found('VED', '2018-06-30')).toEqual({
      severity: 'error',
      detail:
        'VED began on 2021-10-01: the rate of 2018-06-30 must be that of another currency, and is not used.',
    });
    expect(found('ITL', '2015-01-31')).toEqual({
      severity: 'error',
      detail:
        'ITL ended on 2002-02-28: the rate of 2015-01-31 must be that of another currency, and is not used.',
    });
    expect(found('BYN', '2016-06-30')).toEqual({
      severity: 'info',
      detail:
        "BYN began on 2016-07-01: the rate of 2016-06-30 is the former currency's, converted to its unit.",
    });
  });

  it('finds nothing within the life of a code, nor about a code that ISO does not know', () => {
    expect([
      found('BYN', '2016-07-31'),
      found('VES', '2018-08-01', 'monthly'),
      found('SLS', '2018-01-01'),
    ]).toEqual([null, null, null]);
  });
});

describe('index_break', () => {
  const breaks = (...values: (number | null)[]) => indexBreaks(monthly(...values)).map(({ month }) => month);

  it.each([
    ['nothing', [], []],
    ['a step of more than 0.15 and back', [100, 117, 100], [101]],
    ['one down and back', [35.6, 19.3, 36.8], [101]],
    ['a step of less', [100, 116, 100], []],
    ['no return', [100, 200, 200, 200, 200, 100], []],
    ['a return within 15 %', [100, 200, 200, 200, 115], [101]],
    ['a gap', [100, null, 200, 100], []],
    ['an index of 0', [0, 1, 0, 0], []],
  ])('%s', (_name, values, expected) => {
    expect(breaks(...values)).toEqual(expected);
  });

  it('finds a new base period with fewer months', () => {
    const bases = new Map([
      ['2015', monthly(1, 2, 3)],
      ['2010', monthly(1, 2, 3, 4)],
      ['2020', monthly(1, 2, 3)],
    ]);
    expect(shorterBases(bases)).toEqual([
      { base: '2015', firstMonth: 100, months: 3, formerBase: '2010', formerMonths: 4 },
    ]);
    expect(shorterBases(new Map([['2015', monthly(1)]]))).toEqual([]);
  });
});

describe('index_interpolated', () => {
  const lines = (...values: (number | null)[]) =>
    straightMonths(monthly(...values)).map(({ first, steps }) => [first, steps]);

  it.each([
    ['nothing', [], []],
    ['6 equal steps', [10, 11, 12, 13, 14, 15, 16], [[100, 6]]],
    ['5 equal steps', [10, 11, 12, 13, 14, 15], []],
    ['6 equal steps among others', [30, 10, 11, 12, 13, 14, 15, 16, 30], [[101, 6]]],
    ['6 months that are the same', times(7, 5), [[100, 6]]],
    [
      'two lines that meet',
      [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18],
      [
        [100, 6],
        [106, 6],
      ],
    ],
    ['a month that is missing', [10, 11, 12, null, 14, 15, 16, 17], []],
    ['nearly equal steps', [1e6, 1e6 + 9, 1e6, 1e6 + 4, 1e6, 1e6 + 4, 1e6], []],
    ['steps that differ by less than 1e-5', [1e6, 1e6 + 4, 1e6, 1e6 + 4, 1e6, 1e6 + 4, 1e6], [[100, 6]]],
    ['an index of 0', times(9, 0), []],
  ] as [string, (number | null)[], number[][]][])('%s', (_name, values, expected) => {
    expect(lines(...values)).toEqual(expected);
  });
});
