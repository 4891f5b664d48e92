import { placeholders } from '../../database/sql.js';
import { aliasStatements } from '../../reference/base/alias-key.js';
import { selectByIds } from '../../database/select-by-ids.js';
import type { Reader } from './reading.js';
import { REFERENCE_COLUMNS, REFERENCES, type Reference } from './series-attributes.js';
import type { RevertedRevisions } from '../../ledger/states.js';

/** A merge of a record into another one. */
export interface RecordMerge {
  readonly revision: number;
  readonly changeSetId: number;
  readonly column: Reference;
  readonly from: number;
  readonly into: number;
}

/** The column of series that refers to the records of a table. */
export const referenceColumnOf = (table: string): Reference | undefined =>
  REFERENCE_COLUMNS.find((column) => REFERENCES[column] === table);

/** A merge that a revert is about. */
export interface ConcernedMerge {
  readonly revision: number;
  readonly column: Reference;
  /** All records that the merged one is or has become. */
  readonly records: readonly number[];
}

/** The merges of some change sets. @param merges all that there are, oldest first */
export const mergesOf = (
  merges: readonly RecordMerge[],
  changeSetIds: readonly number[],
): readonly ConcernedMerge[] =>
  merges
    .filter(({ changeSetId }) => changeSetIds.includes(changeSetId))
    .map(({ column, revision, from, into }) => ({
      column,
      revision,
      records: [from, ...becomes(merges, column, into)],
    }));

/** The series that may refer to other records because of merges. */
export async function seriesOfMerges(reader: Reader, merges: readonly ConcernedMerge[]): Promise<number[]> {
  const found = new Set<number>();
  for (const { column, revision, records } of merges) {
    const rows = await selectByIds<{ id: number }>(
      reader,
      `SELECT id FROM price_serie WHERE since > ? AND ${column} IN ({ids})`,
      records,
      [revision],
    );
    for (const { id } of rows) found.add(id);
  }
  return [...found];
}

/** The aliases that may lead to other records because of merges. */
export async function aliasesOfMerges(reader: Reader, merges: readonly ConcernedMerge[]): Promise<number[]> {
  const found = new Set<number>();
  for (const { column, records } of merges) {
    const rows = await selectByIds<{ id: number }>(
      reader,
      'SELECT id FROM alias WHERE table_name = ? AND record_id IN ({ids})',
      records,
      [REFERENCES[column]],
    );
    for (const { id } of rows) found.add(id);
  }
  return [...found];
}

/** A record and all that it has become by merges. */
export function becomes(merges: readonly RecordMerge[], column: Reference, id: number): Set<number> {
  const records = new Set([id]);
  // Oldest first: what a record has become may be merged later only.
  for (const merge of merges) if (merge.column === column && records.has(merge.from)) records.add(merge.into);
  return records;
}

/**
 * The merges that count, newest first. One that is reverted and made again may lead in a circle
 * with newer ones, which count then.
 */
export function effectiveMerges(merges: readonly RecordMerge[], revisions: RevertedRevisions): RecordMerge[] {
  const effective: RecordMerge[] = [];
  for (const merge of [...merges].reverse()) {
    const { column, from, into, revision } = merge;
    if (revisions.isVoid(revision) || leads(effective, column, into, from)) continue;
    effective.push(merge);
  }
  return effective;
}

/** Whether merges, in any order, lead from a record to another one. */
function leads(merges: readonly RecordMerge[], column: Reference, id: number, to: number): boolean {
  const reached = new Set([id]);
  for (const record of reached)
    for (const merge of merges) if (merge.column === column && merge.from === record) reached.add(merge.into);
  return reached.has(to);
}

/** All merges of records, oldest first. The alias that each has made tells into which record. */
export async function readMerges(reader: Reader): Promise<RecordMerge[]> {
  const rows = await reader.rows<{ revision: number | string; id: number; table: string; from: number }>(
    'SELECT r.number AS revision, c.id, x.table_name AS `table`, x.record_id AS `from` FROM change_set c' +
      ' JOIN revision r ON r.change_set_id = c.id JOIN record_change x ON x.revision = r.number' +
      ` WHERE c.kind = 'merge' AND x.action = 'removed' AND x.table_name <> ? ORDER BY r.number`,
    [aliasStatements.name],
  );
  if (rows.length === 0) return [];
  const into = await mergedInto(
    reader,
    rows.map(({ revision }) => Number(revision)),
  );
  return rows.flatMap(({ revision, id: changeSetId, table, from }): RecordMerge[] => {
    const column = referenceColumnOf(table);
    const record = into.get(Number(revision));
    if (column === undefined || record === undefined) return [];
    return [{ revision: Number(revision), changeSetId, column, from, into: record }];
  });
}

/** The records that aliases which merges have made lead to, by the revisions of the merges. */
async function mergedInto(reader: Reader, revisions: readonly number[]): Promise<Map<number, number>> {
  const known = placeholders(revisions.length);
  const stored = await reader.rows<{ since: number | string; record_id: number }>(
    `SELECT since, record_id FROM alias WHERE since IN (${known})`,
    revisions,
  );
  const former = await reader.rows<{ since: number | string; attributes: string }>(
    `SELECT since, attributes FROM record_version WHERE table_name = ? AND since IN (${known})`,
    [aliasStatements.name, ...revisions],
  );
  return new Map([
    ...stored.map(({ since, record_id: id }) => [Number(since), id] as const),
    ...former.map(({ since, attributes }) => {
      const { record_id: id } = JSON.parse(attributes) as { record_id: number };
      return [Number(since), id] as const;
    }),
  ]);
}
