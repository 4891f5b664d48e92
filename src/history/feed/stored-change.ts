import type { ChangeAction } from '../../ledger/changes/change-list.js';
import type { FeedPosition } from './feed-position.js';

/** A revision with its change set. */
export interface FeedRevision {
  readonly number: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly mark: string;
  readonly changeSetId: number;
  readonly kind: string;
}

/** What a revision has done to a record. */
export interface RecordChangeRow {
  readonly type: 'record';
  readonly revision: FeedRevision;
  /** The table's name in the database. */
  readonly table: string;
  readonly id: number;
  readonly action: ChangeAction;
}

/** What a revision has done to a series. */
export interface SeriesChangeRow {
  readonly type: 'series';
  readonly revision: FeedRevision;
  readonly id: number;
  readonly uuid: string;
  readonly marketId: number;
  /** Its place in `SERIES_STATUSES`. */
  readonly status: number;
  readonly action: ChangeAction;
  /** Numbers of points. */
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Day numbers of the first and the last of these points; null if there are none. */
  readonly firstDay: number | null;
  readonly lastDay: number | null;
}

/** A change as it is stored, before it becomes an item of the feed. */
export type StoredChange = RecordChangeRow | SeriesChangeRow;

/**
 * The revision that rows of a change's revision are known since: those from before the migration
 * have none of their own.
 */
export const sinceOf = ({ number, kind }: FeedRevision): number => (kind === 'migration' ? 0 : number);

/** The position after a change. */
export function positionAfter(change: StoredChange): FeedPosition {
  const { number: revision, mark } = change.revision;
  const after =
    change.type === 'record'
      ? { type: 'record' as const, table: change.table, id: change.id }
      : { type: 'series' as const, uuid: change.uuid };
  return { revision, mark, after };
}
