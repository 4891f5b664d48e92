import fc from 'fast-check';
import { anyPoints, point, storedPoints } from '../../../test/support/stored-points.js';
import { assertProperty } from '../../../test/support/property.js';
import { dayFromIso, isoFromDay } from '../../lib/dates/calendar-date.js';
import {
  DAILY,
  MONTHLY,
  PERIODS,
  WEEKLY,
  StoredExtents,
  type Period,
  type PeriodicityItem,
} from '../../price-series/periodicity.js';
import { derive, newestFirst, type ServedSeries } from '../derive/derivation.js';
import {
  PointWindow,
  originalCoverageOf,
  estimatePoints,
  type ExistenceProbe,
  type StoredRange,
} from './point-window.js';

const day = (date: string) => dayFromIso(date)!;
type Points = ReturnType<typeof point>[];

/** The items that the observation store would hold for these points. */
function itemsOf(points: Points): PeriodicityItem[] {
  const extents = new StoredExtents();
  for (const { period, day: at, calculated } of points) extents.add(period, at, calculated);
  return extents.items();
}

const isIn =
  ({ firstPeriod, lastPeriod, firstDay, lastDay }: StoredRange) =>
  (one: Points[number]) =>
    one.period >= firstPeriod && one.period <= lastPeriod && one.day >= firstDay && one.day <= lastDay;

const meets =
  ({ period, calculated, firstDay, lastDay }: ExistenceProbe) =>
  (one: Points[number]) =>
    one.period === period && one.calculated === calculated && one.day >= firstDay && one.day <= lastDay;

/** What is served of a window if only its range of stored points is read. */
function served(window: PointWindow, points: Points): ServedSeries {
  const items = itemsOf(points);
  const range = window.storedRange(items);
  const series = derive(storedPoints(range ? points.filter(isIn(range)) : []), originalCoverageOf(items));
  window.applyTo(series);
  return series;
}

function listed(series: ServedSeries): string[] {
  const lines: string[] = [];
  newestFirst(series, (points, index) =>
    lines.push(
      `${points.period} ${isoFromDay(points.days[index]!)} ${points.values[index]} ${points.comments?.[index] ?? ''}` +
        `${points.calculated ? ' calculated' : ''}${points.isPartial(index) ? ' partial' : ''}`,
    ),
  );
  return lines;
}

const anyWindow = fc
  .record({
    periods: fc.subarray([...PERIODS], { minLength: 1 }),
    from: fc.integer({ min: -60, max: 60 }),
    length: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constant(Infinity)),
    latest: fc.constantFrom(1, 2, 5, Infinity),
    everything: fc.boolean(),
  })
  .map(({ periods, from, length, latest, everything }) => (points: Points): PointWindow => {
    if (everything || points.length === 0) return new PointWindow(periods, 0, Infinity, latest);
    const first = points[0]!.day + from;
    return new PointWindow(periods, first, first + length, latest);
  });

