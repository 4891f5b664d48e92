import { rowPlaceholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import { placeholders } from '../../database/sql.js';
import type { DayRange } from '../../lib/dates/day-range.js';
import type { SqlValue } from '../../database/database.js';
import type { Statements } from '../../database/write-transaction.js';

/** What a revision has done to a series or a record. */
export type ChangeAction = 'created' | 'changed' | 'removed';

/** What a revision has done to a series and its points. */
export interface SeriesChangeValues {
  action: ChangeAction;
  /** Numbers of points. */
  added: number;
  changed: number;
  removed: number;
  /** Day numbers of the first and the last of these points. */
  firstDay: number;
  lastDay: number;
  /** Whether nothing has happened but that points have got other prices or comments. */
  valuesOnly: boolean;
}

/** Rows of one statement. */
const BATCH = 500;

/** A record that has changed. */
export interface ChangedRecord {
  /** The table's name in the database. */
  readonly table: string;
  readonly id: number;
  readonly action: ChangeAction;
  /** The columns that have other values; null where any may have. */
  readonly columns: ReadonlySet<string> | null;
}

/** What has been changed since a revision. */
export interface ChangesSince {
  /** That revision; 0 in a dry run, where what is written has no other one. */
  readonly since: number;
  /** Series that have changed, or whose points have. */
  readonly series: ReadonlySet<number>;
  /** Those of them of which only values of points have changed, and the days of these. */
  readonly revalued: ReadonlyMap<number, DayRange>;
  readonly records: readonly ChangedRecord[];
}

/** The series and records that a transaction changes, for the revision that it makes. */
export class ChangeList {
  private readonly series = new Map<number, SeriesChangeValues>();
  /** By table and id. */
  private readonly records = new Map<string, ChangedRecord>();

  /** Adds what has happened to a series to what has happened to it before. */
  addSeries(id: number, change: Partial<SeriesChangeValues>): void {
    const { action = 'changed', added = 0, changed = 0, removed = 0, firstDay, lastDay } = change;
    const { valuesOnly = false } = change;
    let total = this.series.get(id);
    if (total === undefined) {
      total = {
        action,
        added: 0,
        changed: 0,
        removed: 0,
        firstDay: Infinity,
        lastDay: -Infinity,
        valuesOnly,
      };
      this.series.set(id, total);
    }
    total.action = laterAction(total.action, action);
    total.added += added;
    total.changed += changed;
    total.removed += removed;
    total.firstDay = Math.min(total.firstDay, firstDay ?? Infinity);
    total.lastDay = Math.max(total.lastDay, lastDay ?? -Infinity);
    total.valuesOnly &&= valuesOnly;
  }

  /** Adds what has happened to a record to what has happened to it before. */
  addRecord({ table, id, action, columns }: ChangedRecord): void {
    const key = `${table} ${id}`;
    const before = this.records.get(key);
    this.records.set(
      key,
      before === undefined
        ? { table, id, action, columns }
        : {
            table,
            id,
            action: laterAction(before.action, action),
            columns: columns && before.columns && new Set([...before.columns, ...columns]),
          },
    );
  }

  /** All of it. @param since the revision before it */
  changesSince(since: number): ChangesSince {
    const revalued = new Map<number, DayRange>();
    for (const [id, { valuesOnly, firstDay, lastDay }] of this.series)
      if (valuesOnly) revalued.set(id, [firstDay, lastDay]);
    return { since, series: new Set(this.series.keys()), revalued, records: [...this.records.values()] };
  }

  /** Adds what has happened in another list after this one. */
  addAll(other: ChangeList): void {
    for (const [id, change] of other.series) this.addSeries(id, change);
    for (const record of other.records.values()) this.addRecord(record);
  }

  /** The ids of the series. */
  get seriesIds(): number[] {
    return [...this.series.keys()];
  }

  /** The rows of `series_change` for a revision. */
  seriesRows(revision: number): SqlValue[][] {
    return Array.from(this.series, ([id, { action, added, changed, removed, firstDay, lastDay }]) => {
      const days = lastDay < firstDay ? [null, null] : [firstDay, lastDay];
      return [revision, id, action, added, changed, removed, ...days];
    });
  }

  /** The rows of `record_change` for a revision. */
  recordRows(revision: number): SqlValue[][] {
    return Array.from(this.records.values(), ({ table, id, action }) => [revision, table, id, action]);
  }
}

/** Stores the changes of several revisions, and stamps the series with them. */
export async function saveChanges(
  statements: Pick<Statements, 'executeWithNext'>,
  revisions: readonly { readonly revision: number; readonly changeList: ChangeList }[],
): Promise<void> {
  for (const { revision, changeList } of revisions) {
    for (const ids of batchesOf(changeList.seriesIds, BATCH)) {
      await statements.executeWithNext(
        `UPDATE price_serie SET revision = ? WHERE id IN (${placeholders(ids.length)})`,
        [revision, ...ids],
      );
    }
  }
  await insertRows(
    statements,
    'series_change (revision, serie_id, action, added, changed, removed, first_day, last_day)',
    revisions.flatMap(({ revision, changeList }) => changeList.seriesRows(revision)),
  );
  await insertRows(
    statements,
    'record_change (revision, table_name, record_id, action)',
    revisions.flatMap(({ revision, changeList }) => changeList.recordRows(revision)),
  );
}

/** What has happened after two actions in one transaction. */
function laterAction(before: ChangeAction, after: ChangeAction): ChangeAction {
  return before === 'created' && after === 'changed' ? 'created' : after;
}

async function insertRows(
  statements: Pick<Statements, 'executeWithNext'>,
  into: string,
  rows: readonly SqlValue[][],
): Promise<void> {
  for (const batch of batchesOf(rows, BATCH)) {
    const values = rowPlaceholders(batch.length, batch[0]!.length);
    await statements.executeWithNext(`INSERT INTO ${into} VALUES ${values}`, batch.flat());
  }
}
