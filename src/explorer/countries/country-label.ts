import { countryName } from '../../lib/codes/countries.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';

/** What a country is called: as in the API's list of countries, else in English, else its code. */
export function countryLabel({ dictionaries }: CatalogueSnapshot, iso3: string): string {
  const { countries, countryLabels } = dictionaries.marketIndex;
  return countryLabels[countries.indexOf(iso3)] || countryName(iso3) || iso3;
}
