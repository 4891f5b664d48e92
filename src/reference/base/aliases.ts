import type { Reads } from '../../database/reads.js';
import { equalities, placeholders } from '../../database/sql.js';
import { selectByIds } from '../../database/select-by-ids.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { RECORD_VERSIONS } from '../../ledger/versions/record-versions.js';
import { ALIAS_COLUMNS, aliasKey, aliasStatements, hasAliases, type AliasedTable } from './alias-key.js';
import { Alias } from './alias.entity.js';
import { removeRecords, supersedeRecord } from './record-versions.js';
import type { DatabaseRow, RecordValues } from './table-statements.js';

const IS_KEY = equalities(['table_name', ...ALIAS_COLUMNS]);

/** The alias that is the key of a record, or null. */
export async function findAlias(
  transaction: Transaction,
  table: AliasedTable,
  record: RecordValues,
): Promise<Alias | null> {
  const values = [table.name, ...aliasKey(table, record)];
  const [row] = await transaction.rows<DatabaseRow>(aliasStatements.select(`WHERE ${IS_KEY}`), values);
  return row === undefined ? null : aliasStatements.record(row);
}

/**
 * Makes a key an alias of a record, in place of the alias that had this key. Does not imply
 * `markModified()`.
 * @param key has the columns of the table's unique key
 * @returns the alias's id
 */
export async function addAlias(
  transaction: Transaction,
  table: AliasedTable,
  recordId: number,
  key: RecordValues,
): Promise<number> {
  await removeAlias(transaction, table, key);
  const columns = Object.fromEntries(
    aliasKey(table, key).map((value, index) => [ALIAS_COLUMNS[index], value]),
  );
  const id = await transaction.insert(Alias, {
    table_name: table.name,
    record_id: recordId,
    ...columns,
    since: transaction.revision,
  });
  transaction.markRecordModified(aliasStatements.name, id, 'created');
  return id;
}

/**
 * Lets the aliases of a record lead to another one of its table. Does not imply `markModified()`.
 */
export async function moveAliases(
  transaction: Transaction,
  table: AliasedTable,
  from: number,
  to: number,
): Promise<void> {
  const rows = await transaction.rows<DatabaseRow>(
    aliasStatements.select('WHERE table_name = ? AND record_id = ?'),
    [table.name, from],
  );
  for (const row of rows) {
    const alias = aliasStatements.record(row);
    await supersedeRecord(transaction, aliasStatements, alias);
    await aliasStatements.update(transaction.manager, alias, { record_id: to }, transaction.revision);
    transaction.markRecordModified(aliasStatements.name, alias.id, 'changed');
  }
}

/** Keeps the former key of a record as an alias, if its key has changed. */
export async function keepFormerKey(
  transaction: Transaction,
  table: AliasedTable,
  before: RecordValues & { readonly id: number },
  after: RecordValues,
): Promise<void> {
  if (!hasAliases(table) || table.uniqueKey.every((column) => before[column] === after[column])) return;
  // The new key leads to the record by itself.
  await removeAlias(transaction, table, after);
  await addAlias(transaction, table, before.id, before);
}

/** Removes the alias that is the key of a record, if there is one. */
async function removeAlias(transaction: Transaction, table: AliasedTable, key: RecordValues): Promise<void> {
  await removeRecords(transaction, aliasStatements, IS_KEY, [table.name, ...aliasKey(table, key)]);
}

/** The ids of the aliases that lead to some records of a table. */
export async function aliasIdsOf(
  reads: Pick<Reads, 'rows'>,
  table: string,
  recordIds: readonly number[],
): Promise<number[]> {
  const rows = await selectByIds<{ id: number }>(
    reads,
    'SELECT id FROM alias WHERE table_name = ? AND record_id IN ({ids})',
    recordIds,
    [table],
  );
  return rows.map(({ id }) => id);
}

/** The records that aliases which were made in some revisions lead to, by the revision. */
export async function aliasesMadeIn(
  reads: Pick<Reads, 'rows'>,
  revisions: readonly number[],
): Promise<Map<number, number>> {
  const known = placeholders(revisions.length);
  const stored = await reads.rows<{ since: number | string; record_id: number }>(
    `SELECT since, record_id FROM alias WHERE since IN (${known})`,
    revisions,
  );
  const former = await reads.rows<{ since: number | string; attributes: string }>(
    `SELECT since, attributes FROM ${RECORD_VERSIONS} WHERE table_name = ? AND since IN (${known})`,
    [aliasStatements.name, ...revisions],
  );
  return new Map([
    ...stored.map(({ since, record_id: id }) => [Number(since), id] as const),
    ...former.map(({ since, attributes }) => {
      const { record_id: id } = JSON.parse(attributes) as { record_id: number };
      return [Number(since), id] as const;
    }),
  ]);
}
