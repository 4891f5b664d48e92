import { batchesOf } from '../../lib/collections/batches.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { ALIAS_COLUMNS, aliasKey, type AliasedTable } from '../../reference/base/alias-key.js';
import type { DatabaseRow, RecordValues } from '../../reference/base/table-statements.js';
import { ROWS_PER_STATEMENT, inCondition } from './statements.js';

/** An alias that is the key of a record in an input: the columns of the key, and the record. */
type FoundAlias = DatabaseRow & { readonly record_id: number };

/** Finds the aliases that are the keys of records. */
export async function findAliases(
  transaction: Transaction,
  table: AliasedTable,
  records: readonly RecordValues[],
): Promise<FoundAlias[]> {
  const found: FoundAlias[] = [];
  for (const batch of batchesOf(records, ROWS_PER_STATEMENT)) {
    const rows = await transaction.rows<FoundAlias>(
      `SELECT record_id, ${ALIAS_COLUMNS.join(', ')} FROM alias WHERE ` +
        inCondition(transaction, ['table_name', ...ALIAS_COLUMNS], batch.length),
      batch.flatMap((record) => [table.name, ...aliasKey(table, record)]),
    );
    found.push(...rows);
  }
  return found;
}
