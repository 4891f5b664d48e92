import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { batchesOf } from '../../lib/collections/batches.js';
import type { SqlValue } from '../../database/database.js';
import { driverErrorKind } from '../../database/errors/driver-errors.js';
import type { SeriesChangeValues } from '../../ledger/changes/change-list.js';
import type { WriteResult, Transaction } from '../../ledger/unit-of-work.js';
import type { SeriesJoins } from '../../price-series/joins/series-joins.js';
import {
  DAILY,
  StoredExtents,
  type Period,
  type StoredPeriodicityItem,
} from '../../price-series/periodicity.js';
import { readJoins } from '../../price-series/joins/stored-joins.js';
import {
  DELETE_PERIODS,
  REPLACE_PERIODS,
  SELECT_PERIODS,
  SUPERSEDE_PERIODS,
} from '../../price-series/series-periods.js';
import { joinedExtents } from './joined-extents.js';
import { PeriodicityCache } from './periodicity-cache.js';
import { pointId, type PointKey } from './point-id.js';
import type { RepeatedPoints } from './repeated-points.js';
import {
  countsOf,
  mergePoints,
  groupPoints,
  type NewPoint,
  type MergedPoint,
  type PointGroup,
  type StoredPoint,
  type WriteCounts,
} from './point-merging.js';
import { observationVersions } from './stored-versions.js';
import type { WrittenPoints } from './written-points.js';

/** The stored periodicity of a series, and its extents as the write changes them. */
interface AffectedSeries {
  items: StoredPeriodicityItem[];
  extents: StoredExtents;
}

interface ItemOfSeries {
  readonly serieId: number;
  readonly item: StoredPeriodicityItem;
}

/** In each statement, `{rows}` is replaced with the placeholders of its rows or ids. */
const SELECT_POINTS =
  'SELECT serie_id, period, day, value, calculated, comment, provisional FROM observation WHERE (serie_id, period, day) IN ({rows})';
const SELECT_KEYS = 'SELECT serie_id, period, day FROM observation WHERE serie_id IN ({rows})';
const SELECT_EXISTING =
  'SELECT serie_id, period, day FROM observation WHERE (serie_id, period, day) IN ({rows})';
const SELECT_EXTENTS =
  'SELECT serie_id, period, calculated, MIN(day) AS first, MAX(day) AS last, COUNT(*) AS points FROM observation' +
  ' WHERE serie_id IN ({rows}) GROUP BY serie_id, period, calculated';
/**
 * The last original daily point before the week of the very last one. Weeks begin on Saturday, and
 * day 6 was a Saturday.
 */
const SELECT_LAST_OF_EARLIER_WEEK =
  'SELECT o.serie_id, MAX(o.day) AS day FROM observation o JOIN (SELECT serie_id, MAX(day) AS last FROM observation' +
  ` WHERE serie_id IN ({rows}) AND period = ${DAILY} AND calculated = 0 GROUP BY serie_id) l ON l.serie_id = o.serie_id` +
  ` WHERE o.period = ${DAILY} AND o.calculated = 0 AND o.day < l.last - (l.last + 1) % 7 GROUP BY o.serie_id`;
const POINT_COLUMNS = ['serie_id', 'period', 'day', 'value', 'calculated', 'comment', 'since'];
/** A price that a maintainer sets is final; with another comment it stays what it is. */
const CHANGE_POINT =
  'UPDATE observation SET provisional = CASE WHEN value = ? THEN provisional ELSE 0 END, value = ?, comment = ?,' +
  ' since = ? WHERE serie_id = ? AND period = ? AND day = ?';
const SUPERSEDE_POINTS = observationVersions.supersede('(serie_id, period, day) IN ({rows})');
const SUPERSEDE_POINT = observationVersions.supersede('serie_id = ? AND period = ? AND day = ?');
const DELETE_POINTS = 'DELETE FROM observation WHERE (serie_id, period, day) IN ({rows})';
/**
 * Writes and removes points; nothing else may. The periodicity of the series is updated in the same
 * transaction, and the series get a new revision.
 *
 * Statements write many rows each, and the new periodicity is computed from the stored one: a daily
 * file affects every series with a point or two, and must not read all of their points for that.
 */
