import { batchesOf } from '../../lib/collections/batches.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { ReferenceTable } from '../../reference/base/reference-table.js';
import type { DatabaseRow, RecordValues } from '../../reference/base/table-statements.js';
import type { TableRecord } from '../formats/table-rows.js';
import { ROWS_PER_STATEMENT, inCondition } from './statements.js';

/** The rows of an input that may be stored, as far as sources matter. */
interface RowsOfOwnSource {
  readonly rows: readonly TableRecord[];
  /** How many of the others have another value. */
  readonly keptOtherSource: number;
}

/**
 * Leaves out the rows of an input whose rates or indices are stored with another source: a file
 * does not change what another source has published. A stored one without a source may be changed
 * by any. Other tables have no sources.
 * @param replace true to leave out none
 */
export async function rowsOfOwnSource(
  transaction: Transaction,
  { statements: table, dto: { entity } }: ReferenceTable,
  rows: readonly TableRecord[],
  replace: boolean,
): Promise<RowsOfOwnSource> {
  const column = entity.correctedColumn;
  if (column === null || replace) return { rows, keptOtherSource: 0 };
  const keyOf = (values: RecordValues) => table.uniqueKey.map((name) => String(values[name])).join('\n');
  const own: TableRecord[] = [];
  let keptOtherSource = 0;
  for (const batch of batchesOf(rows, ROWS_PER_STATEMENT)) {
    const found = await transaction.rows<DatabaseRow>(
      table.select(`WHERE ${inCondition(transaction, table.uniqueKey, batch.length)} AND source <> ''`),
      batch.flatMap(({ values }) => table.uniqueKey.map((name) => values[name] as SqlValue)),
    );
    const stored = new Map(found.map((row) => [keyOf(row), row]));
    for (const row of batch) {
      const other = stored.get(keyOf(row.values));
      if (other === undefined || other.source === (row.values.source ?? '')) own.push(row);
      else if (other[column] !== row.values[column]) keptOtherSource++;
    }
  }
  return { rows: own, keptOtherSource };
}
