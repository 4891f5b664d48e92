import { Injectable } from '@nestjs/common';
import { sortInSteps } from '../../lib/scheduling/sort-in-steps.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { ExpectItems, PageInfo } from '../../platform/formats/listing.js';
import { flatMap } from '../../platform/formats/chunks.js';
import { batchesOf } from '../../lib/collections/batches.js';
import { type Sort, sortItems } from '../../platform/listing/sort.js';
import { indicatorRowCells, indicatorRowColumns } from './indicator-row-listing.js';
import { pageBounds } from '../../platform/listing/page.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { selectSeries } from '../../price-series/catalogue/selection.js';
import { priceColumns } from '../price-columns.js';
import { requireAtMost, type SelectedSeries, SeriesLoader } from '../series-loader.js';
import { isFresh, mayBeNewer, possiblyNewer, raise, type SourceMonths } from './freshness.js';
import { IndicatorCalculation } from './indicator-calculation.js';
import { INDICATOR_FIELDS, type Observation } from './indicator-fields.js';
import type { IndicatorListRequest } from './indicator-list.parameters.js';
import { ALL_MONTHS } from './indicators.service.js';
import { calculatedObservations, type Observations, storedObservations } from './observations.js';
import { IndicatorStore } from './store/indicator-store.js';

/** Series whose newest months are read before the others are looked at again. */
const SERIES_PER_LOAD = 100;
/** Rows that are looked at between two looks at the time. */
const ROWS_PER_YIELD = 500;

/** Limits of lists of indicators. Tests lower them. */
@Injectable()
export class IndicatorLimits {
  /** Series whose indicators are calculated for one request. */
  series = 10_000;
}

/** A series whose observation is listed. */
export interface IndicatorRow {
  row: number;
  fresh: boolean;
}

/** The series of a list, filtered and in order. */
export interface IndicatorList {
  catalogue: CatalogueSnapshot;
  rows: readonly IndicatorRow[];
  observations: Observations;
  page: PageInfo | 'all';
  revision: number;
}

/** What the rows of a list are made of. */
interface Observed {
  catalogue: CatalogueSnapshot;
  revision: number;
  rows: readonly number[];
  observations: Observations;
  /** The newest month of a row, up to the one asked for; 0 for none. */
  newestAt: (row: number) => number;
  sources: SourceMonths;
}

/** Lists one month of the indicators of each series. */
@Injectable()
export class IndicatorListService {
  constructor(
    private readonly store: IndicatorStore,
    private readonly series: SeriesLoader,
    private readonly limits: IndicatorLimits,
  ) {}

  /**
   * The series that match a request. The newest indicators with the default settings are in memory;
   * all others are calculated, of a limited number of series.
   * @param expectItems awaited with the number of series whose prices are read
   * @throws ValidationError for more series than the limit, and a revision that does not exist
   * @throws NotFound past the last page
   */
  async list(
    request: IndicatorListRequest,
    signal: AbortSignal,
    expectItems: ExpectItems,
  ): Promise<IndicatorList> {
    const timeSlice = new TimeSlice();
    const { page, order, sort } = request;
    const observed =
      request.calculatedFor.length === 0
        ? await this.stored(request, timeSlice)
        : await this.calculated(request, signal, expectItems);
    const { catalogue, revision, observations, newestAt, sources } = observed;
    let rows: IndicatorRow[] = [];
    for (const [index, row] of observed.rows.entries()) {
      if (index % ROWS_PER_YIELD === 0) await timeSlice.yield();
      const newest = newestAt(row);
      const fresh = newest > 0 && isFresh(newest, sources.get(catalogue.referenceAt('source', row).id) ?? 0);
      if (matches(request, observations, row, fresh)) rows.push({ row, fresh });
    }
    if (order !== null) rows = await sortInSteps(rows, comparison(order, catalogue, observations), timeSlice);
    else if (sort.length > 0) rows = await sorted(rows, sort, catalogue, observations);
    const bounds = page && pageBounds(page, rows.length);
    return {
      catalogue,
      revision,
      rows: bounds ? rows.slice(bounds.offset, bounds.offset + bounds.limit) : rows,
      observations,
      page: page && bounds ? { count: rows.length, page: page.page, lastPage: bounds.lastPage } : 'all',
    };
  }

  private async stored({ criteria }: IndicatorListRequest, timeSlice: TimeSlice): Promise<Observed> {
    const stored = await this.store.current();
    const { catalogue, revision, newest, indices } = stored;
    const newestAt = (row: number) => newest.monthAt(indices[row]!);
    const sources: SourceMonths = new Map();
    for (let row = 0; row < catalogue.size; row++) {
      if (row % ROWS_PER_YIELD === 0) await timeSlice.yield();
      raise(sources, catalogue, row, newestAt(row));
    }
    const rows: number[] = [];
    for (const [index, row] of selectSeries(catalogue, criteria).slice().entries()) {
      if (index % ROWS_PER_YIELD === 0) await timeSlice.yield();
      if (newestAt(row) > 0) rows.push(row);
    }
    return { catalogue, revision, rows, observations: storedObservations(stored), newestAt, sources };
  }

