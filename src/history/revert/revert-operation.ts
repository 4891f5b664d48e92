import { ReinstatedByImports } from '../../reference/base/reinstated-aliases.js';
import { type Reader } from './reading.js';
import {
  otherRevert,
  readChangeSet,
  revisionsForReverts,
  type ChangeSetRevision,
  type StoredChangeSet,
} from '../../ledger/changes/stored-change-sets.js';
import { type RevertScope } from './revert-scope.js';
import { sameOrNothing, type State, type RevertedRevisions } from '../../ledger/states.js';

/** What a change set becomes when another one is reverted: reverted by one, or by none. */
export interface RevertLink {
  readonly id: number;
  readonly revertedBy: number | null;
}

/**
 * What becomes of the change sets behind a reverted one: the one that it had reverted stands again,
 * unless another revert that counts reverts it as well; what that one had reverted does not any
 * more, and so on.
 */
export async function revertLinksBehind(reader: Reader, target: StoredChangeSet): Promise<RevertLink[]> {
  const links: RevertLink[] = [];
  let reverting = target;
  for (let isReverted = true; reverting.reverts !== null; isReverted = !isReverted) {
    const next = (await readChangeSet(reader, reverting.reverts))!;
    const expected = isReverted ? reverting.id : null;
    if (next.reverted_by !== expected) break;
    const other = isReverted ? await otherRevert(reader, reverting) : null;
    links.push({ id: next.id, revertedBy: isReverted ? other : reverting.id });
    if (other !== null) break;
    reverting = next;
  }
  return links;
}

/** One revert: which change set it reverts, and what that makes of all revisions. */
export class RevertOperation implements RevertedRevisions {
  private constructor(
    readonly target: StoredChangeSet,
    /** The ids of its target, of what that one has reverted, and so on. */
    readonly concernedChangeSets: readonly number[],
    /** What imports have reinstated. */
    readonly reinstated: ReinstatedByImports,
    private readonly revertedSets: ReadonlySet<number>,
    private readonly own: ReadonlySet<number>,
    private readonly concerned: ReadonlySet<number>,
    private readonly done: ReadonlySet<number>,
    private readonly reverted: ReadonlySet<number>,
    private readonly reverts: ReadonlySet<number>,
  ) {}

  /**
   * @param links of other change sets, as this revert makes them
   * @param by the change set of the revert, where an interrupted one goes on
   */
  static async load(
    reader: Reader,
    { target, concernedIds: concerned }: RevertScope,
    links: readonly RevertLink[],
    by: number | null,
  ): Promise<RevertOperation> {
    const rows = await revisionsForReverts(reader, concerned);
    const revertedBy = new Map(links.map((link) => [link.id, link.revertedBy]));
    const isReverted = (id: number, stored: number | null) =>
      id === target.id || (revertedBy.has(id) ? revertedBy.get(id) : stored) !== null;
    const numbers = (condition: (row: ChangeSetRevision) => boolean) =>
      new Set(
        rows.filter((row) => row.number !== null && condition(row)).map(({ number }) => Number(number)),
      );
    return new RevertOperation(
      target,
      concerned,
      await ReinstatedByImports.read(reader),
      new Set(rows.filter(({ id, by: stored }) => isReverted(id, stored)).map(({ id }) => id)),
      numbers(({ id }) => id === target.id),
      numbers(({ id }) => concerned.includes(id)),
      numbers(({ id }) => id === by),
      numbers(({ id, by: stored }) => isReverted(id, stored)),
      numbers(({ kind }) => kind === 'revert'),
    );
  }

  /** Whether a change set is reverted. */
  isReverted(changeSetId: number): boolean {
    return this.revertedSets.has(changeSetId);
  }

  isVoid(revision: number): boolean {
    return this.reverted.has(revision);
  }

  isRevert(revision: number): boolean {
    return this.reverts.has(revision);
  }

  /** Whether the change set has given something one of its states, or none. */
  hasAffected(states: readonly State<unknown>[]): boolean {
    return states.some(({ since }) => this.own.has(since));
  }

  /**
   * Whether others have changed what the change set gave. Where it is a revert that is reverted,
   * what restores the value from before it changes nothing.
   * @param returned the value that is there without it, by the states until its last one
   */
  isChangedSince<T>(
    states: readonly State<T>[],
    returned: (states: readonly State<T>[]) => T | null,
    same: (one: T, other: T) => boolean,
  ): boolean {
    const last = states.findLastIndex(({ since }) => this.own.has(since));
    if (last < 0 || last === states.length - 1) return false;
    const { reverts } = this.target;
    const given = reverts === null ? states[last]!.value : returned(states.slice(0, last + 1));
    return !sameOrNothing(given, states.at(-1)!.value, same);
  }

  /** Whether the change set, or one that it has reverted, has given one of the states. */
  concerns(states: readonly State<unknown>[]): boolean {
    return states.some(({ since }) => this.concerned.has(since));
  }

  /** Whether this revert has given the last state already, before it was interrupted. */
  hasGiven(states: readonly State<unknown>[]): boolean {
    return this.isDone(states.at(-1)?.since ?? -1);
  }

  /** Whether a revision is one of this revert, from before it was interrupted. */
  isDone(revision: number): boolean {
    return this.done.has(revision);
  }
}
