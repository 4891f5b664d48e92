import { RULES } from './rule-table.js';

/** The monthly points of a series, oldest first, in parallel arrays. */
export interface MonthlyPoints {
  /** Day numbers. */
  readonly days: readonly number[];
  /** Month numbers. */
  readonly months: readonly number[];
  readonly values: readonly number[];
}

/** A point beside the prices before and after it. */
export interface TestedPoint {
  /** Its index in the series. */
  readonly index: number;
  readonly day: number;
  readonly value: number;
  /** The median of the prices nearest in time. */
  readonly median: number;
  /** How many these are. */
  readonly neighbours: number;
  /** value ÷ median */
  readonly ratio: number;
  /** Whether the medians of the prices before and after it are of one level. */
  readonly sidesAgree: boolean;
}

const { each_side, within_months, at_least, sides_agree_within } = RULES.spike.thresholds;

/** The median of some numbers; of an even number of them the mean of the middle two. */
export function median(numbers: readonly number[]): number {
  // In a typed array: sorted by value, without a call for each comparison.
  const ordered = Float64Array.from(numbers).sort();
  const middle = ordered.length >> 1;
  return ordered.length % 2 === 1 ? ordered[middle]! : (ordered[middle - 1]! + ordered[middle]!) / 2;
}

/** Reused by all medians of a few numbers. */
const sorted: number[] = [];

/** The median of the numbers from one index to before another, without that at `except`. */
function medianOfRange(values: readonly number[], from: number, to: number, except = -1): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    if (at === except) continue;
    const value = values[at]!;
    let place = count++;
    for (; place > 0 && sorted[place - 1]! > value; place--) sorted[place] = sorted[place - 1]!;
    sorted[place] = value;
  }
  const middle = count >> 1;
  return count % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The index of the first neighbour before a point, or its own where it has none before it. */
function firstNeighbour(months: readonly number[], index: number): number {
  let from = index;
  while (from > 0 && index - from < each_side && months[index]! - months[from - 1]! <= within_months) from--;
  return from;
}

/** The index of the last neighbour after a point, or its own where it has none after it. */
function lastNeighbour(months: readonly number[], index: number): number {
  const last = months.length - 1;
  let to = index;
  while (to < last && to - index < each_side && months[to + 1]! - months[index]! <= within_months) to++;
  return to;
}

const areEnough = (from: number, index: number, to: number) =>
  from < index && index < to && to - from >= at_least;

/**
 * Whether a point can be compared with its neighbours: up to three before and three after it, each
 * at most six months away; at least three in all and one on each side.
 */
export const isTestable = ({ months }: Pick<MonthlyPoints, 'months'>, index: number): boolean =>
  areEnough(firstNeighbour(months, index), index, lastNeighbour(months, index));

/**
 * Whether the ratio of a point is within a threshold whatever the median of its neighbours is,
 * because it is so beside the lowest and the highest of them: spares nearly all points the median.
 */
function isClose(values: readonly number[], from: number, index: number, to: number, apart: number): boolean {
  const value = values[index]!;
  let low = Infinity;
  let high = 0;
  for (let at = from; at <= to; at++) {
    if (at === index) continue;
    const other = values[at]!;
    if (other < low) low = other;
    if (other > high) high = other;
  }
  return low > 0 && value / low < apart && value / high > 1 / apart;
}

/**
 * The points of a series that can be compared with their neighbours.
 * @param apart only those whose ratio is beyond this: of a few points in a thousand it is
 */
export function testedPoints({ days, months, values }: MonthlyPoints, apart = 1): TestedPoint[] {
  const tested: TestedPoint[] = [];
  for (let index = 0; index < months.length; index++) {
    const from = firstNeighbour(months, index);
    const to = lastNeighbour(months, index);
    if (!areEnough(from, index, to) || isClose(values, from, index, to, apart)) continue;
    const value = values[index]!;
    const middle = medianOfRange(values, from, to + 1, index);
    const ratio = value / middle;
    if (!isBeyond(ratio, apart)) continue;
    const medianBefore = medianOfRange(values, from, index);
    const step = medianOfRange(values, index + 1, to + 1) / medianBefore;
    tested.push({
      index,
      day: days[index]!,
      value,
      median: middle,
      neighbours: to - from,
      ratio,
      sidesAgree: step > 1 / sides_agree_within && step < sides_agree_within,
    });
  }
  return tested;
}

/** Whether a ratio is at least as far from 1 as a threshold above 1, in either direction. */
export const isBeyond = (ratio: number, threshold: number) => ratio >= threshold || ratio <= 1 / threshold;