@Injectable()
export class ObservationStore {
  /**
   * Stores points: new ones are added, differing ones changed, equal ones left alone. Points of the
   * same key are applied in order. An original point replaces a marked one, never the reverse.
   * @param cache of a writer of many transactions, which calls its `commit` after each of them
   * @throws the driver's error when a series does not exist
   */
  async write(
    transaction: Transaction,
    points: readonly NewPoint[],
    cache: PeriodicityCache | null = null,
    notes: WriteNotes = {},
  ): Promise<WriteCounts> {
    if (cache === null || !transaction.embedded)
      return new ObservationWriter(transaction, undefined, notes).write(points);
    const cachedItems = cache.begin(transaction);
    return new ObservationWriter(transaction, cachedItems, notes, cache.written).write(points);
  }

  /**
   * Gives points the values that they had, or removes those that had none, whatever is stored.
   */
  async restore(transaction: Transaction, points: readonly RestoredPoint[]): Promise<void> {
    await new ObservationWriter(transaction).restore(points);
  }

  /**
   * Changes the price and the comment of a stored point; the periodicity remains as it is.
   * @param joins those in force, if the transaction has read them already
   */
  async change(
    transaction: Transaction,
    { serieId, period, day }: PointKey,
    { value, comment }: Pick<StoredPoint, 'value' | 'comment'>,
    joins?: SeriesJoins,
  ): Promise<void> {
    const { revision } = transaction;
    const key = [serieId, period, day];
    await transaction.executeWithNext(SUPERSEDE_POINT, [revision, revision, ...key]);
    await transaction.executeWithNext(CHANGE_POINT, [value, value, comment || null, revision, ...key]);
    const shownBy = (joins ?? (await readJoins(transaction))).shownBy(serieId);
    for (const { serieId: id, firstDay, lastDay } of [{ serieId, firstDay: day, lastDay: day }, ...shownBy])
      if (day >= firstDay && day <= lastDay)
        transaction.markSeriesModified([id], { changed: 1, firstDay: day, lastDay: day, valuesOnly: true });
  }

  /**
   * Removes points by their keys; keys without a point are ignored.
   * @returns how many points were removed
   */
  async remove(transaction: Transaction, keys: readonly PointKey[]): Promise<number> {
    return new ObservationWriter(transaction).remove(keys);
  }

  /** Computes the stored periodicity of series anew, whose joins have changed. */
  async recompute(transaction: Transaction, serieIds: readonly number[]): Promise<void> {
    await new ObservationWriter(transaction).recompute(serieIds);
  }

  /**
   * Removes all points of some series.
   * @returns how many points were removed
   */
  async removeAll(transaction: Transaction, serieIds: readonly number[]): Promise<number> {
    return new ObservationWriter(transaction).removeAll(serieIds);
  }
}

/** What is told of single points of a write. */
interface WriteNotes {
  /** Where points are noted that are left alone because they are equal. */
  readonly repeated?: RepeatedPoints;
  /** Called with points that are new. */
  readonly onAdded?: (point: PointKey) => void;
}

/** A point, and the values that it had; null where there was none. */
export interface RestoredPoint extends PointKey {
  readonly values: StoredPoint | null;
}

/** The most values that a statement for one point binds. */
const VALUES_OF_A_POINT = 7;

/** Executes one call: knows the periods of the series that it affects, and runs its statements. */
class ObservationWriter {
  /**
   * A database server is fastest with as many rows per statement as our rules allow. SQLite
   * keeps each length of a statement prepared, and longer ones gain nothing.
   */
  private readonly rowsPerStatement: number;
  /** Those that it affects, as they are stored: the data revision's lock keeps others from them. */
  private readonly series = new Map<number, AffectedSeries>();
  private readonly changed = new Map<number, PointChanges>();
  private readonly counts: WriteCounts = { added: 0, changed: 0, unchanged: 0, superseded: 0 };

