import { Injectable } from '@nestjs/common';
import type { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { Database } from '../../database/database.js';
import { numbersOfPairs } from '../../database/sqlite/pair-list.js';
import { currentRevision, selectWithRevision } from '../../ledger/revision/current-revision.js';
import { DAILY, type Period } from '../../price-series/periodicity.js';
import { StoredPoints } from '../derive/derivation.js';
import { idList } from '../read/id-list.js';
import type { StoredRange } from '../read/point-window.js';
import { observationVersions } from './stored-versions.js';

/**
 * Rows that one statement reads: a few milliseconds of work for SQLite. Being so short, statements
 * are never held open by a slow client.
 */
const ROWS_PER_STATEMENT = 2500;

/** Periods and days are below these: a point's key in one number, exact below 2⁵³. */
const PERIODS = 4;
const DAYS = 2 ** 22;
/** Keys of the points of one period of a series: four for each day. */
const KEYS_OF_PERIOD = DAYS * 4;

/** Most characters of a point in a list: 7 of a day, 24 of a value and two commas. */
const LISTED_POINT_LENGTH = 33;

type PointRow = [revision: number, key: number, value: number, comment: string | null];
/** The list is null where a server has too many points for one. */
type PointListRow = [revision: number, serieId: number, period: Period, list: string | Buffer | null];

/**
 * Series, period, day and marks of a point as one number, in the order of the primary key. Drivers
 * take about as long for each value of a row as the database takes to read the row.
 */
const keyOf = (table: string) =>
  `((${table}.serie_id * ${PERIODS} + ${table}.period) * ${DAYS} + ${table}.day) * 4 + ${table}.provisional * 2 + ${table}.calculated`;
const POINTS = 'o.serie_id, o.period, o.day, o.value, o.calculated, o.comment, o.provisional';
/** Selected with the points, so that the state of the data they belong to is certain. */
const SERIES_REVISION = currentRevision('series');

/** Both spellings are needed: for a BETWEEN of one period MariaDB sorts rows already in order. */
const inRange = (ids: string, onePeriod: boolean) =>
  `o.serie_id IN (${ids}) AND o.period ${onePeriod ? '= ?' : 'BETWEEN ? AND ?'} AND o.day BETWEEN ? AND ?`;

/** Values: ids, the period or the first and last one, first and last day. */
export const selectPoints = (ids: string, onePeriod: boolean) =>
  `SELECT ${SERIES_REVISION}, ${keyOf('o')}, o.value, o.comment FROM observation o WHERE ${inRange(ids, onePeriod)} ` +
  `ORDER BY o.serie_id, o.period, o.day LIMIT ${ROWS_PER_STATEMENT}`;

/** A list of points as text, of servers: none where they would cut it off without an error. */
const TEXT_LIST =
  `IF(COUNT(*) * ${LISTED_POINT_LENGTH} > @@group_concat_max_len, NULL,` +
  " GROUP_CONCAT(o.day * 2 + o.calculated, ',', o.value ORDER BY o.day SEPARATOR ','))";
/** The same as a blob, of SQLite. */
const BLOB_LIST = 'pair_list(o.day * 2 + o.calculated, o.value)';

/**
 * The points without comments: a row for each frequency of a series, with twice the day, plus 1 if
 * marked, and the value of each point. Drivers take longer for a row than for the numbers in it.
 */
export const selectPointLists = (ids: string, onePeriod: boolean, embedded: boolean) =>
  `SELECT ${SERIES_REVISION}, o.serie_id, o.period, ${embedded ? BLOB_LIST : TEXT_LIST}` +
  ` FROM observation o WHERE ${inRange(ids, onePeriod)} GROUP BY o.serie_id, o.period`;

/** For ranges without points: one row with the revision, and whether there still are no points. */
const selectRevision = (ids: string, onePeriod: boolean) =>
  selectWithRevision('series', 'o.serie_id', `observation o ON ${inRange(ids, onePeriod)}`, 'LIMIT 1');

const ORDER = `ORDER BY serie_id, period, day LIMIT ${ROWS_PER_STATEMENT}`;

/**
 * The points as they were at a revision: those that are still so, and versions. Both halves have
 * the limit, because servers would sort the whole range. Values: as `selectPoints` with the
 * revision, then again with the revision twice.
 */
function pastPoints(ids: string, onePeriod: boolean): string {
  const halves = observationVersions
    .rowsKnownAt('o')
    .map(
      ({ from, known }) =>
        `SELECT * FROM (SELECT 0 AS revision, ${POINTS} FROM ${from} o WHERE ${inRange(ids, onePeriod)} AND ${known} ${ORDER}) x`,
    );
  return `${halves.join(' UNION ALL ')} ${ORDER}`;
}

/** `pastPoints` as rows that are read. */
const selectPastPoints = (ids: string, onePeriod: boolean) =>
  `SELECT p.revision, ${keyOf('p')}, p.value, p.comment FROM (${pastPoints(ids, onePeriod)}) p ${ORDER}`;

/** The same with the first version of each point, in place of the one at the revision. */
const selectFirstPoints = (ids: string, onePeriod: boolean) =>
  `SELECT p.revision, ${keyOf('p')},` +
  ' COALESCE(f.value, p.value), CASE WHEN f.until IS NULL THEN p.comment ELSE f.comment END' +
  ` FROM (${pastPoints(ids, onePeriod)}) p LEFT JOIN observation_version f` +
  ' ON f.serie_id = p.serie_id AND f.period = p.period AND f.day = p.day AND f.until =' +
  ' (SELECT MIN(m.until) FROM observation_version m' +
  ' WHERE m.serie_id = p.serie_id AND m.period = p.period AND m.day = p.day)' +
  ' ORDER BY p.serie_id, p.period, p.day';

/**
 * The state of the points that is read: the newest one, which must still have this series revision,
 * or an earlier one, which never changes.
 */
export type PointState = { readonly newest: number } | PastPoints;

/** Points of an earlier state. */
interface PastPoints {
  readonly asOf: number;
  /** The first version of each point. */
  readonly firstPublished: boolean;
}

/** What one statement is to read. */
interface ReadTask extends StoredRange {
  ids: readonly number[];
}

/** Reads stored points, in short statements of at most a few thousand rows each. */
@Injectable()
export class PointReader {
  constructor(private readonly database: Database) {}

  /**
   * The stored points of some series in a range.
   * @param ids at most `MAX_LIST_IDS`
   * @returns the points by series, or null where the database is at another revision
   */
  async read(
    ids: readonly number[],
    range: StoredRange,
    state: PointState,
    timeSlice: TimeSlice,
    signal: AbortSignal,
  ): Promise<Map<number, StoredPoints> | null> {
    const stored = new Map(ids.map((id) => [id, new StoredPoints()]));
    const tasks: ReadTask[] = [{ ...range, ids: [...ids].sort((a, b) => a - b) }];
    for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
      signal.throwIfAborted();
      const rows =
        'asOf' in state
          ? await this.past(task, state)
          : await this.current<PointRow>(selectPoints, task, state.newest);
      if (rows === null) return null;
      addPoints(stored, rows);
      if (rows.length === ROWS_PER_STATEMENT) tasks.push(...remaining(task, rows.at(-1)!));
      await timeSlice.yield();
    }
    return stored;
  }

  /** The same without the comments of points, for calculations that need none: in less time. */
  async readValues(
    ids: readonly number[],
    range: StoredRange,
    state: PointState,
    timeSlice: TimeSlice,
    signal: AbortSignal,
  ): Promise<Map<number, StoredPoints> | null> {
    if ('asOf' in state) return this.read(ids, range, state, timeSlice, signal);
    signal.throwIfAborted();
    const select = (list: string, onePeriod: boolean) =>
      selectPointLists(list, onePeriod, this.database.embedded);
    const rows = await this.current<PointListRow>(select, { ...range, ids }, state.newest);
    if (rows === null) return null;
    const stored = new Map(ids.map((id) => [id, new StoredPoints()]));
    for (const [, serieId, period, list] of rows) {
      if (list === null) return this.read(ids, range, state, timeSlice, signal);
      addList(stored.get(serieId)!, period, list);
      await timeSlice.yield();
    }
    return stored;
  }

  /** The rows of an earlier state. */
  private past(task: ReadTask, { asOf, firstPublished }: PastPoints): Promise<PointRow[]> {
    const { placeholders, onePeriod, values } = bound(task);
    const select = firstPublished ? selectFirstPoints : selectPastPoints;
    return this.database.anyServer.arrays<PointRow>(select(placeholders, onePeriod), [
      ...values,
      asOf,
      ...values,
      asOf,
      asOf,
    ]);
  }

  /** The rows of the newest state; null where the database is at another revision. */
  private async current<T extends [revision: number, ...unknown[]]>(
    select: (ids: string, onePeriod: boolean) => string,
    task: ReadTask,
    newest: number,
  ): Promise<T[] | null> {
    const { placeholders, onePeriod, values } = bound(task);
    const { anyServer } = this.database;
    const rows = await anyServer.arrays<T>(select(placeholders, onePeriod), values);
    if (rows.length > 0) return Number(rows[0]![0]) === newest ? rows : null;
    const [row] = await anyServer.arrays<[number, number | null]>(
      selectRevision(placeholders, onePeriod),
      values,
    );
    // A point that exists by now belongs to a later state than the one that had none.
    return Number(row![0]) === newest && row![1] === null ? [] : null;
  }
}

