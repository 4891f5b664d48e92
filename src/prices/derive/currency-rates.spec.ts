import { dayFromIso, firstDayOfMonth, isoFromDay, monthOf } from '../../lib/dates/calendar-date.js';
import { currencyLife, lifeRelation } from '../../lib/codes/currency-lives.js';
import { DAILY, MONTHLY, WEEKLY } from '../../price-series/periodicity.js';
import { Conversion, DOLLAR_RATES, monthlyRates, type MonthlyValues } from './conversion.js';
import { currencyRates } from './currency-rates.js';
import { RATE_RELATIONS, REDENOMINATIONS, sourcesOfRates } from './rate-relations.js';

const day = (date: string) => dayFromIso(date)!;
const month = (date: string) => monthOf(day(date));
const level = (price: number) => ({ price, perBaseUnit: true });
const NO_VALUES: MonthlyValues = { at: () => NaN };

/** Monthly rates of some currencies: `{ ZAR: { '2024-01-01': 18.5 } }`. */
function ratesOf(
  currency: string,
  rates: Readonly<Record<string, Readonly<Record<string, number>>>>,
  related = true,
) {
  const published = (name: string) =>
    name === 'USD'
      ? DOLLAR_RATES
      : monthlyRates(
          Object.entries(rates[name] ?? {}).map(([date, rate]) => ({
            period: 'monthly' as const,
            day: day(date),
            rate,
          })),
        );
  return currencyRates(currency, published, related);
}

/** The dollars of monthly prices, with what they are based on. */
function dollarsOf(
  currency: string,
  rates: Parameters<typeof ratesOf>[1],
  prices: readonly (readonly [date: string, price: number])[],
  unitFactor: number | null = 1,
) {
  const conversion = new Conversion(ratesOf(currency, rates), NO_VALUES, unitFactor);
  return prices.map(([date, price]) => [
    conversion.dollar(price, MONTHLY, day(date)),
    conversion.rateBasis(price, MONTHLY, day(date)),
  ]);
}

describe('rates of a currency', () => {
  it.each([
    ['PAB', 'USD', 1, 1],
    ['LSL', 'ZAR', 18, 18],
    ['NAD', 'ZAR', 18, 18],
    ['SZL', 'ZAR', 18, 18],
    ['XOF', 'EUR', 0.5, 327.9785],
    ['XAF', 'EUR', 0.5, 327.9785],
    ['KMF', 'EUR', 0.5, 245.983875],
    ['CVE', 'EUR', 0.5, 55.1325],
    ['BAM', 'EUR', 0.5, 0.977915],
    ['XPF', 'EUR', 0.838, 100],
    ['BTN', 'INR', 80, 80],
  ])('of %s follow by law from %s', (currency, anchor, anchorRate, expected) => {
    const rates = ratesOf(currency, { [anchor]: { '2020-01-01': anchorRate } });
    expect(rates.at(month('2020-01-01'))).toBeCloseTo(expected, 10);
    expect(rates.applied(month('2020-01-01'), level(5))).toMatchObject({
      basis: 'relation',
      currency: anchor,
    });
  });

  it('are the published ones where there are any, month by month', () => {
    const rates = { NAD: { '2024-01-01': 18.4 }, ZAR: { '2024-01-01': 18.5, '2024-02-01': 19 } };
    const prices = [
      ['2024-01-01', 36.8],
      ['2024-02-01', 38],
      ['2024-03-01', 38],
    ] as const;
    expect(dollarsOf('NAD', rates, prices)).toEqual([
      [2, 'published'],
      [2, 'relation'],
      [null, null],
    ]);
  });

  it('are not related before the law, which holds in the months that begin under it', () => {
    const euro = { EUR: { '1998-12-01': 0.85, '1999-01-01': 0.86 } };
    expect(ratesOf('XOF', euro).at(month('1998-12-01'))).toBeNaN();
    expect(ratesOf('XOF', euro).at(month('1999-01-01'))).toBeCloseTo(564.12302, 8);
    const rand = { ZAR: { '1980-01-01': 0.8, '1980-02-01': 0.8 } };
    expect(ratesOf('LSL', rand).at(month('1980-01-01'))).toBeNaN();
    expect(ratesOf('LSL', rand).at(month('1980-02-01'))).toBe(0.8);
  });

  it('are not related the other way round, nor over two relations', () => {
    expect(ratesOf('ZAR', { LSL: { '2024-01-01': 18 } }).at(month('2024-01-01'))).toBeNaN();
    expect(ratesOf('EUR', { XOF: { '2024-01-01': 600 } }).at(month('2024-01-01'))).toBeNaN();
    const bolivars = { VED: { '2022-01-01': 4.6 } };
    expect(dollarsOf('VEF', bolivars, [['2022-01-01', 9]])).toEqual([[null, null]]);
  });

  it('are null for currencies without a rate or a law', () => {
    for (const currency of ['HTG', 'SOS', 'SLS', 'XXX'])
      expect(dollarsOf(currency, { EUR: { '2020-01-01': 0.9 } }, [['2020-01-01', 1]])).toEqual([
        [null, null],
      ]);
  });

  it('of dollars are published and 1', () => {
    expect(dollarsOf('USD', {}, [['2020-01-01', 3.5]])).toEqual([[3.5, 'published']]);
  });

  it('are only the published ones where relations are turned off', () => {
    const off = ratesOf('NAD', { NAD: { '2024-01-01': 18.4 }, ZAR: { '2024-02-01': 19 } }, false);
    expect([off.at(month('2024-01-01')), off.at(month('2024-02-01'))]).toEqual([18.4, NaN]);
    expect(off.applied(month('2024-01-01'), level(1))).toMatchObject({ basis: 'published', rate: 18.4 });
    expect(off.applied(month('2024-02-01'), level(1))).toBeNull();
    expect(
      ratesOf('SLL', { SLE: { '2024-01-01': 20 } }, false).applied(month('2024-01-01'), level(1)),
    ).toBeNull();
  });
});

