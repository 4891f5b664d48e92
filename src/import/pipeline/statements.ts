import { placeholders, rowPlaceholders } from '../../database/sql.js';
import { insertNewAndFormer } from '../../ledger/versions/inserted-rows.js';
import { batchesOf } from '../../lib/collections/batches.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import type { FormerRecords } from '../../reference/base/former-records.js';
import type { RecordValues, TableStatements } from '../../reference/base/table-statements.js';

/** Maximum rows of one statement. A cluster should not get more at once. */
export const ROWS_PER_STATEMENT = 1000;

/** An SQL condition that the columns together have one of the given row values. */
export function inCondition(transaction: Transaction, columns: readonly string[], rows: number): string {
  const names = columns.map((column) => `\`${column}\``);
  if (names.length === 1) return `${names[0]} IN (${placeholders(rows)})`;
  // SQLite accepts a list of row values only as a table.
  return `(${names.join(',')}) IN (${transaction.embedded ? 'VALUES ' : ''}${rowPlaceholders(rows, names.length)})`;
}

/** Inserts records; those that were there before come back under their ids. */
export async function insertRecords(
  transaction: Transaction,
  table: TableStatements<ReferenceEntity>,
  records: readonly RecordValues[],
  keyOf: (record: RecordValues) => string,
  formerRecords: FormerRecords,
): Promise<void> {
  if (records.length === 0) return;
  const former = await formerRecords.find(transaction, table, records.map(keyOf), keyOf);
  await insertNewAndFormer(
    transaction,
    table.name,
    [...table.ownColumns, 'version', 'since'],
    records.map((record) => {
      const again = former.get(keyOf(record));
      const complete = table.withDefaults(record);
      const own = table.ownColumns.map((column) => complete[column] as SqlValue);
      return { id: again?.id, values: [...own, (again?.version ?? 0) + 1, transaction.revision] };
    }),
  );
}

/** Marks records that have just been inserted, given by their unique keys, as created. */
export async function markCreated(
  transaction: Transaction,
  { name, uniqueKey }: TableStatements<ReferenceEntity>,
  records: readonly RecordValues[],
): Promise<void> {
  for (const batch of batchesOf(records, ROWS_PER_STATEMENT)) {
    const rows = await transaction.rows<{ id: number }>(
      `SELECT id FROM \`${name}\` WHERE ${inCondition(transaction, uniqueKey, batch.length)}`,
      batch.flatMap((record) => uniqueKey.map((column) => record[column] as SqlValue)),
    );
    for (const { id } of rows) transaction.markRecordModified(name, id, 'created');
  }
}
