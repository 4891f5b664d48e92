import { batchesOf } from '../../lib/collections/batches.js';
import { flatMap, mapChunks, type Chunks, type Sequence } from '../formats/chunks.js';
import type { CellValue, Column, Listing, PageInfo, Table } from '../formats/listing.js';
import { Page, pageBounds, type RequestedList } from './page.js';
import { memberOf, sortItems } from './sort.js';

/** A record whose values are flat, or objects that tables show as JSON. */
type FlatRecord = object;

/** Records that are serialised at once. */
const RECORDS_PER_CHUNK = 200;

/** A list of records with the same fields: an item is the record, a row its values in order. */
export class RecordListing implements Listing {
  readonly size: number | null;

  /**
   * @param columns fields of a record, in order
   * @param batches the records of this reply
   * @param revision of the data that it shows, where it is not just the newest
   */
  constructor(
    private readonly columns: readonly Column[],
    private readonly batches: Sequence<readonly FlatRecord[]>,
    readonly page: PageInfo | 'all',
    readonly revision?: number,
  ) {
    this.size = Array.isArray(batches) ? sizeOf(batches as readonly FlatRecord[][]) : null;
  }

  /** A page of records that are in memory. */
  static of(
    columns: readonly Column[],
    records: readonly FlatRecord[],
    page: PageInfo | 'all',
    revision?: number,
  ): RecordListing {
    const batches: (readonly FlatRecord[])[] = [];
    for (const batch of batchesOf(records, RECORDS_PER_CHUNK)) batches.push(batch);
    return new RecordListing(columns, batches, page, revision);
  }

  /**
   * A list that is in memory: the requested page of it, or all, in the requested order.
   * @throws NotFound past the last page
   */
  static async pageOf(
    columns: readonly Column[],
    records: readonly FlatRecord[],
    { page: request, sort }: RequestedList,
    revision?: number,
  ): Promise<RecordListing> {
    const sorted = sort.length > 0 && (await sortItems([records], sort, memberOf, (record) => record));
    const all = sorted ? sorted.items : records;
    if (request === null) return RecordListing.of(columns, all, 'all', revision);
    const { offset, limit } = pageBounds(request, all.length);
    const items = all.slice(offset, offset + limit);
    const page = new Page(all.length, items, request.page, request.pageSize);
    return RecordListing.of(columns, items, page, revision);
  }

  items(layout: 'array' | 'lines'): Chunks {
    if (layout === 'lines')
      return mapChunks(this.batches, (records) =>
        records.map((record) => `${JSON.stringify(record)}\n`).join(''),
      );
    let first = true;
    return mapChunks(this.batches, (records) => {
      if (records.length === 0) return '';
      const separator = first ? '' : ',';
      first = false;
      return separator + JSON.stringify(records).slice(1, -1);
    });
  }

  table(): Table {
    const { columns, batches } = this;
    return {
      columns,
      batches: () => flatMap(batches, (records) => [records.map((record) => this.cells(record))]),
    };
  }

  private cells(record: FlatRecord): CellValue[] {
    return this.columns.map(({ name }) => {
      const value = (record as Record<string, unknown>)[name] ?? null;
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as CellValue);
    });
  }
}

const sizeOf = (batches: readonly (readonly unknown[])[]): number =>
  batches.reduce((sum, { length }) => sum + length, 0);
