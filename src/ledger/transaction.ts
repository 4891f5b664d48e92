import type { EntityTarget, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm';
import type { Statements } from '../database/write-transaction.js';
import type { ChangeAction, ChangesSince, SeriesChangeValues } from './changes/change-list.js';
import type { ChangeSetKind } from './changes/change-set.js';
import type { RevisionArea } from './revision/data-revision.js';

/**
 * Derives data from what a commit changes, in the same transaction. Not called for transactions of
 * a running change set, such as an import, which has its end follow all of it.
 */
export interface CommitFollower {
  /** Called before the commit of an operation that changes published data. */
  beforeCommit(transaction: Transaction, changes: ChangesSince): Promise<void>;
}

/** What Nest gives the unit of work: all followers, in the order in which they are called. */
export const COMMIT_FOLLOWERS = Symbol('CommitFollowers');

/** Identifies a revision, also among databases that have the same numbers. */
export interface RevisionMark {
  readonly number: number;
  readonly mark: string;
}

/** An open write transaction, as an operation sees it that may share it with others. */
export interface Transaction extends Statements {
  /** Inserts a record, without reading it back as `manager.insert` does. @returns its id */
  insert<E extends ObjectLiteral>(
    entity: EntityTarget<E>,
    values: QueryDeepPartialEntity<E>,
  ): Promise<number>;
  /** The current time in milliseconds since 1970, for what depends on the date. */
  now(): number;
  /**
   * The number of the revision that the commit will make, for the versions that this transaction
   * writes. 0 outside of change sets, where nothing is published: in dry runs.
   */
  readonly revision: number;
  /** The revision that it began after; null outside of change sets, and where there is none. */
  readonly before: RevisionMark | null;
  /** The revision that the commit will make, if it makes one; null outside of change sets. */
  readonly next: RevisionMark | null;
  /** Whether published data have been changed so far: then the commit makes a revision. */
  readonly changesData: boolean;
  /**
   * Marks parts of the published data as changed, which invalidates their caches. Only in
   * transactions of a change set.
   */
  markModified(...areas: RevisionArea[]): void;
  /**
   * Marks series, or their points or periods, as changed. Implies `markModified('series')`.
   * @param change what has happened to each of them, beside what was noted before
   */
  markSeriesModified(ids: Iterable<number>, change?: Partial<SeriesChangeValues>): void;
  /**
   * Marks a record as changed, for the change feed. Does not imply `markModified()`.
   * @param columns that have other values; null where any may have
   */
  markRecordModified(
    table: string,
    id: number,
    action: ChangeAction,
    columns?: ReadonlySet<string> | null,
  ): void;
  /** What this transaction has changed so far, which no change list has yet. */
  readonly changes: ChangesSince;
  /**
   * The id of the change set, which is created when it is first asked for; null if there is none.
   */
  changeSetId(): Promise<number | null>;
  /**
   * The kinds of its change sets, none of which it creates: those of all operations where several
   * share the commit, and none outside of change sets.
   */
  changeSetKinds(): Promise<ReadonlySet<ChangeSetKind>>;
}
