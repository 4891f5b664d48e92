import { assignments, equalities, placeholders, quoteIdentifier, quoteIdentifiers } from '../database/sql.js';
import { driverErrorKind } from '../database/errors/driver-errors.js';
import type { SqlValue } from '../database/database.js';
import type { Transaction } from '../ledger/unit-of-work.js';
import type { RecordItem } from '../history/feed/feed-item.js';
import { recordTables, type FeedTable } from '../history/feed/record-tables.js';
import { removeRecords, supersedeRecord } from '../reference/base/record-versions.js';
import type { ReferenceEntity, ReferenceEntityClass } from '../reference/base/reference.entity.js';
import type { DatabaseRow, RecordValues } from '../reference/base/table-statements.js';

/** Gives a record the values of an item that has not removed it, under the same id. */
export async function copyRecord(transaction: Transaction, item: RecordItem): Promise<void> {
  const table = tableOf(item);
  const values = { ...table.statements.withDefaults(table.stored(item.record!)), id: item.id };
  const before = await find(transaction, table, item.id);
  const changes = before === null ? values : table.statements.differences(before, values);
  const columns = table.statements.ownColumns.filter((column) => column in changes);
  if (before !== null && columns.length === 0) return;
  if (before !== null) await supersedeRecord(transaction, table.statements, before);
  const write = () =>
    before === null ? insert(transaction, table, values) : update(transaction, table, before, changes);
  await write().catch(async (error: unknown) => {
    if (driverErrorKind(error) !== 'duplicate') throw error;
    await setAside(transaction, table, values);
    await write();
  });
  markModified(transaction, table, item.id, before === null ? 'created' : 'changed');
}

/** Removes the record of an item. */
export async function removeCopy(transaction: Transaction, item: RecordItem): Promise<void> {
  const table = tableOf(item);
  await removeRecords(transaction, table.statements, 'id = ?', [item.id]);
  transaction.markModified(areaOf(table));
}

function tableOf({ table: name }: RecordItem): FeedTable {
  const table = [...recordTables().values()].find((each) => each.name === name);
  if (table === undefined) throw new Error(`The feed has a table ${name}, which this release does not know.`);
  return table;
}

const areaOf = ({ entity }: FeedTable) => (entity as ReferenceEntityClass).area;

function markModified(
  transaction: Transaction,
  table: FeedTable,
  id: number,
  action: 'created' | 'changed',
): void {
  transaction.markModified(areaOf(table));
  transaction.markRecordModified(table.statements.name, id, action);
}

async function find(
  transaction: Transaction,
  { statements }: FeedTable,
  id: number,
): Promise<ReferenceEntity | null> {
  const [row] = await transaction.rows<DatabaseRow>(statements.select('WHERE id = ?'), [id]);
  return row === undefined ? null : statements.record(row);
}

function insert(transaction: Transaction, { statements }: FeedTable, values: RecordValues) {
  const columns = ['id', ...statements.ownColumns];
  return transaction.execute(
    `INSERT INTO ${quoteIdentifier(statements.name)} (${quoteIdentifiers(columns)}, since)` +
      ` VALUES (${placeholders(columns.length)}, ?)`,
    [...columns.map((column) => values[column] as SqlValue), transaction.revision],
  );
}

function update(
  transaction: Transaction,
  { statements }: FeedTable,
  { id }: ReferenceEntity,
  changes: RecordValues,
) {
  const columns = Object.keys(changes);
  return transaction.execute(
    `UPDATE ${quoteIdentifier(statements.name)} SET ${assignments(columns)},` +
      ' version = version + 1, since = ? WHERE id = ?',
    [...columns.map((column) => changes[column] as SqlValue), transaction.revision, id],
  );
}

/**
 * Makes way for a record whose unique key another one still has: an item of the same revision
 * gives that one its own values, or removes it. Records refer to it, so it is renamed; rates and
 * indices are inserted again.
 */
async function setAside(
  transaction: Transaction,
  { statements }: FeedTable,
  values: RecordValues,
): Promise<void> {
  const isKey = equalities(statements.uniqueKey);
  const key = statements.uniqueKey.map((column) => values[column] as SqlValue);
  if (!statements.ownColumns.includes('name')) {
    await removeRecords(transaction, statements, isKey, key);
    return;
  }
  const [row] = await transaction.rows<DatabaseRow>(statements.select(`WHERE ${isKey}`), key);
  const other = statements.record(row!);
  await supersedeRecord(transaction, statements, other);
  await transaction.execute(
    `UPDATE ${quoteIdentifier(statements.name)} SET name = ?, since = ? WHERE id = ?`,
    [`~${other.id}`, transaction.revision, other.id],
  );
}
