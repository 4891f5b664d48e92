import { isBeyond, median, type MonthlyPoints } from './neighbours.js';
import { RULES } from './rule-table.js';

/** The first or last point of a series that stands apart from the points beside it. */
interface EdgeSpike {
  /** Its index in the series. */
  readonly index: number;
  /** The median of the points beside it. */
  readonly median: number;
  /** value ÷ median */
  readonly ratio: number;
}

const { points: atLeast, ratio: threshold, next, within_months, spread } = RULES.edge_spike.thresholds;

/**
 * The ends of a series that stand apart. They have neighbours on one side only, so these must be
 * close in time and of one level.
 */
export function edgeSpikesOf(points: MonthlyPoints): EdgeSpike[] {
  const { values } = points;
  if (values.length < atLeast) return [];
  const last = values.length - 1;
  return [edgeSpikeAt(points, 0, 1), edgeSpikeAt(points, last, last - next)].filter((one) => one !== null);
}

/** @param from the index of the first of the points beside it */
function edgeSpikeAt({ months, values }: MonthlyPoints, index: number, from: number): EdgeSpike | null {
  const farthest = index === 0 ? next : from;
  if (Math.abs(months[farthest]! - months[index]!) > within_months) return null;
  const beside = values.slice(from, from + next);
  if (!(Math.max(...beside) / Math.min(...beside) < spread)) return null;
  const middle = median(beside);
  const ratio = values[index]! / middle;
  return isBeyond(ratio, threshold) ? { index, median: middle, ratio } : null;
}
