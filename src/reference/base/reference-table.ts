import { getMetadataArgsStorage } from 'typeorm';
import type { SqlValue } from '../../database/database.js';
import type { ReferenceEntity } from './reference.entity.js';

/** Values by column. */
export type Values = Readonly<Record<string, unknown>>;

/** A row as the driver gives it: flags are numbers in it. */
export type Row = Record<string, unknown>;

/** A statement and what is bound to it. */
export type Statement = [sql: string, values: SqlValue[]];

/** What an entity says of its table: the names, defaults and unique key that statements are made of. */
export class TableStatements<E extends ReferenceEntity> {
  /** The table's name in the database. */
  readonly name: string;
  /** The columns that are the table's own: all but `id` and `version`. */
  readonly own: readonly string[];
  readonly uniqueKey: readonly string[];
  /** Values of columns that are left out; required ones have none. */
  private readonly defaults: ReadonlyMap<string, unknown>;
  private readonly flags: ReadonlySet<string>;
  private readonly all: readonly string[];

  constructor(entity: new () => E) {
    const metadata = getMetadataArgsStorage();
    const columns = metadata.filterColumns(entity).map(({ propertyName: name, options }) => ({
      ...options,
      name,
    }));
    const key = metadata.indices.find(({ target, unique }) => target === entity && unique)?.columns;
    this.name = metadata.tables.find(({ target }) => target === entity)?.name as string;
    this.own = columns.map(({ name }) => name);
    this.all = ['id', ...this.own, 'version'];
    this.uniqueKey = Array.isArray(key) ? key.map(String) : [];
    this.flags = new Set(columns.filter(({ type }) => type === 'boolean').map(({ name }) => name));
    this.defaults = new Map(
      columns.map(({ name, default: value, nullable }) => [name, value ?? (nullable ? null : undefined)]),
    );
  }

  /** The value of every own column, those left out being their defaults. */
  complete(values: Values): Record<string, unknown> {
    return Object.fromEntries(
      this.own.map((name) => [name, values[name] === undefined ? this.defaults.get(name) : values[name]]),
    );
  }

  /** The own columns in which `after` is not as `before`, with their new values. */
  differences(before: E, after: Values): Values {
    const changed = this.own.filter((name) => (before as unknown as Values)[name] !== after[name]);
    return Object.fromEntries(changed.map((name) => [name, after[name]]));
  }

  /** `SELECT` of whole records, continued by `rest`, and of something `more`. */
  select(rest: string, more: string[] = []): string {
    return `SELECT ${[...this.all.map(quoted), ...more].join(', ')} FROM ${quoted(this.name)} ${rest}`;
  }

  insert(values: Values): Statement {
    const names = Object.keys(values);
    const places = names.map(() => '?').join(', ');
    return [
      `INSERT INTO ${quoted(this.name)} (${names.map(quoted).join(', ')}) VALUES (${places})`,
      Object.values(values) as SqlValue[],
    ];
  }

  /** Changes the record only in the version it was read in. */
  update(record: E, changes: Values): Statement {
    const set = Object.keys(changes).map((name) => `${quoted(name)} = ?, `);
    return [
      `UPDATE ${quoted(this.name)} SET ${set.join('')}version = version + 1 WHERE id = ? AND version = ?`,
      [...(Object.values(changes) as SqlValue[]), record.id, record.version],
    ];
  }

  /** Deletes the record only in the version it was read in. */
  delete(record: E): Statement {
    return [`DELETE FROM ${quoted(this.name)} WHERE id = ? AND version = ?`, [record.id, record.version]];
  }

  /** Deletes the record in one of these versions, or in any where they are null, and gives it back. */
  deleteReturning(id: number, versions: readonly string[] | null): Statement {
    // NULL is no version: with it a list of none is still a list.
    const places = ['NULL', ...(versions ?? []).map(() => '?')].join(', ');
    const condition = versions === null ? '' : ` AND version IN (${places})`;
    return [
      `DELETE FROM ${quoted(this.name)} WHERE id = ?${condition} RETURNING ${this.all.map(quoted).join(', ')}`,
      [id, ...(versions ?? []).map(Number)],
    ];
  }

  /** The record of a row. */
  record(row: Row): E {
    return this.recordOf(this.all.map((name) => row[name]));
  }

  /** The record of a row that was read as an array, which is cheaper where there are many. */
  recordOf(row: readonly unknown[]): E {
    const record: Record<string, unknown> = {};
    for (const [at, name] of this.all.entries()) {
      record[name] = this.flags.has(name) ? Boolean(row[at]) : row[at];
    }
    return record as unknown as E;
  }
}

/** A name that may be a word of SQL, in MySQL's quotes, which SQLite understands too. */
export const quoted = (name: string): string => `\`${name}\``;
