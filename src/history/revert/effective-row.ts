import type { RevertCounts } from './revert-counts.js';
import type { RevertOperation } from './revert-operation.js';
import { RevertPlan } from './revert-plan.js';
import { sameOrNothing, effectiveState, type State, type RevertedRevisions } from '../../ledger/states.js';

/** The values of a row by column. */
export type Row = Readonly<Record<string, unknown>>;

export const sameRow = (one: Row, other: Row): boolean =>
  Object.keys(one).every((column) => one[column] === other[column]);

/**
 * A row as it is without the change sets that are reverted, field by field: what others have
 * changed stays. Null where there is none.
 */
export function effectiveRow<R extends Row>(
  states: readonly State<R>[],
  revisions: RevertedRevisions,
): R | null {
  const row = effectiveState(states, revisions)?.value ?? null;
  return row === null ? null : withEffectiveFields(row, states, revisions);
}

/**
 * A row that has gone because nothing used it, as it is when something uses it again, though the
 * change set that created it is reverted. Null for one that is there, and for one that a change set
 * has removed which counts.
 */
export function reinstatedRow<R extends Row>(
  states: readonly State<R>[],
  revisions: RevertedRevisions,
): R | null {
  const isRemoval = ({ since, value }: State<R>) =>
    value === null && !revisions.isRevert(since) && !revisions.isVoid(since);
  if (states.at(-1)?.value !== null || states.some(isRemoval)) return null;
  return keptRow(states, revisions);
}

/**
 * A row that stays because something uses it, although what created it is reverted: with the fields
 * that it had at first, or got from change sets that count. One that is reverted may be a merge,
 * which has led the row to another record.
 */
export const keptRow = <R extends Row>(states: readonly State<R>[], revisions: RevertedRevisions): R =>
  withEffectiveFields(states[0]!.value!, states, revisions);

/**
 * Whether a row that is there was created by a change set that is reverted, and has the fields
 * which such change sets gave it: what maintainers have changed there and back has changed nothing.
 * @param maintainers the revisions in which they have written rows; no other may count
 */
export function isAsMade<R extends Row>(
  states: readonly State<R>[],
  revisions: RevertedRevisions,
  maintainers: ReadonlySet<number>,
): boolean {
  const counts = ({ since, isReinstated }: State<R>) =>
    !isReinstated && !revisions.isVoid(since) && !revisions.isRevert(since);
  if (states.some((state) => counts(state) && !maintainers.has(state.since))) return false;
  const isMaking = ({ since, value, isReinstated }: State<R>, index: number) =>
    value !== null &&
    (states[index - 1]?.value ?? null) === null &&
    !isReinstated &&
    !revisions.isRevert(since);
  const making = states.findLast(isMaking);
  if (making === undefined || !revisions.isVoid(making.since)) return false;
  const isVoid = (revision: number) => !revisions.isVoid(revision);
  const made = effectiveRow(states, { isVoid, isRevert: (revision) => revisions.isRevert(revision) });
  return sameOrNothing(states.at(-1)!.value, made, sameRow);
}

/** What a revert decides about rows. */
export const planOfRows = <R extends Row>(
  operation: RevertOperation,
  counts: RevertCounts,
  counted: 'records' | 'series',
): RevertPlan<R> =>
  new RevertPlan<R>(operation, counts, {
    counted,
    same: sameRow,
    effective: (states) => effectiveRow(states, operation) ?? reinstatedRow(states, operation),
  });

/** @param row whose fields are those that no change set has given which counts */
function withEffectiveFields<R extends Row>(
  row: R,
  states: readonly State<R>[],
  revisions: RevertedRevisions,
): R {
  const fields = Object.keys(row).map((column) => {
    const effective = effectiveState(fieldStates(states, column), revisions);
    return [column, effective === null ? row[column] : effective.value!.field] as const;
  });
  return Object.fromEntries(fields) as R;
}

/** A field may be null, which is a value of it. */
interface Field {
  readonly field: unknown;
}

/** The states in which a field has got another value than it had. */
function fieldStates(states: readonly State<Row>[], column: string): State<Field>[] {
  const changes: State<Field>[] = [];
  for (const { since, value, by, corrected } of states) {
    if (value === null) continue;
    const field = value[column];
    const last = changes.at(-1);
    if (corrected === column) changes.push({ since, value: { field }, by });
    else if (last === undefined || last.value!.field !== field) changes.push({ since, value: { field } });
  }
  return changes;
}
