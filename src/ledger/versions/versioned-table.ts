import { placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../unit-of-work.js';
import { keepVersions } from './record-versions.js';

/** Where rows were that were known at a revision. */
interface PlaceOfRows {
  /** For a FROM clause, before the alias. */
  readonly from: string;
  /** The condition for rows with the alias that was asked for. */
  readonly known: string;
  /** How often the revision is bound for it. */
  readonly values: number;
}

/**
 * A table whose rows have versions: what they are, with the revision `since` which they are so, and
 * what they were, also with the revision `until` which. The parts of statements that read both.
 */
abstract class VersionedTable {
  /**
   * @param name of the table
   * @param past what its superseded rows are read from, for a FROM clause before an alias
   */
  constructor(
    readonly name: string,
    readonly past: string,
  ) {}

  /**
   * `SELECT` of all that rows are and were; `until` is NULL for what they are.
   * @param where clause, whose values are bound twice
   */
  selectVersions(columns: string, where: string): string {
    return (
      `SELECT ${columns}, since, NULL AS until FROM ${this.name} x ${where}` +
      ` UNION ALL SELECT ${columns}, since, until FROM ${this.past} x ${where}`
    );
  }

  /** As `selectVersions`, without the revisions. */
  selectStates(columns: string, where: string): string {
    return (
      `SELECT ${columns} FROM ${this.name} x ${where}` +
      ` UNION ALL SELECT ${columns} FROM ${this.past} x ${where}`
    );
  }

  /** The places of rows that were known at a revision: those that are still so, and versions. */
  placesAt(alias: string): readonly [live: PlaceOfRows, past: PlaceOfRows] {
    return [
      { from: this.name, known: `${alias}.since <= ?`, values: 1 },
      { from: this.past, known: `${alias}.since <= ? AND ${alias}.until > ?`, values: 2 },
    ];
  }
}

/** A table with superseded rows in a second one, `…_version`, whose columns statements search. */
export class TableWithVersions extends VersionedTable {
  private readonly columns: string;

  /** @param columns all but `since` */
  constructor(name: string, columns: readonly string[]) {
    super(name, `${name}_version`);
    this.columns = columns.join(', ');
  }

  /**
   * The statement that keeps rows which are about to be changed or removed, except for those that
   * the transaction itself has written. Values: its revision twice, then those of the condition.
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
  /** The column with the id. Of rows without one of their own: of what they belong to. */
  readonly id: string;
  /** The column with the uuid. */
  readonly key: string;
  readonly numbers?: readonly string[];
  /** Codes, in which no character is escaped. */
  readonly codes?: readonly string[];
}

/**
 * A table with superseded rows in the table of versions that most tables share. They are stored as
 * JSON; what is read from them has the columns of the table. `JSON_EXTRACT` is in all engines, and
 * leaves the quotes of texts on servers alone.
 */
export class TableWithJsonVersions extends VersionedTable {
  private readonly own: readonly string[];

  constructor(
    name: string,
    private readonly columns: JsonColumns,
  ) {
    const { id, key, numbers = [], codes = [] } = columns;
    const read = [
      `record_id AS ${id}`,
      `record_key AS ${key}`,
      'since',
      'until',
      ...numbers.map((column) => `CAST(JSON_EXTRACT(attributes, '$.${column}') AS SIGNED) AS ${column}`),
      ...codes.map((column) => `REPLACE(JSON_EXTRACT(attributes, '$.${column}'), '"', '') AS ${column}`),
    ];
    super(name, `(SELECT ${read.join(', ')} FROM record_version WHERE table_name = '${name}')`);
    this.own = [...numbers, ...codes];
  }

  /** Keeps rows that are about to be changed or removed, by the values of a column. */
  async supersede(transaction: Transaction, column: string, values: readonly SqlValue[]): Promise<void> {
    const { id, key } = this.columns;
    for (const batch of batchesOf(values, 1000)) {
      const rows = await transaction.rows<Record<string, SqlValue>>(
        `SELECT ${[id, key, 'since', ...this.own].join(', ')} FROM ${this.name}` +
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
          attributes: Object.fromEntries(this.own.map((own) => [own, row[own]])),
        })),
      );
    }
  }
}
