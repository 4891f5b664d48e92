import { getMetadataArgsStorage } from 'typeorm';
import { tableName, toRecord } from '../../reference/aliases/alias-list.js';
import { Alias } from '../../reference/base/alias.entity.js';
import { ReferenceEntity } from '../../reference/base/reference.entity.js';
import { TableStatements, type RecordValues } from '../../reference/base/table-statements.js';

/** A table of records with versions, as the feed knows it. */
export interface FeedTable {
  /** As in addresses: `FxRate`. */
  readonly name: string;
  readonly entity: new () => ReferenceEntity;
  readonly statements: TableStatements<ReferenceEntity>;
  /** The record with these values as responses show it. */
  readonly shown: (values: RecordValues) => RecordValues;
  /** The values of a record that responses show so, by column. */
  readonly stored: (record: RecordValues) => RecordValues;
}

let tables: ReadonlyMap<string, FeedTable> | null = null;

/** The tables of records, by their names in the database and in the order of these names. */
export const recordTables = (): ReadonlyMap<string, FeedTable> => (tables ??= findTables());

const unchanged = (values: RecordValues) => values;

/** Responses show the table of an alias as addresses name it. */
const aliases: Pick<FeedTable, 'shown' | 'stored'> = {
  shown: (values) => ({ ...toRecord(values as unknown as Alias) }),
  stored: ({ table, ...record }) => ({ ...record, table_name: tableName(table as string) }),
};

function findTables(): ReadonlyMap<string, FeedTable> {
  const entities = getMetadataArgsStorage()
    .tables.map(({ target }) => target)
    .filter((target) => typeof target === 'function' && target.prototype instanceof ReferenceEntity);
  const found = (entities as (new () => ReferenceEntity)[]).map((entity) => ({
    name: entity.name,
    entity,
    statements: new TableStatements(entity),
    ...(entity === Alias ? aliases : { shown: unchanged, stored: unchanged }),
  }));
  found.sort((one, other) => (one.statements.name < other.statements.name ? -1 : 1));
  return new Map(found.map((table) => [table.statements.name, table]));
}
