import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import type { JoinMember } from '../../price-series/joins/series-joins.js';
import { PERIODS, type Period } from '../../price-series/periodicity.js';
import { StoredPoints } from '../derive/derivation.js';

/** A point of one of the joined series. */
export interface Candidate extends Precedence {
  readonly serieId: number;
  readonly period: Period;
  readonly day: number;
  readonly value: number;
  readonly comment: string | null;
  readonly provisional: boolean;
  readonly factor: number;
}

/** What decides which of several points of a frequency and day is shown. */
interface Precedence {
  readonly marked: boolean;
  /** The place of its series among the members. */
  readonly rank: number;
}

/** Orders points of a frequency and day: the first one is shown. */
export const shownFirst = (one: Precedence, other: Precedence) =>
  Number(one.marked) - Number(other.marked) || one.rank - other.rank;

/**
 * The points that a series shows to which others were joined, as if they were stored together. Of
 * several points of a frequency and day, an original is shown rather than one marked calculated,
 * and otherwise that of the preferred series.
 * @param members the series, preferred ones first
 * @param stored their points by series
 */
export function joinedPoints(
  members: readonly JoinMember[],
  stored: ReadonlyMap<number, StoredPoints>,
): StoredPoints {
  const joined = new StoredPoints();
  for (const period of PERIODS) {
    for (const point of shownPoints(members, stored, period)) {
      const { day, value, marked, comment, provisional, factor } = point;
      const shown = factor === 1 ? value : toSignificantDigits(value * factor);
      joined.add(period, day, shown, marked, comment, provisional);
    }
  }
  return joined;
}

/** The points of a frequency that are shown, as they are stored, by day. */
export function shownPoints(
  members: readonly JoinMember[],
  stored: ReadonlyMap<number, StoredPoints>,
  period: Period,
): Candidate[] {
  let lastDay = 0;
  return candidates(members, stored, period)
    .sort(inOrder)
    .filter(({ day }) => {
      const isFirst = day !== lastDay;
      lastDay = day;
      return isFirst;
    });
}

const inOrder = (one: Candidate, other: Candidate) => one.day - other.day || shownFirst(one, other);

function candidates(
  members: readonly JoinMember[],
  stored: ReadonlyMap<number, StoredPoints>,
  period: Period,
): Candidate[] {
  const found: Candidate[] = [];
  for (const [rank, { serieId, factor, firstDay, lastDay }] of members.entries()) {
    const points = stored.get(serieId);
    if (points === undefined) continue;
    for (const marked of [false, true]) {
      const {
        days,
        values,
        comments,
        provisional: marks,
      } = marked ? points.markedCalculated(period) : points.original(period);
      for (const [index, day] of days.entries()) {
        if (day < firstDay || day > lastDay) continue;
        const comment = comments?.[index] ?? null;
        const provisional = marks?.has(day) ?? false;
        found.push({
          serieId,
          period,
          day,
          value: values[index]!,
          comment,
          provisional,
          marked,
          rank,
          factor,
        });
      }
    }
  }
  return found;
}
