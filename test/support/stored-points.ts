import fc from 'fast-check';
import { LAST_DAY, dayFromIso } from '../../src/lib/dates/calendar-date.js';
import { PERIODS, type Period } from '../../src/price-series/periodicity.js';
import { StoredPoints } from '../../src/prices/derive/derivation.js';

/** A stored point, as tests define it. */
export interface Point {
  period: Period;
  day: number;
  value: number;
  calculated: boolean;
  comment: string | null;
}

/** A point by its date, with defaults for the rest. */
export function point(
  period: Period,
  date: string,
  value = 1,
  { calculated = false, comment = null }: Partial<Point> = {},
): Point {
  return { period, day: dayFromIso(date)!, value, calculated, comment };
}

/** The points in the order of the database: by period, then day. */
export function storedPoints(points: readonly Point[]): StoredPoints {
  const stored = new StoredPoints();
  const ordered = [...points].sort((a, b) => a.period - b.period || a.day - b.day);
  for (const { period, day, value, calculated, comment } of ordered) {
    stored.add(period, day, value, calculated, comment);
  }
  return stored;
}

/**
 * Arbitrary points of one series: any mix of frequencies, dense or spread over years, on any
 * weekday, around year ends and leap days, original or marked as calculated.
 */
export const anyPoints: fc.Arbitrary<Point[]> = fc
  .record({
    around: fc.constantFrom(
      '2024-02-27',
      '2023-02-27',
      '2024-12-30',
      '1999-12-31',
      '2024-05-15',
      '9999-10-01',
    ),
    spread: fc.constantFrom(3, 10, 40, 90, 900),
    // Makes series with points of one kind as common as mixed ones.
    periods: fc.subarray([...PERIODS]),
    marks: fc.constantFrom([false], [true], [false, true]),
  })
  .chain(({ around, spread, periods, marks }) => {
    if (periods.length === 0) return fc.constant([]);
    const middle = dayFromIso(around)!;
    const one = fc.record({
      period: fc.constantFrom(...periods),
      day: fc.integer({ min: middle - spread, max: Math.min(middle + spread, LAST_DAY) }),
      value: fc.integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100),
      calculated: fc.constantFrom(...marks),
      comment: fc.option(fc.constantFrom('a', 'b'), { freq: 3 }),
    });
    return fc.uniqueArray(one, { maxLength: 40, selector: ({ period, day }) => period * 1e8 + day });
  });
