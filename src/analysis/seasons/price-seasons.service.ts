import { Injectable } from '@nestjs/common';
import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { ExpectItems } from '../../platform/formats/listing.js';
import { DEFAULT_AGGREGATE_SETTINGS } from '../aggregates/aggregate-settings.js';
import { AggregatesService } from '../aggregates/aggregates.service.js';
import type { GroupFields } from '../aggregates/dimensions.js';
import type { GroupIdentity } from '../aggregates/group-identity.js';
import type { GroupListRequest } from '../aggregates/group-list.parameters.js';
import { type AggregateObservation, GroupCalculation } from '../aggregates/group-calculation.js';
import { observationRange } from '../analysis.parameters.js';
import { MonthlyColumn } from '../methods/monthly-column.js';
import { seasonalityOf } from '../methods/seasonality.js';
import type { PriceSeason } from './price-season.js';

/** The seasons of groups, all of one state of the data. */
interface PriceSeasonList {
  /** In the order of their groups. */
  readonly seasons: readonly PriceSeason[];
  readonly revision: number;
}

/** A group with its months, newest first. */
interface ObservedGroup {
  readonly fields: GroupFields;
  /** Series with a price. */
  readonly series: number;
  readonly observations: readonly AggregateObservation[];
}

/** Finds the months in which the prices of groups are usually dear and cheap. */
@Injectable()
export class PriceSeasonsService {
  constructor(private readonly aggregates: AggregatesService) {}

  /**
   * The groups with a price in any month, in the order of `PriceAggregate/`.
   * @param expectItems awaited with the number of series whose prices are read
   * @throws ValidationError for more series than aggregates take, or an unknown revision
   */
  async list(
    request: Omit<GroupListRequest, 'list'>,
    signal: AbortSignal,
    expectItems: ExpectItems,
  ): Promise<PriceSeasonList> {
    const { groups, revision } = await this.aggregates.all(request, signal, expectItems);
    const settings = { ...DEFAULT_AGGREGATE_SETTINGS, min_matched: request.minMatched };
    const timeSlice = new TimeSlice();
    const seasons: PriceSeason[] = [];
    for (const { fields, prices } of groups) {
      const series = prices.columns.length;
      if (series === 0) continue;
      const calculation = await GroupCalculation.of(prices, settings, timeSlice);
      const observations: AggregateObservation[] = [];
      for await (const each of calculation.observations(observationRange({}), null, timeSlice))
        observations.push(each);
      seasons.push(priceSeasonOf({ fields, series, observations }));
    }
    return { seasons, revision };
  }
}

/**
 * The season of a group: of its index, which does not move when markets come and go, or of its
 * median where that is too short.
 */
export function priceSeasonOf({ fields, series, observations }: ObservedGroup): PriceSeason {
  const found = seasonIn(newestSegment(observations), 'index') ?? seasonIn(observations, 'median');
  return { ...fields, series, ...(found ?? NO_SEASON) } as PriceSeason;
}

/** The observations of the newest segment of the index: those of others cannot be compared. */
export function newestSegment(observations: readonly AggregateObservation[]): AggregateObservation[] {
  const newest = observations.find(({ segment }) => segment !== null)?.segment;
  return observations.filter(({ index, segment }) => index !== null && segment === newest);
}

type Season = Omit<PriceSeason, keyof GroupIdentity | 'series'>;

const NO_SEASON: Season = {
  of: null,
  years: null,
  dearest_month: null,
  dearest: null,
  cheapest_month: null,
  cheapest: null,
  seasonal: null,
  sd: null,
};

/** The season of a field of observations, newest first; null where they are too few. */
function seasonIn(observations: readonly AggregateObservation[], of: 'index' | 'median'): Season | null {
  const valued = observations.filter((each) => each[of] !== null).reverse();
  const found = seasonalityOf(
    MonthlyColumn.of(
      valued.map(({ date }) => monthOf(dayFromIso(date)!)),
      valued.map((each) => each[of]!),
    ),
  );
  if (typeof found === 'string') return null;
  const [seasonal, sd] = [found.index, found.sd].map((values) => values.map(toSignificantDigits));
  const [dearest, cheapest] = [Math.max(...seasonal!), Math.min(...seasonal!)];
  return {
    of,
    years: found.years,
    dearest_month: seasonal!.indexOf(dearest) + 1,
    dearest,
    cheapest_month: seasonal!.indexOf(cheapest) + 1,
    cheapest,
    seasonal: seasonal!,
    sd: sd!,
  };
}
