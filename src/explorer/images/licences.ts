import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';

/**
 * The licences of the sources of series, each once; those that are not known are left out.
 * @param rows of the catalogue
 */
export function licencesOf(catalogue: CatalogueSnapshot, rows: Iterable<number>): string {
  const column = catalogue.columns.source;
  const sources = new Map<number, number>();
  for (const row of rows) if (!sources.has(column[row]!)) sources.set(column[row]!, row);
  const licences = [...sources.values()].map((row) => catalogue.referenceAt('source', row).license);
  return [...new Set(licences.filter((licence) => licence !== ''))].join('; ');
}
