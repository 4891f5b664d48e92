import { Injectable } from '@nestjs/common';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { Sequence } from '../../platform/formats/chunks.js';
import type { ExpectItems, PageInfo } from '../../platform/formats/listing.js';
import { pageBounds } from '../../platform/listing/page.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { select } from '../../price-series/catalogue/selection.js';
import { IndicatorLimits } from '../indicators/indicator-list.service.js';
import { ALL_MONTHS } from '../indicators/indicators.service.js';
import { priceColumns } from '../price-columns.js';
import { requireAtMost, SeriesLoader } from '../series-loader.js';
import type { GroupSeries, MonthCounts } from './group-months.js';
import { HistoryColumns } from './history-columns.js';
import { HistoryStore } from './history-store.js';
import { type GroupKey, type SeriesHistories, type WarningGroup, warningGroups } from './warning-groups.js';
import type { MonthRange, WarningRequest } from './warning.parameters.js';

/** Rows that are made at once. */
const ROWS_PER_BATCH = 100;

/** The warnings of one group in one month. */
export interface WarningRow extends MonthCounts {
  key: GroupKey;
  month: number;
  /** Markets of the fresh series. */
  markets: number;
  persistence: { ifpa: number; alps: number };
  top: readonly GroupSeries[];
}

/** The rows of a list of warnings. */
export interface WarningList {
  catalogue: CatalogueSnapshot;
  revision: number;
  page: PageInfo | 'all';
  /** Rows of this list. */
  size: number;
  batches: Sequence<readonly WarningRow[]>;
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
  constructor(
    private readonly store: HistoryStore,
    private readonly series: SeriesLoader,
    private readonly limits: IndicatorLimits,
  ) {}

  /**
   * The warnings that match a request. Those of today come from memory; with `as_of` they are
   * calculated, of a limited number of series.
   * @param expectItems awaited with the number of series whose prices are read
   * @throws ValidationError for more series than the limit, and a revision that does not exist
   * @throws NotFound past the last page
   */
  async list(request: WarningRequest, signal: AbortSignal, expectItems: ExpectItems): Promise<WarningList> {
    const timeSlice = new TimeSlice();
    const found =
      request.view.asOf === undefined
        ? await this.stored(request, timeSlice)
        : await this.calculated(request, signal, expectItems);
    const { catalogue, revision } = found;
    const groups = await warningGroups(found, request.grouping, timeSlice);
    const listed = groups.map((group) => listedMonths(group, request)).filter(({ count }) => count > 0);
    const count = listed.reduce((total, each) => total + each.count, 0);
    if (request.page === null) {
      const batches = batchesOf(catalogue, listed, 0, count);
      return { catalogue, revision, page: 'all', size: count, batches };
    }
    const { offset, limit, lastPage } = pageBounds(request.page, count);
    const rows: WarningRow[] = [];
    for await (const batch of batchesOf(catalogue, listed, offset, offset + limit)) rows.push(...batch);
    const page = { count, page: request.page.page, lastPage };
    return { catalogue, revision, page, size: rows.length, batches: [rows] };
  }

  private async stored({ criteria }: WarningRequest, timeSlice: TimeSlice): Promise<SeriesHistories> {
    const { catalogue, revision, results, places } = await this.store.current();
    const rows = Array.from(select(catalogue, criteria).slice());
    await timeSlice.yield();
    return { catalogue, revision, histories: results, rows, places: rows.map((row) => places[row]!) };
  }

  private async calculated(
    { criteria, view }: WarningRequest,
    signal: AbortSignal,
    expectItems: ExpectItems,
  ): Promise<SeriesHistories> {
    const selected = await this.series.select(criteria, view, signal);
    const { catalogue, revision, rows } = selected;
    requireAtMost(this.limits.series, rows.length, ['as_of'], 'with as_of');
    await expectItems(rows.length);
    const histories = new HistoryColumns();
    const places: number[] = [];
    for await (const { series } of this.series.load(selected, ALL_MONTHS, signal))
      places.push(histories.add(priceColumns(series, 'nominal', 'unit')));
    return { catalogue, revision, histories, rows: Array.from(rows), places };
  }
}

/** The months of a group with a price in them or before, up to the newest month of the country. */
function listedMonths(group: WarningGroup, { month, range }: WarningRequest): GroupRows {
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
): AsyncGenerator<WarningRow[]> {
  const timeSlice = new TimeSlice();
  let batch: WarningRow[] = [];
  let before = 0;
  for (const { group, newest, count } of listed) {
    const [first, end] = [Math.max(from - before, 0), Math.min(to - before, count)];
    for (let back = first; back < end; back++) {
      batch.push(rowOf(catalogue, group, newest - back));
      await timeSlice.yield();
      if (batch.length < ROWS_PER_BATCH) continue;
      yield batch;
      batch = [];
    }
    before += count;
  }
  yield batch;
}

function rowOf(catalogue: CatalogueSnapshot, { key, months }: WarningGroup, month: number): WarningRow {
  return {
    ...months.counts(month),
    key,
    month,
    markets: new Set(months.fresh(month).map(({ row }) => catalogue.columns.market[row]!)).size,
    persistence: {
      ifpa: months.persistence('share_high', month),
      alps: months.persistence('share_alert_or_worse', month),
    },
    top: months.top(month),
  };
}
