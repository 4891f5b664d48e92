import type { CorrectionState } from '../../ledger/corrections/correction.js';
import { changeCorrection } from '../../ledger/corrections/correction-store.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { StoredPoint } from '../../prices/store/point-merging.js';
import type { StoredCorrection } from '../../ledger/corrections/concerned-corrections.js';
import type { CorrectedHistory } from './corrected-histories.js';
import { withOwnRevisions } from './own-revisions.js';
import { valueOf } from './point-changes.js';
import type { RevertOperation } from './revert-operation.js';
import type { RevertContext } from './revert-context.js';
import type { RevertCounts } from './revert-counts.js';
import { replay, type EffectiveStates, type State } from '../../ledger/states.js';

/** New values of the columns of a correction. */
type Change = Partial<Pick<StoredCorrection, 'state' | 'base_value' | 'base_comment' | 'until'>> & {
  base_since?: number;
};

/**
 * What a revert does to corrections, after it has given points, rates and indices their values:
 * those that the change set made end, those that it ended stand again, and others get the base that
 * the source has without it.
 * @returns the corrections that stand again, or on another base: imports that repeated the value
 * below one have changed nothing, so only the corrections tell which of them to look for
 */
export async function revertCorrections(
  { operation, tables }: Pick<RevertContext, 'operation' | 'tables'>,
  histories: readonly CorrectedHistory[],
  transaction: Transaction | null,
  counts: RevertCounts,
): Promise<StoredCorrection[]> {
  const reinstated: StoredCorrection[] = [];
  const revisions = transaction === null ? operation : await withOwnRevisions(transaction, operation);
  for (const { corrections, states } of histories) {
    const effective = replay(states, revisions);
    const isThere = valueOf(effective.correction ?? effective.source) !== null;
    for (const row of corrections) {
      const change = changeOf(row, effective, operation);
      if (change === null) continue;
      const outcome = outcomeOf(row, change);
      if (outcome !== null) counts.corrections[outcome]++;
      if (outcome === 'rebased' || outcome === 'reopened') reinstated.push(row);
      if (transaction === null) continue;
      await store(transaction, row, change);
      // A value that stays is no change, but findings are `corrected` only as long as this stands.
      if (change.state === undefined || !isThere) continue;
      if (row.serie_id !== null) transaction.markSeriesModified([row.serie_id]);
      else {
        transaction.markModified(tables.get(row.table_name)!.area);
        transaction.markRecordModified(row.table_name, row.record_id, 'changed');
      }
    }
  }
  return reinstated;
}

/** What becomes of a correction; null for nothing. */
function changeOf(
  row: StoredCorrection,
  effective: EffectiveStates<StoredPoint>,
  operation: RevertOperation,
): Change | null {
  const { by } = effective.correction ?? {};
  if (typeof by === 'object' && by.correction === row.id) return effectiveChange(row, effective.source);
  if (operation.isReverted(row.change_set_id))
    return row.state === 'standing' ? { state: 'withdrawn' } : null;
  const end = effective.ends.get(row.id);
  const state = end === undefined ? row.state : endOf(row, end);
  return state === row.state ? null : { state };
}

/** Lets a correction stand, or stand again, with the base that the source has. */
function effectiveChange(row: StoredCorrection, source: State<StoredPoint> | null): Change | null {
  const { value, comment } = source?.value ?? { value: null, comment: null };
  const hasBase = row.base_value === value && (row.base_comment || null) === (comment || null);
  const base = hasBase
    ? null
    : { base_value: value, base_comment: comment, base_since: Math.max(0, source?.since ?? 0) };
  // What had ended it is kept, for the revert of this revert.
  return row.state === 'standing' ? base : { ...base, state: 'standing', until: null };
}

/** How a correction has ended, by what came after it. */
function endOf({ value }: StoredCorrection, { by, value: after }: State<StoredPoint>): CorrectionState {
  if (by !== undefined || after === null) return 'withdrawn';
  return after.value === value ? 'confirmed' : 'superseded';
}

function outcomeOf(row: StoredCorrection, { state }: Change): keyof RevertCounts['corrections'] | null {
  if (state === undefined) return 'rebased';
  if (state === 'standing') return 'reopened';
  return row.state === 'standing' ? 'ended' : null;
}

async function store(transaction: Transaction, row: StoredCorrection, change: Change): Promise<void> {
  const ends = change.state !== undefined && change.state !== 'standing';
  // What had ended it before is kept: a source may have confirmed it.
  const by = row.ended_change_set_id ?? (ends ? await transaction.changeSetId() : null);
  const values: Record<string, SqlValue> = { ...change };
  if (ends) Object.assign(values, { ended_change_set_id: by, until: transaction.revision });
  await changeCorrection(transaction, row.id, values);
}
