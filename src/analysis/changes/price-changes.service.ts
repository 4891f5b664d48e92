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
   * The groups with a price in the month, in the order of `PriceAggregate/`.
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

/** How the prices of a group have changed; null where it has no price in the month. */
export function priceChangeOf(
  { fields, prices }: PricedGroup,
  { month: asked, minMatched }: Pick<PriceChangeRequest, 'month' | 'minMatched'>,
): PriceChange | null {
  const { columns } = prices;
  const month = asked ?? newestMonth(columns);
  const { values } = prices.at(month);
  if (values.length === 0) return null;
  const over = (months: number) => {
    const { change, matched } = matchedChange(columns, month, months);
    return [matched < minMatched ? null : toSignificantDigits(change), matched] as const;
  };
  const [[change_1m, matched_1m], [change_3m, matched_3m], [change_12m, matched_12m]] = [
    over(1),
    over(3),
    over(12),
  ];
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

/** The newest month with a price of any series; before all months where there is none. */
const newestMonth = (columns: readonly MonthlyColumn[]): number =>
  columns.reduce((newest, column) => Math.max(newest, column.lastValue() ?? -1), -1);
