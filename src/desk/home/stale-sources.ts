import { dayFromIso, isoFromDay } from '../../lib/dates/calendar-date.js';
import { utcDate } from '../../lib/dates/relative-date.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';

/** Days without a price after which a source is stale: monthly sources publish late. */
export const STALE_DAYS = 90;

/** A source that has published nothing for long. */
export interface StaleSource {
  id: number;
  name: string;
  series: number;
  newestDate: string;
}

/**
 * The sources whose newest price is old, the oldest first.
 * @param now milliseconds since 1970
 */
export function staleSources(catalogue: CatalogueSnapshot, now: number): StaleSource[] {
  const sources = catalogue.dictionaries.of('source');
  const { source: indices, last_day: lastDays } = catalogue.columns;
  const counts = new Map<number, { series: number; newest: number }>();
  for (let row = 0; row < catalogue.size; row++) {
    const found = counts.get(indices[row]!) ?? { series: 0, newest: 0 };
    counts.set(indices[row]!, {
      series: found.series + 1,
      newest: Math.max(found.newest, lastDays[row]!),
    });
  }
  const oldest = dayFromIso(utcDate(now))! - STALE_DAYS;
  return [...counts]
    .filter(([, { newest }]) => newest > 0 && newest < oldest)
    .sort(([one, a], [other, b]) => a.newest - b.newest || one - other)
    .map(([index, { series, newest }]) => {
      const { id, name } = sources.at(index);
      return { id, name, series, newestDate: isoFromDay(newest) };
    });
}
