import { placeholders } from '../../database/sql.js';
import type { RestoredPoint } from '../../prices/store/observation-store.js';
import { pointId, type PointKey } from '../../prices/store/point-id.js';
import type { StoredPoint } from '../../prices/store/point-merging.js';
import { observationVersions } from '../../prices/store/stored-versions.js';
import {
  maintainersRevisions,
  pointMarks,
  pointName,
  withMaintainers,
  type StateReading,
} from './correction-ends.js';
import { type Reader } from './reading.js';
import type { RevertOperation } from './revert-operation.js';
import type { RevertCounts } from './revert-counts.js';
import { RevertPlan } from './revert-plan.js';
import { effectiveState, statesOf, type State, type StoredVersion } from '../../ledger/states.js';

/** A series whose points a change set has affected, with day numbers of the first and last. */
export interface AffectedSeries {
  readonly id: number;
  /** Null where it has affected no points. */
  readonly firstDay: number | null;
  readonly lastDay: number | null;
  /** How many points it has added, changed and removed. */
  readonly points: number;
}

type VersionRow = {
  serie_id: number;
  period: PointKey['period'];
  day: number;
  since: number;
  until: number | null;
  value: number;
  calculated: number | boolean;
  comment: string | null;
  provisional: number;
};

/** Points of some series, with all of their versions. */
const selectVersions = (ids: number) =>
  observationVersions.selectVersions(
    'serie_id, period, day, value, calculated, comment, provisional',
    `WHERE serie_id IN (${placeholders(ids)}) AND period IN (1, 2, 3) AND day BETWEEN ? AND ?`,
  );

/** What a revert does to points. */
export interface PointPlan {
  readonly points: (RestoredPoint & { readonly isNew: boolean })[];
  /** Points that it has reverted already, before it was interrupted. */
  readonly done: PointKey[];
}

interface PointHistory {
  readonly key: PointKey;
  readonly versions: StoredVersion<StoredPoint>[];
}

/**
 * What a revert does to the points of some series: those whose value is still the one that the
 * change set gave get the one before, or go.
 * @param isThere whether a series is there afterwards, so that it can have points
 */
export async function planPoints(
  reader: Reader,
  series: readonly AffectedSeries[],
  operation: RevertOperation,
  isThere: (serieId: number) => boolean,
  counts: RevertCounts,
): Promise<PointPlan> {
  const points: PointPlan['points'] = [];
  const done: PointKey[] = [];
  const effective = (states: readonly State<StoredPoint>[]) => valueOf(effectiveState(states, operation));
  const plan = new RevertPlan<StoredPoint>(operation, counts, {
    counted: 'points',
    same: samePoint,
    effective,
  });
  for (const { key, states } of await readStates(reader, series)) {
    if (plan.isDone(states)) done.push(key);
    else if (operation.concerns(states)) {
      const values = effective(states);
      if (await plan.changes(states, values, () => values === null || isThere(key.serieId)))
        points.push({ ...key, values, isNew: valueOf(states.at(-1)) === null });
    }
  }
  return { points, done };
}

/** All versions of the points that the change set may have affected. */
async function readHistories(
  reader: Reader,
  series: readonly AffectedSeries[],
): Promise<Iterable<PointHistory>> {
  const histories = new Map<number, PointHistory>();
  for (const { ids, firstDay, lastDay } of byDays(series)) {
    const values = [...ids, firstDay, lastDay];
    for (const row of await reader.rows<VersionRow>(selectVersions(ids.length), [...values, ...values])) {
      const { serie_id: serieId, period, day, since, until, value, calculated, comment, provisional } = row;
      const id = pointId(serieId, period, day);
      let history = histories.get(id);
      if (history === undefined)
        histories.set(id, (history = { key: { serieId, period, day }, versions: [] }));
      history.versions.push({
        since,
        until,
        value: {
          value,
          calculated: Boolean(calculated),
          comment,
          ...(provisional === 1 && { provisional: true }),
        },
      });
    }
  }
  return histories.values();
}

/** The states of the points that the change set may have affected, with who gave them. */
async function readStates(
  reader: Reader,
  series: readonly AffectedSeries[],
): Promise<{ key: PointKey; states: State<StoredPoint>[] }[]> {
  const ids = series.map(({ id }) => id);
  const marks = await pointMarks(reader, ids);
  const found = [...(await readHistories(reader, series))].map(({ key, versions }) => ({
    key,
    states: statesOf(versions),
  }));
  const isCorrected = ({ key }: { key: PointKey }) => marks.has(pointName(key));
  const corrected = found.filter(isCorrected).map(({ states }) => states);
  const maintainers = await maintainersRevisions(reader, corrected);
  return found.map(({ key, states }) => ({
    key,
    states: withMaintainers(states, marks.get(pointName(key)) ?? [], maintainers, POINTS),
  }));
}

/** All states of one point. */
export async function pointStates(reader: Reader, point: PointKey): Promise<State<StoredPoint>[]> {
  const { serieId: id, period, day } = point;
  const series = [{ id, firstDay: day, lastDay: day, points: 1 }];
  const found = (await readStates(reader, series)).find(({ key }) => key.period === period);
  return found?.states ?? [];
}

/** The series by the days between which they were affected: those of a daily file have the same. */
function byDays(series: readonly AffectedSeries[]) {
  const groups = new Map<string, { ids: number[]; firstDay: number; lastDay: number }>();
  for (const { id, firstDay, lastDay } of series) {
    if (firstDay === null || lastDay === null) continue;
    const name = `${firstDay} ${lastDay}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { ids: [id], firstDay, lastDay });
    else group.ids.push(id);
  }
  return groups.values();
}

export const valueOf = <T>(state: State<T> | null | undefined): T | null => state?.value ?? null;

/** The mark alone makes no difference: it comes and goes with values. */
export const samePoint = (one: StoredPoint, other: StoredPoint): boolean =>
  one.value === other.value &&
  one.calculated === other.calculated &&
  (one.comment || null) === (other.comment || null);

/** How the states of points are read, and those of rates and indices as points. */
export const POINTS: StateReading<StoredPoint> = {
  same: samePoint,
  baseOf: ({ base_value: value, base_comment: comment, calculated }) =>
    value === null ? null : { value, comment, calculated: Boolean(calculated) },
};
