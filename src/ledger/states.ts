/** A value that something had, and the revision that gave it. Null: there was nothing. */
export interface State<T> {
  readonly since: number;
  readonly value: T | null;
  /** Who gave it; not given for sources, whose values corrections overrule. */
  readonly by?: Maintainer;
  /** Of a row: the column that was corrected, or whose correction ended, also where it stayed. */
  readonly corrected?: string;
  /** Whether it is only back, as it was: it was given before, and nothing gave it anew. */
  readonly isReinstated?: boolean;
}

/** A maintainer who has corrected a value, or who has withdrawn the correction that stood. */
export type Maintainer = { readonly correction: number } | 'withdrawal';

/** A stored version of something; `until` is null while it is in force. */
export interface StoredVersion<T> {
  readonly since: number;
  readonly until: number | null;
  readonly value: T;
}

/** What is known of revisions when the values of some of them are reverted. */
export interface RevertedRevisions {
  /** Whether the values that a revision gave do not count: its change set is reverted. */
  isVoid(revision: number): boolean;
  /** Whether a revision is one of a revert, which gives what others have given before. */
  isRevert(revision: number): boolean;
}

/** What there is without the change sets that are reverted. */
export interface EffectiveStates<T> {
  /** What the source has given last; null where it has given nothing. */
  readonly source: State<T> | null;
  /** The correction of it that stands; null for none. */
  readonly correction: State<T> | null;
  /** What has ended the others that count, by their ids. */
  readonly ends: ReadonlyMap<number, State<T>>;
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

/** The states in which something was created or removed, without those that only change it. */
export const existenceStates = <T>(states: readonly State<T>[]): State<T>[] =>
  states.filter(({ value }, index) => value === null || (states[index - 1]?.value ?? null) === null);

/**
 * What the source has given and how it is corrected without the change sets that are reverted, as
 * if the others had been done one after the other: a correction stands until one of them corrects
 * it or withdraws it, or the source gives a value. What reverts gave was the state that stood at
 * their time, so it says nothing, as what is only back.
 * @param states oldest first
 */
export function replay<T>(states: readonly State<T>[], revisions: RevertedRevisions): EffectiveStates<T> {
  let source: State<T> | null = null;
  let correction: State<T> | null = null;
  const ends = new Map<number, State<T>>();
  for (const state of states) {
    if (state.isReinstated || revisions.isVoid(state.since) || revisions.isRevert(state.since)) continue;
    const { by } = state;
    if (correction !== null) ends.set(idOf(correction), state);
    if (by === undefined) source = state;
    correction = by === undefined || by === 'withdrawal' ? null : state;
  }
  return { source, correction, ends };
}

const idOf = ({ by }: State<unknown>): number => (by as Exclude<Maintainer, 'withdrawal'>).correction;

/**
 * The state that something has without the change sets that are reverted.
 * @param states oldest first
 * @returns null where there is nothing, and never was with what counts
 */
export function effectiveState<T>(
  states: readonly State<T>[],
  revisions: RevertedRevisions,
): State<T> | null {
  const { source, correction } = replay(states, revisions);
  return correction ?? source;
}

/** Whether two values are the same, or both are none. */
export function sameOrNothing<T>(
  one: T | null,
  other: T | null,
  same: (one: T, other: T) => boolean,
): boolean {
  return one === null || other === null ? one === other : same(one, other);
}
