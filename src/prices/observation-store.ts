import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqlValue } from '../database/database.js';
import { driverErrorKind } from '../database/driver-errors.js';
import { SELECT_REVISIONS } from '../database/revisions.js';
import type { Changes, Transaction } from '../database/unit-of-work.js';
import { DAILY, StoredExtents, type Period, type PeriodItem } from '../price-series/periodicity.js';
import { PeriodMemory } from './period-memory.js';
import { pointId, type PointKey } from './point-id.js';
import {
  countsOf,
  mergePoints,
  groupPoints,
  type NewPoint,
  type MergedPoint,
  type PointGroup,
  type Stored,
  type WriteCounts,
} from './point-merging.js';

/** The items of a series as stored, and its extents as they become by what is written. */
interface TouchedSeries {
  items: PeriodItem[];
  extents: StoredExtents;
}

interface PeriodOfSeries {
  readonly serieId: number;
  readonly item: PeriodItem;
}

/** In each statement `{rows}` stands for its rows or ids. */
const SELECT_PERIODS =
  'SELECT s.id, p.period, p.start_day, p.end_day, p.calculated, p.points FROM price_serie s' +
  ' LEFT JOIN series_period p ON p.serie_id = s.id WHERE s.id IN ({rows}) ORDER BY s.id, p.period';
const SELECT_POINTS =
  'SELECT serie_id, period, day, value, calculated, comment FROM observation WHERE (serie_id, period, day) IN ({rows})';
const SELECT_KEYS = 'SELECT serie_id, period, day FROM observation WHERE serie_id IN ({rows})';
const SELECT_EXTENTS =
  'SELECT serie_id, period, calculated, MIN(day) AS first, MAX(day) AS last, COUNT(*) AS points FROM observation' +
  ' WHERE serie_id IN ({rows}) GROUP BY serie_id, period, calculated';
/** The last original daily point before the week of the very last: a Saturday begins a week, and day 6 was one. */
const SELECT_LAST_OF_EARLIER_WEEK =
  'SELECT o.serie_id, MAX(o.day) AS day FROM observation o JOIN (SELECT serie_id, MAX(day) AS last FROM observation' +
  ` WHERE serie_id IN ({rows}) AND period = ${DAILY} AND calculated = 0 GROUP BY serie_id) l ON l.serie_id = o.serie_id` +
  ` WHERE o.period = ${DAILY} AND o.calculated = 0 AND o.day < l.last - (l.last + 1) % 7 GROUP BY o.serie_id`;
const INSERT_POINTS =
  'INSERT INTO observation (serie_id, period, day, value, calculated, comment) VALUES {rows}';
const REPLACE_POINTS =
  'REPLACE INTO observation (serie_id, period, day, value, calculated, comment) VALUES {rows}';
const DELETE_POINTS = 'DELETE FROM observation WHERE (serie_id, period, day) IN ({rows})';
const REPLACE_PERIODS =
  'REPLACE INTO series_period (serie_id, period, start_day, end_day, calculated, points) VALUES {rows}';
const DELETE_PERIODS = 'DELETE FROM series_period WHERE (serie_id, period) IN ({rows})';

/**
 * The one way points are written or removed. The periods of the series, as served, follow in the same transaction, and the series
 * are stamped as changed.
 *
 * Statements take many rows each, and what a batch adds to the periods is told from the periods themselves: a daily file touches
 * every series with a point or two, and must not read all of its points again for that.
 */
@Injectable()
export class ObservationStore {
  /**
   * Stores points: new ones are added, differing ones changed, equal ones left. Points of the same key count one after the other. An
   * original point replaces a marked one, never the reverse; a forecast never replaces an observed price.
   * @param memory of a writer of many transactions, who tells it of each that has been stored
   * @throws the driver's error when a series does not exist
   */
  async write(
    transaction: Transaction,
    points: readonly NewPoint[],
    memory: PeriodMemory | null = null,
  ): Promise<WriteCounts> {
    if (memory === null || !transaction.embedded) return new Batch(transaction).write(points);
    const [row] = await transaction.rows<{ revision: number }>(SELECT_REVISIONS);
    return new Batch(transaction, memory.begin(row!.revision)).write(points);
  }

