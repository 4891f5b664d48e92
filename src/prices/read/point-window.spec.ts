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
import { PointWindow, originalCoverageOf, estimatePoints, type StoredRange } from './point-window.js';

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
          typeof coverage === 'boolean'
            ? coverage
            : coverage.some(({ period, calculated, firstDay, lastDay }) =>
                points.some(
                  (one) =>
                    one.period === period &&
                    one.calculated === calculated &&
                    one.day >= firstDay &&
                    one.day <= lastDay,
                ),
              );
        expect(has).toBe(listed(served(window, points)).length > 0);
      }),
    );
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
    expect(coverage('2024-01-02', '2025-01-01')).toBe(false);
    expect(coverage('2021-01-01', '2022-01-01', [WEEKLY])).toBe(false);
    expect(coverage('2021-01-01', '2022-01-01')).toEqual([
      { period: MONTHLY, calculated: false, firstDay: day('2021-01-01'), lastDay: day('2022-01-01') },
    ]);
  });

  it('never estimates fewer points than a series without duplicates has', () => {
    const items = itemsOf([point(MONTHLY, '2020-01-01'), point(MONTHLY, '2020-12-01')]);
    const range = new PointWindow([MONTHLY], day('2020-03-01')).storedRange(items)!;
    expect(estimatePoints(items, range)).toBeGreaterThanOrEqual(10);
    expect(estimatePoints(items, { ...range, firstDay: day('2021-01-01') })).toBe(0);
  });
});
