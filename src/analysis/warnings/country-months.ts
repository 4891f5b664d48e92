import { monthOf } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { foodMask } from '../../price-series/catalogue/food-mask.js';
import { FRESH_MONTHS } from '../../price-series/calendar.js';
import { newestBound } from '../indicators/freshness.js';

/** Months by which a country may be behind before its prices say nothing of today. */
const OLD_MONTHS = 3;
/** The part of the countries that reach the month that all are measured by. */
const REACHED_BY = 1 / 4;
/** Series that are looked at between two looks at the time. */
const ROWS_PER_YIELD = 500;

/** The newest of some months, of those up to today unless all are later; null for none. */
export function newestMonthUpTo(months: readonly number[], today: number): number | null {
  const past = months.filter((month) => month <= today);
  const known = past.length === 0 ? months : past;
  return known.length === 0 ? null : Math.max(...known);
}

/**
 * Whether the newest price of a series is no longer fresh.
 * @param current the newest month that a quarter of the countries reach; null without one
 * @param day of the price; 0 for none
 */
export const isOldBeside = (current: number | null, day: number): boolean =>
  current !== null && monthOf(day) < current - FRESH_MONTHS;

/** How far the food prices of each country reach, in months that are over (month numbers). */
export class CountryMonths {
  /** The newest month that a quarter of the countries reach; null without prices. */
  readonly current: number | null;

  /**
   * @param newest the newest month of each country that has food prices, by its ISO code
   * @param others the same of other prices, of countries that have no food prices
   */
  constructor(
    private readonly newest: ReadonlyMap<string, number>,
    private readonly others: ReadonlyMap<string, number>,
  ) {
    const months = [...newest.values()].sort((one, other) => other - one);
    this.current = months[Math.ceil(months.length * REACHED_BY) - 1] ?? null;
  }

  /** The newest month of a country; null where it has no food prices. */
  of(iso3: string): number | null {
    return this.newest.get(iso3) ?? null;
  }

  /** The newest month of all, up to today unless all are dated later; null without prices. */
  newestUpTo(today: number): number | null {
    return newestMonthUpTo([...this.newest.values()], today);
  }

  /** Whether a country is so far behind the others that it counts nowhere. */
  isOld(iso3: string): boolean {
    const month = this.newest.get(iso3) ?? this.others.get(iso3);
    return month !== undefined && this.current !== null && month < this.current - OLD_MONTHS;
  }
}

const known = new WeakMap<CatalogueSnapshot, Promise<CountryMonths>>();

/**
 * How far the prices of all countries reach.
 * @param upTo as it was in this month (a month number); gaps before it are not looked for
 */
export function countryMonths(catalogue: CatalogueSnapshot, upTo = Infinity): Promise<CountryMonths> {
  if (upTo !== Infinity) return monthsOf(catalogue, upTo);
  let months = known.get(catalogue);
  if (months === undefined) known.set(catalogue, (months = monthsOf(catalogue, upTo)));
  return months;
}

async function monthsOf(catalogue: CatalogueSnapshot, upTo: number): Promise<CountryMonths> {
  const timeSlice = new TimeSlice();
  const { columns, dictionaries, countryStarts } = catalogue;
  const food = foodMask(dictionaries);
  const newestOf = async (index: number, wanted: 0 | 1) => {
    let month = 0;
    for (let row = countryStarts[index]!; row < countryStarts[index + 1]!; row++) {
      if (row % ROWS_PER_YIELD === 0) await timeSlice.yield();
      if (food[columns.commodity[row]!] === wanted)
        month = Math.max(month, newestBound(catalogue.periodicityAt(row), upTo));
    }
    return month;
  };
  const newest = new Map<string, number>();
  const others = new Map<string, number>();
  for (const [index, iso3] of dictionaries.marketIndex.countries.entries()) {
    const month = await newestOf(index, 1);
    if (month > 0) newest.set(iso3, month);
    else {
      const other = await newestOf(index, 0);
      if (other > 0) others.set(iso3, other);
    }
  }
  return new CountryMonths(newest, others);
}
