import type { PointKey } from './point-id.js';

/** A price to be stored. */
export interface NewPoint extends PointKey {
  /** At most 15 significant digits. */
  value: number;
  /** True where the source says that it derived the point from finer data. */
  calculated: boolean;
  /** At most 500 characters; '' is stored as null. */
  comment: string | null;
  /** True where its source calls it provisional. */
  provisional?: boolean;
  /** `adds`: replaces nothing that is stored; `overrules`: everything, as it ends a correction. */
  rule?: 'adds' | 'overrules';
}

/** How many points of a write had which outcome. */
export interface WriteCounts {
  added: number;
  changed: number;
  unchanged: number;
  /**
   * Not written: calculated points where an original is stored, and points that only add where
   * another one is.
   */
  superseded: number;
}

/** The columns of a stored point besides its key. */
export interface StoredPoint {
  value: number;
  calculated: boolean;
  comment: string | null;
  /** True where its source calls it provisional; absent elsewhere. */
  provisional?: boolean;
}

/** The points of one batch that have the same key; mostly there is one, which is its own group. */
export type PointGroup = NewPoint | SameKeyPoints;

interface SameKeyPoints extends PointKey {
  /** In input order. */
  points: NewPoint[];
}

/** What a key holds after the write. A single point that was not stored is returned as it is. */
export type MergedPoint = NewPoint | Merged;

interface Merged extends PointKey, StoredPoint {
  /** The outcomes of the group's points. */
  readonly counts: Readonly<WriteCounts>;
  /** True where an original point replaces a stored one that was marked as calculated. */
  readonly replacesCalculated: boolean;
}

/** Groups points by key, in primary key order: rows are inserted fastest in that order. */
export function groupPoints(points: readonly NewPoint[]): PointGroup[] {
  const ordered = [...points].sort((a, b) => a.serieId - b.serieId || a.period - b.period || a.day - b.day);
  const groups: PointGroup[] = [];
  let last: PointGroup | undefined;
  for (const point of ordered) {
    const { serieId, period, day } = point;
    if (last === undefined || last.serieId !== serieId || last.period !== period || last.day !== day) {
      groups.push((last = point));
    } else if ('points' in last) {
      last.points.push(point);
    } else {
      last = { serieId, period, day, points: [last, point] };
      groups[groups.length - 1] = last;
    }
  }
  return groups;
}

/** The outcome of a single point where nothing is stored. */
const ADDED: Readonly<WriteCounts> = { added: 1, changed: 0, unchanged: 0, superseded: 0 };

/** The outcomes of the points that were merged. */
export function countsOf(merged: MergedPoint): Readonly<WriteCounts> {
  return 'counts' in merged ? merged.counts : ADDED;
}

/** Applies the points of a group, in input order, to the stored point. */
export function mergePoints(group: PointGroup, stored: StoredPoint | null): MergedPoint {
  if (stored === null && !('points' in group)) return group;
  const { serieId, period, day } = group;
  const counts: WriteCounts = { added: 0, changed: 0, unchanged: 0, superseded: 0 };
  let current = stored;
  for (const point of 'points' in group ? group.points : [group]) {
    if (current !== null && isSuperseded(point, current, stored)) counts.superseded++;
    else if (current !== null && isSame(point, current)) counts.unchanged++;
    else {
      counts[current === null ? 'added' : 'changed']++;
      current = point;
    }
  }
  const { value, calculated, comment, provisional } = current!;
  const replacesCalculated = stored !== null && stored.calculated && !calculated;
  return {
    serieId,
    period,
    day,
    value,
    calculated,
    comment,
    ...(provisional && { provisional }),
    counts,
    replacesCalculated,
  };
}

function isSuperseded(point: NewPoint, current: StoredPoint, stored: StoredPoint | null): boolean {
  if (point.rule === 'overrules') return false;
  if (point.rule === 'adds' && stored !== null) return !isSame(point, current);
  return point.calculated && !current.calculated;
}

function isSame(point: NewPoint, current: StoredPoint): boolean {
  return (
    point.value === current.value &&
    point.calculated === current.calculated &&
    (point.comment || null) === (current.comment || null) &&
    Boolean(point.provisional) === Boolean(current.provisional)
  );
}
