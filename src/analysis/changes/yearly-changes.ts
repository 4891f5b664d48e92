import { Injectable } from '@nestjs/common';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { foodMask } from '../../price-series/catalogue/food-mask.js';
import { splitBy, type GroupFields } from '../aggregates/dimensions.js';
import { countryMonths } from '../warnings/country-months.js';
import { groupSeries, type SeriesGroup } from '../aggregates/grouping.js';
import { DEFAULT_AGGREGATE_SETTINGS } from '../aggregates/aggregate-settings.js';
import { FRESH_MONTHS } from '../../price-series/calendar.js';
import { jevonsChange } from '../methods/matched-change.js';
import { IndicatorStore } from '../indicators/store/indicator-store.js';

/** How the prices of a food in a country have changed in a year. */
export interface YearlyChange {
  /** As of `PriceChange/` by country and commodity. */
  readonly fields: GroupFields;
  /** The newest month of the group that is over (a month number). */
  readonly month: number;
  /** As `change_12m` of `PriceChange/` in that month: of the series with both prices. */
  readonly change: number;
  /** These series. */
  readonly matched: number;
}

/** Compares the food prices of all countries with those of a year before. */
@Injectable()
export class YearlyChanges {
  constructor(private readonly store: IndicatorStore) {}

  /**
   * The changes of all foods of all countries, from the indicators in memory: those of
   * `PriceChange/` in the same month, with its defaults, of as many series as there are. Foods
   * without a fresh price in the newest month that a quarter of the countries reach are left out.
   */
  async list(): Promise<YearlyChange[]> {
    const timeSlice = new TimeSlice();
    const { catalogue, indices, newest } = await this.store.current();
    const { current } = await countryMonths(catalogue);
    const food = foodMask(catalogue.dictionaries);
    const monthAt = (row: number) => newest.monthAt(indices[row]!);
    const rows: number[] = [];
    for (let row = 0; row < catalogue.size; row++) {
      await timeSlice.yield();
      if (current === null || monthAt(row) < current - FRESH_MONTHS) continue;
      const isOfMarket = !catalogue.referenceAt('market', row).regional_average;
      const hasBase = catalogue.referenceAt('measure_unit', row).conversion_factor !== null;
      if (isOfMarket && hasBase && food[catalogue.columns.commodity[row]!] === 1) rows.push(row);
    }
    const groups = await groupSeries(catalogue, Uint32Array.from(rows), {
      dimensions: splitBy(['country', 'commodity']),
      measure: 'nominal',
      per: 'base',
    });
    const changeOf = ({ fields, rows }: SeriesGroup): YearlyChange | null => {
      const month = Math.max(...rows.map(monthAt));
      const changes = rows
        .filter((row) => monthAt(row) === month)
        .flatMap((row) => newest.numberAt(indices[row]!, 'change_12m') ?? []);
      if (changes.length < DEFAULT_AGGREGATE_SETTINGS.min_matched) return null;
      const change = toSignificantDigits(jevonsChange(changes.map((each) => 1 + each)));
      return { fields, month, change, matched: changes.length };
    };
    return groups.flatMap((group) => changeOf(group) ?? []);
  }
}
