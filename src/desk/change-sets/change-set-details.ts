import { Injectable } from '@nestjs/common';
import { placeholders } from '../../database/sql.js';
import { Database } from '../../database/database.js';
import type { ChangeSetRecord } from '../../history/change-sets.js';
import { readChangeSet, readScope } from '../../history/revert/revert-scope.js';
import { readTouched } from '../../history/revert/touched.js';

/** Series on the page of a change set. */
const MAX_SERIES = 50;

/** Numbers of points, and of series and records that were touched. */
export interface TouchedCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly series: number;
}

/** A series that a change set has touched. */
export interface TouchedSeriesRow {
  /** Null of one that has gone. */
  readonly uuid: string | null;
  readonly commodity: string | null;
  readonly market: string | null;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** How many records of a table were created, changed and removed. */
export interface TouchedTable {
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
  async authors(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.rows<{ id: number; name: string | null }>(
      'SELECT l.change_set_id AS id, MIN(COALESCE(a.username, l.subject)) AS name FROM audit_log l' +
        ' LEFT JOIN account a ON a.id = l.account_id' +
        ` WHERE l.change_set_id IN (${marks(ids)}) GROUP BY l.change_set_id`,
      ids,
    );
    return new Map(rows.flatMap(({ id, name }) => (name ? [[id, name] as const] : [])));
  }

  /** What change sets have done to points, by their ids. */
  async touched(ids: readonly number[]): Promise<ReadonlyMap<number, TouchedCounts>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.rows<Record<keyof TouchedCounts | 'id', number | string>>(
      `SELECT r.change_set_id AS id, ${SUMS}, COUNT(DISTINCT c.serie_id) AS series` +
        ` FROM revision r JOIN series_change c ON c.revision = r.number` +
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

  /** The series that a change set has touched, those with most changes first. */
  async series(id: number): Promise<TouchedSeriesRow[]> {
    const rows = await this.database.rows<TouchedSeriesRow>(
      `SELECT MIN(s.uuid) AS uuid, MIN(co.name) AS commodity, MIN(m.name) AS market, ${SUMS}` +
        ' FROM revision r JOIN series_change c ON c.revision = r.number' +
        ' LEFT JOIN price_serie s ON s.id = c.serie_id' +
        ' LEFT JOIN commodity co ON co.id = s.commodity_id LEFT JOIN market m ON m.id = s.market_id' +
        ' WHERE r.change_set_id = ? GROUP BY c.serie_id' +
        ` ORDER BY SUM(c.added + c.changed + c.removed) DESC, c.serie_id LIMIT ${MAX_SERIES}`,
      [id],
    );
    return rows.map((row) => ({
      ...row,
      added: Number(row.added),
      changed: Number(row.changed),
      removed: Number(row.removed),
    }));
  }

  /** The records that a change set has touched, by table. */
  async records(id: number): Promise<TouchedTable[]> {
    const rows = await this.database.rows<{ table: string; action: string; records: number | string }>(
      'SELECT c.table_name AS `table`, c.action, COUNT(DISTINCT c.record_id) AS records' +
        ' FROM revision r JOIN record_change c ON c.revision = r.number' +
        ' WHERE r.change_set_id = ? GROUP BY c.table_name, c.action ORDER BY c.table_name',
      [id],
    );
    const tables = new Map<string, TouchedTable>();
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

  /** Points and records that a change set has touched. */
  async size(id: number): Promise<number> {
    const changeSet = await readChangeSet(this.database, id);
    if (changeSet === null) return 0;
    const { size } = await readTouched(this.database, await readScope(this.database, changeSet));
    return size;
  }
}

const SUMS = 'SUM(c.added) AS added, SUM(c.changed) AS changed, SUM(c.removed) AS removed';

const marks = (ids: readonly number[]) => placeholders(ids.length);
