import { placeholders } from './sql.js';
import type { Column, Listing } from '../platform/formats/listing.js';
import { Page, pageBounds, type PageRequest, type RequestedList } from '../platform/listing/page.js';
import { RecordListing } from '../platform/listing/record-listing.js';
import type { Sort } from '../platform/listing/sort.js';
import { SortedList } from '../platform/listing/sorted-list.js';
import type { Database, SqlValue } from './database.js';

/** Rows read by one statement. */
const ROWS_PER_STATEMENT = 500;

/** Most ids that are bound: SQLite takes 32,766 values, and a page binds each twice. */
const MAX_BOUND_IDS = 15_000;

/** The condition that an id is one of some, of any number. */
export function inIds(
  expression: string,
  ids: readonly number[],
): { sql: string; values: readonly number[] } {
  const isBound = ids.length <= MAX_BOUND_IDS;
  // No record has the id 0: an empty list is no valid SQL.
  const list = ids.length === 0 ? '0' : ids.map((id) => (isBound ? '?' : id)).join(', ');
  return { sql: `${expression} IN (${list})`, values: isBound ? ids : [] };
}

/** The conditions of a WHERE clause, all of which hold, and the values that they bind. */
export class Conditions {
  private readonly all: string[] = ['1 = 1'];
  readonly values: SqlValue[] = [];

  get sql(): string {
    return this.all.join(' AND ');
  }

  /** One of some values; without any, every value. */
  anyOf(expression: string, accepted: readonly SqlValue[] | undefined): this {
    if (accepted === undefined) return this;
    return this.where(`${expression} IN (${placeholders(accepted.length)})`, ...accepted);
  }

  /** An instant on or between two days, in UTC. */
  days(expression: string, { from, to }: { from?: string; to?: string }): this {
    if (from !== undefined) this.where(`${expression} >= ?`, from);
    if (to !== undefined) this.where(`${expression} <= ?`, `${to}T23:59:59.999Z`);
    return this;
  }

  /** A condition in SQL. */
  where(condition: string, ...values: SqlValue[]): this {
    this.all.push(condition);
    this.values.push(...values);
    return this;
  }
}

/** How the rows of a list are read. */
interface RowSource<Row, Item> {
  /** Of the result; one of them is `id`. */
  columns: string;
  /** The FROM clause without its keyword. */
  from: string;
  /** The expression of the id. */
  id: string;
  toItem: (row: Row) => Item;
}

/** A list by descending id. */
export class NewestFirst<Row extends { id: number }, Item extends { id: number }> {
  constructor(
    private readonly database: Database,
    private readonly source: RowSource<Row, Item>,
  ) {}

  /**
   * The requested page, or all items, in the requested order.
   * @param columns of the items
   * @throws NotFound for a page past the last
   */
  async list(
    columns: readonly Column[],
    conditions: Conditions,
    { page, sort }: RequestedList,
  ): Promise<Listing> {
    if (page === null) {
      const items = sort.length === 0 ? this.all(conditions) : this.sorted(conditions, sort).all();
      return new RecordListing(columns, items, 'all');
    }
    const found =
      sort.length === 0 ? await this.page(conditions, page) : await this.sorted(conditions, sort).page(page);
    return RecordListing.of(columns, found.items, found);
  }

  /** @throws NotFound for a page past the last */
  async page(conditions: Conditions, request: PageRequest): Promise<Page<Item>> {
    const { page, pageSize } = request;
    const { columns, from, id, toItem } = this.source;
    const { sql: where, values } = conditions;
    const countSql = `SELECT COUNT(*) FROM ${from} WHERE ${where}`;
    // The count is a column, so that it belongs to the rows. SQLite compiles a statement anew each
    // time that it binds its LIMIT.
    const rows = await this.database.rows<Row & { total?: number }>(
      `SELECT ${columns}, (${countSql}) AS total FROM ${from} WHERE ${where} ORDER BY ${id} DESC LIMIT ${pageSize} OFFSET ?`,
      [...values, ...values, Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER)],
    );
    const count = Number(
      rows[0]?.total ?? (page === 1 ? 0 : (await this.database.arrays<[number]>(countSql, values))[0]?.[0]),
    );
    pageBounds(request, count);
    for (const row of rows) delete row.total;
    return new Page(count, rows.map(toItem), page, pageSize);
  }

  private sorted(conditions: Conditions, sort: Sort): SortedList<Item> {
    const { columns, from, id, toItem } = this.source;
    return new SortedList(this.all(conditions), sort, async (ids) => {
      const { sql, values } = inIds(id, ids);
      const rows = await this.database.rows<Row>(`SELECT ${columns} FROM ${from} WHERE ${sql}`, values);
      return rows.map(toItem);
    });
  }

  /** All items, in batches. */
  private async *all({ sql: where, values }: Conditions): AsyncGenerator<Item[]> {
    const { columns, from, id, toItem } = this.source;
    const sql = `SELECT ${columns} FROM ${from} WHERE ${where} AND ${id} < ? ORDER BY ${id} DESC LIMIT ${ROWS_PER_STATEMENT}`;
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const rows = await this.database.rows<Row>(sql, [...values, before]);
      yield rows.map(toItem);
      if (rows.length < ROWS_PER_STATEMENT) return;
      before = rows.at(-1)!.id;
    }
  }
}
