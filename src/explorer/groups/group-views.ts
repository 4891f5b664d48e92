import { Injectable } from '@nestjs/common';
import { observationRange } from '../../analysis/analysis.parameters.js';
import { aggregateFilters } from '../../analysis/aggregates/aggregate.parameters.js';
import {
  type AggregateSettings,
  DEFAULT_AGGREGATE_SETTINGS,
} from '../../analysis/aggregates/aggregate-settings.js';
import { AggregatesService } from '../../analysis/aggregates/aggregates.service.js';
import { type Dimension, type GroupFields, splitBy } from '../../analysis/aggregates/dimensions.js';
import type { GroupPrices } from '../../analysis/aggregates/group-prices.js';
import { type AggregateObservation, GroupCalculation } from '../../analysis/aggregates/group-calculation.js';
import type { PriceChange } from '../../analysis/changes/price-change.js';
import { priceChangeOf } from '../../analysis/changes/price-changes.service.js';
import type { AsOf } from '../../ledger/revision/as-of.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { RequestInfo } from '../../platform/http/request.js';
import { Criteria } from '../../price-series/filters/criteria.js';

/** Series that are put together, with their prices. */
export interface PricedView {
  readonly fields: GroupFields;
  /** Series of the group. */
  readonly series: number;
  /** Their rows of the catalogue, ascending. */
  readonly rows: readonly number[];
  /** Its newest month with a price: the month, its median and count, and the changes until then. */
  readonly change: PriceChange;
  readonly prices: GroupPrices;
}

/** The same with its months. */
export interface GroupView extends PricedView {
  /** Newest first. */
  readonly observations: readonly AggregateObservation[];
}

/** Which series are put together; the names are those of the API. */
export interface GroupFilters {
  readonly iso3_country_codes?: string[];
  readonly commodity_ids?: number[];
  readonly market_ids?: number[];
  readonly regional_average?: boolean;
  readonly goods?: boolean;
}

/** How series are put together: `by` and the settings of the API, with its defaults. */
interface GroupQuery extends Partial<Pick<AggregateSettings, 'measure' | 'per'>> {
  readonly filters: GroupFilters;
  readonly by: Dimension;
}

/** Groups of series, by the services of the API. */
@Injectable()
export class GroupViews {
  constructor(private readonly aggregates: AggregatesService) {}

  /**
   * The groups with a price, in the order of the API, with its defaults.
   * @throws ValidationError for more series than the API puts together, and a revision that does
   * not exist
   */
  async priced(
    { filters, by, ...chosen }: GroupQuery,
    asOf: AsOf | undefined,
    { signal, permit: { expectItems } }: RequestInfo,
  ): Promise<{ groups: PricedView[]; revision: number }> {
    const settings = { ...DEFAULT_AGGREGATE_SETTINGS, ...chosen };
    const list = await this.aggregates.list(
      {
        criteria: Criteria.of(aggregateFilters, { goods: true, regional_average: false, ...filters }),
        dimensions: splitBy([by]),
        settings,
        range: observationRange({}),
        namesSeries: false,
        explain: false,
        view: { asOf, firstPublished: false },
        page: null,
      },
      signal,
      expectItems,
    );
    const groups: PricedView[] = [];
    for (const group of list.groups) {
      const { fields, rows, prices } = group;
      const change = priceChangeOf(group, { month: null, minMatched: 1 });
      if (change !== null) groups.push({ fields, series: rows.length, rows, change, prices });
    }
    return { groups, revision: list.revision };
  }

  /** The same with the months of all groups, which take longer than the newest one. */
  async read(
    query: GroupQuery,
    asOf: AsOf | undefined,
    info: RequestInfo,
  ): Promise<{ groups: GroupView[]; revision: number }> {
    const { groups, revision } = await this.priced(query, asOf, info);
    const observed: GroupView[] = [];
    for (const group of groups) observed.push(await this.observed(group));
    return { groups: observed, revision };
  }

  /** A group with its months. */
  async observed(group: PricedView): Promise<GroupView> {
    const timeSlice = new TimeSlice();
    const calculation = await GroupCalculation.of(group.prices, DEFAULT_AGGREGATE_SETTINGS, timeSlice);
    const observations: AggregateObservation[] = [];
    for await (const each of calculation.observations(observationRange({}), null, timeSlice))
      if (each.n > 0) observations.push(each);
    return { ...group, observations };
  }
}

/** The largest groups first; groups of one size stay in their order. */
export const largest = <Group extends PricedView>(groups: readonly Group[], count: number): Group[] =>
  groups.toSorted((one, other) => other.series - one.series).slice(0, count);
