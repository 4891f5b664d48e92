import { getMetadataArgsStorage } from 'typeorm';
import { ReferenceEntity } from '../../reference/base/reference.entity.js';
import { TableStatements } from '../../reference/base/table-statements.js';

/** A table of records with versions, as the feed knows it. */
export interface RecordTable {
  /** As in addresses: `FxRate`. */
  readonly name: string;
  readonly entity: new () => ReferenceEntity;
  readonly statements: TableStatements<ReferenceEntity>;
}

let tables: ReadonlyMap<string, RecordTable> | null = null;

/** The tables of records, by their names in the database and in the order of these names. */
export const recordTables = (): ReadonlyMap<string, RecordTable> => (tables ??= findTables());

function findTables(): ReadonlyMap<string, RecordTable> {
  const entities = getMetadataArgsStorage()
    .tables.map(({ target }) => target)
    .filter((target) => typeof target === 'function' && target.prototype instanceof ReferenceEntity);
  const found = (entities as (new () => ReferenceEntity)[]).map((entity) => ({
    name: entity.name,
    entity,
    statements: new TableStatements(entity),
  }));
  found.sort((one, other) => (one.statements.name < other.statements.name ? -1 : 1));
  return new Map(found.map((table) => [table.statements.name, table]));
}
