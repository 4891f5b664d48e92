import { readChangeSet, type StoredChangeSet } from '../../ledger/changes/stored-change-sets.js';
import { readMerges, type RecordMerge } from './merges.js';
import type { Reader } from './reading.js';

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
