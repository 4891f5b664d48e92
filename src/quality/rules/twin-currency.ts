import type { MonthlyPoints } from './neighbours.js';
import { RULES } from './rule-table.js';
import { runsOf } from './timeline.js';

const { tolerance } = RULES.twin_currency.thresholds;

/** Points of a series that lie within another one and fit it. */
export interface FittingRun {
  /** Indices of the points: from, up to and not including. */
  readonly from: number;
  readonly to: number;
  /** From the other series' last price before to the first of the run. */
  readonly ratioBefore: number;
  /** From the last price of the run to the other series' next. */
  readonly ratioAfter: number;
}

/**
 * The points of a series that lie between points of its twin in another currency and go on at its
 * level: the step from the twin's last price, or to its next, is within the tolerance. They are
 * likely in the twin's currency.
 */
export function runsThatFit(series: MonthlyPoints, twin: MonthlyPoints): FittingRun[] {
  const runs = runsOf(twin, series);
  return runs.flatMap(({ of, from, to }, index) => {
    const before = runs[index - 1];
    const after = runs[index + 1];
    if (of === 0 || before === undefined || after === undefined) return [];
    const ratioBefore = series.values[from]! / twin.values[before.to - 1]!;
    const ratioAfter = twin.values[after.from]! / series.values[to - 1]!;
    return isClose(ratioBefore) || isClose(ratioAfter) ? [{ from, to, ratioBefore, ratioAfter }] : [];
  });
}

const isClose = (ratio: number) => ratio <= 1 + tolerance && ratio >= 1 / (1 + tolerance);

/** What decides which of two twins is taken for wrong. */
interface Twin {
  readonly uuid: string;
  readonly points: MonthlyPoints;
}

/**
 * Two twins, the one that is taken for right first: the one that goes on longest, because its
 * source has kept to that currency; then the one with more points.
 */
export function orderTwins<T extends Twin>(one: T, other: T): [T, T] {
  const last = ({ points }: Twin) => points.days.at(-1) ?? 0;
  const difference =
    last(other) - last(one) ||
    other.points.days.length - one.points.days.length ||
    (one.uuid < other.uuid ? -1 : 1);
  return difference <= 0 ? [one, other] : [other, one];
}
