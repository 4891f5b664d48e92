import { monthOf } from '../../lib/dates/calendar-date.js';
import { monthOfWeek, weekOf } from '../../price-series/calendar.js';
import { DAILY, MONTHLY, WEEKLY, type Period } from '../../price-series/periodicity.js';
import type { OriginalCoverage } from './derivation.js';

/** A stored point as its series shows it. */
interface ShownPoint {
  readonly day: number;
  /** Marked as calculated by its source. */
  readonly marked: boolean;
}

/** Days before and after the day of a point between which the points lie that it is made of. */
export const CONTRIBUTION_DAYS = { before: 7, after: 37 } as const;

/**
 * The stored points whose mean a served point is; itself, if it is served as it is stored. The same
 * rules as those of `derive`, for one point.
 * @param day day number of the served point
 * @param coverage of the whole series
 * @param shown the points of a frequency that the series shows, at least those in
 * `CONTRIBUTION_DAYS`
 */
export function contributions<P extends ShownPoint>(
  period: Period,
  day: number,
  { lastDaily, lastWeekly, monthly }: OriginalCoverage,
  shown: (period: Period) => readonly P[],
): P[] {
  const originals = { [DAILY]: lastDaily > 0, [WEEKLY]: lastWeekly > 0, [MONTHLY]: monthly };
  const stored = (marked: boolean) => shown(period).filter((one) => one.marked === marked && one.day === day);
  const finer = (of: Period, holds: (day: number) => boolean) =>
    shown(of).filter((one) => !one.marked && holds(one.day));
  if (originals[period]) return stored(false);
  if (period === WEEKLY && lastDaily > 0) return finer(DAILY, (daily) => weekOf(daily) === day);
  if (period === MONTHLY && (lastDaily > 0 || lastWeekly > 0)) {
    const month = monthOf(day);
    const days = finer(DAILY, (daily) => monthOf(daily) === month);
    return days.length > 0 ? days : finer(WEEKLY, (weekly) => monthOfWeek(weekOf(weekly)) === month);
  }
  return stored(true);
}
