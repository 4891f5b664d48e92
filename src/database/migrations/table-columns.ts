import { Table, type QueryRunner, type TableColumnOptions, type TableOptions } from 'typeorm';

/** Builds column definitions for the engine in use, so that migrations are independent of it. */
export class TableColumns {
  private readonly collation: string | undefined;

  constructor(runner: QueryRunner) {
    // SQLite compares bytes; the servers' default collation treats cafe, CAFE and café as equal.
    this.collation = runner.dataSource.options.type === 'better-sqlite3' ? undefined : 'utf8mb4_bin';
  }

  id(): TableColumnOptions {
    return {
      name: 'id',
      type: 'integer',
      isPrimary: true,
      isGenerated: true,
      generationStrategy: 'increment',
    };
  }

  text(name: string, length: number, options: Partial<TableColumnOptions> = {}): TableColumnOptions {
    return { name, type: 'varchar', length: String(length), collation: this.collation, ...options };
  }

  /** Text that is '' when unknown. */
  optionalText(name: string, length: number): TableColumnOptions {
    return this.text(name, length, { default: "''" });
  }

  longText(name: string, options: Partial<TableColumnOptions> = {}): TableColumnOptions {
    return { name, type: 'text', collation: this.collation, ...options };
  }

  date(name: string): TableColumnOptions {
    return this.text(name, 10);
  }

  instant(name: string, options: Partial<TableColumnOptions> = {}): TableColumnOptions {
    return this.text(name, 24, options);
  }

  integer(name: string, options: Partial<TableColumnOptions> = {}): TableColumnOptions {
    return { name, type: 'integer', ...options };
  }

  bigInteger(name: string, options: Partial<TableColumnOptions> = {}): TableColumnOptions {
    return { name, type: 'bigint', ...options };
  }

  number(name: string, options: Partial<TableColumnOptions> = {}): TableColumnOptions {
    return { name, type: 'double', ...options };
  }

  flag(name: string, value = false): TableColumnOptions {
    return { name, type: 'boolean', default: value ? '1' : '0' };
  }

  version(): TableColumnOptions {
    return { name: 'version', type: 'integer', default: '1' };
  }

  /** The revision that gave the row its values. */
  since(): TableColumnOptions {
    return this.integer('since', { default: '0' });
  }
}

/**
 * Creates a table, on a server with the storage engine that clusters require. A server commits each
 * table implicitly, so an interrupted migration runs again: existing tables are skipped.
 */
export async function createTable(runner: QueryRunner, options: TableOptions): Promise<void> {
  const server = runner.dataSource.options.type !== 'better-sqlite3';
  await runner.createTable(new Table({ ...options, ...(server ? { engine: 'InnoDB' } : {}) }), server);
}

/**
 * Adds a column, which may be null or has a default, so that earlier releases can go on inserting
 * rows. A column from an interrupted run of the migration is skipped. TypeORM's own way copies the
 * table on SQLite, after which ids of deleted rows are used again; on a server it reads the
 * description of the table, which takes long and waits for locks of other databases.
 */
export async function addColumn(
  runner: QueryRunner,
  table: string,
  column: TableColumnOptions,
): Promise<void> {
  if (await runner.hasColumn(table, column.name)) return;
  const { driver } = runner.dataSource;
  const { name, type, length, isNullable, collation } = column;
  const value = column.default as string | undefined;
  const definition = [
    length === undefined ? type : `${type}(${length})`,
    ...(collation === undefined ? [] : [`COLLATE ${collation}`]),
    ...(isNullable ? [] : ['NOT NULL']),
    ...(value === undefined ? [] : [`DEFAULT ${value}`]),
  ].join(' ');
  await runner.query(`ALTER TABLE ${driver.escape(table)} ADD COLUMN ${driver.escape(name)} ${definition}`);
}

/**
 * Inserts the initial rows of a table; rows from an interrupted run of the migration are skipped.
 */
export async function insertRows(runner: QueryRunner, rows: string): Promise<void> {
  const server = runner.dataSource.options.type !== 'better-sqlite3';
  await runner.query(`INSERT ${server ? '' : 'OR '}IGNORE INTO ${rows}`);
}

/** A foreign key with RESTRICT: nothing in this database is deleted by cascade. */
export function foreignKey(table: string, column: string, referenced: string) {
  return {
    name: `fk_${table}_${column.replace(/_id$/, '')}`,
    columnNames: [column],
    referencedTableName: referenced,
    referencedColumnNames: ['id'],
    onDelete: 'RESTRICT',
    onUpdate: 'RESTRICT',
  };
}
