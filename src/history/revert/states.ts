/** A value that something had, and the revision that gave it. Null: there was nothing. */
export interface State<T> {
  readonly since: number;
  readonly value: T | null;
}

/** A stored version of something; `until` is null while it is in force. */
export interface StoredVersion<T> {
  readonly since: number;
  readonly until: number | null;
  readonly value: T;
}

/** What is known of revisions when the values of some of them are taken back. */
export interface TakenBack {
  /** Whether the values that a revision gave do not count: its change set is taken back. */
  isVoid(revision: number): boolean;
  /** Whether a revision is one of a revert, which gives what others have given before. */
  isRevert(revision: number): boolean;
}

/** The states of something by the versions that are stored of it, oldest first. */
export function statesOf<T>(versions: readonly StoredVersion<T>[]): State<T>[] {
  const ordered = [...versions].sort((one, other) => one.since - other.since);
  return ordered.flatMap(({ since, until, value }, index): State<T>[] => {
    const removed = until !== null && ordered[index + 1]?.since !== until;
    return removed
      ? [
          { since, value },
          { since: until, value: null },
        ]
      : [{ since, value }];
  });
}

/**
 * The state that something has without the change sets that are taken back: the last one that
 * another one gave. What reverts gave was the state that stood at their time, so it says nothing.
 * @param states oldest first
 * @returns null where there is nothing, and never was with what counts
 */
export const standingState = <T>(states: readonly State<T>[], revisions: TakenBack): State<T> | null =>
  states.findLast(({ since }) => !revisions.isVoid(since) && !revisions.isRevert(since)) ?? null;

/** Whether two values are the same, or both are none. */
export function sameOrNothing<T>(
  one: T | null,
  other: T | null,
  same: (one: T, other: T) => boolean,
): boolean {
  return one === null || other === null ? one === other : same(one, other);
}
