import { Injectable } from '@nestjs/common';
import { firstDayOfMonth } from '../../lib/dates/calendar-date.js';
import { RateRecords, type UsedIndex } from '../../prices/derive/rate-records.js';
import { type PastState, PriceLoader } from '../../prices/read/price-loader.js';
import type { ChartPoint } from '../../web/chart/segments.js';

/** Published values that the prices of a country are converted by, month by month. */
export interface PublishedValues {
  /** Oldest first. */
  readonly points: readonly ChartPoint[];
  /** Who has published the newest value; empty where that is not known. */
  readonly source: string;
}

/** The general consumer price index of a country. */
export interface CountryIndex extends PublishedValues {
  /** The period in which it is 100; null without values. */
  readonly base: string | null;
}

/** The exchange rates and the consumer price index by which prices of a country are converted. */
@Injectable()
export class CountryRates {
  constructor(
    private readonly loader: PriceLoader,
    private readonly records: RateRecords,
  ) {}

  /** Published official rates, units per US dollar: of a month, or the mean of its days. */
  async rate(state: PastState, currency: string, signal: AbortSignal): Promise<PublishedValues> {
    const records = await this.loader.consistently(signal, state, ({ rates }) =>
      this.records.ratesOf(rates, currency),
    );
    const months = inOrder(records);
    const points = months.map(([month, ofMonth]) => ({
      day: firstDayOfMonth(month),
      value: ofMonth.reduce((sum, { rate }) => sum + rate, 0) / ofMonth.length,
    }));
    return { points, source: months.at(-1)?.[1].at(-1)!.source ?? '' };
  }

  /** In terms of the newest base period; months that cannot be linked to it are left out. */
  async index(state: PastState, iso3: string, signal: AbortSignal): Promise<CountryIndex> {
    const records = await this.loader.consistently(signal, state, ({ rates }) =>
      this.records.indicesOf(rates, iso3),
    );
    // The newest base period comes first.
    const base = baseOf(records.values().next().value);
    const months = inOrder(records).filter(([, index]) => baseOf(index) === base);
    const newest = months.at(-1)?.[1];
    return {
      base,
      points: months.map(([month, { value, link }]) => ({
        day: firstDayOfMonth(month),
        value: value * (link?.factor ?? 1),
      })),
      source: newest?.source ?? '',
    };
  }
}

const baseOf = (index: UsedIndex | undefined): string | null =>
  index === undefined ? null : (index.link?.base_period ?? index.base_period);

const inOrder = <T>(records: ReadonlyMap<number, T>): [month: number, record: T][] =>
  [...records].sort(([one], [other]) => one - other);
