import { Injectable } from '@nestjs/common';
import { isoFromMonth } from '../../lib/dates/calendar-date.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { ExpectItems } from '../../platform/formats/listing.js';
import { AggregatesService, type PricedGroup } from '../aggregates/aggregates.service.js';
import { groupStatistics } from '../methods/group-statistics.js';
import { matchedChange } from '../methods/matched-change.js';
import type { MonthlyColumn } from '../methods/monthly-column.js';
import type { PriceChange } from './price-change.js';
import type { PriceChangeRequest } from './price-change.parameters.js';

/** How the prices of groups have changed, all of one state of the data. */
interface PriceChangeList {
  /** In the order of their groups. */
  readonly changes: readonly PriceChange[];
  readonly revision: number;
}

/** Compares the prices of groups of series with those of earlier months. */
@Injectable()
export class PriceChangesService {
  constructor(private readonly aggregates: AggregatesService) {}

  /**
   * The groups with a price in the requested month, in the order of `PriceAggregate/`. Without a
   * month, all groups with a price, each in its newest month.
   * @param expectItems awaited with the number of series whose prices are read
   * @throws ValidationError for more series than aggregates take, or an unknown revision
   */
  async list(
    request: Omit<PriceChangeRequest, 'list'>,
    signal: AbortSignal,
    expectItems: ExpectItems,
  ): Promise<PriceChangeList> {
    const { groups, revision } = await this.aggregates.all(request, signal, expectItems);
    const timeSlice = new TimeSlice();
    const changes: PriceChange[] = [];
    for (const group of groups) {
      const change = priceChangeOf(group, request);
      if (change !== null) changes.push(change);
      await timeSlice.yield();
    }
    return { changes, revision };
  }
}

/** How the prices of a group have changed up to a month; null where the month has no price. */
export function priceChangeOf(
  { fields, prices }: PricedGroup,
  { month: requestedMonth, minMatched }: Pick<PriceChangeRequest, 'month' | 'minMatched'>,
): PriceChange | null {
  const { columns } = prices;
  const month = requestedMonth ?? newestMonth(columns);
  const { values } = prices.at(month);
  if (values.length === 0) return null;
  const changeOver = (months: number) => {
    const { change, matched } = matchedChange(columns, month, months);
    return [matched < minMatched ? null : toSignificantDigits(change), matched] as const;
  };
  const [change_1m, matched_1m] = changeOver(1);
  const [change_3m, matched_3m] = changeOver(3);
  const [change_12m, matched_12m] = changeOver(12);
  return {
    ...fields,
    month: isoFromMonth(month),
    series: columns.length,
    n: values.length,
    median: toSignificantDigits(groupStatistics(values).median),
    change_1m,
    matched_1m,
    change_3m,
    matched_3m,
    change_12m,
    matched_12m,
  } as PriceChange;
}

/** A month number in which no series has a price. */
const NO_MONTH = -1;

/** The newest month in which a series has a price; `NO_MONTH` without prices. */
const newestMonth = (columns: readonly MonthlyColumn[]): number =>
  columns.reduce((newest, column) => Math.max(newest, column.lastValue() ?? NO_MONTH), NO_MONTH);
