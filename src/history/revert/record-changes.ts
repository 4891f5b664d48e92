import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { reinsertRecord, removeRecords, supersedeRecord } from '../../reference/base/record-versions.js';
import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import { readNameInOthers } from '../../reference/market/country-names.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import { maintainersRevisions } from './correction-ends.js';
import type { MergedReferences } from './merged-references.js';
import type { Reader } from './reading.js';
import { idsWithKey, readRecordHistories, type RecordTable } from './record-histories.js';
import type { RevertOperation } from './revert-operation.js';
import type { RevertCounts } from './revert-counts.js';
import type { RecordKey } from './series-references.js';
import { isAsMade, keptRow, planOfRows, reinstatedRow, sameRow, effectiveRow } from './effective-row.js';

/** What a revert does to a record. */
export interface RecordRevert {
  readonly table: RecordTable;
  readonly id: number;
  /** Null where the record has gone. */
  readonly stored: ReferenceEntity | null;
  /** Null where it is to go. */
  readonly values: RecordValues | null;
  /** The number of its last version. */
  readonly version: number;
}

/** The record that a change is of. */
export const keyOf = ({ table, id }: RecordRevert): RecordKey => ({ table: table.statements.name, id });

/**
 * The records that come back or get values that they had before. Those that another record has
 * taken the unique key of are left alone.
 */
export async function planRestoredRecords(
  reader: Reader,
  table: RecordTable,
  ids: readonly number[],
  operation: RevertOperation,
  merged: MergedReferences,
  counts: RevertCounts,
): Promise<RecordRevert[]> {
  const planned: RecordRevert[] = [];
  const plan = planOfRows<RecordValues>(operation, counts, 'records');
  const histories = await readRecordHistories(reader, table, ids, operation.reinstated);
  for (const [id, { stored, version, states }] of histories) {
    if (plan.isDone(states) || !operation.concerns(states)) continue;
    const values = merged.isMerged(table.statements.name, id) ? null : effectiveRow(states, operation);
    if (values === null) continue;
    const change = { table, id, stored, values, version };
    if (await plan.changes(states, values, async () => !(await isKeyTaken(reader, change))))
      planned.push(change);
  }
  return planned;
}

/**
 * A record that has gone because nothing used it, as it comes back for a series that refers to it.
 * Null where it cannot: it was removed otherwise, or another record has its unique key.
 */
export async function planReinstatedRecord(
  reader: Reader,
  table: RecordTable,
  id: number,
  operation: RevertOperation,
): Promise<RecordRevert | null> {
  const histories = await readRecordHistories(reader, table, [id], operation.reinstated);
  const { stored, version, states } = histories.get(id)!;
  const values = reinstatedRow(states, operation);
  if (values === null) return null;
  const change = { table, id, stored, values, version };
  return (await isKeyTaken(reader, change)) ? null : change;
}

/** The records that go, because nothing uses them. */
export async function planRemovedRecords(
  reader: Reader,
  table: RecordTable,
  ids: readonly number[],
  operation: RevertOperation,
  merged: MergedReferences,
  isUsed: (table: RecordTable, id: number) => Promise<boolean>,
  counts: RevertCounts,
): Promise<RecordRevert[]> {
  const planned: RecordRevert[] = [];
  const histories = await readRecordHistories(reader, table, ids, operation.reinstated);
  for (const [id, { stored, version, states }] of histories) {
    if (stored === null || operation.hasGiven(states)) continue;
    const effective = merged.isMerged(table.statements.name, id) ? null : effectiveRow(states, operation);
    if (effective !== null) {
      // Rates and indices that are changed have corrections.
      if (table.correctedColumn !== null) continue;
      if (!isAsMade(states, operation, await maintainersRevisions(reader, [states], 'record'))) continue;
    }
    if (await isUsed(table, id)) {
      const before = states.at(-1)!.value!;
      const kept = effective ?? keptRow(states, operation);
      const change = { table, id, stored, values: kept, version };
      if (
        effective === null &&
        operation.concerns(states) &&
        !sameRow(before, kept) &&
        !(await isKeyTaken(reader, change))
      ) {
        counts.records.changed++;
        planned.push(change);
      } else if (operation.hasAffected(states)) counts.still_used++;
      continue;
    }
    counts.records.removed++;
    planned.push({ table, id, stored, values: null, version });
  }
  return planned;
}

/** Stores what was planned. */
export async function changeRecords(
  transaction: Transaction,
  planned: readonly RecordRevert[],
): Promise<void> {
  const { revision } = transaction;
  const changes = await withCountryNames(transaction, planned);
  for (const { table, id, stored, values, version } of changes) {
    const { statements, area } = table;
    transaction.markModified(area);
    if (values === null) {
      await removeRecords(transaction, statements, 'id = ?', [id]);
    } else if (stored === null) {
      await reinsertRecord(transaction, statements, id, version, values);
    } else {
      await supersedeRecord(transaction, statements, stored);
      await statements.update(transaction.manager, stored, statements.differences(stored, values), revision);
      transaction.markRecordModified(statements.name, id, 'changed');
    }
  }
}

/**
 * The same changes, with the names that countries have: those of the markets that are not changed.
 * What a maintainer has set meanwhile is not reverted.
 */
async function withCountryNames(
  transaction: Transaction,
  changes: readonly RecordRevert[],
): Promise<readonly RecordRevert[]> {
  const isMarket = ({ table, values }: RecordRevert) => table.statements.name === 'market' && values !== null;
  const markets = changes.filter(isMarket);
  if (markets.length === 0) return changes;
  const codeOf = ({ values }: RecordRevert) => values!.iso3_country_code as string;
  const ids = new Set(markets.map(({ id }) => id));
  const names = new Map<string, string | undefined>();
  for (const code of new Set(markets.map(codeOf)))
    names.set(code, await readNameInOthers(transaction, code, ids));
  return changes.map((change) => {
    const name = isMarket(change) ? names.get(codeOf(change)) : undefined;
    return name === undefined ? change : { ...change, values: { ...change.values, country_name: name } };
  });
}

/** Whether another record has the unique key that this one is to have. */
async function isKeyTaken(
  reader: Reader,
  { table: { statements }, id, values }: RecordRevert,
): Promise<boolean> {
  const key = statements.uniqueKey.map((column) => values![column] as SqlValue);
  return (await idsWithKey(reader, statements, key)).some((other) => other !== id);
}
