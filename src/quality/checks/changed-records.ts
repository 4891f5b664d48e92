import { placeholders } from '../../database/sql.js';
import { recordVersions } from '../../reference/base/past-records.js';
import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import type { TableStatements } from '../../reference/base/table-statements.js';
import type { ChangedData } from './changed-data.js';

/** From more changed records on, everything is checked: to ask which they are would cost more. */
const MANY = 500;

/**
 * The different values of some columns that the changed records of a table have, and had before
 * they were changed or removed.
 * @returns null where they are so many that everything should be checked
 */
export async function changedValues<C extends string>(
  { transaction, changes: { records } }: ChangedData,
  table: TableStatements<ReferenceEntity>,
  columns: readonly C[],
): Promise<Record<C, string>[] | null> {
  const changed = records.filter((record) => record.table === table.name);
  if (changed.length === 0) return [];
  if (changed.length > MANY) return null;
  const ids = changed.map(({ id }) => id);
  const where = `WHERE id IN (${placeholders(ids.length)})`;
  const found = await transaction.rows<Record<C, string>>(table.selectColumns(columns, where), ids);
  const earlier = changed.filter(({ action }) => action !== 'created').map(({ id }) => id);
  if (earlier.length > 0) {
    const versions = await recordVersions(transaction, table.name, earlier);
    for (const { attributes } of versions) found.push(attributes as Record<C, string>);
  }
  const byText = new Map(found.map((row) => [JSON.stringify(columns.map((name) => row[name])), row]));
  return [...byText.values()];
}
