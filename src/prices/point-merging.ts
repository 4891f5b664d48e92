import { isForecast } from './forecast.js';
import type { PointKey } from './point-id.js';

/** A price to be stored. */
export interface NewPoint extends PointKey {
  /** At most 15 significant digits. */
  value: number;
  /** True where the source says that it derived the point from finer data. */
  calculated: boolean;
  /** At most 500 characters; '' is stored as null. */
  comment: string | null;
  /** A forecast replaces a forecast, but never a price that was observed. */
  forecast?: boolean;
}

/** What became of the points of a `write`. */
export interface WriteCounts {
  added: number;
  changed: number;
  unchanged: number;
  /** Left as stored: a forecast for an observed price, or a point marked calculated for an original one. */
  kept: number;
}

/** What a key holds. */
export interface Stored {
  value: number;
  calculated: boolean;
  comment: string | null;
}

/** The points of one batch that have the same key: mostly one, which then stands for itself. */
export type PointGroup = NewPoint | SameKey;

interface SameKey extends PointKey {
  /** In the order they came. */
  points: NewPoint[];
}

/** What a slot is to hold in the end. A single point that was not stored before stands for itself here, too. */
export type MergedPoint = NewPoint | Merged;

interface Merged extends PointKey, Stored {
  /** What became of the points of the slot. */
  readonly counts: Readonly<WriteCounts>;
  /** True where an original point takes the place of a stored one that was marked. */
  readonly unmarks: boolean;
}

/** Points by key, in the order of the table: rows written in that order are written fastest. */
export function groupPoints(points: readonly NewPoint[]): PointGroup[] {
  const ordered = [...points].sort((a, b) => a.serieId - b.serieId || a.period - b.period || a.day - b.day);
  const slots: PointGroup[] = [];
  let last: PointGroup | undefined;
  for (const point of ordered) {
    const { serieId, period, day } = point;
    if (last === undefined || last.serieId !== serieId || last.period !== period || last.day !== day) {
      slots.push((last = point));
    } else if ('points' in last) {
      last.points.push(point);
    } else {
      last = { serieId, period, day, points: [last, point] };
      slots[slots.length - 1] = last;
    }
  }
  return slots;
}

/** What becomes of a single point where nothing is stored. */
const ADDED: Readonly<WriteCounts> = { added: 1, changed: 0, unchanged: 0, kept: 0 };

/** What became of the points of a slot. */
export function countsOf(settled: MergedPoint): Readonly<WriteCounts> {
  return 'counts' in settled ? settled.counts : ADDED;
}

/** Applies the points of a slot, one after the other, to what is stored. */
export function mergePoints(slot: PointGroup, stored: Stored | null): MergedPoint {
  if (stored === null && !('points' in slot)) return slot;
  const { serieId, period, day } = slot;
  const counts: WriteCounts = { added: 0, changed: 0, unchanged: 0, kept: 0 };
  let held = stored;
  for (const point of 'points' in slot ? slot.points : [slot]) {
    if (held !== null && isSuperseded(point, held)) counts.kept++;
    else if (held !== null && isSame(point, held)) counts.unchanged++;
    else {
      counts[held === null ? 'added' : 'changed']++;
      held = point;
    }
  }
  const { value, calculated, comment } = held!;
  const unmarks = stored !== null && stored.calculated && !calculated;
  return { serieId, period, day, value, calculated, comment, counts, unmarks };
}

function isSuperseded(point: NewPoint, held: Stored): boolean {
  return (point.calculated && !held.calculated) || (point.forecast === true && !isForecast(held.comment));
}

function isSame(point: NewPoint, held: Stored): boolean {
  const sameComment = (point.comment || null) === (held.comment || null);
  return point.value === held.value && point.calculated === held.calculated && sameComment;
}
