import type { SnapshotReader } from '../../database/reads.js';
import { quoteIdentifier, type RecordValues } from '../../reference/base/table-statements.js';
import { recordTables } from './record-tables.js';
import { sinceOf, type RecordChangeRow } from './stored-change.js';

/** Ids in one statement. */
const BATCH = 500;

/**
 * What records were after the changes of them, as their revisions have left them and responses
 * show them.
 * @returns by the changes; none for a record that a revision has removed
 */
export async function readRecords(
  query: SnapshotReader,
  changes: readonly RecordChangeRow[],
): Promise<Map<RecordChangeRow, RecordValues>> {
  const found = new Map<RecordChangeRow, RecordValues>();
  for (const table of new Set(changes.map((change) => change.table))) {
    const ofTable = changes.filter((change) => change.table === table && change.action !== 'removed');
    for (let from = 0; from < ofTable.length; from += BATCH) {
      const batch = ofTable.slice(from, from + BATCH);
      const values = await readVersions(query, table, [...new Set(batch.map(({ id }) => id))]);
      for (const change of batch) {
        const record = values.get(`${change.id} ${sinceOf(change.revision)}`);
        if (record !== undefined) found.set(change, record);
      }
    }
  }
  return found;
}

/** All that the records are and were, by `id since`. */
async function readVersions(
  query: SnapshotReader,
  table: string,
  ids: readonly number[],
): Promise<Map<string, RecordValues>> {
  const { statements, shown } = recordTables().get(table)!;
  const list = ids.map(() => '?').join(',');
  const versions = await query<[id: number, since: number, attributes: string]>(
    `SELECT record_id, since, attributes FROM record_version WHERE table_name = ? AND record_id IN (${list})`,
    [table, ...ids],
  );
  const found = new Map<string, RecordValues>();
  for (const [id, since, attributes] of versions)
    found.set(`${id} ${since}`, shown({ id, ...(JSON.parse(attributes) as RecordValues) }));
  const rows = await query<unknown[]>(statements.select(`WHERE ${quoteIdentifier('id')} IN (${list})`), ids);
  for (const row of rows) {
    const { id, since, ...record } = statements.fromArray(row) as unknown as RecordValues;
    const values = Object.fromEntries(statements.ownColumns.map((column) => [column, record[column]]));
    found.set(`${String(id)} ${String(since)}`, shown({ id, ...values }));
  }
  return found;
}