  /**
   * @param cachedItems items that need not be read; those that are read or changed are added
   * @param written where points of series are noted that had none
   */
  constructor(
    private readonly transaction: Transaction,
    private readonly cachedItems: Map<number, StoredPeriodicityItem[]> = new Map(),
    private readonly notes: WriteNotes = {},
    private readonly written: WrittenPoints | null = null,
  ) {
    this.rowsPerStatement = transaction.embedded ? 200 : 1000;
  }

  async write(points: readonly NewPoint[]): Promise<WriteCounts> {
    const groups = groupPoints(points);
    await this.load(groups.map(({ serieId }) => serieId));
    const overlapping: PointGroup[] = [];
    const outside: PointGroup[] = [];
    for (const group of groups) (this.isWithinStored(group) ? overlapping : outside).push(group);
    const replacements: MergedPoint[] = [];
    for (const batch of this.batches(overlapping)) await this.merge(batch, replacements);
    for (const batch of this.batches(outside)) {
      // Most likely all of them are new; only points hidden behind finer ones may exist already.
      const merged = batch.map((group) => mergePoints(group, null));
      if (await this.tryInsert(merged)) this.record(merged);
      else await this.merge(batch, replacements);
    }
    for (const batch of this.batches(replacements)) {
      await this.supersede(SUPERSEDE_POINTS, 3, keyValues(batch));
      await this.writePoints('REPLACE', batch);
      this.record(batch);
    }
    await this.savePeriods();
    return this.counts;
  }

  async remove(keys: readonly PointKey[]): Promise<number> {
    const ids = keys.map(({ serieId }) => serieId);
    await this.load(ids);
    let removed = 0;
    for (const batch of this.batches(keys)) {
      const stored = await this.select<KeyRow>(SELECT_EXISTING, 3, keyValues(batch));
      if (stored.length === 0) continue;
      const found = stored.map(({ serie_id: serieId, period, day }) => ({ serieId, period, day }));
      await this.supersede(SUPERSEDE_POINTS, 3, keyValues(found));
      await this.execute(DELETE_POINTS, 3, keyValues(found));
      for (const key of found) this.note(key, 'removed');
      removed += found.length;
    }
    if (removed > 0) await this.recompute(ids);
    return removed;
  }

  async restore(points: readonly RestoredPoint[]): Promise<void> {
    await this.load(points.map(({ serieId }) => serieId));
    await this.remove(points.filter(({ values }) => values === null));
    const kept = points.flatMap(({ values, ...key }) => (values === null ? [] : [{ ...key, ...values }]));
    for (const batch of this.batches(kept)) {
      const stored = await this.select<KeyRow>(SELECT_EXISTING, 3, keyValues(batch));
      const existing = new Set(stored.map((row) => pointId(row.serie_id, row.period, row.day)));
      await this.supersede(SUPERSEDE_POINTS, 3, keyValues(batch));
      await this.writePoints('REPLACE', batch);
      for (const point of batch) {
        const { serieId, period, day } = point;
        this.note(point, existing.has(pointId(serieId, period, day)) ? 'changed' : 'added');
      }
    }
    if (kept.length > 0) await this.recompute(kept.map(({ serieId }) => serieId));
  }

  async removeAll(ids: readonly number[]): Promise<number> {
    let removed = 0;
    // Series by series, because one may have thousands of points.
    for (const id of new Set(ids)) {
      const keys = await this.select<{ period: Period; day: number }>(SELECT_KEYS, 1, [id]);
      removed += await this.remove(keys.map(({ period, day }) => ({ serieId: id, period, day })));
    }
    return removed;
  }

