import fc from 'fast-check';
import { dayOf, monthOf } from '../../lib/dates/calendar-date.js';
import { isForeignCurrency } from './foreign-currency.js';
import { digestOf, outlineDigestOf } from './identical-series.js';
import { isBeyond, type MonthlyPoints } from './neighbours.js';
import { compareWithPeers, seriesOffPeers } from './off-peers.js';
import { isSplit, relationOf } from './split-series.js';
import { runsOf } from './timeline.js';
import { orderTwins, runsThatFit } from './twin-currency.js';

/** Points of months from January 2020 on; null where there is none. */
function monthly(...values: (number | null)[]): MonthlyPoints {
  const months = values.flatMap((value, index) => (value === null ? [] : [[index, value] as const]));
  const days = months.map(([index]) => dayOf(2020 + Math.floor(index / 12), (index % 12) + 1, 1));
  return { days, months: days.map(monthOf), values: months.map(([, value]) => value) };
}
const none = monthly();
const same = (value: number, months: number) => monthly(...new Array<number>(months).fill(value));

describe('off_peers', () => {
  const series = (points: MonthlyPoints, factor: number | null = 1) => ({ factor, points });
  const ratios = (group: readonly ReturnType<typeof series>[]) =>
    compareWithPeers(group).map(({ series, ratio, months }) => [group.indexOf(series), ratio, months]);

  it('compares with the median of all series, itself included', () => {
    const group = [same(10, 6), same(20, 6), same(30, 6), same(75, 6)].map((points) => series(points));
    expect(ratios(group)).toEqual([
      [0, 0.4, 6],
      [1, 0.8, 6],
      [2, 1.2, 6],
      [3, 3, 6],
    ]);
    expect(seriesOffPeers(group).map((found) => found.series)).toEqual([group[3]]);
  });

  it('has bounds of its own: 3 and a third', () => {
    const beside = (value: number) => {
      const group = [same(30, 6), same(30, 6), same(30, 6), same(value, 6)].map((points) => series(points));
      return seriesOffPeers(group).length;
    };
    expect([89.9, 90, 10, 10.1].map(beside)).toEqual([0, 1, 1, 0]);
  });

  it('needs six months with four series, and factors', () => {
    const three = [same(10, 6), same(10, 6), same(10, 6)].map((points) => series(points));
    expect(ratios([])).toEqual([]);
    expect(ratios(three)).toEqual([]);
    expect(ratios([...three, series(same(99, 6), null)])).toEqual([]);
    expect(ratios([...three, series(same(99, 5))])).toEqual([]);
    expect(ratios([...three, series(none), series(same(990, 6), 0.1)]).at(-1)).toEqual([4, 9.9, 6]);
  });
});

describe('off_peers of any group', () => {
  it('is what the comparison of all series says', () => {
    const values = fc.array(fc.option(fc.constantFrom(0, 10, 25, 29.9, 30, 90)), { maxLength: 14 });
    const series = values.map((ofMonths) => ({ factor: 1, points: monthly(...ofMonths) }));
    fc.assert(
      fc.property(fc.array(series, { maxLength: 8 }), (group) => {
        const off = compareWithPeers(group).filter(({ ratio }) => isBeyond(ratio, 3));
        expect(seriesOffPeers(group)).toEqual(off);
      }),
      { numRuns: 500 },
    );
  });
});

describe('split_series', () => {
  it('is reported by units and currencies', () => {
    const kes = { currency: 'KES', measure_unit_id: 1 };
    expect(isSplit([])).toBe(false);
    expect(isSplit([kes, kes])).toBe(false);
    expect(isSplit([kes, { ...kes, measure_unit_id: 2 }])).toBe(true);
    expect(isSplit([kes, { ...kes, currency: 'USD' }])).toBe(true);
  });

  it('tells series that follow, interleave and overlap, with the ratios where they meet', () => {
    expect(relationOf(monthly(10, 11), monthly(null, null, 22, 30), [1, 0.5])).toEqual({
      kind: 'one after the other',
      ratios: [1],
    });
    expect(relationOf(monthly(10, null, 20, null), monthly(null, 15, null, 40), [1, 1])).toEqual({
      kind: 'interleaved',
      ratios: [1.5, 20 / 15, 2],
    });
    expect(relationOf(monthly(10, 20), monthly(null, 30, 40), [1, 1])).toEqual({
      kind: 'overlapping',
      ratios: [1.5],
    });
    expect(relationOf(none, monthly(1), [1, 1])).toBeNull();
    expect(relationOf(monthly(1), none, [1, 1])).toBeNull();
  });
});

