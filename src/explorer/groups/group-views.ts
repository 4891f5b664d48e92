import { Injectable } from '@nestjs/common';
import { observationRange } from '../../analysis/analysis.parameters.js';
import { aggregateFilters } from '../../analysis/aggregates/aggregate.parameters.js';
import { DEFAULT_AGGREGATE_SETTINGS } from '../../analysis/aggregates/aggregate-settings.js';
import { AggregatesService } from '../../analysis/aggregates/aggregates.service.js';
import { type Dimension, type GroupFields, splitBy } from '../../analysis/aggregates/dimensions.js';
import { type AggregateObservation, GroupCalculation } from '../../analysis/aggregates/group-calculation.js';
import type { AsOf } from '../../ledger/revision/as-of.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { RequestInfo } from '../../platform/http/request.js';
import { Criteria } from '../../price-series/filters/criteria.js';

/** Series that are put together, with their months. */
export interface GroupView {
  readonly fields: GroupFields;
  /** Series of the group. */
  readonly series: number;
  /** Newest first. */
  readonly observations: readonly AggregateObservation[];
}

/** Which series are put together; the names are those of the API. */
export interface GroupFilters {
  readonly iso3_country_codes?: string[];
  readonly commodity_ids?: number[];
}

/** Groups of series in dollars per kilogram or litre, by the service of the API. */
@Injectable()
export class GroupViews {
  constructor(private readonly aggregates: AggregatesService) {}

  /**
   * The groups with a price, in the order of the API, with its defaults.
   * @throws ValidationError for more series than the API puts together, and a revision that does
   * not exist
   */
  async read(
    filters: GroupFilters,
    by: Dimension,
    asOf: AsOf | undefined,
    { signal, permit: { expectItems } }: RequestInfo,
  ): Promise<{ groups: GroupView[]; revision: number }> {
    const list = await this.aggregates.list(
      {
        criteria: Criteria.of(aggregateFilters, { ...filters, goods: true, regional_average: false }),
        dimensions: splitBy([by]),
        settings: DEFAULT_AGGREGATE_SETTINGS,
        range: observationRange({}),
        namesSeries: false,
        explain: false,
        view: { asOf, firstPublished: false },
        page: null,
      },
      signal,
      expectItems,
    );
    const timeSlice = new TimeSlice();
    const groups: GroupView[] = [];
    for (const { fields, rows, prices } of list.groups) {
      const calculation = await GroupCalculation.of(prices, DEFAULT_AGGREGATE_SETTINGS, timeSlice);
      const observations: AggregateObservation[] = [];
      for await (const each of calculation.observations(observationRange({}), null, timeSlice))
        if (each.n > 0) observations.push(each);
      if (observations.length > 0) groups.push({ fields, series: rows.length, observations });
    }
    return { groups, revision: list.revision };
  }
}

/** The largest groups first; groups of one size stay in their order. @param most groups */
export const largest = (groups: readonly GroupView[], most: number): GroupView[] =>
  groups.toSorted((one, other) => other.series - one.series).slice(0, most);
