import {
  addCorrection,
  correctionsOfRecords,
  endCorrections,
} from '../../ledger/corrections/correction-store.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import type { ReferenceEntity } from './reference.entity.js';
import type { RecordValues, TableStatements } from './table-statements.js';

/** A record whose value a maintainer has changed: null before it was created, or now it is gone. */
interface RecordChange {
  readonly before: ReferenceEntity | null;
  readonly after: ReferenceEntity | null;
}

/** The values of a record's unique key, as corrections have them. */
export function correctionKey(
  { uniqueKey }: Pick<TableStatements<ReferenceEntity>, 'uniqueKey'>,
  record: RecordValues,
): string {
  return JSON.stringify(uniqueKey.map((column) => record[column]));
}

/**
 * Keeps what a maintainer does to a rate or an index as corrections of its source's value. A
 * changed key is a removal under the one, and an addition under the other.
 * @param column the one that has the value
 */
export async function correctRecord(
  transaction: Transaction,
  table: TableStatements<ReferenceEntity>,
  column: string,
  { before, after }: RecordChange,
): Promise<void> {
  const keyOf = (record: ReferenceEntity) => correctionKey(table, record as unknown as RecordValues);
  if (before !== null && after !== null && keyOf(before) !== keyOf(after)) {
    await correctRecord(transaction, table, column, { before, after: null });
    await correctRecord(transaction, table, column, { before: null, after });
    return;
  }
  const record = (after ?? before) as unknown as RecordValues;
  const key = correctionKey(table, record);
  const valueOf = (one: ReferenceEntity) => (one as unknown as Record<string, number>)[column]!;
  const correction = (await correctionsOfRecords(transaction, table.name, [key])).get(key);
  const stored = before && { value: valueOf(before), comment: null, since: before.since };
  const base = correction === undefined ? stored : correction.base;
  const ours = after && { value: valueOf(after), comment: null };
  if (correction !== undefined) await endCorrections(transaction, [correction.id], 'withdrawn');
  if (base?.value === ours?.value) return;
  const about = {
    table: table.name,
    key,
    recordId: record.id as number,
    day: dayFromIso(record.date as string)!,
  };
  await addCorrection(transaction, about, base, ours);
}