  async recompute(ids: readonly number[]): Promise<void> {
    await this.load(ids);
    const existing = [...new Set(ids)].filter((id) => this.series.has(id));
    for (const batch of this.batches(existing)) {
      const extents = await this.select<ExtentRow>(SELECT_EXTENTS, 1, batch);
      const earlier = await this.select<{ serie_id: number; day: number }>(
        SELECT_LAST_OF_EARLIER_WEEK,
        1,
        batch,
      );
      for (const id of batch) {
        this.series.get(id)!.extents = new StoredExtents();
        this.changeOf(id);
      }
      for (const { serie_id, period, calculated, first, last, points } of extents) {
        this.series.get(serie_id)!.extents.set(period, Boolean(calculated), { first, last, points });
      }
      for (const { serie_id, day } of earlier) this.series.get(serie_id)!.extents.setLastOfEarlierWeek(day);
    }
    await this.savePeriods();
  }

  /** Reads the periodicity of series not read yet. */
  private async load(ids: readonly number[]): Promise<void> {
    const missing: number[] = [];
    for (const id of new Set(ids)) {
      if (this.series.has(id)) continue;
      const items = this.cachedItems.get(id);
      if (items) this.series.set(id, { items, extents: StoredExtents.ofItems(items) });
      else missing.push(id);
    }
    for (const batch of this.batches(missing)) {
      for (const row of await this.select<PeriodRow>(SELECT_PERIODS, 1, batch)) {
        let series = this.series.get(row.id);
        if (!series) this.series.set(row.id, (series = { items: [], extents: new StoredExtents() }));
        if (row.period !== null) series.items.push(itemOf(row.period, row));
      }
      for (const id of batch) {
        const series = this.series.get(id);
        if (!series) continue;
        series.extents = StoredExtents.ofItems(series.items);
        this.cachedItems.set(id, series.items);
        if (series.items.length === 0) this.written?.begin(id);
      }
    }
  }

  /** Whether a point lies between the first and the last stored point that its series serves. */
  private isWithinStored({ serieId, period, day }: PointGroup): boolean {
    const item = this.series.get(serieId)?.items.find((one) => one.period === period);
    return item !== undefined && item.points > 0 && day >= item.start && day <= item.end;
  }

  /** Writes points that may be stored already; replacements are left to the caller. */
  private async merge(groups: readonly PointGroup[], replacements: MergedPoint[]): Promise<void> {
    const stored = new Map<number, StoredPoint>();
    for (const row of await this.select<PointRow>(SELECT_POINTS, 3, keyValues(groups))) {
      const { value, calculated, comment, provisional } = row;
      stored.set(pointId(row.serie_id, row.period, row.day), {
        value,
        calculated: Boolean(calculated),
        comment,
        ...(provisional === 1 && { provisional: true }),
      });
    }
    const added: MergedPoint[] = [];
    const skipped: MergedPoint[] = [];
    for (const group of groups) {
      const merged = mergePoints(group, stored.get(pointId(group.serieId, group.period, group.day)) ?? null);
      const { added: isAdded, changed: isChanged } = countsOf(merged);
      (isAdded > 0 ? added : isChanged > 0 ? replacements : skipped).push(merged);
    }
    if (added.length > 0) await this.writePoints('INSERT', added);
    this.record(added);
    this.record(skipped);
  }

  /** Inserts points, or none of them if one is stored already; the transaction remains usable. */
  private async tryInsert(points: readonly MergedPoint[]): Promise<boolean> {
    try {
      await this.writePoints('INSERT', points);
      return true;
    } catch (error) {
      if (driverErrorKind(error) !== 'duplicate') throw error;
      return false;
    }
  }

  /** Counts written points, and extends their series. */
  private record(written: readonly MergedPoint[]): void {
    for (const point of written) {
      const { serieId, period, day, calculated } = point;
      const counts = countsOf(point);
      this.counts.added += counts.added;
      this.counts.changed += counts.changed;
      this.counts.unchanged += counts.unchanged;
      this.counts.superseded += counts.superseded;
      if (counts.unchanged > 0) this.notes.repeated?.add(point);
      if (counts.added > 0) this.notes.onAdded?.(point);
      if (counts.added === 0 && counts.changed === 0) continue;
      this.note(point, counts.added > 0 ? 'added' : 'changed');
      this.written?.add(point);
      const replacesCalculated = 'replacesCalculated' in point && point.replacesCalculated;
      if (counts.added > 0 || replacesCalculated)
        this.series.get(serieId)!.extents.add(period, day, calculated);
    }
  }