describe('a currency that was replaced', () => {
  const rouble = { BYN: { '2015-06-01': 1.5, '2016-07-01': 2, '2020-01-01': 2 } };

  it('is converted by the units that its prices are in, whatever their code and date', () => {
    const prices = [
      ['2015-06-01', 23_000],
      ['2015-06-01', 2.25],
      ['2016-07-01', 23_000],
      ['2020-01-01', 2.3],
      ['2019-12-01', 2.3],
    ] as const;
    expect(dollarsOf('BYR', rouble, prices)).toEqual([
      [1.53333333333333, 'relation'],
      [1.5, 'successor'],
      [1.15, 'relation'],
      [1.15, 'successor'],
      [null, null],
    ]);
  });

  it('tells the rate, the currency that it comes from, and the units', () => {
    const rates = ratesOf('SLL', { SLE: { '2020-01-01': 10 } });
    expect(rates.applied(month('2020-01-01'), level(9000))).toEqual({
      basis: 'relation',
      rate: 10_000,
      currency: 'SLE',
      units: 1000,
      reference: 'Bank of Sierra Leone, redenomination of the leone of 1 July 2022',
    });
    expect(rates.applied(month('2020-01-01'), level(9))).toMatchObject({
      basis: 'successor',
      rate: 10,
      currency: 'SLE',
      units: 1,
    });
  });

  it('has the level of a price per kilogram or litre, where the factor of its unit is known', () => {
    // A tonne for 780 new roubles is 0.39 dollars per kilogram.
    expect(dollarsOf('BYR', rouble, [['2020-01-01', 780]], 0.001)).toEqual([[390, 'successor']]);
    expect(dollarsOf('BYR', rouble, [['2020-01-01', 780]], null)).toEqual([[0.039, 'relation']]);
  });

  it('is converted only where the date agrees, if the level of a price tells too little', () => {
    const ouguiya = { MRU: { '2017-06-01': 36, '2019-06-01': 36 } };
    const prices = [
      ['2017-06-01', 360],
      ['2017-06-01', 36],
      ['2019-06-01', 360],
      ['2019-06-01', 36],
    ] as const;
    expect(dollarsOf('MRO', ouguiya, prices)).toEqual([
      [1, 'relation'],
      [null, 'unclear'],
      [null, 'unclear'],
      [1, 'successor'],
    ]);
  });

  it('uses its own published rates first, and the month of a price as ever', () => {
    const rates = { ...rouble, BYR: { '2015-06-01': 15_000 } };
    const conversion = new Conversion(ratesOf('BYR', rates), NO_VALUES, 1);
    expect(conversion.dollar(30_000, DAILY, day('2015-06-30'))).toBe(2);
    expect(conversion.dollar(3, WEEKLY, day('2020-01-31'))).toBe(1.5);
    expect(conversion.dollar(3, WEEKLY, day('2020-02-07'))).toBeNull();
    expect(conversion.dollar(20_000, MONTHLY, day('2020-01-01'))).toBe(1);
  });
});

