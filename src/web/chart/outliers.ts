import { shortNumber } from '../numbers.js';
import { CHARACTER } from './legend.js';
import type { ChartPoint } from './segments.js';

/** Values beyond so many times the percentile hide what all others do. */
const [TIMES, PERCENTILE] = [3, 0.98];
/** Of fewer values none is unusual. */
const LEAST_VALUES = 10;

/**
 * The limit beyond which values are marked at the edge of a chart, with their number: 3 times the
 * 98th percentile, the value below which 98 % of the others are (of few values the second highest).
 * Infinity where no value is beyond it.
 */
export function outlierLimit(lines: readonly { readonly points: readonly ChartPoint[] }[]): number {
  let [count, highest] = [0, -Infinity];
  for (const { points } of lines)
    for (const { value } of points) {
      count++;
      if (value > highest) highest = value;
    }
  if (count < LEAST_VALUES || !(highest > 0)) return Infinity;
  // Nearly always so many are above a third of the highest that no value need be sorted.
  const above = count - 1 - Math.floor(PERCENTILE * (count - 1));
  let near = 0;
  for (const { points } of lines)
    for (const { value } of points) if (TIMES * value >= highest && ++near > above) return Infinity;
  const values = Float64Array.from(lines.flatMap(({ points }) => points.map(({ value }) => value))).sort();
  const limit = TIMES * values[count - 1 - above]!;
  return limit > 0 && highest > limit ? limit : Infinity;
}

/** A value beyond the limits of a chart, at its edge. */
interface EdgeMark {
  readonly line: number;
  readonly x: number;
  /** Whether it is beyond the upper limit. */
  readonly isHigh: boolean;
  /** Its number, or the range of those that are too near each other for more; null for these. */
  readonly label: string | null;
  /** Where the label begins. */
  readonly labelX: number;
}

/**
 * The marks of values beyond what an axis has. Those that are nearer to each other than their
 * numbers are wide have one label.
 * @param left where labels may begin, @param right where they end
 */
export function edgeMarks(
  lines: readonly { readonly points: readonly ChartPoint[] }[],
  [low, high]: readonly [number, number],
  x: (day: number) => number,
  [left, right]: readonly [left: number, right: number],
): EdgeMark[] {
  const marks: EdgeMark[] = [];
  for (const isHigh of [true, false]) {
    const beyond = lines
      .flatMap(({ points }, line) =>
        points
          .filter(({ value }) => (isHigh ? value > high : value < low))
          .map(({ day, value }) => ({ line, x: x(day), value })),
      )
      .sort((one, other) => one.x - other.x);
    for (let from = 0; from < beyond.length;) {
      let [to, label] = [from, ''];
      do {
        const values = beyond.slice(from, ++to).map(({ value }) => value);
        const [least, most] = [Math.min(...values), Math.max(...values)].map(shortNumber);
        label = least === most ? most! : `${least} … ${most}`;
      } while (to < beyond.length && beyond[to]!.x - beyond[from]!.x < label.length * CHARACTER + 12);
      const begin = Math.max(left, Math.min(beyond[from]!.x + 7, right - label.length * CHARACTER));
      for (let index = from; index < to; index++)
        marks.push({ ...beyond[index]!, isHigh, label: index === from ? label : null, labelX: begin });
      from = to;
    }
  }
  return marks;
}