  /** Stores items that have changed, and marks their series as changed. */
  private async savePeriods(): Promise<void> {
    const changedItems: ItemOfSeries[] = [];
    const removedItems: ItemOfSeries[] = [];
    await this.includeJoined();
    for (const id of this.changed.keys()) {
      const series = this.series.get(id)!;
      const items = series.extents.items();
      for (const item of items) {
        if (!series.items.some((stored) => sameItem(stored, item))) changedItems.push({ serieId: id, item });
      }
      for (const item of series.items) {
        if (!items.some(({ period }) => period === item.period)) removedItems.push({ serieId: id, item });
      }
      series.items = items;
      this.cachedItems.set(id, items);
    }
    for (const batch of this.batches(changedItems)) {
      await this.supersede(SUPERSEDE_PERIODS, 2, periodKeyValues(batch));
      await this.execute(REPLACE_PERIODS, 7, this.periodValues(batch));
    }
    for (const batch of this.batches(removedItems)) {
      await this.supersede(SUPERSEDE_PERIODS, 2, periodKeyValues(batch));
      await this.execute(DELETE_PERIODS, 2, periodKeyValues(batch));
    }
    for (const [id, change] of this.changed) this.transaction.markSeriesModified([id], change);
    this.changed.clear();
  }

  /**
   * Series that show points of others change with them, and their periodicity covers the points of
   * all. A join is rare: it is computed anew.
   */
  private async includeJoined(): Promise<void> {
    const joins = await readJoins(this.transaction);
    const own = [...this.changed].map(([id, change]) => [id, { ...change }] as const);
    for (const [id, change] of own) {
      for (const { serieId, firstDay, lastDay } of joins.shownBy(id)) {
        if (change.lastDay < firstDay || change.firstDay > lastDay) continue;
        await this.load([serieId]);
        addChange(this.changeOf(serieId), change);
      }
    }
    for (const id of this.changed.keys()) {
      const members = joins.membersOf(id);
      if (members !== null) this.series.get(id)!.extents = await joinedExtents(this.transaction, members);
    }
  }

  /** Notes what has happened to a point of a series, for its revision. */
  private note({ serieId, day }: PointKey, what: 'added' | 'changed' | 'removed'): void {
    const change = this.changeOf(serieId);
    change[what]++;
    if (day < change.firstDay) change.firstDay = day;
    if (day > change.lastDay) change.lastDay = day;
  }

  private changeOf(serieId: number): PointChanges {
    let change = this.changed.get(serieId);
    if (change === undefined) {
      change = { added: 0, changed: 0, removed: 0, firstDay: Infinity, lastDay: -Infinity };
      this.changed.set(serieId, change);
    }
    return change;
  }

  /** Keeps rows that are about to be replaced or deleted, by their keys. */
  private async supersede(sql: string, columns: number, keys: readonly SqlValue[]): Promise<void> {
    const { revision } = this.transaction;
    await this.yieldToRequests(keys);
    const text = this.withPlaceholders(sql, columns, keys.length);
    await this.transaction.execute(text, [revision, revision, ...keys]);
  }

  /** The column of the mark, which few have, is written where one of the points has it. */
  private writePoints(
    verb: 'INSERT' | 'REPLACE',
    points: readonly (PointKey & StoredPoint)[],
  ): Promise<unknown> {
    const { revision } = this.transaction;
    const hasMarks = points.some(({ provisional }) => provisional === true);
    const columns = hasMarks ? [...POINT_COLUMNS, 'provisional'] : POINT_COLUMNS;
    const values: SqlValue[] = [];
    for (const { serieId, period, day, value, calculated, comment, provisional } of points) {
      values.push(serieId, period, day, value, calculated ? 1 : 0, comment || null, revision);
      if (hasMarks) values.push(provisional ? 1 : 0);
    }
    const sql = `${verb} INTO observation (${columns.join(', ')}) VALUES {rows}`;
    return this.execute(sql, columns.length, values);
  }

