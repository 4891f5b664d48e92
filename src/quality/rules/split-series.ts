import type { MonthlyPoints } from './neighbours.js';
import { runsOf } from './timeline.js';

/** How the points of two series lie in time, and how their levels compare where they meet. */
export interface Relation {
  readonly kind: 'one after the other' | 'interleaved' | 'overlapping';
  /**
   * The later price divided by the earlier at each change from one series to the other; where they
   * overlap, the price of the second series divided by that of the first, in each common month.
   */
  readonly ratios: readonly number[];
}

/** A series of a market, commodity and type. */
interface SplitSeries {
  readonly currency: string;
  readonly measure_unit_id: number;
}

/** Whether a market has a commodity of one type in several units or currencies. */
export const isSplit = (group: readonly SplitSeries[]) =>
  new Set(group.map(({ measure_unit_id }) => measure_unit_id)).size > 1 ||
  new Set(group.map(({ currency }) => currency)).size > 1;

/**
 * Relates two series.
 * @param factors what their prices are multiplied by to be comparable
 * @returns null where one has no points
 */
export function relationOf(
  one: MonthlyPoints,
  other: MonthlyPoints,
  factors: readonly [number, number],
): Relation | null {
  if (one.days.length === 0 || other.days.length === 0) return null;
  const series = [one, other];
  const price = (of: 0 | 1, index: number) => series[of]!.values[index]! * factors[of];
  const indexOfDay = new Map(one.days.map((day, index) => [day, index]));
  const common = other.days.flatMap((day, index) => {
    const same = indexOfDay.get(day);
    return same === undefined ? [] : [price(1, index) / price(0, same)];
  });
  if (common.length > 0) return { kind: 'overlapping', ratios: common };
  const runs = runsOf(one, other);
  const ratios = runs.slice(1).map((run, index) => {
    const before = runs[index]!;
    return price(run.of, run.from) / price(before.of, before.to - 1);
  });
  return { kind: runs.length === 2 ? 'one after the other' : 'interleaved', ratios };
}
