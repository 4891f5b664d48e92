import type { Reads } from '../../database/reads.js';
import { placeholders } from '../../database/sql.js';
import { REVISIONS } from '../revision/stored-revisions.js';
import type { Transaction } from '../transaction.js';
import type { ChangedRecord, ChangesSince } from './change-list.js';
import type { ChangeSetKind } from './change-set.js';

/** What revisions have done to series, and to records, as `x`: for a FROM clause. */
export const CHANGED_SERIES = 'series_change x';
export const CHANGED_RECORDS = 'record_change x';

/** What revisions `r` have done to series, and to records, as `x`: to be joined to these. */
export const SERIES_CHANGES = `JOIN ${CHANGED_SERIES} ON x.revision = r.number`;
export const RECORD_CHANGES = `JOIN ${CHANGED_RECORDS} ON x.revision = r.number`;

/** What the revisions after one have changed, and what a transaction has. */
export async function readChangesSince(
  transaction: Pick<Transaction, 'rows' | 'changes'>,
  revision: number,
): Promise<ChangesSince> {
  const own = transaction.changes;
  const series = new Set(own.series);
  const rows = await transaction.rows<{ serie_id: number }>(
    'SELECT DISTINCT serie_id FROM series_change WHERE revision > ?',
    [revision],
  );
  for (const { serie_id } of rows) series.add(serie_id);
  const records = await transaction.rows<Omit<ChangedRecord, 'columns'>>(
    'SELECT table_name AS `table`, record_id AS id, action FROM record_change WHERE revision > ?',
    [revision],
  );
  return {
    since: revision,
    series,
    revalued: new Map(),
    records: [...own.records, ...records.map((record) => ({ ...record, columns: null }))],
  };
}

/** Of some series, those that revisions after one, up to another, have changed. */
export async function seriesChangedBetween(
  reads: Pick<Reads, 'arrays'>,
  ids: readonly number[],
  after: number,
  last: number,
): Promise<Set<number>> {
  const rows = await reads.arrays<[number]>(
    `SELECT DISTINCT serie_id FROM series_change WHERE serie_id IN (${placeholders(ids.length)})` +
      ' AND revision > ? AND revision <= ?',
    [...ids, after, last],
  );
  return new Set(rows.map(([id]) => id));
}

/** The ids of the records of a table that revisions after one have changed. @param most of them */
export async function recordsChangedSince(
  reads: Pick<Reads, 'arrays'>,
  table: string,
  revision: number,
  most: number,
): Promise<number[]> {
  const rows = await reads.arrays<[number]>(
    `SELECT record_id FROM record_change WHERE revision > ? AND table_name = ? LIMIT ${most}`,
    [revision, table],
  );
  return rows.map(([id]) => id);
}

/** The kinds of the change sets that have created some records of a table, oldest first. */
export function creationsOf(
  reads: Pick<Reads, 'rows'>,
  table: string,
  ids: readonly number[],
): Promise<{ readonly id: number; readonly kind: ChangeSetKind }[]> {
  return reads.rows(
    `SELECT x.record_id AS id, c.kind FROM ${REVISIONS} ${RECORD_CHANGES}` +
      " WHERE x.table_name = ? AND x.action = 'created'" +
      ` AND x.record_id IN (${placeholders(ids.length)}) ORDER BY x.revision`,
    [table, ...ids],
  );
}

/** What change sets have done to a series: its points, and the days of these. */
interface AffectedSeriesRow {
  readonly id: number;
  firstDay: number | null;
  lastDay: number | null;
  /** The most that one of them has added, changed and removed. */
  points: number;
}

