import { batchesOf } from '../lib/collections/batches.js';
import type { Reads, SqlValue } from './reads.js';
import { placeholders } from './sql.js';

/** Ids of one statement. */
const BATCH = 500;

/** Selects rows by ids, some hundred at a time. `{ids}` stands for their placeholders. */
export async function selectByIds<Row>(
  reader: Pick<Reads, 'rows'>,
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
