import type { Transaction } from '../../ledger/unit-of-work.js';
import type { JoinRow, SeriesJoins } from '../../price-series/joins/series-joins.js';
import { PERIODS } from '../../price-series/periodicity.js';
import type { StoredPoints } from '../derive/derivation.js';
import { readSeriesPoints } from '../store/series-points.js';
import { joinedPoints } from './joined-points.js';

/** What a join changes in the points that a series shows. */
export interface ShownChanges {
  /** Points of days without one before. */
  added: number;
  /** Points that replace others. */
  changed: number;
  /** Points of the joined series that change nothing: the other's is shown, or both are equal. */
  unchanged: number;
  /** Days of the first and the last point that was added or changed. */
  firstDay: number;
  lastDay: number;
}

/** Compares what a series shows before and after a join. */
export async function compareShown(
  transaction: Transaction,
  before: SeriesJoins,
  after: SeriesJoins,
  { from_id, into_id }: JoinRow,
): Promise<ShownChanges> {
  const members = after.shownSeries(into_id);
  const stored = new Map<number, StoredPoints>();
  for (const { serieId } of members) stored.set(serieId, await readSeriesPoints(transaction, serieId));
  const ofBoth = joinedPoints(members, stored);
  const own = joinedPoints(before.shownSeries(into_id), stored);
  const joined = before.shownSeries(from_id).map(({ serieId }) => serieId);
  const shownOfJoined = joinedPoints(
    members.filter(({ serieId }) => joined.includes(serieId)),
    stored,
  );
  const changes = { added: 0, changed: 0, unchanged: 0, firstDay: Infinity, lastDay: -Infinity };
  const [shown, earlier] = [pointsByKey(ofBoth), pointsByKey(own)];
  for (const [key, { day, text }] of shown) {
    const was = earlier.get(key);
    if (was?.text === text) continue;
    changes[was === undefined ? 'added' : 'changed']++;
    changes.firstDay = Math.min(changes.firstDay, day);
    changes.lastDay = Math.max(changes.lastDay, day);
  }
  changes.unchanged = pointsByKey(shownOfJoined).size - changes.added - changes.changed;
  return changes;
}

/** Points by frequency and day, with all of their values as text. */
function pointsByKey(points: StoredPoints): Map<string, { day: number; text: string }> {
  const byKey = new Map<string, { day: number; text: string }>();
  for (const period of PERIODS) {
    for (const marked of [false, true]) {
      const { days, values, comments } = marked ? points.markedCalculated(period) : points.original(period);
      for (const [index, day] of days.entries()) {
        const text = JSON.stringify([values[index], marked, comments?.[index] ?? null]);
        byKey.set(`${period} ${day}`, { day, text });
      }
    }
  }
  return byKey;
}
