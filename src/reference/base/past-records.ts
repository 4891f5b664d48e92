import { placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import { RECORD_VERSIONS } from '../../ledger/versions/record-versions.js';
import type { Reads } from '../../database/reads.js';
import type { RecordValues } from './table-statements.js';

/** Values that a record had, and has no more. */
export interface PastRecord {
  id: number;
  version: number;
  /** The table's own columns. */
  attributes: RecordValues;
}

/** Records read by one statement: a millisecond or two of work. */
export const PAST_RECORDS_PER_STATEMENT = 500;

const SELECT_PAST =
  `SELECT record_id, version, attributes FROM ${RECORD_VERSIONS} WHERE table_name = ? AND record_id > ?` +
  ` AND since <= ? AND until > ? ORDER BY record_id LIMIT ${PAST_RECORDS_PER_STATEMENT}`;

/** The values that a record had at a revision, and has no more; null if there are none. */
export async function readPastRecord(
  reads: Reads,
  table: string,
  id: number,
  revision: number,
): Promise<PastRecord | null> {
  const [record = null] = await readPastRecordsOf(reads, table, revision, [id]);
  return record;
}

/** The same of some records, of those that have such values, in any order. */
export async function readPastRecordsOf(
  reads: Reads,
  table: string,
  revision: number,
  ids: readonly number[],
): Promise<PastRecord[]> {
  if (ids.length === 0) return [];
  const rows = await reads.arrays<PastRow>(
    `SELECT record_id, version, attributes FROM ${RECORD_VERSIONS} WHERE table_name = ?` +
      ` AND record_id IN (${placeholders(ids.length)}) AND since <= ? AND until > ?`,
    [table, ...ids, revision, revision],
  );
  return rows.map(toPastRecord);
}

/**
 * The records after an id that had other values at a revision than now, or have gone since, by id.
 * The others have to be read before: what changes between two statements is then found by both.
 * @returns at most `PAST_RECORDS_PER_STATEMENT`
 */
export async function readPastRecords(
  reads: Reads,
  table: string,
  revision: number,
  after: number,
): Promise<PastRecord[]> {
  const values = [table, after, revision, revision];
  return (await reads.arrays<PastRow>(SELECT_PAST, values)).map(toPastRecord);
}

/** What a record was from one revision until another. */
interface FormerVersion extends PastRecord {
  since: number;
  until: number;
}

/** All that records of a table were, but not what they are. @param ids of all records by default */
export async function recordVersions(
  reads: Pick<Reads, 'arrays'>,
  table: string,
  ids?: readonly number[],
): Promise<FormerVersion[]> {
  const versions: FormerVersion[] = [];
  for (const batch of ids === undefined ? [null] : batchesOf(ids, PAST_RECORDS_PER_STATEMENT)) {
    const among = batch === null ? '' : ` AND record_id IN (${placeholders(batch.length)})`;
    const rows = await reads.arrays<VersionRow>(
      `SELECT record_id, version, attributes, since, until FROM ${RECORD_VERSIONS} WHERE table_name = ?${among}`,
      [table, ...(batch ?? [])],
    );
    for (const [id, version, attributes, since, until] of rows)
      versions.push({ ...toPastRecord([id, version, attributes]), since, until });
  }
  return versions;
}

type VersionRow = [...PastRow, since: number, until: number];

type PastRow = [id: number, version: number, attributes: string];

const toPastRecord = ([id, version, attributes]: PastRow): PastRecord => ({
  id,
  version,
  attributes: JSON.parse(attributes) as RecordValues,
});
