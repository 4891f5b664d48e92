import type { CountryMonths } from '../../analysis/warnings/country-months.js';
import type { WarningRow } from '../../analysis/warnings/warnings.service.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';

/** A country with what is known of it at a glance. */
export interface CountryOverview {
  iso3: string;
  name: string;
  series: number;
  newestDate: string | null;
  /** Its prices are so far behind the others that they count nowhere. */
  isOld: boolean;
  /**
   * How many of its prices are high, as of its newest month; null without food prices, undefined
   * while that is being calculated.
   */
  counts: WarningRow | null | undefined;
}

/**
 * The countries that have series: those with old prices last, each by name, then code.
 * @param warnings by country, of the same or an older state; null where they are not there yet
 */
export function countryOverviews(
  catalogue: CatalogueSnapshot,
  months: CountryMonths,
  warnings: readonly WarningRow[] | null,
): CountryOverview[] {
  const { countryStarts, columns } = catalogue;
  const byCode = new Map(warnings?.map((row) => [row.key.iso3_country_code, row]));
  const overviews: CountryOverview[] = [];
  const { countries, countryLabels } = catalogue.dictionaries.marketIndex;
  for (const [index, iso3] of countries.entries()) {
    const [from, to] = [countryStarts[index]!, countryStarts[index + 1]!];
    if (from === to) continue;
    let newest = 0;
    for (let row = from; row < to; row++) newest = Math.max(newest, columns.last_day[row]!);
    overviews.push({
      iso3,
      name: countryLabels[index]! || iso3,
      series: to - from,
      newestDate: newest === 0 ? null : isoFromDay(newest),
      isOld: months.isOld(iso3),
      counts: warnings === null ? undefined : (byCode.get(iso3) ?? null),
    });
  }
  return overviews.sort(byAgeAndName);
}

function byAgeAndName(one: CountryOverview, other: CountryOverview): number {
  if (one.isOld !== other.isOld) return one.isOld ? 1 : -1;
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return one.iso3 < other.iso3 ? -1 : 1;
}