/** The series that change sets have affected, by id. */
export async function seriesAffectedBy(
  reads: Pick<Reads, 'rows'>,
  changeSetIds: readonly number[],
): Promise<AffectedSeriesRow[]> {
  const rows = await reads.rows<Omit<AffectedSeriesRow, 'points'> & { points: number | string }>(
    'SELECT id, MIN(firstDay) AS firstDay, MAX(lastDay) AS lastDay, MAX(points) AS points FROM' +
      ' (SELECT x.serie_id AS id, MIN(x.first_day) AS firstDay, MAX(x.last_day) AS lastDay,' +
      ` SUM(x.added + x.changed + x.removed) AS points FROM revision r ${SERIES_CHANGES}` +
      ` WHERE r.change_set_id IN (${placeholders(changeSetIds.length)})` +
      ' GROUP BY x.serie_id, r.change_set_id) t GROUP BY id ORDER BY id',
    changeSetIds,
  );
  return rows.map((row) => ({ ...row, points: Number(row.points) }));
}

/** The records that change sets have affected, by table and id. @param table only those of it */
export const recordsAffectedBy = (
  reads: Pick<Reads, 'rows'>,
  changeSetIds: readonly number[],
  table?: string,
): Promise<Pick<ChangedRecord, 'table' | 'id'>[]> =>
  reads.rows(
    `SELECT DISTINCT x.table_name AS \`table\`, x.record_id AS id FROM revision r ${RECORD_CHANGES}` +
      ` WHERE r.change_set_id IN (${placeholders(changeSetIds.length)})` +
      `${table === undefined ? '' : ' AND x.table_name = ?'} ORDER BY x.table_name, x.record_id`,
    table === undefined ? changeSetIds : [...changeSetIds, table],
  );

/** `SELECT` of the ids of series that change sets affected. @param ids placeholders of these */
export const selectAffectedSeries = (ids: string): string =>
  `SELECT x.serie_id FROM revision r ${SERIES_CHANGES} WHERE r.change_set_id IN (${ids})`;

/** `SELECT` of the tables and ids of records that change sets have affected. */
export const selectAffectedRecords = (ids: string): string =>
  `SELECT x.table_name, x.record_id FROM revision r ${RECORD_CHANGES} WHERE r.change_set_id IN (${ids})`;

/** A record that a merge has removed. */
interface MergedRecord {
  readonly revision: number;
  readonly changeSetId: number;
  readonly table: string;
  readonly id: number;
}

/** The records that merges have removed, oldest first. @param except records of this table */
export async function mergedRecords(reads: Pick<Reads, 'rows'>, except: string): Promise<MergedRecord[]> {
  const rows = await reads.rows<MergedRecord>(
    'SELECT r.number AS revision, c.id AS changeSetId, x.table_name AS `table`, x.record_id AS id' +
      ` FROM ${REVISIONS} ${RECORD_CHANGES}` +
      " WHERE c.kind = 'merge' AND x.action = 'removed' AND x.table_name <> ? ORDER BY r.number",
    [except],
  );
  return rows.map((row) => ({ ...row, revision: Number(row.revision) }));
}

/** The last import up to a revision that has changed a series; undefined where none has. */
export async function lastImportOf(
  reads: Pick<Reads, 'rows'>,
  serieId: number,
  revision: number,
): Promise<{ readonly id: number; readonly started_at: string; readonly input: string } | undefined> {
  const [row] = await reads.rows<{ id: number; started_at: string; input: string }>(
    `SELECT c.id, c.started_at, c.input FROM ${REVISIONS} ${SERIES_CHANGES}` +
      " WHERE x.serie_id = ? AND x.revision <= ? AND c.kind IN ('import', 'sample')" +
      ' ORDER BY x.revision DESC LIMIT 1',
    [serieId, revision],
  );
  return row;
}

/** How many points of a series were replaced or removed up to a revision, and its first change. */
export async function replacedPointsOf(
  reads: Pick<Reads, 'rows'>,
  serieId: number,
  revision: number,
): Promise<{ readonly replaced: number; readonly first: number | null }> {
  const [row] = await reads.rows<Record<'replaced' | 'first', number | string | null>>(
    'SELECT SUM(changed + removed) AS replaced, MIN(revision) AS first FROM series_change' +
      ' WHERE serie_id = ? AND revision <= ?',
    [serieId, revision],
  );
  // Servers return sums and big integers as text.
  const first = row?.first ?? null;
  return { replaced: Number(row?.replaced ?? 0), first: first === null ? null : Number(first) };
}
