import { isoFromDay } from '../../lib/dates/calendar-date.js';
import type { Column, ColumnType } from '../../platform/formats/listing.js';
import type { CatalogueSnapshot } from '../catalogue/catalogue-snapshot.js';

/** A country that has series. */
export interface CountryRecord {
  iso3_country_code: string;
  /** As in the data, or else as in ISO 3166. */
  country_name: string;
  /** Number of its series. */
  series: number;
  /** Date of its newest price; null if there is none. */
  last_price_date: string | null;
}

export const countryColumns: readonly Column[] = [
  { name: 'iso3_country_code', type: 'string' },
  { name: 'country_name', type: 'string' },
  { name: 'series', type: 'integer' },
  { name: 'last_price_date', type: 'date' },
] satisfies { name: keyof CountryRecord; type: ColumnType }[];

/** The countries that have series, by code. One pass over one column. */
export function countriesOf({ columns, countryStarts, dictionaries }: CatalogueSnapshot): CountryRecord[] {
  const { countries, countryLabels } = dictionaries.marketIndex;
  const records: CountryRecord[] = [];
  for (const [index, iso3_country_code] of countries.entries()) {
    const [from, to] = [countryStarts[index]!, countryStarts[index + 1]!];
    if (from === to) continue;
    let newest = 0;
    for (let row = from; row < to; row++) newest = Math.max(newest, columns.last_day[row]!);
    records.push({
      iso3_country_code,
      country_name: countryLabels[index]!,
      series: to - from,
      last_price_date: newest === 0 ? null : isoFromDay(newest),
    });
  }
  return records;
}
