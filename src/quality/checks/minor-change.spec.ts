import fc from 'fast-check';
import { dayOf, monthOf } from '../../lib/dates/calendar-date.js';
import { assertProperty } from '../../../test/support/property.js';
import { outlineDigestOf } from '../rules/identical-series.js';
import { testedPoints, type MonthlyPoints } from '../rules/neighbours.js';
import { powerStepsOf } from '../rules/redenomination.js';
import { marksOf, OUTLYING } from './groups/marks.js';
import { DAYS_AROUND, isUnremarkable } from './minor-change.js';
import { monthlyRemarks } from './points/monthly-remarks.js';

/** Points of months from January 2000 on, each so many months after the one before. */
function seriesOf(points: readonly (readonly [monthsLater: number, value: number])[]): MonthlyPoints {
  let month = 0;
  const days = points.map(([later]) => {
    month += later;
    return dayOf(2000 + Math.floor(month / 12), (month % 12) + 1, 1);
  });
  return { days, months: days.map(monthOf), values: points.map(([, value]) => value) };
}

const withValue = (points: MonthlyPoints, index: number, value: number): MonthlyPoints => ({
  ...points,
  values: points.values.with(index, value),
});

/** What the checks read after the point of an index has changed. */
function around({ days, months, values }: MonthlyPoints, index: number): MonthlyPoints {
  const isNear = (_: number, at: number) => Math.abs(days[at]! - days[index]!) <= DAYS_AROUND;
  return { days: days.filter(isNear), months: months.filter(isNear), values: values.filter(isNear) };
}

const isMinor = (points: MonthlyPoints, index: number) =>
  isUnremarkable(around(points, index), [points.days[index]!, points.days[index]!]);

/** All that is found in a series, and stored of it. */
function found(points: MonthlyPoints, category: string) {
  const tested = testedPoints(points, OUTLYING);
  return {
    remarks: monthlyRemarks(points, tested, category),
    marks: marksOf(tested, powerStepsOf(points)),
  };
}
const nothing = { remarks: [], marks: { series_outlier: [], series_step: [] } };
const level = (months: number, value = 10) =>
  seriesOf(Array.from({ length: months }, (_, index) => [1, value + (index % 2)] as const));

describe('isUnremarkable', () => {
  it('is a price near those around it', () => {
    expect(isMinor(level(100), 50)).toBe(true);
    expect(isMinor(withValue(level(100), 50, 20), 50)).toBe(true);
    expect(isMinor(level(100), 99)).toBe(true);
  });

  it('is not a price that stands apart, a step, or the end of a flat series', () => {
    expect(isMinor(withValue(level(100), 50, 30), 50)).toBe(false);
    expect(isMinor(withValue(level(100), 99, 100), 99)).toBe(false);
    expect(isMinor(withValue(level(100), 99, 31), 99)).toBe(false);
    const flat = seriesOf(Array.from({ length: 40 }, (_, index) => [1, index < 16 ? 11 : 10] as const));
    expect(isMinor(withValue(flat, 16, 11), 16)).toBe(true);
    expect(isMinor(flat, 16)).toBe(false);
  });

  it('is not one of the first prices, which the digest of a series contains', () => {
    expect([0, 5, 6].map((index) => isMinor(level(100), index))).toEqual([false, false, true]);
  });

  it('is a change of points of another frequency', () => {
    const points = withValue(level(100), 50, 1000);
    const day = points.days[50]! + 3;
    expect(isUnremarkable(around(points, 50), [day, day])).toBe(true);
    expect(isUnremarkable(seriesOf([]), [day, day])).toBe(true);
  });

  it('finds nothing only where all rules find nothing in the whole series', async () => {
    const value = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(10, 11, 12) },
      { weight: 1, arbitrary: fc.constantFrom(4, 24, 30, 36, 100) },
    );
    const later = fc.oneof(
      { weight: 9, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.integer({ min: 2, max: 9 }) },
    );
    const run = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.oneof(fc.constant(null), value));
    const points = fc
      .array(fc.tuple(run, fc.array(fc.tuple(later, value), { minLength: 20, maxLength: 20 })), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) =>
        parts.flatMap(([[count, same], each]) =>
          each.slice(0, count).map(([months, own]) => [months, same ?? own] as const),
        ),
      );
    let minor = 0;
    await assertProperty(
      'a minor change leaves the findings as they are',
      fc.property(
        points,
        fc.nat(),
        value,
        fc.constantFrom('cereals', 'Vegetables and fruits'),
        (...drawn) => {
          const [rows, place, changed, category] = drawn;
          const before = seriesOf(rows);
          const index = place % rows.length;
          const after = withValue(before, index, changed);
          const isClean = JSON.stringify(found(before, category)) === JSON.stringify(nothing);
          if (!isClean || !isMinor(after, index)) return;
          minor++;
          expect(found(after, category)).toEqual(nothing);
          expect(outlineDigestOf(after)).toBe(outlineDigestOf(before));
        },
      ),
      { numRuns: 20_000 },
    );
    expect(minor).toBeGreaterThan(500);
  });
});
