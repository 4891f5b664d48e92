import { Injectable } from '@nestjs/common';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { flatMap, type Sequence } from '../../platform/formats/chunks.js';
import type { ExpectItems, PageInfo } from '../../platform/formats/listing.js';
import { batchesOf as slicesOf } from '../../lib/collections/batches.js';
import { sortItems } from '../../platform/listing/sort.js';
import { warningCells, warningColumnsBy } from './warning-listing.js';
import { pageBounds } from '../../platform/listing/page.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { type GroupSeries, type MonthCounts, topOf } from './group-months.js';
import { type GroupKey, type WarningGroup, warningGroups } from './warning-groups.js';
import { WarningHistories } from './warning-histories.js';
import type { MonthRange, WarningRequest } from './warning.parameters.js';

/** Rows that are made at once. */
const ROWS_PER_BATCH = 100;

/** The warnings of one group in one month. */
export interface WarningRow extends MonthCounts {
  key: GroupKey;
  month: number;
  /** Markets of the fresh series. */
  markets: number;
  top: readonly GroupSeries[];
}

/** The same with what lists alone say: it takes the months before. */
export interface ListedWarning extends WarningRow {
  persistence: { ifpa: number; alps: number };
}

/** The rows of a list of warnings. */
export interface WarningList {
  catalogue: CatalogueSnapshot;
  revision: number;
  page: PageInfo | 'all';
  /** Rows of this list. */
  size: number;
  batches: Sequence<readonly ListedWarning[]>;
}

/** A month of a group. */
interface GroupMonth {
  readonly group: WarningGroup;
  readonly month: number;
}

/** The months of a group that are listed: as many as `count`, back from the newest one. */
interface GroupRows {
  group: WarningGroup;
  newest: number;
  count: number;
}

/** Counts the classes of IFPA and ALPS by country. */
@Injectable()
export class WarningsService {
  constructor(private readonly histories: WarningHistories) {}

  /**
   * The warnings that match a request. Those of today come from memory; with `as_of` they are
   * calculated, of a limited number of series.
   * @param expectItems awaited with the number of series whose prices are read
   * @throws ValidationError for more series than the limit, and a revision that does not exist
   * @throws NotFound past the last page
   */
  async list(request: WarningRequest, signal: AbortSignal, expectItems: ExpectItems): Promise<WarningList> {
    const timeSlice = new TimeSlice();
    const found = await this.histories.read(request, signal, expectItems);
    const { catalogue, revision } = found;
    const groups = await warningGroups(found, request.grouping, timeSlice);
    const listed = groups.map((group) => listedMonths(group, request)).filter(({ count }) => count > 0);
    const count = listed.reduce((total, each) => total + each.count, 0);
    const bounds = request.page && pageBounds(request.page, count);
    const { offset = 0, limit = count } = bounds ?? {};
    const { sort = [] } = request;
    const batches =
      sort.length === 0
        ? batchesOf(catalogue, listed, offset, offset + limit)
        : await sortedBatches(catalogue, listed, request, { offset, end: offset + limit });
    if (bounds === null) return { catalogue, revision, page: 'all', size: count, batches };
    const page = { count, page: request.page!.page, lastPage: bounds.lastPage };
    return { catalogue, revision, page, size: Math.min(limit, count - offset), batches };
  }

  /** The newest month of each group, or that of the request, in the order of the list. */
  async newest(
    request: Pick<WarningRequest, 'criteria' | 'grouping' | 'month' | 'view'>,
    signal: AbortSignal,
    expectItems: ExpectItems,
  ): Promise<WarningRow[]> {
    const timeSlice = new TimeSlice();
    const found = await this.histories.read(request, signal, expectItems);
    const rows: WarningRow[] = [];
    for (const group of await warningGroups(found, request.grouping, timeSlice)) {
      const { newest, count } = listedMonths(group, { month: request.month, range: null });
      if (count > 0) rows.push(await rowOf(found.catalogue, group, newest, timeSlice));
      await timeSlice.yield();
    }
    return rows;
  }
}

