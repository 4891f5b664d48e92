import { placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../unit-of-work.js';
import { keepVersions } from './record-versions.js';

/** Ids or keys of one statement. */
const VALUES_PER_STATEMENT = 1000;

/** How to read, from the current or the superseded rows, those that were known at a revision. */
interface RowsKnownAt {
  /** For a FROM clause, before the alias. */
  readonly from: string;
  /** The condition for rows of the alias that was asked for. */
  readonly known: string;
  /** How many times the revision is bound in the condition. */
  readonly bindings: number;
}

/**
 * A table whose rows have versions, and the parts of statements that read them. Each version has
 * the revision that gave it, `since`; a superseded one also the revision that ended it, `until`.
 */
abstract class VersionedTable {
  /**
   * @param name of the table
   * @param past its superseded rows, for a FROM clause before an alias
   */
  constructor(
    readonly name: string,
    readonly past: string,
  ) {}

  /**
   * Selects all versions of rows; `until` is NULL for the current ones.
   * @param where clause for current and for superseded rows, so its values are bound twice
   */
  selectVersions(columns: string, where: string): string {
    return (
      `SELECT ${columns}, since, NULL AS until FROM ${this.name} x ${where}` +
      ` UNION ALL SELECT ${columns}, since, until FROM ${this.past} x ${where}`
    );
  }

  /** As `selectVersions`, without `since` and `until`. */
  selectStates(columns: string, where: string): string {
    return (
      `SELECT ${columns} FROM ${this.name} x ${where}` +
      ` UNION ALL SELECT ${columns} FROM ${this.past} x ${where}`
    );
  }

  /** The rows as they were at a revision: current ones, and those that were superseded later. */
  rowsKnownAt(alias: string): readonly [current: RowsKnownAt, superseded: RowsKnownAt] {
    return [
      { from: this.name, known: `${alias}.since <= ?`, bindings: 1 },
      { from: this.past, known: `${alias}.since <= ? AND ${alias}.until > ?`, bindings: 2 },
    ];
  }
}

/** A table with its superseded rows in a second one, `…_version`, whose columns can be indexed. */
export class TableWithVersions extends VersionedTable {
  private readonly columns: string;

  /** @param columns all but `since` */
  constructor(name: string, columns: readonly string[]) {
    super(name, `${name}_version`);
    this.columns = columns.join(', ');
  }

  /**
   * The statement that copies rows to the versions before they are changed or removed, except for
   * those that the transaction itself has written, which no other has seen. Values: the
   * transaction's revision twice, then those of the condition.
   */
  supersede(condition: string): string {
    return (
      `INSERT INTO ${this.past} (until, since, ${this.columns}) SELECT ?, since, ${this.columns}` +
      ` FROM ${this.name} WHERE since <> ? AND ${condition}`
    );
  }
}

/** Columns of a table with versions as JSON. */
interface JsonColumns {
  /** The column with the row's id; in a table without ids, with that of the row it refers to. */
  readonly id: string;
  /** The column with the uuid. */
  readonly key: string;
  readonly numbers?: readonly string[];
  /** Texts in which JSON escapes no character: quotes are all that has to be removed. */
  readonly codes?: readonly string[];
}

/**
 * A table with its superseded rows in `record_version`, which most tables share. They are stored as
 * JSON, but `past` has the columns of the table. Of all the engines' functions for JSON, they have
 * `JSON_EXTRACT` in common, which leaves the quotes of texts in place on servers.
 */
export class TableWithJsonVersions extends VersionedTable {
  private readonly attributes: readonly string[];

  constructor(
    name: string,
    private readonly columns: JsonColumns,
  ) {
    const { id, key, numbers = [], codes = [] } = columns;
    const selected = [
      `record_id AS ${id}`,
      `record_key AS ${key}`,
      'since',
      'until',
      ...numbers.map((column) => `CAST(JSON_EXTRACT(attributes, '$.${column}') AS SIGNED) AS ${column}`),
      ...codes.map((column) => `REPLACE(JSON_EXTRACT(attributes, '$.${column}'), '"', '') AS ${column}`),
    ];
    super(name, `(SELECT ${selected.join(', ')} FROM record_version WHERE table_name = '${name}')`);
    this.attributes = [...numbers, ...codes];
  }

  /**
   * Copies rows to the versions before they are changed or removed.
   * @param column that has one of the values in these rows
   */
  async supersede(transaction: Transaction, column: string, values: readonly SqlValue[]): Promise<void> {
    const { id, key } = this.columns;
    for (const batch of batchesOf(values, VALUES_PER_STATEMENT)) {
      const rows = await transaction.rows<Record<string, SqlValue>>(
        `SELECT ${[id, key, 'since', ...this.attributes].join(', ')} FROM ${this.name}` +
          ` WHERE since <> ? AND ${column} IN (${placeholders(batch.length)})`,
        [transaction.revision, ...batch],
      );
      await keepVersions(
        transaction,
        this.name,
        rows.map((row) => ({
          id: row[id] as number,
          key: row[key] as string,
          since: row.since as number,
          attributes: Object.fromEntries(this.attributes.map((name) => [name, row[name]])),
        })),
      );
    }
  }
}