/** A date some months after the first month that is wholly the successor's; before it, negative. */
const monthsFrom = (from: string, months: number) => {
  const first = month(from) + (from.endsWith('-01') ? 0 : 1);
  return isoFromDay(firstDayOfMonth(first + months));
};

describe.each(REDENOMINATIONS.filter(({ units }) => units >= 1000))(
  'prices near the redenomination from $currency to $successor',
  ({ currency, successor, units, from }) => {
    const [before2, before, first, after] = [-2, -1, 0, 1].map((months) => monthsFrom(from, months)) as [
      string,
      string,
      string,
      string,
    ];
    // Bread for 2 dollars: 4 new units at 2 for a dollar.
    const [newRate, newPrice] = [2, 4];
    const [oldRate, oldPrice] = [newRate * units, newPrice * units];
    const both = [
      [before, oldPrice],
      [before, newPrice],
      [first, oldPrice],
      [first, newPrice],
    ] as const;
    const close = (found: ReturnType<typeof dollarsOf>) =>
      found.map(([dollars, basis]) => [
        dollars === null ? null : Number((dollars as number).toFixed(9)),
        basis,
      ]);

    it('have the units of their level under the old code, whose rates go on in old units', () => {
      const rates = { [currency]: { [before]: oldRate, [first]: oldRate } };
      const expected = [
        [2, 'published'],
        [2, 'successor'],
        [2, 'published'],
        [2, 'successor'],
      ];
      expect(close(dollarsOf(currency, rates, both))).toEqual(expected);
    });

    it('have the units of their level under the old code, whose rates change to new units', () => {
      const rates = { [currency]: { [before]: oldRate, [first]: newRate, [after]: newRate } };
      expect(close(dollarsOf(currency, rates, both))).toEqual([
        [2, 'published'],
        [2, 'successor'],
        [2, 'relation'],
        [2, 'published'],
      ]);
    });

    it('have the units of their level under the new code, whose earlier rates are in old units', () => {
      const rates = { [successor]: { [before2]: oldRate, [before]: oldRate, [first]: newRate } };
      expect(close(dollarsOf(successor, rates, both))).toEqual([
        [2, 'published'],
        [2, 'relation'],
        [2, 'predecessor'],
        [2, 'published'],
      ]);
      // The old code has no rates: those of the new one are recognised for what they are.
      expect(close(dollarsOf(currency, rates, both))).toEqual([
        [2, 'relation'],
        [2, 'successor'],
        [2, 'relation'],
        [2, 'successor'],
      ]);
    });

    it('have the units of their level under the new code, whose earlier rates were restated', () => {
      const rates = { [successor]: { [before2]: newRate, [before]: newRate, [first]: newRate } };
      expect(close(dollarsOf(successor, rates, both))).toEqual([
        [2, 'predecessor'],
        [2, 'published'],
        [2, 'predecessor'],
        [2, 'published'],
      ]);
    });

    it('have the units of their level under the new code, where only the old one has a rate', () => {
      const rates = { [currency]: { [before]: oldRate, [first]: oldRate } };
      expect(close(dollarsOf(successor, rates, both))).toEqual([
        [2, 'predecessor'],
        [2, 'relation'],
        [2, 'predecessor'],
        [2, 'relation'],
      ]);
    });

    it('have the units of their level up to a year from the change, and no longer', () => {
      const isChained = [currency, successor].some(
        (code) => REDENOMINATIONS.filter((one) => one.currency === code || one.successor === code).length > 1,
      );
      if (isChained) return;
      const [early, earlier] = [-12, -13].map((months) => monthsFrom(`${from.slice(0, 7)}-01`, months));
      const [late, later] = [11, 12].map((months) => monthsFrom(from, months));
      const oldRates = { [currency]: { [early!]: oldRate, [earlier!]: oldRate } };
      const newRates = { [successor]: { [late!]: newRate, [later!]: newRate } };
      expect(
        close(
          dollarsOf(currency, oldRates, [
            [early!, newPrice],
            [earlier!, newPrice],
          ]),
        ),
      ).toEqual([
        [2, 'successor'],
        [Number((2 / units).toFixed(9)), 'published'],
      ]);
      expect(
        close(
          dollarsOf(successor, newRates, [
            [late!, oldPrice],
            [later!, oldPrice],
          ]),
        ),
      ).toEqual([
        [2, 'predecessor'],
        [2 * units, 'published'],
      ]);
    });

    it('are those of the rate in ordinary years, however dear or cheap', () => {
      const later = monthsFrom(from, 60);
      const prices = [
        [later, 1_000_000],
        [later, 0.001],
      ] as const;
      if (REDENOMINATIONS.some((one) => one.currency === successor)) return;
      expect(dollarsOf(successor, { [successor]: { [later]: newRate } }, prices)).toEqual([
        [500_000, 'published'],
        [0.0005, 'published'],
      ]);
    });
  },
);

