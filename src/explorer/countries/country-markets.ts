import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';

/** A market with the number of its series. */
export interface CountedMarket {
  readonly id: number;
  readonly name: string;
  readonly count: number;
}

/** The markets of series, by name. @param rows of one country */
export function marketsOf(catalogue: CatalogueSnapshot, rows: Uint32Array): CountedMarket[] {
  const column = catalogue.columns.market;
  const counts = new Map<number, { row: number; count: number }>();
  for (const row of rows) {
    const known = counts.get(column[row]!);
    if (known === undefined) counts.set(column[row]!, { row, count: 1 });
    else known.count++;
  }
  return [...counts.values()]
    .map(({ row, count }) => {
      const { id, name } = catalogue.referenceAt('market', row);
      return { id, name, count };
    })
    .sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)) || one.id - other.id);
}
