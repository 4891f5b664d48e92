import { Page, pageBounds, type PageRequest } from '../../common/pagination/page.js';
import { TimeSlice } from '../../common/scheduling/time-slice.js';
import type { Database, SqlValue } from '../../database/database.js';
import { type ListFilters, occur } from './list-query.js';
import type { ReferenceEntity } from './reference.entity.js';
import { quoted, type TableStatements, type Row } from './reference-table.js';

/** Rows that one statement of a list reads: a millisecond or two of work. */
const ROWS_PER_STATEMENT = 500;

/** The lists of one reference table. */
export class RecordLists<E extends ReferenceEntity> {
  /** @param namesOf the names of a record that `search` looks into */
  constructor(
    private readonly database: Database,
    private readonly table: TableStatements<E>,
    private readonly namesOf: (record: E) => readonly string[],
  ) {}

  /**
   * All wanted records by id, in pieces, so that neither memory nor the loop is held by a long table. A piece is of one state of
   * the table; a write may come between two.
   */
  async *all(filters: ListFilters): AsyncGenerator<E[]> {
    const { where, values } = condition(filters);
    const sql = this.table.select(`WHERE ${where} AND id > ? ORDER BY id LIMIT ${ROWS_PER_STATEMENT}`);
    const pace = new TimeSlice();
    for (let after = 0; ;) {
      const rows = await this.database.anywhere.arrays(sql, [...values, after]);
      const records = rows.map((row) => this.table.recordOf(row));
      yield records.filter((record) => this.isWanted(record, filters));
      if (rows.length < ROWS_PER_STATEMENT) return;
      after = (records.at(-1) as E).id;
      await pace.yield();
    }
  }

  /**
   * One page of the wanted records. Its rows and its count come from one statement, or from one walk over the table.
   * @throws NotFound for a page past the last
   */
  async page(filters: ListFilters, request: PageRequest): Promise<Page<E>> {
    const { items, count } =
      filters.keeps === null && filters.words.length === 0
        ? await this.select(filters, request)
        : await this.walk(filters, request);
    pageBounds(request, count);
    return new Page(count, items, request.page, request.pageSize);
  }

  private async select(filters: ListFilters, { page, pageSize }: PageRequest): Promise<Slice<E>> {
    const { where, values } = condition(filters);
    const counted = `SELECT COUNT(*) FROM ${quoted(this.table.name)} WHERE ${where}`;
    const rows = await this.database.anywhere.arrays(
      this.table.select(`WHERE ${where} ORDER BY id LIMIT ? OFFSET ?`, [`(${counted})`]),
      [...values, ...values, pageSize, Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER)],
    );
    // A page without rows says nothing of how many there are.
    const [first] =
      rows.length > 0 || page === 1 ? rows : await this.database.anywhere.arrays(counted, values);
    const items: E[] = [];
    const pace = new TimeSlice();
    for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
      items.push(...rows.slice(from, from + ROWS_PER_STATEMENT).map((row) => this.table.recordOf(row)));
      await pace.yield();
    }
    return { items, count: Number(first?.at(-1) ?? 0) };
  }

  private async walk(filters: ListFilters, { page, pageSize }: PageRequest): Promise<Slice<E>> {
    const from = (page - 1) * pageSize;
    const items: E[] = [];
    let count = 0;
    for await (const records of this.all(filters)) {
      items.push(...records.slice(Math.max(0, from - count), Math.max(0, from + pageSize - count)));
      count += records.length;
    }
    return { items, count };
  }

  private isWanted(record: E, { keeps, words }: ListFilters): boolean {
    if (keeps !== null && !keeps(record as unknown as Row)) return false;
    return words.length === 0 || occur(words, this.namesOf(record));
  }
}

interface Slice<E> {
  items: E[];
  count: number;
}

function condition({ exact }: ListFilters): { where: string; values: SqlValue[] } {
  const parts = exact.map(
    ([column, { length }]) => `${quoted(column)} IN (${Array(length).fill('?').join(', ')})`,
  );
  return { where: ['1 = 1', ...parts].join(' AND '), values: exact.flatMap(([, values]) => values) };
}