  /**
   * Removes points by their keys; keys without a point are passed over.
   * @returns how many points were removed
   */
  async remove(transaction: Transaction, keys: readonly PointKey[]): Promise<number> {
    return new Batch(transaction).remove(keys);
  }

  /**
   * Removes all points of some series.
   * @returns how many points were removed
   */
  async removeAll(transaction: Transaction, serieIds: readonly number[]): Promise<number> {
    return new Batch(transaction).removeAll(serieIds);
  }
}

/** The work of one call: the series it touches and the statements it sends. */
class Batch {
  /**
   * Rows a statement. The server is best served with as many as the rules allow; the embedded engine keeps each length of a
   * statement prepared and gains nothing by longer ones.
   */
  private readonly rowsPerStatement: number;
  /** On a server, two writers of one series wait for each other, and read what the other has stored. */
  private readonly lock: string;
  private readonly series = new Map<number, TouchedSeries>();
  private readonly changed = new Set<number>();
  private readonly counts: WriteCounts = { added: 0, changed: 0, unchanged: 0, kept: 0 };

  /** @param known periods that need not be read; those that are read or change are noted there */
  constructor(
    private readonly transaction: Transaction,
    private readonly known: Map<number, PeriodItem[]> = new Map(),
  ) {
    this.rowsPerStatement = transaction.embedded ? 200 : 1000;
    this.lock = transaction.embedded ? '' : ' FOR UPDATE';
  }

  async write(points: readonly NewPoint[]): Promise<WriteCounts> {
    const slots = groupPoints(points);
    await this.load(slots.map(({ serieId }) => serieId));
    const known: PointGroup[] = [];
    const unknown: PointGroup[] = [];
    for (const slot of slots) (this.isWithinStored(slot) ? known : unknown).push(slot);
    const replacements: MergedPoint[] = [];
    for (const part of this.parts(known)) await this.merge(part, replacements);
    for (const part of this.parts(unknown)) {
      // Most likely all of them are new; only points hidden behind finer ones can be in the way.
      const settled = part.map((slot) => mergePoints(slot, null));
      if (await this.insertedAll(settled)) this.note(settled);
      else await this.merge(part, replacements);
    }
    for (const part of this.parts(replacements)) {
      await this.send(REPLACE_POINTS, 6, pointValues(part));
      this.note(part);
    }
    await this.savePeriods();
    return this.counts;
  }

  async remove(keys: readonly PointKey[]): Promise<number> {
    const ids = keys.map(({ serieId }) => serieId);
    await this.load(ids);
    let removed = 0;
    for (const part of this.parts(keys)) {
      const { affected } = await this.send(DELETE_POINTS, 3, keyValues(part));
      removed += affected;
    }
    if (removed > 0) await this.recompute(ids);
    return removed;
  }

  async removeAll(ids: readonly number[]): Promise<number> {
    await this.load(ids);
    let removed = 0;
    // Series by series, because one may have thousands of points.
    for (const id of this.series.keys()) {
      const keys = await this.select<{ period: Period; day: number }>(SELECT_KEYS, 1, [id]);
      removed += await this.remove(keys.map(({ period, day }) => ({ serieId: id, period, day })));
    }
    return removed;
  }

