import { FRESH_MONTHS } from '../../price-series/calendar.js';
import { monthNumber } from '../../analysis/analysis.parameters.js';
import type { Per } from '../../analysis/price-columns.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { PricedView } from './group-views.js';

/** How the prices of a commodity in a country are put together. */
export interface PriceReading {
  /** Averages of the country or of regions: it has no prices of markets. */
  readonly isAverage: boolean;
  /** What has no weight or volume, such as a bunch, is shown per published unit. */
  readonly per: Per;
}

/** @param rows all series of a commodity in a country */
export function readingOf(catalogue: CatalogueSnapshot, rows: Iterable<number>): PriceReading {
  let [hasMarkets, marketsHaveBase, averagesHaveBase] = [false, false, false];
  for (const row of rows) {
    const hasBase = catalogue.referenceAt('measure_unit', row).conversion_factor !== null;
    if (catalogue.referenceAt('market', row).regional_average) averagesHaveBase ||= hasBase;
    else [hasMarkets, marketsHaveBase] = [true, marketsHaveBase || hasBase];
  }
  return {
    isAverage: !hasMarkets,
    per: (hasMarkets ? marketsHaveBase : averagesHaveBase) ? 'base' : 'unit',
  };
}

/**
 * The prices of a commodity that are never put together: of different types, currencies and units.
 * Those of most series with a price of the newest months come first, then those of most series.
 */
export function mainFirst<Group extends PricedView>(groups: readonly Group[]): Group[] {
  const monthOf = ({ change }: Group) => monthNumber(change.month);
  const newest = Math.max(...groups.map(monthOf));
  const fresh = (group: Group) => (newest - monthOf(group) <= FRESH_MONTHS ? group.change.n : 0);
  return groups.toSorted((one, other) => fresh(other) - fresh(one) || other.series - one.series);
}

/** What tells the prices apart that are never put together. */
export interface PriceKind {
  readonly price_type_id: number;
  readonly currency: string;
  /** Null where none can be converted to kilograms or litres. */
  readonly unit: string | null;
}

/** The kind of the prices of a group. */
export const kindOf = ({ fields }: PricedView): PriceKind => ({
  price_type_id: Number(fields.price_type_id),
  currency: String(fields.currency),
  unit: fields.unit as string | null,
});

/** Whether a group has the prices that are asked for. */
export function isOfKind(group: PricedView, asked: Partial<PriceKind>): boolean {
  const kind = kindOf(group);
  return Object.entries(asked).every(
    ([name, value]) => value === undefined || kind[name as keyof PriceKind] === value,
  );
}