  private async calculated(
    { criteria, settings, month, view, calculatedFor }: IndicatorListRequest,
    signal: AbortSignal,
    expectItems: ExpectItems,
  ): Promise<Observed> {
    const selected = await this.series.select(criteria, view, signal);
    const { catalogue, revision } = selected;
    const { length: count } = selected.rows;
    const when = 'with month, as_of or other settings than the default';
    requireAtMost(this.limits.series, count, calculatedFor, when);
    await expectItems(count);
    const observations = new Map<number, Observation>();
    const newest = new Map<number, number>();
    for await (const { row, series } of this.series.load(selected, ALL_MONTHS, signal)) {
      const columns = priceColumns(series, settings.measure, settings.per);
      const last = columns.nominal.lastValue();
      if (last === null) continue;
      const calculation = new IndicatorCalculation(columns, settings);
      newest.set(row, calculation.months().find((each) => each <= (month ?? Infinity)) ?? 0);
      observations.set(row, calculation.observation(month ?? last, INDICATOR_FIELDS));
    }
    return {
      catalogue,
      revision,
      rows: [...observations.keys()],
      observations: calculatedObservations(observations),
      newestAt: (row) => newest.get(row)!,
      sources: await this.sourceMonths(selected, newest, month ?? Infinity, signal),
    };
  }

  /**
   * The newest month of each source of the listed series, up to a month. Where the periodicity of
   * another series of the source leaves it open whether that is newer, its prices are read: of as
   * many series as may be listed.
   * @param listed the newest month of each row
   */
  private async sourceMonths(
    selected: SelectedSeries,
    listed: ReadonlyMap<number, number>,
    upTo: number,
    signal: AbortSignal,
  ): Promise<SourceMonths> {
    const { catalogue } = selected;
    const sources: SourceMonths = new Map();
    for (const [row, newest] of listed) raise(sources, catalogue, row, newest);
    const possible = (await possiblyNewer(catalogue, sources, upTo, new TimeSlice()))
      .filter((row) => !listed.has(row))
      .slice(0, this.limits.series);
    for (let from = 0; from < possible.length; from += SERIES_PER_LOAD) {
      const rows = possible
        .slice(from, from + SERIES_PER_LOAD)
        .filter((row) => mayBeNewer(catalogue, sources, upTo, row));
      const batch = { ...selected, rows: Uint32Array.from(rows) };
      for await (const { row, series } of this.series.load(batch, ALL_MONTHS, signal)) {
        const { nominal } = priceColumns(series, 'nominal', 'unit');
        raise(sources, catalogue, row, nominal.upTo(upTo).lastValue() ?? 0);
      }
    }
    return sources;
  }
}

function matches(
  { ifpaClasses, alpsClasses, fresh, minChange, maxChange }: IndicatorListRequest,
  observations: Observations,
  row: number,
  isFreshNow: boolean,
): boolean {
  if (fresh !== null && fresh !== isFreshNow) return false;
  if (ifpaClasses !== null && !isOneOf(observations.ifpaClassAt(row), ifpaClasses)) return false;
  if (alpsClasses !== null && !isOneOf(observations.alpsClassAt(row), alpsClasses)) return false;
  if (minChange === -Infinity && maxChange === Infinity) return true;
  const change = observations.numberAt(row, 'change_12m');
  return change !== null && change >= minChange && change <= maxChange;
}

const isOneOf = <T>(found: T | null, listed: readonly T[]): boolean =>
  found !== null && listed.includes(found);

const COLUMNS = indicatorRowColumns(INDICATOR_FIELDS).map(({ name }) => name);

/** Rows in the order of columns of their table. */
async function sorted(
  rows: readonly IndicatorRow[],
  sort: Sort,
  catalogue: CatalogueSnapshot,
  observations: Observations,
): Promise<IndicatorRow[]> {
  const sortedColumns = sort.map(({ column }) => COLUMNS.indexOf(column));
  const batches = flatMap(batchesOf(rows, ROWS_PER_YIELD), (batch) => [
    batch.map((row) => {
      const cells = indicatorRowCells(catalogue, row, observations.at(row.row), INDICATOR_FIELDS);
      return { row, values: sortedColumns.map((index) => cells[index]) };
    }),
  ]);
  const valueOf = ({ values }: { values: readonly unknown[] }, column: string) =>
    values[sort.findIndex((key) => key.column === column)];
  return (await sortItems(batches, sort, valueOf, ({ row }) => row)).items;
}

/** Nulls last, ties by uuid. */
function comparison(
  { field, descending }: NonNullable<IndicatorListRequest['order']>,
  catalogue: CatalogueSnapshot,
  observations: Observations,
) {
  const sign = descending ? -1 : 1;
  return (one: IndicatorRow, other: IndicatorRow): number => {
    const [a, b] = [observations.numberAt(one.row, field), observations.numberAt(other.row, field)];
    if (a !== b) {
      if (a === null) return 1;
      if (b === null) return -1;
      return sign * (a - b);
    }
    const [uuid, otherUuid] = [catalogue.uuidAt(one.row), catalogue.uuidAt(other.row)];
    return uuid < otherUuid ? -1 : uuid > otherUuid ? 1 : 0;
  };
}
