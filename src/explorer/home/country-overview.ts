import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import type { StoredIndicators } from '../../analysis/indicators/store/indicator-store.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';

/** A country with what is known of it at a glance. */
export interface CountryOverview {
  iso3: string;
  name: string;
  series: number;
  newestDate: string | null;
  /** Series of which IFPA or ALPS is known; null while the indicators are being calculated. */
  rated: number | null;
  /** Those of them whose price is high: IFPA high, or ALPS alert or crisis. */
  high: number;
}

const ROWS_PER_SLICE = 500;

/**
 * The countries that have series, by name, then code.
 * @param indicators of the same or an older state; null where they are not there yet
 */
export async function countryOverviews(
  catalogue: CatalogueSnapshot,
  indicators: StoredIndicators | null,
): Promise<CountryOverview[]> {
  const timeSlice = new TimeSlice();
  const { countryStarts, columns } = catalogue;
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
      ...(await ratings(catalogue, indicators, from, to, timeSlice)),
    });
  }
  return overviews.sort(byName);
}

async function ratings(
  catalogue: CatalogueSnapshot,
  indicators: StoredIndicators | null,
  from: number,
  to: number,
  timeSlice: TimeSlice,
): Promise<Pick<CountryOverview, 'rated' | 'high'>> {
  // Rows belong to one state of the catalogue.
  if (indicators?.catalogue !== catalogue) return { rated: null, high: 0 };
  const { newest, indices } = indicators;
  let [rated, high] = [0, 0];
  for (let row = from; row < to; row++) {
    if (row % ROWS_PER_SLICE === 0) await timeSlice.yield();
    const [ifpa, alps] = [newest.ifpaClassAt(indices[row]!), newest.alpsClassAt(indices[row]!)];
    if (ifpa === null && alps === null) continue;
    rated++;
    if (ifpa === 'high' || alps === 'alert' || alps === 'crisis') high++;
  }
  return { rated, high };
}

function byName(one: CountryOverview, other: CountryOverview): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return one.iso3 < other.iso3 ? -1 : 1;
}
