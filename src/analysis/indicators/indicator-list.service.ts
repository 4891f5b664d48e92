import { Injectable } from '@nestjs/common';
import { sortInSteps } from '../../lib/scheduling/sort-in-steps.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { ExpectItems, PageInfo } from '../../platform/formats/listing.js';
import { pageBounds } from '../../platform/listing/page.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { select } from '../../price-series/catalogue/selection.js';
import { priceColumns } from '../price-columns.js';
import { requireAtMost, type SelectedSeries, SeriesLoader } from '../series-loader.js';
import {
  isFresh,
  mayBeNewer,
  newestOfSources,
  possiblyNewer,
  raise,
  type SourceMonths,
} from './freshness.js';
import { IndicatorCalculation, type Observation } from './indicator-calculation.js';
import { numberOf } from './indicator-columns.js';
import { INDICATOR_FIELDS } from './indicator-fields.js';
import type { IndicatorListRequest } from './indicator-list.parameters.js';
import { ALL_MONTHS } from './indicators.service.js';
import { NewestIndicatorStore } from './newest-indicators.js';

/** Series whose newest months are read before the others are looked at again. */
const SERIES_PER_LOAD = 100;

/** Limits of lists of indicators. Tests lower them. */
@Injectable()
export class IndicatorLimits {
  /** Series whose indicators are calculated for one request. */
  series = 10_000;
}

/** A series with the observation that is listed. */
export interface IndicatorRow {
  row: number;
  fresh: boolean;
  observation: Observation;
}

/** The series of a list, filtered and in order. */
export interface IndicatorList {
  catalogue: CatalogueSnapshot;
  rows: readonly IndicatorRow[];
  page: PageInfo | 'all';
  revision: number;
}

/** What the rows of a list are made of. */
interface Observed {
  catalogue: CatalogueSnapshot;
  revision: number;
  rows: {
    row: number;
    observation: Observation;
    /** Its newest month, up to the one asked for; 0 for none. */
    newest: number;
  }[];
  sources: SourceMonths;
}

/** Lists one month of the indicators of each series. */
@Injectable()
export class IndicatorListService {
  constructor(
    private readonly store: NewestIndicatorStore,
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
    const { page, order } = request;
    const observed =
      request.calculatedFor.length === 0
        ? await this.stored(request, timeSlice)
        : await this.calculated(request, signal, expectItems);
    const { catalogue, revision, sources } = observed;
    let rows: IndicatorRow[] = [];
    for (const { row, observation, newest } of observed.rows) {
      const newestOfSource = sources.get(catalogue.referenceAt('source', row).id) ?? 0;
      const fresh = newest > 0 && isFresh(newest, newestOfSource);
      if (matches(request, observation, fresh)) rows.push({ row, fresh, observation });
      await timeSlice.yield();
    }
    if (order !== null) rows = await sortInSteps(rows, comparison(order, catalogue), timeSlice);
    const bounds = page && pageBounds(page, rows.length);
    return {
      catalogue,
      revision,
      rows: bounds ? rows.slice(bounds.offset, bounds.offset + bounds.limit) : rows,
      page: page && bounds ? { count: rows.length, page: page.page, lastPage: bounds.lastPage } : 'all',
    };
  }

  private async stored({ criteria }: IndicatorListRequest, timeSlice: TimeSlice): Promise<Observed> {
    const newest = await this.store.current();
    const { catalogue, revision } = newest;
    const rows: Observed['rows'] = [];
    for (const row of select(catalogue, criteria).slice()) {
      const observation = newest.at(row);
      if (observation !== null) rows.push({ row, observation, newest: newest.monthAt(row) });
      await timeSlice.yield();
    }
    const all = Array.from({ length: catalogue.size }, (_, row) => [row, newest.monthAt(row)] as const);
    return { catalogue, revision, rows, sources: newestOfSources(catalogue, all) };
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
    const rows: Observed['rows'] = [];
    for await (const { row, series } of this.series.load(selected, ALL_MONTHS, signal)) {
      const columns = priceColumns(series, settings.measure, settings.per);
      const last = columns.nominal.lastValue();
      if (last === null) continue;
      const calculation = new IndicatorCalculation(columns, settings);
      const newest = calculation.months().find((each) => each <= (month ?? Infinity)) ?? 0;
      rows.push({ row, observation: calculation.observation(month ?? last, INDICATOR_FIELDS), newest });
    }
    const sources = await this.sourceMonths(selected, rows, month ?? Infinity, signal);
    return { catalogue, revision, rows, sources };
  }

  /**
   * The newest month of each source of the listed series, up to a month. Where the periodicity of
   * another series of the source leaves it open whether that is newer, its prices are read: of as
   * many series as may be listed.
   */
  private async sourceMonths(
    selected: SelectedSeries,
    listed: Observed['rows'],
    upTo: number,
    signal: AbortSignal,
  ): Promise<SourceMonths> {
    const { catalogue } = selected;
    const months = listed.map(({ row, newest }) => [row, newest] as const);
    const sources = newestOfSources(catalogue, months);
    const known = new Set(listed.map(({ row }) => row));
    const timeSlice = new TimeSlice();
    const possible = (await possiblyNewer(catalogue, sources, upTo, timeSlice))
      .filter((row) => !known.has(row))
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
  observation: Observation,
  isFreshNow: boolean,
): boolean {
  if (fresh !== null && fresh !== isFreshNow) return false;
  if (!isOneOf(observation.ifpa?.class, ifpaClasses) || !isOneOf(observation.alps?.class, alpsClasses))
    return false;
  if (minChange === -Infinity && maxChange === Infinity) return true;
  const change = numberOf(observation, 'change_12m');
  return change !== null && change >= minChange && change <= maxChange;
}

/** Whether a class is listed; null lists all, and none. */
const isOneOf = <T>(found: T | null | undefined, listed: readonly T[] | null): boolean =>
  listed === null || (found !== null && found !== undefined && listed.includes(found));

/** Nulls last, ties by uuid. */
function comparison(
  { field, descending }: NonNullable<IndicatorListRequest['order']>,
  catalogue: CatalogueSnapshot,
) {
  const sign = descending ? -1 : 1;
  return (one: IndicatorRow, other: IndicatorRow): number => {
    const [a, b] = [numberOf(one.observation, field), numberOf(other.observation, field)];
    if (a !== b) {
      if (a === null) return 1;
      if (b === null) return -1;
      return sign * (a - b);
    }
    const [uuid, otherUuid] = [catalogue.uuidAt(one.row), catalogue.uuidAt(other.row)];
    return uuid < otherUuid ? -1 : uuid > otherUuid ? 1 : 0;
  };
}
