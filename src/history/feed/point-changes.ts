import { batchesOf } from '../../lib/collections/batches.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { SnapshotReader, SqlValue } from '../../database/reads.js';
import { PERIOD_NAMES, type PeriodName, periodNames } from '../../price-series/periodicity.js';
import { type PointChangeRow, SELECT_POINT_CHANGES } from '../../prices/store/stored-versions.js';
import { sinceOf, type SeriesChangeRow } from './stored-change.js';
import { QUANTITY } from '../../lib/numbers/quantity.js';
import { Constant, Nested, Optional, OrNull } from '../../platform/validation/field.js';
import { CalendarDate, Decimal, Flag, OneOf, Text } from '../../platform/validation/fields.js';

/** The value of a point, as it is stored. */
export class PointValue {
  @Decimal(QUANTITY) price_value!: number;
  @Text() comment!: string;
  /** Whether the source has marked it as derived from finer data. */
  @Flag() calculated!: boolean;
  /** Where its source calls it provisional. */
  @Optional(Constant(true)) provisional?: true;
}

/** A point that a revision has added, changed or removed. */
export class PointChange {
  @OneOf(periodNames) periodicity!: PeriodName;
  @CalendarDate() date!: string;
  /** Null where there was no point. */
  @OrNull(Nested(PointValue)) before!: PointValue | null;
  /** Null where there is none any more. */
  @OrNull(Nested(PointValue)) after!: PointValue | null;
}

/**
 * The points that changes of series have affected, by the changes, in the order of the database.
 * @param atOnce series read by one statement: on a server a statement costs more than its rows
 */
export async function readPointChanges(
  query: SnapshotReader,
  changes: readonly SeriesChangeRow[],
  atOnce: number,
): Promise<Map<SeriesChangeRow, PointChange[]>> {
  const found = new Map<SeriesChangeRow, PointChange[]>();
  const slice = new TimeSlice();
  const affected = changes.filter(({ firstDay }) => firstDay !== null);
  for (const batch of batchesOf(affected, atOnce)) {
    // One series may have several changes in a batch: those of other revisions are read apart.
    for (const group of bySeries(batch)) {
      const rows = await query<PointChangeRow>(
        group.map(() => SELECT_POINT_CHANGES).join(' UNION ALL '),
        group.flatMap(valuesOf),
      );
      const changesOf = new Map(group.map((change) => [change.id, change]));
      const points = new Map(group.map((change) => [change, new Map<number, PointChange>()]));
      for (const row of rows) add(points.get(changesOf.get(row[1])!)!, row);
      for (const [change, byKey] of points)
        found.set(
          change,
          [...byKey].sort(([one], [other]) => one - other).map(([, point]) => point),
        );
    }
    await slice.yield();
  }
  return found;
}

/** Groups in which each series occurs once, in order. */
function bySeries(changes: readonly SeriesChangeRow[]): SeriesChangeRow[][] {
  const groups: SeriesChangeRow[][] = [];
  let seen = new Set<number>();
  for (const change of changes) {
    if (groups.length === 0 || seen.has(change.id)) {
      groups.push([]);
      seen = new Set();
    }
    seen.add(change.id);
    groups.at(-1)!.push(change);
  }
  return groups;
}

function valuesOf({ id, firstDay, lastDay, revision }: SeriesChangeRow): SqlValue[] {
  const key = [id, firstDay, lastDay];
  // Nothing was known until the migration: no version has its revision as an end.
  return [...key, sinceOf(revision), ...key, sinceOf(revision), ...key, revision.number];
}

function add(
  points: Map<number, PointChange>,
  [now, , period, day, price_value, comment, calculated, provisional]: PointChangeRow,
): void {
  const key = period * 10_000_000 + day;
  let point = points.get(key);
  if (point === undefined) {
    point = { periodicity: PERIOD_NAMES[period], date: isoFromDay(day), before: null, after: null };
    points.set(key, point);
  }
  point[now === 1 ? 'after' : 'before'] = {
    price_value,
    comment: comment ?? '',
    calculated: Boolean(calculated),
    ...(provisional === 1 && { provisional: true }),
  };
}
