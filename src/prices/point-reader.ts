import { Injectable } from '@nestjs/common';
import type { TimeSlice } from '../common/scheduling/time-slice.js';
import { Database } from '../database/database.js';
import type { Period } from '../price-series/periodicity.js';
import { StoredPoints } from './derivation.js';
import { idList } from './id-list.js';
import type { StoredRange } from './point-window.js';

/** Rows that one statement reads: some milliseconds of work for the embedded engine, and no statement waits for a slow reader. */
const ROWS_PER_STATEMENT = 2500;

type PointRow = [
  revision: number,
  serieId: number,
  period: Period,
  day: number,
  value: number,
  calculated: number,
  comment: string | null,
];

/** Statements that read points carry the revision of the series, so that it is known which state the points are of. */
const POINTS = 'o.serie_id, o.period, o.day, o.value, o.calculated, o.comment';
const SERIES_REVISION = '(SELECT series_revision FROM data_revision WHERE id = 1)';

/** Both spellings are needed: with one period in a BETWEEN MariaDB sorts what it has read in order. */
const inRange = (ids: string, onePeriod: boolean) =>
  `o.serie_id IN (${ids}) AND o.period ${onePeriod ? '= ?' : 'BETWEEN ? AND ?'} AND o.day BETWEEN ? AND ?`;

/** Values: ids, the period or the first and the last one, first and last day. */
export const selectPoints = (ids: string, onePeriod: boolean) =>
  `SELECT ${SERIES_REVISION}, ${POINTS} FROM observation o WHERE ${inRange(ids, onePeriod)} ` +
  `ORDER BY o.serie_id, o.period, o.day LIMIT ${ROWS_PER_STATEMENT}`;

/** For ranges without points: one row that tells the revision, and whether there still is none. */
const selectRevision = (ids: string, onePeriod: boolean) =>
  `SELECT r.series_revision, o.serie_id FROM data_revision r ` +
  `LEFT JOIN observation o ON ${inRange(ids, onePeriod)} WHERE r.id = 1 LIMIT 1`;

/** One statement's worth of work. */
interface Task extends StoredRange {
  ids: readonly number[];
}

/** Reads stored points, in statements that are short and take no more than a few thousand rows each. */
@Injectable()
export class PointReader {
  constructor(private readonly database: Database) {}

  /**
   * The stored points of some series in a range.
   * @param ids at most as many as a list takes
   * @param revision the revision at which series last changed in the state that is to be read
   * @param gone stops the work: the client has left
   * @returns the points by series, or null where the database is at another revision
   */
  async read(
    ids: readonly number[],
    range: StoredRange,
    revision: number,
    pace: TimeSlice,
    gone: AbortSignal,
  ): Promise<Map<number, StoredPoints> | null> {
    const stored = new Map(ids.map((id) => [id, new StoredPoints()]));
    const tasks: Task[] = [{ ...range, ids: [...ids].sort((a, b) => a - b) }];
    for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
      gone.throwIfAborted();
      const rows = await this.rows(task, revision);
      if (rows === null) return null;
      for (const [, id, period, day, value, calculated, comment] of rows) {
        stored.get(id)!.add(period, day, value, Boolean(calculated), comment);
      }
      if (rows.length === ROWS_PER_STATEMENT) tasks.push(...rest(task, rows.at(-1)!));
      await pace.yield();
    }
    return stored;
  }

  private async rows(
    { ids, firstPeriod, lastPeriod, firstDay, lastDay }: Task,
    revision: number,
  ): Promise<PointRow[] | null> {
    const { places, values } = idList(ids);
    const onePeriod = firstPeriod === lastPeriod;
    values.push(...(onePeriod ? [firstPeriod] : [firstPeriod, lastPeriod]), firstDay, lastDay);
    const { anywhere } = this.database;
    const rows = await anywhere.arrays<PointRow>(selectPoints(places, onePeriod), values);
    if (rows.length > 0) return Number(rows[0]![0]) === revision ? rows : null;
    const [row] = await anywhere.arrays<[number, number | null]>(selectRevision(places, onePeriod), values);
    // A point that is there by now is of another state than the one that had none.
    return Number(row![0]) === revision && row![1] === null ? [] : null;
  }
}

/** What is left of a task whose statement ended at a row; the first to be done comes last. */
function rest(task: Task, [, id, period, day]: PointRow): Task[] {
  const later = task.ids.slice(task.ids.indexOf(id) + 1);
  return [
    ...(later.length > 0 ? [{ ...task, ids: later }] : []),
    ...(period < task.lastPeriod ? [{ ...task, ids: [id], firstPeriod: (period + 1) as Period }] : []),
    { ...task, ids: [id], firstPeriod: period, lastPeriod: period, firstDay: day + 1 },
  ];
}
