import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../ledger/unit-of-work.js';

/** What reads the database: a transaction, or the database itself in a dry run. */
export type Reader = Pick<Transaction, 'rows' | 'embedded'>;

/** Ids of one statement. */
const BATCH = 500;

/** The placeholders of a list of values: `?,?,?`. */
export const placeholdersOf = (values: number): string => Array(values).fill('?').join(',');

/** Selects rows by ids, some hundred at a time. `{ids}` stands for their placeholders. */
export async function selectByIds<Row>(
  reader: Reader,
  sql: string,
  ids: readonly SqlValue[],
  values: readonly SqlValue[] = [],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    const text = sql.replace('{ids}', placeholdersOf(batch.length));
    for (const row of await reader.rows<Row>(text, [...values, ...batch])) rows.push(row);
  }
  return rows;
}
