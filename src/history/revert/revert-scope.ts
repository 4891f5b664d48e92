import type { ChangeSetKind } from '../../ledger/changes/change-set.js';
import { readMerges, type RecordMerge } from './merges.js';
import type { Reader } from './reading.js';

/** A change set, as far as reverts need it. */
export interface StoredChangeSet {
  readonly id: number;
  readonly kind: ChangeSetKind;
  readonly state: string;
  readonly format: string;
  /** The change set that it reverts. */
  readonly reverts: number | null;
  readonly reverted_by: number | null;
}

/** @returns null if there is none */
export async function readChangeSet(reader: Reader, id: number): Promise<StoredChangeSet | null> {
  const [row] = await reader.rows<StoredChangeSet>(
    'SELECT id, kind, state, format, reverts, reverted_by FROM change_set WHERE id = ?',
    [id],
  );
  return row ?? null;
}

/** The change set that is to be reverted, and what has to be known to say how much that is. */
export interface RevertScope {
  readonly target: StoredChangeSet;
  /**
   * The change sets whose values its revert may give or take: the target, what that one has
   * reverted, and so on.
   */
  readonly concernedIds: readonly number[];
  /** All merges of records, oldest first. */
  readonly merges: readonly RecordMerge[];
}

/** The scope of a revert: read once, before anything is planned. */
export async function readScope(reader: Reader, target: StoredChangeSet): Promise<RevertScope> {
  const concernedIds = [target.id];
  let next = target.reverts;
  while (next !== null) {
    concernedIds.push(next);
    next = (await readChangeSet(reader, next))!.reverts;
  }
  return { target, concernedIds, merges: await readMerges(reader) };
}
