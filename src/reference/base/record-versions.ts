import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../database/unit-of-work.js';
import { aliasStatements, hasAliases, type AliasedTable } from './alias-key.js';
import type { ReferenceEntity } from './reference.entity.js';
import {
  quoteIdentifier,
  type DatabaseRow,
  type RecordValues,
  type TableStatements,
} from './table-statements.js';

/**
 * Keeps the values that a record had, which this transaction replaces or removes: as a version,
 * known until the transaction's revision. Values of the same transaction were never committed.
 */
export async function supersedeRecord<E extends ReferenceEntity>(
  transaction: Transaction,
  { name, ownColumns }: TableStatements<E>,
  before: E,
): Promise<void> {
  const { id, version, since } = before;
  if (since === transaction.revision) return;
  const values = before as unknown as RecordValues;
  const attributes = Object.fromEntries(ownColumns.map((column) => [column, values[column]]));
  await transaction.execute(
    'INSERT INTO record_version (table_name, record_id, since, until, version, attributes) VALUES (?, ?, ?, ?, ?, ?)',
    [name, id, since, transaction.revision, version, JSON.stringify(attributes)],
  );
}

/** Removes the aliases of a record that is removed. */
export async function removeAliasesOf(
  transaction: Transaction,
  table: AliasedTable,
  id: number,
): Promise<void> {
  if (!hasAliases(table)) return;
  await removeRecords(transaction, aliasStatements, 'table_name = ? AND record_id = ?', [table.name, id]);
}

/**
 * Removes records, which nothing may refer to, and their aliases. What they were is kept.
 * @param condition of the statement, after `WHERE`
 * @returns how many were removed
 */
export async function removeRecords<E extends ReferenceEntity>(
  transaction: Transaction,
  table: TableStatements<E>,
  condition: string,
  values: readonly SqlValue[],
): Promise<number> {
  const rows = await transaction.rows<DatabaseRow>(table.select(`WHERE ${condition}`), values);
  for (const row of rows) {
    const record = table.record(row);
    await supersedeRecord(transaction, table, record);
    await transaction.execute(`DELETE FROM ${quoteIdentifier(table.name)} WHERE id = ?`, [record.id]);
    transaction.touchRecord(table.name, record.id, 'removed');
    await removeAliasesOf(transaction, table, record.id);
  }
  return rows.length;
}
