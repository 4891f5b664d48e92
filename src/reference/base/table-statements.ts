import { getMetadataArgsStorage, type DeleteResult, type EntityManager, type UpdateResult } from 'typeorm';
import type { SqlValue } from '../../database/database.js';
import { placeholders, quoteIdentifier, quoteIdentifiers } from '../../database/sql.js';
import type { PastRecord } from './past-records.js';
import type { ReferenceEntity } from './reference.entity.js';

/** Values by column. */
export type RecordValues = Readonly<Record<string, unknown>>;

/** A row as the driver returns it: booleans are numbers. */
export type DatabaseRow = Record<string, unknown>;

/**
 * Builds the statements of a table from its entity's metadata: columns, defaults and unique key.
 */
export class TableStatements<E extends ReferenceEntity> {
  /** The table's name in the database. */
  readonly name: string;
  /** All columns but `id`, `version` and `since`. */
  readonly ownColumns: readonly string[];
  readonly uniqueKey: readonly string[];
  /** Default values by column; undefined for required columns. */
  private readonly defaults: ReadonlyMap<string, unknown>;
  private readonly flags: ReadonlySet<string>;
  private readonly allColumns: readonly string[];

  constructor(private readonly entity: new () => E) {
    const metadata = getMetadataArgsStorage();
    const columns = metadata.filterColumns(entity).map(({ propertyName: name, options }) => ({
      ...options,
      name,
    }));
    const key = metadata.indices.find(({ target, unique }) => target === entity && unique)?.columns;
    this.name = metadata.tables.find(({ target }) => target === entity)?.name as string;
    this.ownColumns = columns.map(({ name }) => name);
    this.allColumns = ['id', ...this.ownColumns, 'version', 'since'];
    this.uniqueKey = Array.isArray(key) ? key.map(String) : [];
    this.flags = new Set(columns.filter(({ type }) => type === 'boolean').map(({ name }) => name));
    this.defaults = new Map(
      columns.map(({ name, default: value, nullable }) => [name, value ?? (nullable ? null : undefined)]),
    );
  }

  /** The value of every own column, with defaults for those that are left out. */
  withDefaults(values: RecordValues): Record<string, unknown> {
    return Object.fromEntries(
      this.ownColumns.map((name) => [
        name,
        values[name] === undefined ? this.defaults.get(name) : values[name],
      ]),
    );
  }

  /** The own columns that differ, with their new values. */
  differences(before: E, after: RecordValues): RecordValues {
    const changed = this.ownColumns.filter(
      (name) => (before as unknown as RecordValues)[name] !== after[name],
    );
    return Object.fromEntries(changed.map((name) => [name, after[name]]));
  }

  /**
   * `SELECT` of whole records.
   * @param rest of the statement, after the table's name
   * @param more expressions, appended to the columns
   */
  select(rest: string, more: string[] = []): string {
    return `SELECT ${[...this.allColumns.map(quoteIdentifier), ...more].join(', ')} FROM ${quoteIdentifier(this.name)} ${rest}`;
  }

  /** `SELECT` of some columns. @param rest as for `select` */
  selectColumns(columns: readonly string[], rest: string): string {
    return `SELECT ${quoteIdentifiers(columns)} FROM ${quoteIdentifier(this.name)} ${rest}`;
  }

  /**
   * Updates the record only if its version is still the one that was read.
   * @param revision that the new values are known since
   */
  update(
    manager: EntityManager,
    { id, version }: E,
    changes: RecordValues,
    revision: number,
  ): Promise<UpdateResult> {
    return manager.update<ReferenceEntity>(
      this.entity,
      { id, version },
      { ...changes, version: version + 1, since: revision },
    );
  }

  /** Deletes the record only if its version is still the one that was read. */
  delete(manager: EntityManager, { id, version }: E): Promise<DeleteResult> {
    return manager.delete<ReferenceEntity>(this.entity, { id, version });
  }

  /**
   * Deletes the record in one of these versions, or in any if they are null, and returns it:
   * TypeORM has no `RETURNING` on SQLite.
   */
  deleteReturning(id: number, versions: readonly string[] | null): [sql: string, values: SqlValue[]] {
    // A list must not be empty in SQL, and NULL matches no version.
    const listed = versions?.length ? placeholders(versions.length) : 'NULL';
    const condition = versions === null ? '' : ` AND version IN (${listed})`;
    return [
      `DELETE FROM ${quoteIdentifier(this.name)} WHERE id = ?${condition} RETURNING ${quoteIdentifiers(this.allColumns)}`,
      [id, ...(versions ?? []).map(Number)],
    ];
  }

  /** Inserts a record and returns it. Values that are undefined get the column's default. */
  insertReturning(values: RecordValues): [sql: string, values: SqlValue[]] {
    const columns = Object.keys(values).filter((name) => values[name] !== undefined);
    return [
      `INSERT INTO ${quoteIdentifier(this.name)} (${quoteIdentifiers(columns)})` +
        ` VALUES (${placeholders(columns.length)}) RETURNING ${quoteIdentifiers(this.allColumns)}`,
      columns.map((name) => values[name] as SqlValue),
    ];
  }

  /** Converts a row to a record. */
  record(row: DatabaseRow): E {
    return this.fromArray(this.allColumns.map((name) => row[name]));
  }

  /** Converts values that a record has had. */
  pastRecord({ id, version, attributes }: PastRecord): E {
    // A version from before a column was added has no value of it.
    return this.record({ ...this.withDefaults(attributes), id, version });
  }

  /** Converts a row that was read as an array, which is cheaper for many rows. */
  fromArray(row: readonly unknown[]): E {
    const record: Record<string, unknown> = {};
    for (const [index, name] of this.allColumns.entries()) {
      record[name] = this.flags.has(name) ? Boolean(row[index]) : row[index];
    }
    return record as unknown as E;
  }
}
