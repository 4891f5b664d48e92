import { placeholders, quoteIdentifier } from '../../database/sql.js';
import { Page, pageBounds, type PageRequest } from '../../platform/listing/page.js';
import type { Sort } from '../../platform/listing/sort.js';
import { SortedList } from '../../platform/listing/sorted-list.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { Database, SqlValue } from '../../database/database.js';
import { type ListFilters, containAllWords } from './list-query.js';
import { PAST_RECORDS_PER_STATEMENT, readPastRecords, readPastRecordsOf } from './past-records.js';
import type { ReferenceEntity } from './reference.entity.js';
import type { TableStatements, DatabaseRow } from './table-statements.js';

/** Rows read by one statement: a millisecond or two of work. */
const ROWS_PER_STATEMENT = 500;

/** Reads lists of one reference table. */
export class RecordListReader<E extends ReferenceEntity> {
  /** @param searchableNames returns the names of a record that `search` applies to */
  constructor(
    private readonly database: Database,
    private readonly table: TableStatements<E>,
    private readonly searchableNames: (record: E) => readonly string[],
  ) {}

  /**
   * All matching records, by id unless sorted, in batches, so that a long table neither fills
   * memory nor blocks the event loop. A batch is one snapshot of the table; writes may happen
   * between batches.
   * @param revision shows the records as they were known then; null for the newest state
   */
  all(filters: ListFilters, revision: number | null, sort: Sort = []): AsyncGenerator<E[]> {
    if (sort.length > 0) return this.sorted(filters, revision, sort).all();
    return revision === null ? this.newest(filters) : this.past(filters, revision);
  }

  private async *newest(filters: ListFilters): AsyncGenerator<E[]> {
    const { where, values } = whereClause(filters);
    const sql = this.table.select(`WHERE ${where} AND id > ? ORDER BY id LIMIT ${ROWS_PER_STATEMENT}`);
    const timeSlice = new TimeSlice();
    for (let after = 0; ;) {
      const rows = await this.database.anyServer.arrays(sql, [...values, after]);
      const records = rows.map((row) => this.table.fromArray(row));
      yield records.filter((record) => this.matches(record, filters));
      if (rows.length < ROWS_PER_STATEMENT) return;
      after = (records.at(-1) as E).id;
      await timeSlice.yield();
    }
  }

  /** The records that are still as they were at a revision, and those that had other values. */
  private async *past(filters: ListFilters, revision: number): AsyncGenerator<E[]> {
    const { where, values } = whereClause(filters);
    const sql = this.table.select(
      `WHERE ${where} AND since <= ? AND id > ? ORDER BY id LIMIT ${ROWS_PER_STATEMENT}`,
    );
    const { anyServer } = this.database;
    const timeSlice = new TimeSlice();
    for (let after = 0; ;) {
      const rows = await anyServer.arrays(sql, [...values, revision, after]);
      const records = rows.map((row) => this.table.fromArray(row));
      const others = await readPastRecords(anyServer, this.table.name, revision, after);
      const end = Math.min(
        rows.length < ROWS_PER_STATEMENT ? Infinity : records.at(-1)!.id,
        others.length < PAST_RECORDS_PER_STATEMENT ? Infinity : others.at(-1)!.id,
      );
      const found = [...records, ...others.map((other) => this.table.pastRecord(other))].filter(
        (record) => record.id <= end && hasValues(record, filters) && this.matches(record, filters),
      );
      // By id: what is changed between the two statements is found by both.
      const byId = new Map(found.map((record) => [record.id, record]));
      yield [...byId.values()].sort((one, other) => one.id - other.id);
      if (end === Infinity) return;
      after = end;
      await timeSlice.yield();
    }
  }

  /**
   * One page of the matching records. The first rows and the count come from one statement, or all
   * from one scan of the table; further rows of a long page follow by their ids.
   * @param sort by id unless given. The database does not sort: engines differ in how, and the
   * sort of a long table would block the event loop on the embedded one.
   * @throws NotFound for a page past the last
   */
  async page(
    filters: ListFilters,
    request: PageRequest,
    revision: number | null,
    sort: Sort = [],
  ): Promise<Page<E>> {
    if (sort.length > 0) return this.sorted(filters, revision, sort).page(request);
    const { items, count } =
      revision === null && filters.matchesText === null && filters.words.length === 0
        ? await this.select(filters, request)
        : await this.scan(filters, request, revision);
    pageBounds(request, count);
    return new Page(count, items, request.page, request.pageSize);
  }

