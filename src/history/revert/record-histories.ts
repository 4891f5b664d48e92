import type { RevisionArea } from '../../database/revision/data-revision.js';
import type { SqlValue } from '../../database/database.js';
import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import {
  quoteIdentifier,
  type DatabaseRow,
  type RecordValues,
  type TableStatements,
} from '../../reference/base/table-statements.js';
import { selectByIds, type Reader } from './reading.js';
import type { StoredVersion } from './states.js';

/** A table whose records have versions. */
export interface RecordTable {
  readonly statements: TableStatements<ReferenceEntity>;
  /** The area of the data that its records belong to. */
  readonly area: RevisionArea;
  /** The column with the value that a source gives; null where there is none. */
  readonly correctedColumn: string | null;
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
