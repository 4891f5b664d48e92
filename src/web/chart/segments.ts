/** Days from one month to the next; more mean that something is missing. */
export const MONTH_GAP = 31;

/** A value on a day. */
export interface ChartPoint {
  readonly day: number;
  readonly value: number;
}

/**
 * Divides points, oldest first, where the days between two are more than `gap`: what is missing is
 * not drawn.
 */
export function segmentsOf<P extends { readonly day: number }>(points: readonly P[], gap: number): P[][] {
  const segments: P[][] = [];
  let [segment, before] = [[] as P[], -Infinity];
  for (const point of points) {
    if (point.day - before > gap) segments.push((segment = []));
    segment.push(point);
    before = point.day;
  }
  return segments;
}

/**
 * Leaves out points that cannot be seen: of those that share a column of pixels, the first, the
 * lowest, the highest and the last remain, so that every peak does.
 * @param columnOf the column of a day
 */
export function thinned(points: readonly ChartPoint[], columnOf: (day: number) => number): ChartPoint[] {
  const kept: ChartPoint[] = [];
  for (let from = 0; from < points.length;) {
    const column = columnOf(points[from]!.day);
    let [to, lowest, highest] = [from + 1, from, from];
    for (; to < points.length && columnOf(points[to]!.day) === column; to++) {
      if (points[to]!.value < points[lowest]!.value) lowest = to;
      if (points[to]!.value > points[highest]!.value) highest = to;
    }
    kept.push(points[from]!);
    let last = from;
    for (const index of [Math.min(lowest, highest), Math.max(lowest, highest), to - 1]) {
      if (index > last) kept.push(points[(last = index)]!);
    }
    from = to;
  }
  return kept;
}
