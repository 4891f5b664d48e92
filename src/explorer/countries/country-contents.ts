import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';

/** A market or a commodity with the number of its series. */
export interface CountedName {
  readonly id: number;
  readonly name: string;
  readonly count: number;
}

/** Of what markets and commodities the series of a country are, each by name. */
export interface CountryContents {
  readonly markets: readonly CountedName[];
  readonly commodities: readonly CountedName[];
}

/** @param rows of one country */
export const contentsOf = (catalogue: CatalogueSnapshot, rows: Uint32Array): CountryContents => ({
  markets: counted(catalogue, rows, 'market'),
  commodities: counted(catalogue, rows, 'commodity'),
});

function counted(
  catalogue: CatalogueSnapshot,
  rows: Uint32Array,
  table: 'market' | 'commodity',
): CountedName[] {
  const column = catalogue.columns[table];
  const counts = new Map<number, { row: number; count: number }>();
  for (const row of rows) {
    const known = counts.get(column[row]!);
    if (known === undefined) counts.set(column[row]!, { row, count: 1 });
    else known.count++;
  }
  return [...counts.values()]
    .map(({ row, count }) => {
      const { id, name } = catalogue.referenceAt(table, row);
      return { id, name, count };
    })
    .sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)) || one.id - other.id);
}
