import type { RevisionArea } from '../../database/revision/data-revision.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../database/unit-of-work.js';
import { removeRecords, supersedeRecord } from '../../reference/base/record-versions.js';
import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import {
  quoteIdentifier,
  type DatabaseRow,
  type RecordValues,
  type TableStatements,
} from '../../reference/base/table-statements.js';
import { selectByIds, type Reader } from './reading.js';
import type { RevertAct } from './revert-act.js';
import { addEffect, type RevertCounts } from './revert-counts.js';
import { sameRow, standingRow } from './standing-row.js';
import { statesOf, type StoredVersion } from './states.js';

/** A table whose records have versions. */
export interface RecordTable {
  readonly statements: TableStatements<ReferenceEntity>;
  /** The area of the data that its records belong to. */
  readonly area: RevisionArea;
  /** The column with the value that a source gives; null where there is none. */
  readonly correctedColumn: string | null;
}

/** What a revert does to a record. */
export interface RecordChange {
  readonly table: RecordTable;
  readonly id: number;
  /** Null where the record has gone. */
  readonly stored: ReferenceEntity | null;
  /** Null where it is to go. */
  readonly values: RecordValues | null;
  /** The number of its last version. */
  readonly version: number;
}

interface VersionRow {
  record_id: number;
  since: number;
  until: number;
  version: number;
  attributes: string;
}

interface RecordHistory {
  stored: ReferenceEntity | null;
  version: number;
  versions: StoredVersion<RecordValues>[];
}

/**
 * The records that come back or get values that they had before. Those that another record has
 * taken the unique key of are left alone.
 */
export async function planRestoredRecords(
  reader: Reader,
  table: RecordTable,
  ids: readonly number[],
  act: RevertAct,
  counts: RevertCounts,
): Promise<RecordChange[]> {
  const planned: RecordChange[] = [];
  for (const [id, { stored, version, versions }] of await readRecordHistories(reader, table, ids)) {
    const states = statesOf(versions);
    const values = standingRow(states, act);
    const before = states.at(-1)?.value ?? null;
    if (act.hasGiven(states)) addEffect(counts.records, states.at(-2)?.value ?? null, before);
    else if (values !== null && act.hasTouched(states)) {
      const change = { table, id, stored, values, version };
      if ((before !== null && sameRow(before, values)) || (await isKeyTaken(reader, change)))
        counts.changed_since++;
      else {
        addEffect(counts.records, before, values);
        planned.push(change);
      }
    }
  }
  return planned;
}

/** The records that go, because nothing uses them. */
export async function planRemovedRecords(
  reader: Reader,
  table: RecordTable,
  ids: readonly number[],
  act: RevertAct,
  isUsed: (table: RecordTable, id: number) => Promise<boolean>,
  counts: RevertCounts,
): Promise<RecordChange[]> {
  const planned: RecordChange[] = [];
  for (const [id, { stored, version, versions }] of await readRecordHistories(reader, table, ids)) {
    const states = statesOf(versions);
    if (stored === null || standingRow(states, act) !== null) continue;
    if (await isUsed(table, id)) {
      if (act.hasTouched(states)) counts.still_used++;
      continue;
    }
    counts.records.removed++;
    planned.push({ table, id, stored, values: null, version });
  }
  return planned;
}

/** Stores what was planned. */
export async function changeRecords(
  transaction: Transaction,
  changes: readonly RecordChange[],
): Promise<void> {
  const { revision } = transaction;
  for (const { table, id, stored, values, version } of changes) {
    const { statements, area } = table;
    transaction.touch(area);
    if (values === null) {
      await removeRecords(transaction, statements, 'id = ?', [id]);
    } else if (stored === null) {
      const columns = ['id', ...statements.ownColumns, 'version', 'since'];
      const own = statements.ownColumns.map((name) => values[name] as SqlValue);
      await transaction.execute(
        `INSERT INTO ${quoteIdentifier(statements.name)} (${columns.map(quoteIdentifier).join(', ')})` +
          ` VALUES (${columns.map(() => '?').join(', ')})`,
        [id, ...own, version + 1, revision],
      );
      transaction.touchRecord(statements.name, id, 'created');
    } else {
      await supersedeRecord(transaction, statements, stored);
      await statements.update(transaction.manager, stored, statements.differences(stored, values), revision);
      transaction.touchRecord(statements.name, id, 'changed');
    }
  }
}

/** All versions of records, and what is stored of them. */
export async function readRecordHistories(
  reader: Reader,
  { statements }: RecordTable,
  ids: readonly number[],
): Promise<Map<number, RecordHistory>> {
  const histories = new Map<number, RecordHistory>(
    ids.map((id) => [id, { stored: null, version: 0, versions: [] }]),
  );
  const rows = await selectByIds<VersionRow>(
    reader,
    'SELECT record_id, since, until, version, attributes FROM record_version' +
      ' WHERE table_name = ? AND record_id IN ({ids})',
    ids,
    [statements.name],
  );
  for (const { record_id, since, until, version, attributes } of rows) {
    const history = histories.get(record_id)!;
    history.version = Math.max(history.version, version);
    const value = statements.withDefaults(JSON.parse(attributes) as RecordValues);
    history.versions.push({ since, until, value });
  }
  const stored = await selectByIds<DatabaseRow>(reader, statements.select('WHERE id IN ({ids})'), ids);
  for (const row of stored) {
    const record = statements.record(row);
    const history = histories.get(record.id)!;
    history.stored = record;
    history.version = record.version;
    const value = statements.withDefaults(record as unknown as RecordValues);
    history.versions.push({ since: record.since, until: null, value });
  }
  return histories;
}

/** Whether another record has the unique key that this one is to have. */
async function isKeyTaken(
  reader: Reader,
  { table: { statements }, id, values }: RecordChange,
): Promise<boolean> {
  const key = statements.uniqueKey.map((column) => values![column] as SqlValue);
  return (await idsWithKey(reader, statements, key)).some((other) => other !== id);
}

/** The id of the stored record with a unique key; none where there is no such record or no key. */
export async function idsWithKey(
  reader: Reader,
  { name, uniqueKey }: RecordTable['statements'],
  key: readonly SqlValue[],
): Promise<number[]> {
  if (uniqueKey.length === 0) return [];
  const isKey = uniqueKey.map((column) => `${quoteIdentifier(column)} = ?`).join(' AND ');
  const rows = await reader.rows<{ id: number }>(
    `SELECT id FROM ${quoteIdentifier(name)} WHERE ${isKey}`,
    key,
  );
  return rows.map(({ id }) => id);
}