describe.each(REDENOMINATIONS.filter(({ units }) => units < 1000))(
  'prices near the redenomination from $currency to $successor, by few units',
  ({ currency, successor, units, from }) => {
    const [before, first] = [monthsFrom(from, -1), monthsFrom(from, 0)];

    it('are null where the earlier rates of the new code are in old units', () => {
      const rates = { [successor]: { [before]: 2 * units, [first]: 2 } };
      const prices = [
        [before, 4],
        [before, 4 * units],
        [first, 4],
      ] as const;
      expect(dollarsOf(successor, rates, prices)).toEqual([
        [null, 'unclear'],
        [null, 'unclear'],
        [2, 'published'],
      ]);
    });

    it('are those of the rate where the earlier rates were restated', () => {
      const rates = { [successor]: { [before]: 2, [first]: 2 } };
      expect(
        dollarsOf(successor, rates, [
          [before, 4],
          [first, 4],
        ]),
      ).toEqual([
        [2, 'published'],
        [2, 'published'],
      ]);
    });

    it('follow the other code where level and month agree', () => {
      const rates = { [currency]: { [before]: 2 * units, [first]: 2 * units } };
      expect(
        dollarsOf(currency, rates, [
          [before, units],
          [first, units],
        ]),
      ).toEqual([
        [0.5, 'published'],
        [0.5, 'published'],
      ]);
      expect(
        dollarsOf(successor, rates, [
          [first, 2],
          [before, 2],
        ]),
      ).toEqual([
        [1, 'relation'],
        [null, 'unclear'],
      ]);
    });
  },
);

describe('a price per piece near a redenomination', () => {
  const rates = { ZMW: { '2012-12-01': 5.2, '2013-01-01': 5.3 } };

  it('is what the rate says where that is possible, and else in other units', () => {
    const prices = [
      ['2013-01-01', 5300],
      ['2013-01-01', 53_000_000],
    ] as const;
    expect(dollarsOf('ZMW', rates, prices, null)).toEqual([
      [1000, 'published'],
      [10_000, 'predecessor'],
    ]);
    expect(dollarsOf('ZMW', rates, prices.slice(0, 1), 1)).toEqual([[1, 'predecessor']]);
  });
});

describe('the tables of relations', () => {
  it('name codes, positive units, dates and a reference, and each currency once', () => {
    const all = [
      ...RATE_RELATIONS.map(({ anchor, ...rest }) => ({ ...rest, other: anchor })),
      ...REDENOMINATIONS.map(({ successor, ...rest }) => ({ ...rest, other: successor })),
    ];
    for (const { currency, other, units, from, reference } of all) {
      expect([currency, other].join()).toMatch(/^[A-Z]{3},[A-Z]{3}$/);
      expect(units).toBeGreaterThan(0);
      expect(dayFromIso(from)).not.toBeNull();
      expect(reference.length).toBeGreaterThan(20);
    }
    expect(new Set(all.map(({ currency }) => currency)).size).toBe(all.length);
  });

  it('agree with the lives of the codes', () => {
    for (const { currency, successor, from } of REDENOMINATIONS) {
      expect([successor, currencyLife(successor)!.from]).toEqual([successor, from]);
      // VES is still listed beside VED; the others end when the new code begins, or later.
      expect(day(currencyLife(currency)!.to ?? '9999-12-31') + 1).toBeGreaterThanOrEqual(day(from));
    }
    for (const { currency, anchor, from } of RATE_RELATIONS)
      expect([currency, anchor].map((code) => lifeRelation(code, from, from))).toEqual(['within', 'within']);
  });

  it('tell which rates a currency needs', () => {
    expect(['XOF', 'SLL', 'KES'].map(sourcesOfRates)).toEqual([['XOF', 'EUR'], ['SLL', 'SLE'], ['KES']]);
  });
});