  private async recompute(ids: readonly number[]): Promise<void> {
    await this.load(ids);
    const known = [...new Set(ids)].filter((id) => this.series.has(id));
    for (const part of this.parts(known)) {
      const extents = await this.select<ExtentRow>(SELECT_EXTENTS, 1, part);
      const earlier = await this.select<{ serie_id: number; day: number }>(
        SELECT_LAST_OF_EARLIER_WEEK,
        1,
        part,
      );
      for (const id of part) {
        this.series.get(id)!.extents = new StoredExtents();
        this.changed.add(id);
      }
      for (const { serie_id, period, calculated, first, last, points } of extents) {
        this.series.get(serie_id)!.extents.set(period, Boolean(calculated), { first, last, points });
      }
      for (const { serie_id, day } of earlier) this.series.get(serie_id)!.extents.setLastOfEarlierWeek(day);
    }
    await this.savePeriods();
  }

  /** Reads the periods of series that are not at hand yet, and locks the series against other writers. */
  private async load(ids: readonly number[]): Promise<void> {
    const missing: number[] = [];
    for (const id of new Set(ids)) {
      if (this.series.has(id)) continue;
      const items = this.known.get(id);
      if (items) this.series.set(id, { items, extents: StoredExtents.ofItems(items) });
      else missing.push(id);
    }
    for (const part of this.parts(missing)) {
      for (const row of await this.select<PeriodRow>(SELECT_PERIODS, 1, part)) {
        let series = this.series.get(row.id);
        if (!series) this.series.set(row.id, (series = { items: [], extents: new StoredExtents() }));
        if (row.period !== null) series.items.push(itemOf(row.period, row));
      }
      for (const id of part) {
        const series = this.series.get(id);
        if (!series) continue;
        series.extents = StoredExtents.ofItems(series.items);
        this.known.set(id, series.items);
      }
    }
  }

  /** Whether a slot lies between the first and the last stored point that its series serves. */
  private isWithinStored({ serieId, period, day }: PointGroup): boolean {
    const item = this.series.get(serieId)?.items.find((one) => one.period === period);
    return item !== undefined && item.points > 0 && day >= item.start && day <= item.end;
  }

  /** Writes slots that may be stored already; what replaces a stored point is left to the caller. */
  private async merge(slots: readonly PointGroup[], replacements: MergedPoint[]): Promise<void> {
    const stored = new Map<number, Stored>();
    for (const row of await this.select<PointRow>(SELECT_POINTS, 3, keyValues(slots))) {
      const { value, calculated, comment } = row;
      stored.set(pointId(row.serie_id, row.period, row.day), {
        value,
        calculated: Boolean(calculated),
        comment,
      });
    }
    const added: MergedPoint[] = [];
    const left: MergedPoint[] = [];
    for (const slot of slots) {
      const settled = mergePoints(slot, stored.get(pointId(slot.serieId, slot.period, slot.day)) ?? null);
      const { added: isAdded, changed: isChanged } = countsOf(settled);
      (isAdded > 0 ? added : isChanged > 0 ? replacements : left).push(settled);
    }
    if (added.length > 0) await this.send(INSERT_POINTS, 6, pointValues(added));
    this.note(added);
    this.note(left);
  }

  /** Adds points unless one of them is stored already: then none is added, and the transaction goes on. */
  private async insertedAll(settled: readonly MergedPoint[]): Promise<boolean> {
    try {
      await this.send(INSERT_POINTS, 6, pointValues(settled));
      return true;
    } catch (error) {
      if (driverErrorKind(error) !== 'duplicate') throw error;
      return false;
    }
  }

  /** Counts what was written, and extends the series by it. */
  private note(written: readonly MergedPoint[]): void {
    for (const settled of written) {
      const { serieId, period, day, calculated } = settled;
      const counts = countsOf(settled);
      this.counts.added += counts.added;
      this.counts.changed += counts.changed;
      this.counts.unchanged += counts.unchanged;
      this.counts.kept += counts.kept;
      if (counts.added === 0 && counts.changed === 0) continue;
      this.changed.add(serieId);
      const unmarks = 'unmarks' in settled && settled.unmarks;
      if (counts.added > 0 || unmarks) this.series.get(serieId)!.extents.add(period, day, calculated);
    }
  }