describe('runs of two series', () => {
  it('follow each other in time, the first series before the second in a month', () => {
    expect(runsOf(none, none)).toEqual([]);
    expect(runsOf(monthly(1, 2), none)).toEqual([{ of: 0, from: 0, to: 2 }]);
    expect(runsOf(monthly(1, 2, null, 4), monthly(null, 2, 3))).toEqual([
      { of: 0, from: 0, to: 2 },
      { of: 1, from: 0, to: 2 },
      { of: 0, from: 2, to: 3 },
    ]);
  });
});

describe('twin_currency', () => {
  it('needs points of the twin before and after, and one step within 30 %', () => {
    const twin = monthly(100, null, null, 100);
    const inside = (first: number, last: number) => runsThatFit(monthly(null, first, last), twin);
    expect(inside(130, 5)).toEqual([{ from: 0, to: 2, ratioBefore: 1.3, ratioAfter: 20 }]);
    expect(inside(5, 77)).toEqual([{ from: 0, to: 2, ratioBefore: 0.05, ratioAfter: 100 / 77 }]);
    expect(inside(131, 76)).toEqual([]);
    expect(runsThatFit(monthly(100, 100), monthly(null, null, 100))).toEqual([]);
    expect(runsThatFit(monthly(null, 100), monthly(100))).toEqual([]);
    expect(runsThatFit(none, twin)).toEqual([]);
    expect(runsThatFit(twin, none)).toEqual([]);
  });

  it('takes the series that goes on longest for right, then the longer one, then the first uuid', () => {
    const twin = (uuid: string, points: MonthlyPoints) => ({ uuid, points });
    const order = (one: MonthlyPoints, other: MonthlyPoints) =>
      orderTwins(twin('b', one), twin('a', other))
        .map(({ uuid }) => uuid)
        .join('');
    expect(order(monthly(1, 1), monthly(1))).toBe('ba');
    expect(order(monthly(1), monthly(null, 1))).toBe('ab');
    expect(order(monthly(1, 1), monthly(null, 1))).toBe('ba');
    expect(order(monthly(1, 1), monthly(2, 2))).toBe('ab');
    expect(order(none, none)).toBe('ab');
  });
});

describe('identical_series', () => {
  it('is reported by months and values, from 12 points and 6 different values on', () => {
    const values = [1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6];
    const digest = digestOf(monthly(...values));
    expect(digest).toMatch(/^[0-9a-f]{32}$/);
    expect(digestOf(monthly(...values))).toBe(digest);
    expect(digestOf(monthly(null, ...values))).not.toBe(digest);
    expect(digestOf(monthly(...values.with(0, 1.5)))).not.toBe(digest);
    expect(digestOf(monthly(...values.slice(1), 1))).not.toBe(digest);
    expect(digestOf(monthly(...values.slice(1)))).toBe('');
    expect(digestOf(monthly(...values.with(0, 6)))).toBe('');
    expect(digestOf(none)).toBe('');
  });

  it('may be equal only if their number of points, their ends and their first values are', () => {
    const values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    const digest = outlineDigestOf(monthly(...values));
    expect(digest).toMatch(/^[0-9a-f]{32}$/);
    for (let index = 0; index < values.length; index++)
      expect(outlineDigestOf(monthly(...values.with(index, 20))) === digest).toBe(index >= 6);
    expect(outlineDigestOf(monthly(null, ...values))).not.toBe(digest);
    expect(outlineDigestOf(monthly(...values, 13))).not.toBe(digest);
    expect(outlineDigestOf(monthly(...values.slice(0, 11), null, 12))).not.toBe(digest);
    expect(outlineDigestOf(monthly(...values.slice(1)))).toBe('');
    expect(outlineDigestOf(none)).toBe('');
  });
});

describe('foreign_currency', () => {
  it.each([
    ['SOS', 'MWI', true],
    ['MWK', 'MWI', false],
    ['USD', 'MWI', false],
    ['EUR', 'MWI', false],
    ['SLS', 'SOM', false],
    ['VEF', 'VEN', false],
    ['MRO', 'MRT', false],
    ['JOD', 'PSE', false],
    ['JOD', 'ISR', true],
    ['KES', 'IPS', false],
    ['KES', '', false],
  ])('%s in %s: %s', (currency, iso3, foreign) => expect(isForeignCurrency(currency, iso3)).toBe(foreign));
});