/** The months of a group with a price in them or before, up to the newest month of the country. */
export function listedMonths(
  group: WarningGroup,
  { month, range }: Pick<WarningRequest, 'month' | 'range'>,
): GroupRows {
  const newest = month ?? group.countryNewest;
  const wanted: MonthRange = range ?? { from: newest, to: newest };
  const to = Math.min(wanted.to, newest);
  return { group, newest: to, count: Math.max(0, to - Math.max(wanted.from, group.first) + 1) };
}

/** The rows `from` (inclusive) to `to` (exclusive) of the list, newest first within a group. */
async function* batchesOf(
  catalogue: CatalogueSnapshot,
  listed: readonly GroupRows[],
  from: number,
  to: number,
): AsyncGenerator<ListedWarning[]> {
  const timeSlice = new TimeSlice();
  let batch: ListedWarning[] = [];
  let before = 0;
  for (const { group, newest, count } of listed) {
    const [first, end] = [Math.max(from - before, 0), Math.min(to - before, count)];
    for (let back = first; back < end; back++) {
      batch.push(await listedRow(catalogue, group, newest - back, timeSlice));
      await timeSlice.yield();
      if (batch.length < ROWS_PER_BATCH) continue;
      yield batch;
      batch = [];
    }
    before += count;
  }
  yield batch;
}

/** The same rows in the order of a sort: only what they are made of is held meanwhile. */
async function sortedBatches(
  catalogue: CatalogueSnapshot,
  listed: readonly GroupRows[],
  { sort = [], grouping }: WarningRequest,
  { offset, end }: { offset: number; end: number },
): Promise<AsyncGenerator<ListedWarning[]>> {
  const names = warningColumnsBy(grouping).map(({ name }) => name);
  const months = listed.flatMap(({ group, newest, count }) =>
    Array.from({ length: count }, (_, back): GroupMonth => ({ group, month: newest - back })),
  );
  let next = 0;
  const rows = flatMap(batchesOf(catalogue, listed, 0, Infinity), (batch) => [
    batch.map((row) => ({ cells: warningCells(catalogue, row), month: months[next++]! })),
  ]);
  const { items } = await sortItems(
    rows,
    sort,
    ({ cells }, column) => cells[names.indexOf(column)],
    ({ month }) => month,
    end,
  );
  return rowsOf(catalogue, items.slice(offset));
}

async function* rowsOf(
  catalogue: CatalogueSnapshot,
  months: readonly GroupMonth[],
): AsyncGenerator<ListedWarning[]> {
  const timeSlice = new TimeSlice();
  for (const some of slicesOf(months, ROWS_PER_BATCH)) {
    const batch: ListedWarning[] = [];
    for (const { group, month } of some) {
      batch.push(await listedRow(catalogue, group, month, timeSlice));
      await timeSlice.yield();
    }
    yield batch;
  }
}

/** The warnings of a group in a month. */
export async function rowOf(
  catalogue: CatalogueSnapshot,
  { key, months }: WarningGroup,
  month: number,
  timeSlice: TimeSlice,
): Promise<WarningRow> {
  const counts = await months.counts(month, timeSlice);
  const fresh = await months.fresh(month, timeSlice);
  return {
    ...counts,
    key,
    month,
    markets: new Set(fresh.map(({ row }) => catalogue.columns.market[row]!)).size,
    top: topOf(fresh),
  };
}

async function listedRow(
  catalogue: CatalogueSnapshot,
  group: WarningGroup,
  month: number,
  timeSlice: TimeSlice,
): Promise<ListedWarning> {
  const row = await rowOf(catalogue, group, month, timeSlice);
  const monthsWith = (share: 'share_high' | 'share_alert_or_worse') =>
    group.months.persistence(share, month, timeSlice);
  return {
    ...row,
    persistence: { ifpa: await monthsWith('share_high'), alps: await monthsWith('share_alert_or_worse') },
  };
}
