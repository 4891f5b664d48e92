import type { Reads } from '../../database/reads.js';
import { placeholders } from '../../database/sql.js';
import type { ChangeSetKind } from './change-set.js';

/** The change sets as `c`, each with the import lock that it holds as `l`, for a FROM clause. */
export const CHANGE_SETS_WITH_LOCK = 'change_set c LEFT JOIN import_lock l ON l.change_set_id = c.id';

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
export async function readChangeSet(reads: Pick<Reads, 'rows'>, id: number): Promise<StoredChangeSet | null> {
  const [row] = await reads.rows<StoredChangeSet>(
    'SELECT id, kind, state, format, reverts, reverted_by FROM change_set WHERE id = ?',
    [id],
  );
  return row ?? null;
}

/** The newest other revert that counts of what a revert has reverted; null if there is none. */
export async function otherRevert(
  reads: Pick<Reads, 'rows'>,
  { id, reverts }: Pick<StoredChangeSet, 'id' | 'reverts'>,
): Promise<number | null> {
  const [row] = await reads.rows<{ id: number }>(
    'SELECT id FROM change_set WHERE reverts = ? AND reverted_by IS NULL AND id <> ? ORDER BY id DESC LIMIT 1',
    [reverts, id],
  );
  return row?.id ?? null;
}

/** A revision of a change set, or a change set without one. */
export interface ChangeSetRevision {
  readonly number: number | string | null;
  readonly id: number;
  readonly kind: string;
  /** What reverts the change set. */
  readonly by: number | null;
}

/** The revisions of some change sets, of all reverts, and of all that is reverted. */
export const revisionsForReverts = (
  reads: Pick<Reads, 'rows'>,
  changeSetIds: readonly number[],
): Promise<ChangeSetRevision[]> =>
  // Reverts that have only given corrections other bases have no revisions.
  reads.rows(
    'SELECT r.number, c.id, c.kind, c.reverted_by AS `by` FROM change_set c' +
      ' LEFT JOIN revision r ON r.change_set_id = c.id' +
      ` WHERE c.id IN (${placeholders(changeSetIds.length)})` +
      " OR c.reverted_by IS NOT NULL OR c.kind = 'revert'",
    changeSetIds,
  );

/** An import, and what it has counted as JSON. */
interface StoredImport {
  readonly change_set_id: number;
  readonly input: string;
  readonly format: string;
  readonly digest: string;
  readonly counts: string | null;
}

/** The imports after a change set that count: some, and those of a format; oldest first. */
export const importsAfter = (
  reads: Pick<Reads, 'rows'>,
  changeSetId: number,
  ids: ReadonlySet<number>,
  format: string,
): Promise<StoredImport[]> =>
  reads.rows(
    'SELECT id AS change_set_id, input, format, digest, counts FROM change_set WHERE id > ?' +
      " AND kind IN ('import', 'sample') AND reverted_by IS NULL" +
      ` AND (id IN (${placeholders(ids.size + 1)}) OR format = ?) ORDER BY id`,
    [changeSetId, 0, ...ids, format],
  );

/**
 * The change set of records that is not done, which a migration leaves for the service to carry
 * out; null if there is none. Others of this kind are done with their transaction.
 */
export async function unfinishedRecordChange(reads: Pick<Reads, 'rows'>): Promise<number | null> {
  const [row] = await reads.rows<{ id: number }>(
    "SELECT id FROM change_set WHERE kind = 'record' AND state <> 'done' ORDER BY id LIMIT 1",
  );
  return row?.id ?? null;
}
