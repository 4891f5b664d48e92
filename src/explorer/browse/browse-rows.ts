import { sortInSteps } from '../../lib/scheduling/sort-in-steps.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { BrowseOrder } from './browse-state.js';

const KEYS = {
  commodity: (catalogue: CatalogueSnapshot, row: number) => catalogue.referenceAt('commodity', row).name,
  market: (catalogue: CatalogueSnapshot, row: number) => catalogue.referenceAt('market', row).name,
  country: (catalogue: CatalogueSnapshot, row: number) => catalogue.referenceAt('market', row).country_name,
  last_price_date: (catalogue: CatalogueSnapshot, row: number) => catalogue.columns.last_day[row]!,
} as const;

/** Rows in an order; those with equal keys stay in the order of the lists. */
export async function orderedRows(
  catalogue: CatalogueSnapshot,
  rows: Uint32Array,
  order: BrowseOrder | undefined,
): Promise<readonly number[]> {
  if (order === undefined) return Array.from(rows);
  const keyOf = KEYS[order.replace('-', '') as keyof typeof KEYS];
  const sign = order.startsWith('-') ? -1 : 1;
  const compare = (one: number, other: number) => {
    const [a, b] = [keyOf(catalogue, one), keyOf(catalogue, other)];
    return a === b ? 0 : a < b ? -sign : sign;
  };
  return sortInSteps(Array.from(rows), compare, new TimeSlice());
}
