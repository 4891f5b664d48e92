import { quoteIdentifier, quoteIdentifiers, rowPlaceholders } from '../../database/sql.js';
import type { SqlValue } from '../../database/database.js';
import { batchesOf } from '../../lib/collections/batches.js';
import type { Transaction } from '../unit-of-work.js';

/** Rows of one statement. A cluster should not get more at once. */
const ROWS_PER_STATEMENT = 1000;

/** Inserts rows, several per statement. */
async function bulkInsert(
  transaction: Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  for (const batch of batchesOf(rows, ROWS_PER_STATEMENT)) {
    await transaction.execute(
      `INSERT INTO ${quoteIdentifier(table)} (${quoteIdentifiers(columns)}) VALUES ${rowPlaceholders(batch.length, columns.length)}`,
      batch.flat(),
    );
  }
}

/** Inserts rows: new ones, and those that were there before, with the ids that they had. */
export async function insertNewAndFormer(
  transaction: Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly { readonly id: number | undefined; readonly values: readonly SqlValue[] }[],
): Promise<void> {
  const made = rows.filter(({ id }) => id === undefined).map(({ values }) => values);
  const back = rows.flatMap(({ id, values }) => (id === undefined ? [] : [[id, ...values]]));
  await bulkInsert(transaction, table, columns, made);
  await bulkInsert(transaction, table, ['id', ...columns], back);
}