  private periodValues(periods: readonly ItemOfSeries[]): SqlValue[] {
    const { revision } = this.transaction;
    const values: SqlValue[] = [];
    for (const { serieId, item } of periods) {
      const { period, start, end, calculated, points } = item;
      values.push(serieId, period, start, end, calculated ? 1 : 0, points, revision);
    }
    return values;
  }

  private *batches<T>(all: readonly T[]): Iterable<readonly T[]> {
    for (const batch of batchesOf(all, this.rowsPerStatement)) {
      yield batch;
    }
  }

  private async select<T>(sql: string, columns: number, values: readonly SqlValue[]): Promise<T[]> {
    await this.yieldToRequests(values);
    return this.transaction.rows<T>(this.withPlaceholders(sql, columns, values.length), values);
  }

  private async execute(sql: string, columns: number, values: readonly SqlValue[]): Promise<WriteResult> {
    await this.yieldToRequests(values);
    return this.transaction.execute(this.withPlaceholders(sql, columns, values.length), values);
  }

  private withPlaceholders(sql: string, columns: number, values: number): string {
    const row = columns === 1 ? '?' : `(?${',?'.repeat(columns - 1)})`;
    const rows = row + `,${row}`.repeat(values / columns - 1);
    // SQLite accepts a list of row values only as a table.
    const asTable = this.transaction.embedded && columns > 1 && sql.includes(' IN ');
    return sql.replace('{rows}', asTable ? `VALUES ${rows}` : rows);
  }

  /**
   * SQLite runs on the event loop, so requests are served between two statements. The yield is not
   * by time: a reply takes several turns of the loop, and even three yields per millisecond leave
   * readers behind a busy writer. The statements for one point take a few microseconds each.
   */
  private async yieldToRequests(values: readonly SqlValue[]): Promise<void> {
    if (this.transaction.embedded && values.length > VALUES_OF_A_POINT) await nextTurn();
  }
}

/** What has happened to the points of a series. */
type PointChanges = Omit<SeriesChangeValues, 'action' | 'valuesOnly'>;

function addChange(total: PointChanges, { added, changed, removed, firstDay, lastDay }: PointChanges): void {
  total.added += added;
  total.changed += changed;
  total.removed += removed;
  total.firstDay = Math.min(total.firstDay, firstDay);
  total.lastDay = Math.max(total.lastDay, lastDay);
}

interface KeyRow {
  serie_id: number;
  period: Period;
  day: number;
}

interface PointRow {
  serie_id: number;
  period: Period;
  day: number;
  value: number;
  calculated: number | boolean;
  comment: string | null;
  provisional: number;
}

interface PeriodRow {
  id: number;
  /** Null, as the other columns, for a series without periodicity. */
  period: Period | null;
  start_day: number;
  end_day: number;
  calculated: number | boolean;
  points: number;
}

interface ExtentRow {
  serie_id: number;
  period: Period;
  calculated: number | boolean;
  first: number;
  last: number;
  points: number;
}

/** The values of keys, points or periodicity items in one list, as statements bind them. */
function keyValues(keys: readonly PointKey[]): SqlValue[] {
  const values: SqlValue[] = [];
  for (const { serieId, period, day } of keys) values.push(serieId, period, day);
  return values;
}

function itemOf(
  period: Period,
  { start_day, end_day, calculated, points }: PeriodRow,
): StoredPeriodicityItem {
  return { period, start: start_day, end: end_day, calculated: Boolean(calculated), points };
}

const periodKeyValues = (periods: readonly ItemOfSeries[]): SqlValue[] =>
  periods.flatMap(({ serieId, item }) => [serieId, item.period]);

function sameItem(one: StoredPeriodicityItem, other: StoredPeriodicityItem): boolean {
  return (
    one.period === other.period &&
    one.start === other.start &&
    one.end === other.end &&
    one.calculated === other.calculated &&
    one.points === other.points
  );
}
