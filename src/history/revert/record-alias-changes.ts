import { quoteIdentifier } from '../../database/sql.js';
import { aliasStatements } from '../../reference/base/alias-key.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import { existenceStates, effectiveState, type State } from '../../ledger/states.js';
import type { MergedReferences } from './merged-references.js';
import type { Reader } from './reading.js';
import { idsWithKey, readRecordHistories } from './record-histories.js';
import type { RecordRevert } from './record-changes.js';
import type { RevertCounts } from './revert-counts.js';
import type { RevertContext } from './revert-context.js';
import { recordKeyText, type RecordKey } from './series-references.js';
import { planOfRows } from './effective-row.js';

/**
 * What a revert does to the aliases of records: each leads to the record that it was made for, or
 * to what that has become, if it is there. Those that go come first, so that their keys are free.
 */
export async function planRecordAliases(
  reader: Reader,
  ids: readonly number[],
  context: RevertContext,
  merged: MergedReferences,
  counts: RevertCounts,
): Promise<RecordRevert[]> {
  const { operation, tables } = context;
  const table = tables.get(aliasStatements.name)!;
  const plan = planOfRows<RecordValues>(operation, counts, 'records');
  const changes: RecordRevert[] = [];
  const wanted: (RecordRevert & { states: readonly State<RecordValues>[] })[] = [];
  const histories = await readRecordHistories(reader, table, ids, operation.reinstated);
  for (const [id, { stored, version, states }] of histories) {
    if (plan.isDone(states)) continue;
    const effective = effectiveAlias(states, context);
    const values = effective && merged.leadAlias(effective.value!, effective.since);
    if (values !== null && (await isRecordThere(reader, recordOf(values), context)))
      wanted.push({ table, id, stored, values, version, states });
    else if (stored !== null && (await plan.changes(states, null)))
      changes.push({ table, id, stored, values: null, version });
  }
  const free = new Set(changes.map(({ id }) => id));
  for (const { states, ...change } of wanted) {
    const isFree = async () => {
      const key = aliasStatements.uniqueKey.map((column) => change.values![column] as string);
      const others = await idsWithKey(reader, aliasStatements, key);
      return !others.some((id) => id !== change.id && !free.has(id));
    };
    if (await plan.changes(states, change.values, isFree)) changes.push(change);
  }
  return changes;
}

/**
 * The alias as it was created by what counts; null where none is. Only merges lead one elsewhere.
 */
function effectiveAlias(
  states: readonly State<RecordValues>[],
  { operation }: RevertContext,
): State<RecordValues> | null {
  const made = effectiveState(existenceStates(states), operation);
  return made === null || made.value === null ? null : made;
}

const recordOf = ({ table_name: table, record_id: id }: RecordValues): RecordKey => ({
  table: table as string,
  id: id as number,
});

/** Whether a record is stored, or comes back in this revert. */
async function isRecordThere(reader: Reader, key: RecordKey, { before }: RevertContext): Promise<boolean> {
  if (before.restored.has(recordKeyText(key))) return true;
  const rows = await reader.rows(`SELECT id FROM ${quoteIdentifier(key.table)} WHERE id = ?`, [key.id]);
  return rows.length > 0;
}