  /** Stores the items that differ from those stored, and stamps the changed series. */
  private async savePeriods(): Promise<void> {
    const differing: PeriodOfSeries[] = [];
    const gone: PeriodOfSeries[] = [];
    for (const id of this.changed) {
      const series = this.series.get(id)!;
      const items = series.extents.items();
      for (const item of items) {
        if (!series.items.some((old) => sameItem(old, item))) differing.push({ serieId: id, item });
      }
      for (const item of series.items) {
        if (!items.some(({ period }) => period === item.period)) gone.push({ serieId: id, item });
      }
      series.items = items;
      this.known.set(id, items);
    }
    for (const part of this.parts(differing)) await this.send(REPLACE_PERIODS, 6, periodValues(part));
    for (const part of this.parts(gone)) {
      const keys = part.flatMap(({ serieId, item }) => [serieId, item.period]);
      await this.send(DELETE_PERIODS, 2, keys);
    }
    if (this.changed.size > 0) this.transaction.touchSeries(this.changed);
    this.changed.clear();
  }

  private *parts<T>(all: readonly T[]): Iterable<readonly T[]> {
    for (let from = 0; from < all.length; from += this.rowsPerStatement) {
      yield all.slice(from, from + this.rowsPerStatement);
    }
  }

  private async select<T>(sql: string, columns: number, values: readonly SqlValue[]): Promise<T[]> {
    await this.letOthersRun();
    return this.transaction.rows<T>(this.complete(sql, columns, values.length) + this.lock, values);
  }

  private async send(sql: string, columns: number, values: readonly SqlValue[]): Promise<Changes> {
    await this.letOthersRun();
    return this.transaction.execute(this.complete(sql, columns, values.length), values);
  }

  private complete(sql: string, columns: number, values: number): string {
    const row = columns === 1 ? '?' : `(?${',?'.repeat(columns - 1)})`;
    const rows = row + `,${row}`.repeat(values / columns - 1);
    // SQLite takes a list of row values as a table only.
    const asTable = this.transaction.embedded && columns > 1 && sql.includes(' IN ');
    return sql.replace('{rows}', asTable ? `VALUES ${rows}` : rows);
  }

  /**
   * The embedded engine works on the event loop: requests have their turn between two statements. An answer takes several turns, so
   * that one by time, even three in a millisecond, leaves readers behind a busy writer.
   */
  private async letOthersRun(): Promise<void> {
    if (this.transaction.embedded) await nextTurn();
  }
}

interface PointRow {
  serie_id: number;
  period: Period;
  day: number;
  value: number;
  calculated: number | boolean;
  comment: string | null;
}

interface PeriodRow {
  id: number;
  /** Null, as the rest, for a series without any. */
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

/** The values of many keys, points or periods in one list: as the statements take them. */
function keyValues(keys: readonly PointKey[]): SqlValue[] {
  const values: SqlValue[] = [];
  for (const { serieId, period, day } of keys) values.push(serieId, period, day);
  return values;
}

function pointValues(points: readonly MergedPoint[]): SqlValue[] {
  const values: SqlValue[] = [];
  for (const { serieId, period, day, value, calculated, comment } of points) {
    values.push(serieId, period, day, value, calculated ? 1 : 0, comment || null);
  }
  return values;
}

function itemOf(period: Period, { start_day, end_day, calculated, points }: PeriodRow): PeriodItem {
  return { period, start: start_day, end: end_day, calculated: Boolean(calculated), points };
}

function periodValues(periods: readonly PeriodOfSeries[]): SqlValue[] {
  const values: SqlValue[] = [];
  for (const { serieId, item } of periods) {
    values.push(serieId, item.period, item.start, item.end, item.calculated ? 1 : 0, item.points);
  }
  return values;
}

function sameItem(one: PeriodItem, other: PeriodItem): boolean {
  return (
    one.period === other.period &&
    one.start === other.start &&
    one.end === other.end &&
    one.calculated === other.calculated &&
    one.points === other.points
  );
}
