import { Alias } from './alias.entity.js';
import { TableStatements, type RecordValues } from './table-statements.js';

/** The columns of a record's unique key that an alias has, in the order of its own unique key. */
export const ALIAS_COLUMNS = ['iso3_country_code', 'admin_unit', 'admin_unit2', 'name'] as const;

export const aliasStatements = new TableStatements(Alias);

/** The parts of a table that aliases depend on. */
export type AliasedTable = Pick<TableStatements<never>, 'name' | 'uniqueKey'>;

/** Whether records of a table have aliases: those that are identified by a name. */
export function hasAliases({ uniqueKey }: AliasedTable): boolean {
  const isPart = (column: string) => (ALIAS_COLUMNS as readonly string[]).includes(column);
  return uniqueKey.includes('name') && uniqueKey.every(isPart);
}

/** The key of a record as the columns of an alias; empty for those that its table lacks. */
export function aliasKey({ uniqueKey }: AliasedTable, record: RecordValues): string[] {
  return ALIAS_COLUMNS.map((column) => (uniqueKey.includes(column) ? (record[column] as string) : ''));
}
