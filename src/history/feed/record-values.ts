import { placeholders, quoteIdentifier } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { SnapshotReader } from '../../database/reads.js';
import { recordVersions } from '../../reference/base/past-records.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import { recordTables } from './record-tables.js';
import { sinceOf, type RecordChangeRow } from './stored-change.js';

/** Ids in one statement. Few, because their versions are read without a pause. */
const BATCH = 100;

/** What a record was, and the revisions between which it was that. */
interface RecordVersion {
  readonly since: number;
  readonly until: number;
  readonly record: RecordValues;
}

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
  const slice = new TimeSlice();
  for (const table of new Set(changes.map((change) => change.table))) {
    const ofTable = changes.filter((change) => change.table === table && change.action !== 'removed');
    for (const batch of batchesOf(ofTable, BATCH)) {
      const versions = await readVersions(query, table, [...new Set(batch.map(({ id }) => id))]);
      for (const change of batch) {
        const at = sinceOf(change.revision);
        // A confirmed correction changes no value: the version may be of an earlier revision.
        const version = versions.get(change.id)?.find(({ since, until }) => since <= at && at < until);
        if (version !== undefined) found.set(change, version.record);
      }
      await slice.yield();
    }
  }
  return found;
}

/** All that the records are and were, by their ids. */
async function readVersions(
  query: SnapshotReader,
  table: string,
  ids: readonly number[],
): Promise<Map<number, RecordVersion[]>> {
  const { statements, shown } = recordTables().get(table)!;
  const list = placeholders(ids.length);
  const found = new Map<number, RecordVersion[]>(ids.map((id) => [id, []]));
  for (const { id, since, until, attributes } of await recordVersions({ arrays: query }, table, ids))
    found.get(id)!.push({ since, until, record: shown({ id, ...attributes }) });
  const rows = await query<unknown[]>(statements.select(`WHERE ${quoteIdentifier('id')} IN (${list})`), ids);
  for (const row of rows) {
    const stored = statements.fromArray(row);
    const { id, since } = stored;
    const record = stored as unknown as RecordValues;
    const values = Object.fromEntries(statements.ownColumns.map((column) => [column, record[column]]));
    found.get(id)!.push({ since, until: Infinity, record: shown({ id, ...values }) });
  }
  return found;
}
