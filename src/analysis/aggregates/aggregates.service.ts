import { Injectable } from '@nestjs/common';
import { ValidationError } from '../../platform/errors/api-error.js';
import type { ExpectItems, PageInfo } from '../../platform/formats/listing.js';
import { sortItems } from '../../platform/listing/sort.js';
import { pageBounds } from '../../platform/listing/page.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { Criteria } from '../../price-series/filters/criteria.js';
import type { PriceView } from '../../prices/prices.service.js';
import { commonBases, inTermsOf } from '../common-base.js';
import { ALL_MONTHS } from '../indicators/indicators.service.js';
import { isReal, measuredColumns } from '../price-columns.js';
import { requireAtMost, type SelectedSeries, SeriesLoader } from '../series-loader.js';
import type { AggregateRequest } from './aggregate.parameters.js';
import { type AggregateSettings, baseMonthOf, DEFAULT_AGGREGATE_SETTINGS } from './aggregate-settings.js';
import type { Dimension } from './dimensions.js';
import { GroupPrices, periodPrices } from './group-prices.js';
import { groupSeries, type SeriesGroup } from './grouping.js';

/** Limits of aggregates. Tests lower them. */
@Injectable()
export class AggregateLimits {
  /** Series behind the groups of one reply, whose prices are in memory together. */
  series = 10_000;
}

/** A group with the prices of its series. */
export interface PricedGroup extends SeriesGroup {
  readonly prices: GroupPrices;
  /** The base period of its real prices; null where they are not in real terms, or have none. */
  readonly base: string | null;
}

/** The groups of a reply, in order. */
export interface AggregateList {
  catalogue: CatalogueSnapshot;
  /** The series of all groups, and the state that they are of. */
  selected: SelectedSeries;
  groups: readonly PricedGroup[];
  page: PageInfo | 'all';
  revision: number;
}

/** Series that are put together, and in which money; the names are those of the API. */
export interface GroupSelection extends Pick<AggregateSettings, 'measure' | 'per'> {
  readonly criteria: Criteria;
  readonly dimensions: readonly Dimension[];
  readonly view: PriceView;
}

/** Puts the prices of many series together, group by group. */
@Injectable()
export class AggregatesService {
  constructor(
    private readonly series: SeriesLoader,
    private readonly limits: AggregateLimits,
  ) {}

  /**
   * The groups of the requested page, with the prices of their series, all of one state of the
   * data. Groups are known from the catalogue alone, so only the prices of the page are read.
   * @param expectItems awaited with the number of series whose prices are read
   * @throws ValidationError for more series than the limit, a revision that does not exist, and a
   * base in which no group of the reply has an index
   * @throws NotFound past the last page
   */
  async list(
    { criteria, dimensions, settings, view, page, sort = [] }: AggregateRequest,
    signal: AbortSignal,
    expectItems: ExpectItems,
  ): Promise<AggregateList> {
    const selected = await this.series.select(criteria, view, signal);
    const { catalogue, revision } = selected;
    const found = await groupSeries(catalogue, selected.rows, { dimensions, ...settings });
    const valueOf = ({ fields }: SeriesGroup, column: string) => fields[column];
    const sorted = sort.length > 0 && (await sortItems([found], sort, valueOf, (group) => group));
    const all = sorted ? sorted.items : found;
    const bounds = page && pageBounds(page, all.length);
    const shown = bounds ? all.slice(bounds.offset, bounds.offset + bounds.limit) : all;
    const rows = rowsInGroups(shown);
    requireAtMost(this.limits.series, rows.length, [shown.length > 1 ? 'page_size' : 'by']);
    await expectItems(rows.length);
    const groups = await this.priced(shown, selected, settings, signal);
    requireBase(groups, settings);
    return {
      catalogue,
      selected: { ...selected, rows },
      revision,
      groups,
      page: page && bounds ? { count: all.length, page: page.page, lastPage: bounds.lastPage } : 'all',
    };
  }

  /**
   * All groups with the monthly prices of their series, of one state of the data.
   * @param expectItems awaited with the number of series whose prices are read
   * @throws ValidationError for more series than the limit, and a revision that does not exist
   */
  async all(
    { criteria, view, dimensions, measure, per }: GroupSelection,
    signal: AbortSignal,
    expectItems: ExpectItems,
  ): Promise<{ groups: PricedGroup[]; revision: number }> {
    const selected = await this.series.select(criteria, view, signal);
    const settings = { ...DEFAULT_AGGREGATE_SETTINGS, measure, per };
    const found = await groupSeries(selected.catalogue, selected.rows, { dimensions, ...settings });
    const count = rowsInGroups(found).length;
    requireAtMost(this.limits.series, count, ['by']);
    await expectItems(count);
    const groups = await this.priced(found, selected, settings, signal);
    return { groups, revision: selected.revision };
  }

  /** Groups of selected series, with the prices of these. */
  private async priced(
    groups: readonly SeriesGroup[],
    selected: SelectedSeries,
    { measure, per, periodicity, aggregation }: AggregateSettings,
    signal: AbortSignal,
  ): Promise<PricedGroup[]> {
    const ofGroups = groups.map(({ rows }) => rows);
    const bases = await commonBases(this.series, selected, measure, ofGroups, signal);
    const priced = groups.map((group, index) => ({
      ...group,
      fields: isReal(measure) ? { ...group.fields, index_base: bases[index]! } : group.fields,
      prices: new GroupPrices(),
      base: bases[index]!,
    }));
    const groupsOf = new Map<number, PricedGroup[]>();
    for (const group of priced)
      for (const row of group.rows) {
        const known = groupsOf.get(row);
        if (known === undefined) groupsOf.set(row, [group]);
        else known.push(group);
      }
    const rows = rowsInGroups(groups);
    for await (const { row, series } of this.series.load({ ...selected, rows }, ALL_MONTHS, signal)) {
      const itsGroups = groupsOf.get(row)!;
      // A series of several groups is one without a factor, so that it has a price in none.
      const based = inTermsOf(series, measure, itsGroups[0]!.base);
      const prices = periodPrices(measuredColumns(based, measure, per), periodicity, aggregation);
      for (const group of itsGroups) group.prices.add(row, prices);
    }
    return priced;
  }
}

/** The rows of all groups, each once, ascending. */
const rowsInGroups = (groups: readonly SeriesGroup[]): Uint32Array =>
  Uint32Array.from(new Set(groups.flatMap(({ rows }) => rows))).sort();

/** Rejects a base that lies in no segment of any group. @throws ValidationError */
function requireBase(groups: readonly PricedGroup[], settings: AggregateSettings): void {
  const month = baseMonthOf(settings);
  if (month === null || groups.length === 0) return;
  if (groups.some(({ prices }) => prices.at(month).values.length >= settings.min_matched)) return;
  const detail = `base (${settings.base}) lies in no segment: no group of the reply has an index there, with at least ${settings.min_matched} series that have a price.`;
  throw new ValidationError([{ in: 'query', name: 'base', code: 'out_of_range', detail }]);
}
