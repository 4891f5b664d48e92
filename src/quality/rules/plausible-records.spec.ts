import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { datesOutOfRange } from '../checks/date-range.js';
import { baseMonths, indexLevel } from './index-level.js';
import { positionOutside } from './position-outside.js';
import { invertedRate } from './rate-inverted.js';

const TODAY = dayFromIso('2026-11-21')!;
const month = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5)) - 1;

describe('an inverted rate', () => {
  it('is one with which food is farther from a dollar than with its reciprocal', () => {
    expect(invertedRate(0.00625, [48, 52, 60])).toEqual({ dollars: 52 / 0.00625, reciprocal: 52 * 0.00625 });
    // Of a currency whose earlier rates and prices are given in its present unit.
    expect(invertedRate(0.0002, [0.0003])).toBeNull();
  });

  it('is not reported where nothing decides', () => {
    // Strong currencies, and the reverse of weak ones near them.
    expect([invertedRate(0.3, [0.4]), invertedRate(0.95, [1.2]), invertedRate(130, [52])]).toEqual([
      null,
      null,
      null,
    ]);
    expect(invertedRate(0.00625, [])).toBeNull();
    // With neither is a kilogram worth what food costs: another unit, or a redenomination.
    expect(invertedRate(0.00625, [50_000])).toBeNull();
  });
});

describe('the level of an index', () => {
  const index = (from: string, values: number[]) => ({
    months: values.map((_, at) => month(from) + at),
    values,
  });

  it.each([
    ['2015', '2015-01', '2015-12'],
    ['2014-2016', '2014-01', '2016-12'],
    ['2019/20', '2019-01', '2020-12'],
    ['2019-02', '2019-02', '2019-02'],
  ])('reads the months of the base period %s', (base, first, last) => {
    expect(baseMonths(base)).toEqual({ first: month(first), last: month(last) });
  });

  it('does not read other texts', () => {
    expect(['', 'December', '2016-2014', '2015=100'].map(baseMonths)).toEqual([null, null, null, null]);
  });

  it('is that of rates of change far below 100 after the base period', () => {
    expect(indexLevel('2015', index('2024-01', [6.9, 6.3, 5.7, 5]))).toEqual({
      kind: 'low',
      value: 6,
      month: month('2024-01'),
    });
  });

  it('is that of another base in the months of the base period', () => {
    expect(indexLevel('2019', index('2019-01', Array<number>(12).fill(1000)))).toMatchObject({
      kind: 'base',
      value: 1000,
    });
    expect(indexLevel('2019', index('2019-01', Array<number>(12).fill(1)))).toMatchObject({ kind: 'base' });
    expect(indexLevel('2019-01', index('2019-01', [1, 1.02]))).toMatchObject({ kind: 'base', value: 1 });
  });

  it('is that of a base of 1000 where it rises too slowly to have come so far', () => {
    expect(indexLevel('2015', index('2024-01', [1150, 1155, 1161, 1166, 1170, 1176]))).toMatchObject({
      kind: 'high',
      value: 1150,
    });
    // Prices that go on doubling each year.
    const doubling = Array.from({ length: 24 }, (_, at) => 3000 * 2 ** (at / 12));
    expect(indexLevel('2019', index('2024-01', doubling))).toBeNull();
  });

  it('is that of changes where it moves up and down by large steps', () => {
    const changes = [2.7, 3.9, 2.1, 4.4, 3, 5.2, 2.9, 3.8];
    expect(indexLevel('unknown', index('2010-01', changes))).toMatchObject({ kind: 'changes', value: 3.4 });
    // Before the base period an index may be as low, but goes somewhere.
    const rising = Array.from({ length: 24 }, (_, at) => 3 * 1.09 ** at);
    expect(indexLevel('2015', index('2010-01', rising))).toBeNull();
  });

  it('is not reported of an index of 100', () => {
    expect(indexLevel('2015', index('2015-01', [98, 99, 100, 101, 101, 102, 103]))).toBeNull();
    expect(indexLevel('2015', index('2024-01', [190.5, 191, 192]))).toBeNull();
    expect(indexLevel('2015', index('2024-01', []))).toBeNull();
  });
});

describe('dates out of range', () => {
  const detailOf = (...dates: string[]) =>
    datesOutOfRange(
      dates.map((date) => dayFromIso(date)!),
      'price',
      TODAY,
    )?.detail ?? null;

  it.each([
    ['1403-01-01', 'Solar Hijri calendar, in which 1403 is 2024'],
    ['2567-02-01', 'Buddhist era, in which 2567 is 2024'],
    ['2081-04-01', 'Bikram Sambat calendar, in which 2081 is 2024'],
    ['1445-07-01', 'Islamic calendar, in which 1445 is 2024'],
  ])('%s may be of another calendar', (date, calendar) => {
    expect(detailOf('2024-01-01', date)).toBe(
      `1 price is dated ${date}, outside of 1950-01-01 to 2027-12-31: the years may be those of the ${calendar}.`,
    );
  });

  it('are those before 1950 and after the coming year', () => {
    expect(detailOf('1950-01-01', '2027-12-31')).toBeNull();
    expect(detailOf('1949-12-31', '2028-01-01')).toBe(
      '2 prices are dated 1949-12-31 to 2028-01-01, outside of 1950-01-01 to 2027-12-31.',
    );
  });
});

describe('a position outside of its country', () => {
  const at = (latitude: number, longitude: number) => ({ latitude, longitude });

  it('is reported with what would fit', () => {
    expect(positionOutside('KEN', at(36.82, -1.28))).toEqual({
      isZero: false,
      fitting: [at(-1.28, 36.82)],
    });
    expect(positionOutside('KEN', at(1.28, -36.82))).toMatchObject({
      fitting: [at(1.28, 36.82), at(-1.28, 36.82)],
    });
    expect(positionOutside('KEN', at(0, 0))).toEqual({ isZero: true, fitting: [] });
    expect(positionOutside('KEN', at(48.85, 2.35))).toEqual({ isZero: false, fitting: [] });
  });

  it('is none near the border, across the 180th meridian, overseas, or in a country of no known shape', () => {
    expect([
      positionOutside('KEN', at(-4.05, 39.67)),
      positionOutside('FJI', at(-16.8, -179.9)),
      positionOutside('FJI', at(-18.14, 178.44)),
      positionOutside('KIR', at(1.87, -157.4)),
      positionOutside('FRA', at(4.93, -52.33)),
      positionOutside('GLP', at(16.2, -61.5)),
      positionOutside('UKR', at(44.6, 33.5)),
      positionOutside('XKX', at(42.66, 21.16)),
    ]).toEqual(Array(8).fill(null));
  });
});
