import { assignments, placeholders, quoteIdentifier, quoteIdentifiers } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { keepVersions } from '../../ledger/versions/record-versions.js';
import { aliasStatements, hasAliases, type AliasedTable } from './alias-key.js';
import type { ReferenceEntity } from './reference.entity.js';
import type { DatabaseRow, RecordValues, TableStatements } from './table-statements.js';

/** Rows of one statement. */
const ROWS_PER_STATEMENT = 250;

/**
 * Keeps the values that a record had, which this transaction replaces or removes: as a version,
 * known until the transaction's revision. Values of the same transaction were never committed.
 */
export function supersedeRecord<E extends ReferenceEntity>(
  transaction: Transaction,
  table: TableStatements<E>,
  before: E,
): Promise<void> {
  return supersedeRecords(transaction, table, [before]);
}

/** As `supersedeRecord`, for several records of a table. */
async function supersedeRecords<E extends ReferenceEntity>(
  transaction: Transaction,
  { name, ownColumns }: TableStatements<E>,
  before: readonly E[],
): Promise<void> {
  const rows = before.map((record) => {
    const values = record as unknown as RecordValues;
    return {
      ...record,
      attributes: Object.fromEntries(ownColumns.map((column) => [column, values[column]])),
    };
  });
  await keepVersions(transaction, name, rows);
}

/**
 * Gives several records of a table the same values for some columns; each has at least one of them
 * otherwise. What they were is kept. Does not imply `markModified()`.
 */
export async function changeRecordsAlike<E extends ReferenceEntity>(
  transaction: Transaction,
  table: TableStatements<E>,
  records: readonly E[],
  changes: Readonly<Record<string, SqlValue>>,
): Promise<void> {
  await supersedeRecords(transaction, table, records);
  const columns = new Set(Object.keys(changes));
  const set = assignments([...columns]);
  for (const batch of batchesOf(records, ROWS_PER_STATEMENT)) {
    const ids = batch.map(({ id }) => id);
    await transaction.execute(
      `UPDATE ${quoteIdentifier(table.name)} SET ${set}, version = version + 1, since = ?` +
        ` WHERE id IN (${placeholders(ids.length)})`,
      [...Object.values(changes), transaction.revision, ...ids],
    );
    for (const id of ids) transaction.markRecordModified(table.name, id, 'changed', columns);
  }
}

/**
 * Inserts a record again that was removed, with its id. Does not imply `markModified()`.
 * @param version its last one
 */
export async function reinsertRecord<E extends ReferenceEntity>(
  transaction: Transaction,
  { name, ownColumns }: TableStatements<E>,
  id: number,
  version: number,
  values: RecordValues,
): Promise<void> {
  const columns = ['id', ...ownColumns, 'version', 'since'];
  await transaction.execute(
    `INSERT INTO ${quoteIdentifier(name)} (${quoteIdentifiers(columns)})` +
      ` VALUES (${placeholders(columns.length)})`,
    [id, ...ownColumns.map((column) => values[column] as SqlValue), version + 1, transaction.revision],
  );
  transaction.markRecordModified(name, id, 'created');
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
    transaction.markRecordModified(table.name, record.id, 'removed');
    await removeAliasesOf(transaction, table, record.id);
  }
  return rows.length;
}
