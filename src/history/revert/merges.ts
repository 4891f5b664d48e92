import { mergedRecords } from '../../ledger/changes/stored-changes.js';
import { seriesChangedSince } from '../../price-series/series-store.js';
import { aliasIdsOf, aliasesMadeIn } from '../../reference/base/aliases.js';
import { aliasStatements } from '../../reference/base/alias-key.js';
import type { Reader } from './reading.js';
import { REFERENCE_COLUMNS, REFERENCES, type Reference } from '../../price-series/series-attributes.js';
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
interface ConcernedMerge {
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
    for (const id of await seriesChangedSince(reader, revision, REFERENCES[column], records)) found.add(id);
  }
  return [...found];
}

/** The aliases that may lead to other records because of merges. */
export async function aliasesOfMerges(reader: Reader, merges: readonly ConcernedMerge[]): Promise<number[]> {
  const found = new Set<number>();
  for (const { column, records } of merges) {
    for (const id of await aliasIdsOf(reader, REFERENCES[column], records)) found.add(id);
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

/** All merges of records, oldest first. The alias that each has created tells into which record. */
export async function readMerges(reader: Reader): Promise<RecordMerge[]> {
  const rows = await mergedRecords(reader, aliasStatements.name);
  if (rows.length === 0) return [];
  const into = await aliasesMadeIn(
    reader,
    rows.map(({ revision }) => revision),
  );
  return rows.flatMap(({ revision, changeSetId, table, id: from }): RecordMerge[] => {
    const column = referenceColumnOf(table);
    const record = into.get(revision);
    if (column === undefined || record === undefined) return [];
    return [{ revision, changeSetId, column, from, into: record }];
  });
}
