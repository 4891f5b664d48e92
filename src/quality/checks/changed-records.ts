import { placeholders } from '../../database/sql.js';
import type { SqlValue } from '../../database/database.js';
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
  table: string,
  columns: readonly C[],
): Promise<Record<C, string>[] | null> {
  const changed = records.filter((record) => record.table === table);
  if (changed.length === 0) return [];
  if (changed.length > MANY) return null;
  const among = (values: readonly SqlValue[]) => `IN (${placeholders(values.length)})`;
  const ids = changed.map(({ id }) => id);
  const names = columns.join(', ');
  const found = await transaction.rows<Record<C, string>>(
    `SELECT DISTINCT ${names} FROM ${table} WHERE id ${among(ids)}`,
    ids,
  );
  const earlier = changed.filter(({ action }) => action !== 'created').map(({ id }) => id);
  if (earlier.length > 0) {
    const versions = await transaction.rows<{ attributes: string }>(
      `SELECT attributes FROM record_version WHERE table_name = ? AND record_id ${among(earlier)}`,
      [table, ...earlier],
    );
    for (const { attributes } of versions) found.push(JSON.parse(attributes) as Record<C, string>);
  }
  const byText = new Map(found.map((row) => [JSON.stringify(columns.map((name) => row[name])), row]));
  return [...byText.values()];
}