  private async select(filters: ListFilters, { page, pageSize }: PageRequest): Promise<Slice<E>> {
    const { where, values } = whereClause(filters);
    const { anyServer } = this.database;
    const countSql = `SELECT COUNT(*) FROM ${quoteIdentifier(this.table.name)} WHERE ${where}`;
    const size = Math.min(pageSize, ROWS_PER_STATEMENT);
    // SQLite compiles a statement anew each time that it binds its LIMIT.
    let rows = await anyServer.arrays(
      this.table.select(`WHERE ${where} ORDER BY id LIMIT ${size} OFFSET ?`, [`(${countSql})`]),
      [...values, ...values, Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER)],
    );
    // The count is a column of the rows, so a page without rows needs a statement of its own.
    const [first] = rows.length > 0 || page === 1 ? rows : await anyServer.arrays(countSql, values);
    const items = rows.map((row) => this.table.fromArray(row));
    const rest = this.table.select(`WHERE ${where} AND id > ? ORDER BY id LIMIT ${ROWS_PER_STATEMENT}`);
    const timeSlice = new TimeSlice();
    while (items.length < pageSize && rows.length === ROWS_PER_STATEMENT) {
      await timeSlice.yield();
      rows = await anyServer.arrays(rest, [...values, items.at(-1)!.id]);
      items.push(...rows.slice(0, pageSize - items.length).map((row) => this.table.fromArray(row)));
    }
    return { items, count: Number(first?.at(-1) ?? 0) };
  }

  private async scan(
    filters: ListFilters,
    { page, pageSize }: PageRequest,
    revision: number | null,
  ): Promise<Slice<E>> {
    const from = (page - 1) * pageSize;
    const items: E[] = [];
    let count = 0;
    for await (const records of this.all(filters, revision)) {
      items.push(...records.slice(Math.max(0, from - count), Math.max(0, from + pageSize - count)));
      count += records.length;
    }
    return { items, count };
  }

  private sorted(filters: ListFilters, revision: number | null, sort: Sort): SortedList<E> {
    return new SortedList(this.all(filters, revision), sort, (ids) => this.withIds(ids, revision));
  }

  /** The records that have some ids, in any order. */
  private async withIds(ids: readonly number[], revision: number | null): Promise<E[]> {
    const { anyServer } = this.database;
    const isOne = `id IN (${placeholders(ids.length)})`;
    if (revision === null) {
      const rows = await anyServer.arrays(this.table.select(`WHERE ${isOne}`), ids);
      return rows.map((row) => this.table.fromArray(row));
    }
    const rows = await anyServer.arrays(this.table.select(`WHERE ${isOne} AND since <= ?`), [
      ...ids,
      revision,
    ]);
    const records = rows.map((row) => this.table.fromArray(row));
    const found = new Set(records.map(({ id }) => id));
    const others = ids.filter((id) => !found.has(id));
    for (const past of await readPastRecordsOf(anyServer, this.table.name, revision, others))
      records.push(this.table.pastRecord(past));
    return records;
  }

  private matches(record: E, { matchesText, words }: ListFilters): boolean {
    if (matchesText !== null && !matchesText(record as unknown as DatabaseRow)) return false;
    return words.length === 0 || containAllWords(words, this.searchableNames(record));
  }
}

interface Slice<E> {
  items: E[];
  count: number;
}

/** Whether a record has the values that the database would compare. */
const hasValues = (record: ReferenceEntity, { exact }: ListFilters): boolean =>
  exact.every(([column, values]) => values.includes((record as unknown as DatabaseRow)[column] as SqlValue));

function whereClause({ exact }: ListFilters): { where: string; values: SqlValue[] } {
  const conditions = exact.map(
    ([column, { length }]) => `${quoteIdentifier(column)} IN (${placeholders(length)})`,
  );
  return { where: ['1 = 1', ...conditions].join(' AND '), values: exact.flatMap(([, values]) => values) };
}
