import { medianOfSorted } from '../analysis/methods/aggregation.js';
import type { Period } from '../price-series/periodicity.js';
import { nextPeriodEnd } from './period-end.js';
import type { Release } from './released-periods.js';

/** Releases whose lags count, and how many of them an expectation needs. */
const COUNTED_RELEASES = 12;
const MIN_RELEASES = 3;

const HIGH_SHARE = 0.9;

/** Why no date is expected. */
export const SCHEDULE_REASONS = ['too_few_releases'] as const;
export type ScheduleReason = (typeof SCHEDULE_REASONS)[number];

/** When the next release of a group is to be expected. Days are day numbers. */
interface ReleaseSchedule {
  /** Releases whose lags count. */
  readonly releases: number;
  /** Days from the end of a period to its release; null for too few of them. */
  readonly medianLag: number | null;
  /** The lag that nine of ten releases do not exceed (nearest rank). */
  readonly highLag: number | null;
  readonly nextEnd: number;
  readonly expected: number | null;
  /** Days since then. */
  readonly late: number | null;
  readonly reason: ScheduleReason | null;
}

/**
 * When values of the period after the newest stored one are to be expected: the median lag of the
 * last 12 releases after the end of the period.
 * @param releases oldest first
 * @param newestEnd last day of the newest period that is stored
 */
export function scheduleOf(
  period: Period,
  releases: readonly Release[],
  newestEnd: number,
  today: number,
): ReleaseSchedule {
  // Periods whose values have gone, as by a revert, are to be released again.
  const counted = releases.filter(({ endDay }) => endDay <= newestEnd).slice(-COUNTED_RELEASES);
  const lags = Float64Array.from(counted, ({ endDay, storedDay }) => storedDay - endDay).sort();
  const nextEnd = nextPeriodEnd(period, newestEnd);
  if (lags.length < MIN_RELEASES) {
    const none = { medianLag: null, highLag: null, expected: null, late: null };
    return { releases: lags.length, nextEnd, ...none, reason: 'too_few_releases' };
  }
  const medianLag = medianOfSorted(lags);
  const expected = nextEnd + Math.ceil(medianLag);
  return {
    releases: lags.length,
    medianLag,
    highLag: lags[Math.ceil(lags.length * HIGH_SHARE) - 1]!,
    nextEnd,
    expected,
    late: Math.max(0, today - expected),
    reason: null,
  };
}
