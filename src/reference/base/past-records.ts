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
  'SELECT record_id, version, attributes FROM record_version WHERE table_name = ? AND record_id > ?' +
  ` AND since <= ? AND until > ? ORDER BY record_id LIMIT ${PAST_RECORDS_PER_STATEMENT}`;

const SELECT_PAST_RECORD =
  'SELECT version, attributes FROM record_version WHERE table_name = ? AND record_id = ? AND since <= ? AND until > ?';

/** The values that a record had at a revision, and has no more; null if there are none. */
export async function readPastRecord(
  reads: Reads,
  table: string,
  id: number,
  revision: number,
): Promise<PastRecord | null> {
  const values = [table, id, revision, revision];
  const [row] = await reads.arrays<[version: number, attributes: string]>(SELECT_PAST_RECORD, values);
  return row === undefined ? null : { id, version: row[0], attributes: JSON.parse(row[1]) as RecordValues };
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
  const rows = await reads.arrays<[id: number, version: number, attributes: string]>(SELECT_PAST, values);
  return rows.map(([id, version, attributes]) => ({
    id,
    version,
    attributes: JSON.parse(attributes) as RecordValues,
  }));
}