describe('point window', () => {
  it('serves the same points from its range as from all stored points', async () => {
    await assertProperty(
      'windows of a series',
      fc.property(anyPoints, anyWindow, (points, windowOf) => {
        const window = windowOf(points);
        const whole = derive(storedPoints(points));
        window.applyTo(whole);
        expect(listed(served(window, points))).toEqual(listed(whole));
      }),
    );
  });

  it('determines whether a series has a point, or returns probes that do', async () => {
    await assertProperty(
      'coverage of windows',
      fc.property(anyPoints, anyWindow, (points, windowOf) => {
        const window = windowOf(points);
        const coverage = window.coverage(itemsOf(points));
        const has =
          typeof coverage === 'boolean' ? coverage : coverage.some((probe) => points.some(meets(probe)));
        expect(has).toBe(listed(served(window, points)).length > 0);
      }),
    );
  });

  /** Series with few points, at the borders of weeks and months, and with one each day. */
  const sparse = (period: Period, ...dates: string[]) =>
    dates.map((date, index) => point(period, date, index + 1));
  const daily = (first: string, count: number) =>
    Array.from({ length: count }, (_, index) => point(DAILY, isoFromDay(day(first) + index), index + 1));
  it.each([
    [
      'days',
      sparse(DAILY, '2024-01-20', '2024-01-31', '2024-02-03', '2024-02-23', '2024-03-01', '2024-03-20'),
    ],
    ['a price a day', daily('2024-01-20', 60)],
    ['weeks', sparse(WEEKLY, '2024-01-20', '2024-02-02', '2024-02-03', '2024-03-02', '2024-03-20')],
    [
      'weeks and days',
      [
        ...sparse(WEEKLY, '2024-01-20', '2024-02-03', '2024-03-20'),
        ...sparse(DAILY, '2024-01-26', '2024-03-01'),
      ],
    ],
  ])('has its points in every window of two months: %s', (_, points) => {
    const items = itemsOf(points);
    const from = day('2024-01-18');
    for (const periods of [[DAILY], [WEEKLY], [MONTHLY], [...PERIODS]] as Period[][])
      for (let first = from; first < from + 64; first++)
        for (let last = first; last < from + 64; last++) {
          const window = new PointWindow(periods, first, last);
          const whole = derive(storedPoints(points));
          window.applyTo(whole);
          const expected = listed(whole);
          const coverage = window.coverage(items);
          const found =
            typeof coverage === 'boolean' ? coverage : coverage.some((probe) => points.some(meets(probe)));
          if (listed(served(window, points)).join() !== expected.join() || found !== expected.length > 0)
            expect([window.key, coverage, listed(served(window, points))]).toEqual([
              window.key,
              expected.length > 0,
              expected,
            ]);
        }
  });

  it('has a point of an item that begins or ends on a day of it', () => {
    const window = new PointWindow([DAILY], 100, 200);
    const itemsOfDays = [
      [200, 300],
      [201, 300],
      [0, 100],
      [0, 99],
      [100, 300],
      [0, 200],
      [99, 201],
    ] as const;
    expect(itemsOfDays.map(([start, end]) => window.coverageOfItem(start, end))).toEqual([
      true,
      false,
      true,
      false,
      true,
      true,
      null,
    ]);
  });

  it('is narrowed from its own end, where the series goes on', () => {
    const items = itemsOf([point(DAILY, '2000-01-01'), point(DAILY, '2024-12-31')]);
    const narrowed = new PointWindow([DAILY], 0, day('2010-12-31'), 10).narrowed(items);
    expect(isoFromDay(narrowed.from)).toBe('2010-10-16');
  });

  it('is narrowed to what the frequency needs whose newest points are oldest', () => {
    const weeks = [point(WEEKLY, '2000-01-07'), point(WEEKLY, '2024-12-27')];
    const months = [point(MONTHLY, '2000-01-01'), point(MONTHLY, '2010-12-01')];
    for (const points of [
      [...weeks, ...months],
      [...months, ...weeks],
    ]) {
      const narrowed = new PointWindow([WEEKLY, MONTHLY], 0, Infinity, 2).narrowed(itemsOf(points));
      expect(narrowed.from).toBe(day('2010-12-01') - 2 * 31 - 60);
    }
  });

  it('is narrowed to where the newest points are expected, and detects when that was not enough', async () => {
    await assertProperty(
      'narrowed windows',
      fc.property(anyPoints, anyWindow, (points, windowOf) => {
        const window = windowOf(points);
        const items = itemsOf(points);
        const narrowed = window.narrowed(items);
        const series = served(narrowed, points);
        if (window.isSatisfiedBy(narrowed, items, series)) {
          expect(listed(series)).toEqual(listed(served(window, points)));
        }
        expect(window.isSatisfiedBy(window, items, served(window, points))).toBe(true);
      }),
    );
  });

  it('reads about the last year for the newest 12 months of a long series, and no other frequency', () => {
    const points = [
      ...Array.from({ length: 300 }, (_, index) =>
        point(MONTHLY, `${1990 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`),
      ),
      point(DAILY, '2014-12-30'),
    ];
    const items = itemsOf(points);
    const window = new PointWindow([MONTHLY], 0, Infinity, 12);
    const narrowed = window.narrowed(items);
    expect(narrowed.storedRange(items)).toEqual({
      firstPeriod: MONTHLY,
      lastPeriod: MONTHLY,
      firstDay: day('2014-12-01') - 12 * 31 - 60,
      lastDay: day('2014-12-30'),
    });
    expect(window.isSatisfiedBy(narrowed, items, served(narrowed, points))).toBe(true);
  });

  it('is not narrowed where all points are requested', () => {
    const items = itemsOf([point(WEEKLY, '2020-01-03'), point(WEEKLY, '2024-01-05')]);
    const window = new PointWindow([WEEKLY]);
    expect(window.narrowed(items)).toBe(window);
  });

  it('needs no probe for a series that starts or ends in the window, or does not overlap it', () => {
    const items = itemsOf([point(MONTHLY, '2020-01-01'), point(MONTHLY, '2024-01-01')]);
    const coverage = (from: string, to: string, periods: Period[] = [MONTHLY]) =>
      new PointWindow(periods, day(from), day(to)).coverage(items);
    expect(coverage('2023-01-01', '2024-01-01')).toBe(true);
    expect(coverage('2019-01-01', '2020-01-31')).toBe(true);
    // The window begins or ends on the day of the first or the last point.
    expect(coverage('2020-01-01', '2020-01-01')).toBe(true);
    expect(coverage('2020-01-01', '2025-01-01')).toBe(true);
    expect(coverage('2020-01-01', '2023-01-01')).toBe(true);
    expect(coverage('2021-01-01', '2024-01-01')).toBe(true);
    expect(coverage('2024-01-01', '2024-01-01')).toBe(true);
    expect(coverage('2019-01-01', '2019-12-31')).toBe(false);
    expect(coverage('2024-01-02', '2025-01-01')).toBe(false);
    expect(coverage('2021-01-01', '2022-01-01', [WEEKLY])).toBe(false);
    expect(coverage('2021-01-01', '2022-01-01')).toEqual([
      { period: MONTHLY, calculated: false, firstDay: day('2021-01-01'), lastDay: day('2022-01-01') },
    ]);
    expect(coverage('2021-01-01', '2021-01-01')).toEqual([
      { period: MONTHLY, calculated: false, firstDay: day('2021-01-01'), lastDay: day('2021-01-01') },
    ]);
  });

  it('probes the whole weeks and months that are dated in the window', () => {
    const probesOf = (of: Period, requested: Period) => (from: string, to: string) => {
      const items = itemsOf([point(of, '2020-01-03'), point(of, '2026-01-02')]);
      const probes = new PointWindow([requested], day(from), day(to)).coverage(items);
      expect(typeof probes).not.toBe('boolean');
      return (probes as ExistenceProbe[]).map(
        ({ period, firstDay, lastDay }) => `${period} ${isoFromDay(firstDay)} ${isoFromDay(lastDay)}`,
      );
    };
    const weeks = probesOf(DAILY, WEEKLY);
    expect(weeks('2024-03-08', '2024-03-15')).toEqual([`${DAILY} 2024-03-02 2024-03-15`]);
    expect(weeks('2024-03-05', '2024-03-14')).toEqual([`${DAILY} 2024-03-02 2024-03-08`]);
    expect(weeks('2024-03-09', '2024-03-15')).toEqual([`${DAILY} 2024-03-09 2024-03-15`]);
    const months = probesOf(DAILY, MONTHLY);
    expect(months('2024-03-01', '2024-03-01')).toEqual([`${DAILY} 2024-03-01 2024-03-31`]);
    expect(months('2024-03-02', '2024-04-15')).toEqual([`${DAILY} 2024-04-01 2024-04-30`]);
    // Of the weeks that end on 1 March and on 5 April, most days are of the month before.
    expect(probesOf(WEEKLY, MONTHLY)('2024-03-01', '2024-03-31')).toEqual([
      `${WEEKLY} 2024-03-02 2024-03-29`,
    ]);
  });

  it('reads what weeks and months are made of, and nothing for frequencies without points', () => {
    const rangeOf = (points: Points, requested: Period, from: string, to: string) => {
      const range = new PointWindow([requested], day(from), day(to)).storedRange(itemsOf(points));
      return (
        range &&
        `${range.firstPeriod}-${range.lastPeriod} ${isoFromDay(range.firstDay)} ${isoFromDay(range.lastDay)}`
      );
    };
    const daily = [point(DAILY, '2020-01-03'), point(DAILY, '2026-01-02')];
    const weekly = [point(WEEKLY, '2020-01-03'), point(WEEKLY, '2026-01-02')];
    expect(rangeOf(daily, WEEKLY, '2024-03-08', '2024-03-08')).toBe('1-1 2024-03-02 2024-03-08');
    expect(rangeOf(daily, MONTHLY, '2024-04-01', '2024-04-01')).toBe('1-1 2024-03-26 2024-05-03');
    // The week that ends on 3 May belongs to April.
    expect(rangeOf(weekly, MONTHLY, '2024-04-01', '2024-04-01')).toBe('2-2 2024-03-26 2024-05-03');
    expect(rangeOf([...daily, ...weekly], MONTHLY, '2024-04-01', '2024-04-01')).toBe(
      '1-2 2024-03-26 2024-05-03',
    );
    expect(rangeOf(weekly, DAILY, '2024-04-01', '2024-04-30')).toBeNull();
    expect(rangeOf(weekly, WEEKLY, '2026-01-03', '2026-04-30')).toBeNull();
  });

  it('never estimates fewer points than a series without duplicates has', () => {
    const items = itemsOf([point(MONTHLY, '2020-01-01'), point(MONTHLY, '2020-12-01')]);
    const range = new PointWindow([MONTHLY], day('2020-03-01')).storedRange(items)!;
    // 275 days, of 28 a month at least.
    expect(estimatePoints(items, range)).toBe(11);
    expect(estimatePoints(items, { ...range, firstDay: day('2020-12-01') })).toBe(1);
    expect(estimatePoints(items, { ...range, firstDay: day('2021-01-01') })).toBe(0);
    expect(estimatePoints(items, { ...range, firstPeriod: DAILY, lastPeriod: WEEKLY })).toBe(0);
    const [weeks] = itemsOf([point(WEEKLY, '2020-03-06'), point(WEEKLY, '2020-03-20')]);
    expect(estimatePoints([weeks!, ...items], { ...range, lastDay: day('2020-03-20') })).toBe(2);
    const ofWeeks = {
      ...range,
      firstPeriod: WEEKLY,
      lastPeriod: WEEKLY,
      lastDay: day('2020-03-20'),
    } as const;
    expect(estimatePoints([weeks!, ...items], ofWeeks)).toBe(3);
  });
});
