import type { MergedReferences } from './merged-references.js';
import type { PointPlan } from './point-changes.js';
import { joinsOfOthers } from '../../price-series/joins/stored-joins.js';
import { leadsElsewhere } from '../../price-series/series-aliases.js';
import { countPoints } from '../../prices/store/series-points.js';
import type { Reader } from './reading.js';
import type { ReinstatedRecords } from './reinstated-records.js';
import type { RevertOperation } from './revert-operation.js';
import type { RevertCounts } from './revert-counts.js';
import { readSeriesHistories, type SeriesRowValues } from '../../price-series/series-attributes.js';
import type { SeriesRevert } from './series-revert.js';
import { referencesOf } from './series-references.js';
import { effectiveRow, keptRow, planOfRows, reinstatedRow, sameRow } from './effective-row.js';
import { statesOf } from '../../ledger/states.js';

/** What a revert does to some series. */
interface SeriesPlan {
  /** Those that come back or get attributes that they had. */
  readonly restored: SeriesRevert[];
  /**
   * Those that went because nothing used them, though the change set that created them is reverted:
   * they come back if something uses them again.
   */
  readonly reinstated: SeriesRevert[];
  /** Those that go, if they have no points and nothing uses them. */
  readonly made: SeriesRevert[];
  /** Of those that go, the attributes that they get if they stay. */
  readonly kept: SeriesRevert[];
  /** Whether a series is there, or returns if it gets points, before any of them go. */
  readonly canHavePoints: (id: number) => boolean;
  /** Those that this revert has removed already, before it was interrupted. */
  readonly gone: SeriesRevert[];
}

/** Plans what a revert does to series, but for what depends on their points. */
export async function planSeries(
  reader: Reader,
  ids: readonly number[],
  operation: RevertOperation,
  records: ReinstatedRecords,
  merged: MergedReferences,
  counts: RevertCounts,
): Promise<SeriesPlan> {
  const restored: SeriesRevert[] = [];
  const returned: SeriesRevert[] = [];
  const made: SeriesRevert[] = [];
  const kept: SeriesRevert[] = [];
  const gone: SeriesRevert[] = [];
  const there = new Set<number>();
  const plan = planOfRows<SeriesRowValues>(operation, counts, 'series');
  for (const [id, versions] of await readSeriesHistories(reader, ids)) {
    const states = statesOf(versions);
    const stored = states.at(-1)?.value ?? null;
    if (stored !== null) there.add(id);
    if (plan.isDone(states)) {
      if (stored === null) gone.push({ id, stored: states.at(-2)?.value ?? null, values: null });
      continue;
    }
    const effective = effectiveRow(states, merged.given);
    const values = effective && (await merged.lead(effective, states));
    if (values === null) {
      if (stored !== null) {
        made.push({ id, stored, values });
        const stays = await merged.lead(keptRow(states, merged.given), states);
        if (!sameRow(stored, stays) && (await canHave(reader, id, stays, records)))
          kept.push({ id, stored, values: stays });
      } else {
        const reinstated = reinstatedRow(states, merged.given);
        const former = reinstated && (await merged.lead(reinstated, states));
        if (former === null || !(await canHave(reader, id, former, records))) continue;
        returned.push({ id, stored, values: former });
        there.add(id);
      }
    } else if (await plan.changes(states, values, () => canHave(reader, id, values, records))) {
      restored.push({ id, stored, values });
      there.add(id);
    }
  }
  return { restored, reinstated: returned, made, kept, gone, canHavePoints: (id) => there.has(id) };
}

/** Of series that come back if something uses them, those that get points or are joined again. */
export function planReinstatedSeries(
  reinstated: readonly SeriesRevert[],
  { points }: PointPlan,
  joined: ReadonlySet<number>,
  counts: RevertCounts,
): SeriesRevert[] {
  const used = new Set(joined);
  for (const { serieId, values } of points) if (values !== null) used.add(serieId);
  const returned = reinstated.filter(({ id }) => used.has(id));
  counts.series.added += returned.length;
  return returned;
}

/**
 * Of series that go unless something uses them, those that stay and get other attributes. Others
 * that stay are counted as still used.
 */
export function planKeptSeries(
  { made, kept }: SeriesPlan,
  removed: readonly SeriesRevert[],
  counts: RevertCounts,
): SeriesRevert[] {
  const gone = new Set(removed.map(({ id }) => id));
  const stays = kept.filter(({ id }) => !gone.has(id));
  counts.series.changed += stays.length;
  counts.still_used += made.length - removed.length - stays.length;
  return stays;
}

/**
 * Of series that the change set made, those that have no points left and are not joined. Joins that
 * the change set made end with it, also where a dry run still finds them.
 * @param joined the series whose joins are made again
 */
export async function planRemovedSeries(
  reader: Reader,
  changeSetId: number,
  made: readonly SeriesRevert[],
  { points }: PointPlan,
  joined: ReadonlySet<number>,
  counts: RevertCounts,
): Promise<SeriesRevert[]> {
  const left = await countPoints(
    reader,
    made.map(({ id }) => id),
  );
  for (const { serieId, values, isNew } of points) {
    const change = values === null ? -1 : isNew ? 1 : 0;
    left.set(serieId, (left.get(serieId) ?? 0) + change);
  }
  const joins = await joinsOfOthers(reader, changeSetId);
  const used = new Set([...joined, ...joins.flatMap(({ from_id, into_id }) => [from_id, into_id])]);
  const removed = made.filter(({ id }) => (left.get(id) ?? 0) === 0 && !used.has(id));
  counts.series.removed += removed.length;
  return removed;
}

/** Whether the uuid leads to no other series, and the records of the series can be there. */
async function canHave(
  reader: Reader,
  id: number,
  values: SeriesRowValues,
  records: ReinstatedRecords,
): Promise<boolean> {
  return (
    !(await leadsElsewhere(reader, values.uuid, id)) && (await records.canBeThere(referencesOf([values])))
  );
}
