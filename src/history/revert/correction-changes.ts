import type { CorrectionState } from '../../corrections/correction.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../database/unit-of-work.js';
import type { StoredPoint } from '../../prices/store/point-merging.js';
import type { CorrectedHistory, CorrectionRow } from './corrected-histories.js';
import { valueOf } from './point-changes.js';
import type { RevertAct } from './revert-act.js';
import type { RevertContext } from './revert-context.js';
import type { RevertCounts } from './revert-counts.js';
import { standingState, type State } from './states.js';

/** New values of the columns of a correction. */
type Change = Partial<
  Pick<CorrectionRow, 'state' | 'base_value' | 'base_comment' | 'ended_change_set_id' | 'until'>
> & { base_since?: number };

/**
 * What a revert does to corrections, after it has given points, rates and indices their values:
 * those that the change set made end, those that it ended stand again, and others get the base that
 * the source has without it.
 */
export async function takeBackCorrections(
  { act, tables }: Pick<RevertContext, 'act' | 'tables'>,
  histories: readonly CorrectedHistory[],
  transaction: Transaction | null,
  counts: RevertCounts,
): Promise<void> {
  for (const { corrections, states } of histories) {
    const value = valueOf(standingState(states, act));
    const standing = standingOne(corrections, value, act);
    for (const row of corrections) {
      const change =
        row === standing
          ? standingChange(row, corrections, states, act)
          : endingChange(row, standing, value?.value ?? null, act);
      if (change === null) continue;
      counts.corrections[outcomeOf(change)]++;
      if (transaction === null) continue;
      await store(transaction, row.id, change);
      // A value that stays is no change, but findings are `corrected` only as long as this stands.
      if (change.state === undefined || value === null) continue;
      if (row.serie_id !== null) transaction.touchSeries([row.serie_id]);
      else {
        transaction.touch(tables.get(row.table_name)!.area);
        transaction.touchRecord(row.table_name, row.record_id, 'changed');
      }
    }
  }
}

/**
 * The correction that stands without what is taken back: the newest one with the value that does,
 * if the change set that made it counts, and none that counts has ended it.
 */
function standingOne(
  corrections: readonly CorrectionRow[],
  standing: StoredPoint | null,
  act: RevertAct,
): CorrectionRow | null {
  const isTheirs = ({ value, comment }: CorrectionRow) =>
    value === (standing?.value ?? null) &&
    (value === null || (comment || null) === (standing!.comment || null));
  const possible = corrections.filter((row) => !act.isTaken(row.change_set_id) && !hasEnder(row, act));
  return possible.findLast(isTheirs) ?? null;
}

/** Whether a change set that counts has ended a correction. */
const hasEnder = ({ ended_change_set_id: by }: CorrectionRow, act: RevertAct): boolean =>
  by !== null && !act.isTaken(by);

/**
 * Lets a correction stand, or stand again, with the base that the source has. Null where nothing
 * changes.
 */
function standingChange(
  row: CorrectionRow,
  corrections: readonly CorrectionRow[],
  states: readonly State<StoredPoint>[],
  act: RevertAct,
): Change | null {
  const base = changedBase(row, corrections, states, act);
  // What had ended it is kept, for the revert of this revert.
  return row.state === 'standing' ? base : { ...base, state: 'standing', until: null };
}

/** The base that a correction gets; null for the one that it has. */
function changedBase(
  row: CorrectionRow,
  corrections: readonly CorrectionRow[],
  states: readonly State<StoredPoint>[],
  act: RevertAct,
): Change | null {
  const first = firstOf(row, corrections, act);
  // Of corrections from before there were versions, nothing is known but their base.
  if (first.since === 0) return null;
  const before = states.filter(({ since }) => since < first.since);
  const base = standingState(before, act);
  const { value, comment } = base?.value ?? { value: null, comment: null };
  if (row.base_value === value && (row.base_comment || null) === (comment || null)) return null;
  return { base_value: value, base_comment: comment, base_since: base?.since ?? 0 };
}

/**
 * The first of the corrections that followed each other, where nothing else that counts had ended
 * one: its base is that of all.
 */
function firstOf(row: CorrectionRow, corrections: readonly CorrectionRow[], act: RevertAct): CorrectionRow {
  const former = corrections.findLast(
    ({ since, change_set_id: id }) => since < row.since && !act.isTaken(id),
  );
  if (former === undefined) return row;
  const hasOtherEnd = hasEnder(former, act) && former.ended_change_set_id !== row.change_set_id;
  return hasOtherEnd ? row : firstOf(former, corrections, act);
}

/** Ends a correction that does not stand any more; null for one that has ended. */
function endingChange(
  row: CorrectionRow,
  standing: CorrectionRow | null,
  value: number | null,
  act: RevertAct,
): Change | null {
  if (row.state !== 'standing') return null;
  if (act.isTaken(row.change_set_id)) return { state: 'withdrawn' };
  const { reverts } = act.target;
  if (reverts === null) return null;
  // A revert that is taken back had let it stand again: it ends as it had ended before.
  const by = hasEnder(row, act) ? row.ended_change_set_id : reverts;
  return standing !== null && standing.since > row.since
    ? { state: 'withdrawn', ended_change_set_id: by, until: standing.since }
    : { state: endOf(row, value), ended_change_set_id: by };
}

/** How a correction has ended, by the value after it. */
function endOf({ value, base_value: base }: CorrectionRow, after: number | null): CorrectionState {
  if (after === value) return 'confirmed';
  return after === base ? 'withdrawn' : 'superseded';
}

function outcomeOf({ state }: Change): keyof RevertCounts['corrections'] {
  if (state === undefined) return 'rebased';
  return state === 'standing' ? 'reopened' : 'ended';
}

async function store(transaction: Transaction, id: number, change: Change): Promise<void> {
  const ends = change.state !== undefined && change.state !== 'standing';
  const ending = ends
    ? { ended_change_set_id: await transaction.changeSetId(), until: transaction.revision }
    : {};
  const values: Record<string, SqlValue> = { ...ending, ...change };
  const columns = Object.keys(values);
  await transaction.execute(
    `UPDATE correction SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
    [...Object.values(values), id],
  );
}
