import { isoFromDay } from '../../lib/dates/calendar-date.js';
import type { CatalogueSnapshot } from '../catalogue/catalogue-snapshot.js';
import { ApiSchema, OrNull } from '../../platform/validation/field.js';
import { CalendarDate, Count, Iso3, Text } from '../../platform/validation/fields.js';
import { columnsOf } from '../../platform/formats/columns.js';

/** A country that has series. */
@ApiSchema({ name: 'Country' })
export class CountryRecord {
  @Iso3({ description: 'ISO 3166 code, or one of the data such as `IPS`' }) iso3_country_code!: string;
  /** As in the data, or else as in ISO 3166. */
  @Text() country_name!: string;
  @Count({ description: 'Number of its series' }) series!: number;
  @OrNull(CalendarDate({ description: 'Date of its newest price' })) last_price_date!: string | null;
}

export const countryColumns = columnsOf(CountryRecord);

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
