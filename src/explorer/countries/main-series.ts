import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';

/** A commodity with the series that stands for it. */
export interface MainCommodity {
  readonly id: number;
  readonly name: string;
  /** Its series with the newest price; of several, the first in the order of the lists. */
  readonly row: number;
}

/**
 * The commodities with the most series, these first; of as many, by id.
 * @param rows of one country, ascending
 */
export function mainCommodities(
  catalogue: CatalogueSnapshot,
  rows: Uint32Array,
  most: number,
): MainCommodity[] {
  const { commodity, last_day } = catalogue.columns;
  const found = new Map<number, { row: number; count: number }>();
  for (const row of rows) {
    const known = found.get(commodity[row]!);
    if (known === undefined) found.set(commodity[row]!, { row, count: 1 });
    else {
      known.count++;
      if (last_day[row]! > last_day[known.row]!) known.row = row;
    }
  }
  return [...found.values()]
    .map(({ row, count }) => ({ ...catalogue.referenceAt('commodity', row), row, count }))
    .sort((one, other) => other.count - one.count || one.id - other.id)
    .slice(0, most)
    .map(({ id, name, row }) => ({ id, name, row }));
}
