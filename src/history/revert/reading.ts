import { placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../ledger/unit-of-work.js';

/** What reads the database: a transaction, or the database itself in a dry run. */
export type Reader = Pick<Transaction, 'rows' | 'embedded'>;

/** Ids of one statement. */
const BATCH = 500;

/** Selects rows by ids, some hundred at a time. `{ids}` stands for their placeholders. */
export async function selectByIds<Row>(
  reader: Reader,
  sql: string,
  ids: readonly SqlValue[],
  values: readonly SqlValue[] = [],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const batch of batchesOf(ids, BATCH)) {
    const text = sql.replace('{ids}', placeholders(batch.length));
    for (const row of await reader.rows<Row>(text, [...values, ...batch])) rows.push(row);
  }
  return rows;
}
