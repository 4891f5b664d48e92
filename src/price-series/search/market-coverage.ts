import { grouped } from '../../lib/collections/grouped.js';
import { monthOf } from '../../lib/dates/calendar-date.js';
import { FRESH_MONTHS } from '../calendar.js';
import type { CatalogueSnapshot } from '../catalogue/catalogue-snapshot.js';
import { foodNameOf } from '../commodity-kinds.js';

/** A commodity with its series in a country, as rows of the catalogue. */
interface CommodityRows {
  readonly name: string;
  readonly rows: readonly number[];
}

/** How many markets of a country have the newest prices of a commodity. */
export interface MarketCoverage {
  /** Markets with a price of the newest months. */
  readonly recent: number;
  /** Those with one of the newest month. */
  readonly newest: number;
  /** Series of whatever age. */
  readonly series: number;
}

/**
 * The coverage of each commodity beside the other kinds of its food: the newest month is that of
 * all of them. Publishers list kinds as commodities of their own, and what has the plain name may
 * be sold in two camps, while all other markets have a kind of it.
 */
export function marketCoverages<T extends CommodityRows>(
  { columns }: CatalogueSnapshot,
  commodities: readonly T[],
): Map<T, MarketCoverage> {
  const monthAt = (row: number) => monthOf(columns.last_day[row]!);
  const coverages = new Map<T, MarketCoverage>();
  for (const kinds of grouped(commodities, ({ name }) => foodNameOf(name)).values()) {
    let newest = 0;
    for (const { rows } of kinds) for (const row of rows) newest = Math.max(newest, monthAt(row));
    const marketsSince = (rows: readonly number[], month: number) =>
      new Set(rows.filter((row) => monthAt(row) >= month).map((row) => columns.market[row]!)).size;
    for (const kind of kinds)
      coverages.set(kind, {
        recent: marketsSince(kind.rows, newest - FRESH_MONTHS),
        newest: marketsSince(kind.rows, newest),
        series: kind.rows.length,
      });
  }
  return coverages;
}

/** Most markets with prices of the newest months first, then of the newest, then most series. */
export const byCoverage = (one: MarketCoverage, other: MarketCoverage): number =>
  other.recent - one.recent || other.newest - one.newest || other.series - one.series;

/** By food; of the kinds of one food, that with newest prices in most markets comes first. */
export function kindsTogether<T extends CommodityRows>(
  catalogue: CatalogueSnapshot,
  commodities: readonly T[],
): T[] {
  const coverages = marketCoverages(catalogue, commodities);
  return commodities.toSorted(
    (one, other) =>
      foodNameOf(one.name).localeCompare(foodNameOf(other.name), 'en') ||
      byCoverage(coverages.get(one)!, coverages.get(other)!) ||
      one.name.localeCompare(other.name, 'en'),
  );
}
