import { Injectable } from '@nestjs/common';
import { placeholders } from '../../database/sql.js';
import { Database } from '../../database/database.js';
import { authorsOf } from '../../ledger/audit/audit-log.js';
import { RECORD_CHANGES, SERIES_CHANGES } from '../../ledger/changes/stored-changes.js';
import { REVISIONS } from '../../ledger/revision/stored-revisions.js';
import { recordNameOf, uuidOf } from '../../price-series/series-views.js';
import type { ChangeSetRecord } from '../../history/change-sets.js';
import { readChangeSet } from '../../ledger/changes/stored-change-sets.js';
import { readScope } from '../../history/revert/revert-scope.js';
import { readAffected } from '../../history/revert/affected.js';

/** Series on the page of a change set. */
const MAX_SERIES = 50;

/** Numbers of points, and of series and records that were affected. */
export interface AffectedCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly series: number;
}

/** A series that a change set has affected. */
export interface ListedSeriesRow {
  /** Null of one that has gone. */
  readonly uuid: string | null;
  readonly commodity: string | null;
  readonly market: string | null;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** How many records of a table were created, changed and removed. */
export interface AffectedTable {
  readonly table: string;
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
}

/** Reads of change sets what their list in the API does not have. */
@Injectable()
export class ChangeSetDetails {
  constructor(private readonly database: Database) {}

  /** Who made change sets, by their ids; none for commands, and for what has not ended. */
  authors(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    return authorsOf(this.database, ids);
  }

  /** What change sets have done to points, by their ids. */
  async affected(ids: readonly number[]): Promise<ReadonlyMap<number, AffectedCounts>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.rows<Record<keyof AffectedCounts | 'id', number | string>>(
      `SELECT r.change_set_id AS id, ${SUMS}, COUNT(DISTINCT x.serie_id) AS series FROM ${REVISIONS} ${SERIES_CHANGES}` +
        ` WHERE r.change_set_id IN (${marks(ids)}) GROUP BY r.change_set_id`,
      ids,
    );
    return new Map(
      rows.map(({ id, added, changed, removed, series }) => [
        Number(id),
        { added: Number(added), changed: Number(changed), removed: Number(removed), series: Number(series) },
      ]),
    );
  }

  /** The series that a change set has affected, those with most changes first. */
  async series(id: number): Promise<ListedSeriesRow[]> {
    const rows = await this.database.rows<ListedSeriesRow>(
      `SELECT ${uuidOf('x.serie_id')} AS uuid, ${recordNameOf('commodity', 'x.serie_id')} AS commodity,` +
        ` ${recordNameOf('market', 'x.serie_id')} AS market, ${SUMS} FROM ${REVISIONS} ${SERIES_CHANGES}` +
        ' WHERE r.change_set_id = ? GROUP BY x.serie_id' +
        ` ORDER BY SUM(x.added + x.changed + x.removed) DESC, x.serie_id LIMIT ${MAX_SERIES}`,
      [id],
    );
    return rows.map((row) => ({
      ...row,
      added: Number(row.added),
      changed: Number(row.changed),
      removed: Number(row.removed),
    }));
  }

  /** The records that a change set has affected, by table. */
  async records(id: number): Promise<AffectedTable[]> {
    const rows = await this.database.rows<{ table: string; action: string; records: number | string }>(
      'SELECT x.table_name AS `table`, x.action, COUNT(DISTINCT x.record_id) AS records' +
        ` FROM ${REVISIONS} ${RECORD_CHANGES}` +
        ' WHERE r.change_set_id = ? GROUP BY x.table_name, x.action ORDER BY x.table_name',
      [id],
    );
    const tables = new Map<string, AffectedTable>();
    for (const { table, action, records } of rows) {
      const found = tables.get(table) ?? { table, created: 0, changed: 0, removed: 0 };
      tables.set(table, { ...found, [action]: Number(records) });
    }
    return [...tables.values()];
  }

  /** The id of the change set that this one reverts; null where it reverts none. */
  async revertedChangeSet({ id, kind }: ChangeSetRecord): Promise<number | null> {
    return kind === 'revert' ? ((await readChangeSet(this.database, id))?.reverts ?? null) : null;
  }

  /** Points and records that a change set has affected. */
  async size(id: number): Promise<number> {
    const changeSet = await readChangeSet(this.database, id);
    if (changeSet === null) return 0;
    const { size } = await readAffected(this.database, await readScope(this.database, changeSet));
    return size;
  }
}

const SUMS = 'SUM(x.added) AS added, SUM(x.changed) AS changed, SUM(x.removed) AS removed';

const marks = (ids: readonly number[]) => placeholders(ids.length);