/** The list of ids of a task, and the values of its statement. */
function bound({ ids, firstPeriod, lastPeriod, firstDay, lastDay }: ReadTask) {
  const { placeholders, values } = idList(ids);
  const onePeriod = firstPeriod === lastPeriod;
  values.push(...(onePeriod ? [firstPeriod] : [firstPeriod, lastPeriod]), firstDay, lastDay);
  return { placeholders, onePeriod, values };
}

/** Adds the points of a list to those of their series. */
function addList(points: StoredPoints, period: Period, list: string | Buffer): void {
  const numbers = typeof list === 'string' ? (JSON.parse(`[${list}]`) as number[]) : numbersOfPairs(list);
  for (let index = 0; index < numbers.length; index += 2) {
    const day = numbers[index]!;
    points.add(period, day >> 1, numbers[index + 1]!, (day & 1) === 1, null);
  }
}

/** Adds rows, which are in the order of their keys, to the points of their series. */
function addPoints(stored: ReadonlyMap<number, StoredPoints>, rows: readonly PointRow[]): void {
  let first = -Infinity;
  let [points, period]: [StoredPoints | null, Period] = [null, DAILY];
  for (const [, key, value, comment] of rows) {
    if (key - first >= KEYS_OF_PERIOD) {
      const periodOfSeries = Math.floor(key / KEYS_OF_PERIOD);
      first = periodOfSeries * KEYS_OF_PERIOD;
      points = stored.get(Math.floor(periodOfSeries / PERIODS))!;
      period = (periodOfSeries % PERIODS) as Period;
    }
    const offset = key - first;
    points!.add(period, offset >> 2, value, (offset & 1) === 1, comment, (offset & 2) === 2);
  }
}

/** The tasks left after a statement that ended at a row; the last one has to be run first. */
function remaining(task: ReadTask, [, key]: PointRow): ReadTask[] {
  const periodOfSeries = Math.floor(key / KEYS_OF_PERIOD);
  const id = Math.floor(periodOfSeries / PERIODS);
  const period = (periodOfSeries % PERIODS) as Period;
  const day = (key % KEYS_OF_PERIOD) >> 2;
  const later = task.ids.slice(task.ids.indexOf(id) + 1);
  return [
    ...(later.length > 0 ? [{ ...task, ids: later }] : []),
    ...(period < task.lastPeriod ? [{ ...task, ids: [id], firstPeriod: (period + 1) as Period }] : []),
    { ...task, ids: [id], firstPeriod: period, lastPeriod: period, firstDay: day + 1 },
  ];
}
