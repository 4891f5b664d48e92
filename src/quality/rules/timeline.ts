import type { MonthlyPoints } from './neighbours.js';

/** Points of one of two series in a row, without points of the other between them. */
export interface Run {
  /** 0 or 1: which of the two series. */
  readonly of: 0 | 1;
  /** Indices of its points in the series: from, up to and not including. */
  readonly from: number;
  readonly to: number;
}

/**
 * Two series as one after the other, oldest first; where both have a point of a month, that of the
 * first series comes first.
 */
export function runsOf(one: MonthlyPoints, other: MonthlyPoints): Run[] {
  const runs: { of: 0 | 1; from: number; to: number }[] = [];
  const next = [0, 0];
  while (next[0]! < one.days.length || next[1]! < other.days.length) {
    const of = (one.days[next[0]!] ?? Infinity) <= (other.days[next[1]!] ?? Infinity) ? 0 : 1;
    const at = next[of]!++;
    const last = runs.at(-1);
    if (last?.of === of) last.to = at + 1;
    else runs.push({ of, from: at, to: at + 1 });
  }
  return runs;
}
