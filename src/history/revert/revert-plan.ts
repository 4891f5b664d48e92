import { sameOrNothing, type State } from '../../ledger/states.js';
import type { RevertOperation } from './revert-operation.js';
import { addEffect, type RevertCounts } from './revert-counts.js';

/** What a revert needs to know of a kind of thing. */
interface Kind<T> {
  /** Where what happens to it is counted. */
  readonly counted: 'points' | 'records' | 'series';
  /** Whether two have the same of what is reverted. */
  readonly same: (one: T, other: T) => boolean;
  /** The values that its states leave without what is reverted; null where there is nothing. */
  readonly effective: (states: readonly State<T>[]) => T | null;
}

/**
 * What a revert decides about things of a kind, each by its states, oldest first: points, records,
 * series and aliases alike.
 */
export class RevertPlan<T> {
  constructor(
    private readonly operation: RevertOperation,
    private readonly counts: RevertCounts,
    private readonly kind: Kind<T>,
  ) {}

  /** Whether this revert has given the last state already, before it was interrupted: it counts. */
  isDone(states: readonly State<T>[]): boolean {
    if (!this.operation.hasGiven(states)) return false;
    this.add(states.at(-2)?.value ?? null, states.at(-1)!.value);
    return true;
  }

  /**
   * Whether a thing is to get other values than it has, null for none. What others have changed
   * since is left alone and counted, as is what cannot be there.
   * @param canHave asked only where the values are others
   */
  async changes(
    states: readonly State<T>[],
    values: T | null,
    canHave: () => boolean | Promise<boolean> = () => true,
  ): Promise<boolean> {
    const { same, effective } = this.kind;
    const before = states.at(-1)?.value ?? null;
    if (sameOrNothing(before, values, same)) {
      if (this.operation.isChangedSince(states, effective, same)) this.counts.changed_since++;
      return false;
    }
    if (!(await canHave())) {
      this.counts.changed_since++;
      return false;
    }
    this.add(before, values);
    return true;
  }

  private add(before: T | null, after: T | null): void {
    addEffect(this.counts[this.kind.counted], before, after);
  }
}
