import { dayFromIso, isoFromDay } from '../../lib/dates/calendar-date.js';
import { utcDate } from '../../lib/dates/relative-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';

/** Days without a price after which a source is stale: monthly sources publish late. */
export const STALE_DAYS = 90;
/** Rows that are looked at between two looks at the time. */
const ROWS_PER_YIELD = 5000;

/** A source that has published nothing for long. */
export interface StaleSource {
  id: number;
  name: string;
  series: number;
  newestDate: string;
}

/** A source of which nobody knows under which licence its prices may be used. */
export interface UnlicensedSource {
  id: number;
  name: string;
  series: number;
}

/** The sources with series and without a licence, those with most series first. */
export function unlicensedSources(
  catalogue: CatalogueSnapshot,
  { series }: SourceColumns,
): UnlicensedSource[] {
  return catalogue.dictionaries
    .of('source')
    .records.flatMap(({ id, name, license }, index) =>
      license === '' && series[index]! > 0 ? [{ id, name, series: series[index]! }] : [],
    )
    .sort((one, other) => other.series - one.series || one.id - other.id);
}

/**
 * The sources whose newest price is old, the oldest first.
 * @param now milliseconds since 1970
 */
export function staleSources(
  catalogue: CatalogueSnapshot,
  { series, newest }: SourceColumns,
  now: number,
): StaleSource[] {
  const sources = catalogue.dictionaries.of('source');
  const oldest = dayFromIso(utcDate(now))! - STALE_DAYS;
  const stale = sources.records.flatMap(({ id, name }, index) =>
    newest[index]! > 0 && newest[index]! < oldest
      ? [{ id, name, series: series[index]!, newestDay: newest[index]! }]
      : [],
  );
  return stale
    .sort((one, other) => one.newestDay - other.newestDay || one.id - other.id)
    .map(({ newestDay, ...source }) => ({ ...source, newestDate: isoFromDay(newestDay) }));
}

/** The number of series and the newest day with a price of each source, by its index. */
interface SourceColumns {
  series: Uint32Array;
  newest: Uint32Array;
}

/** Counts the series of all sources, in slices. */
export async function sourceColumns(catalogue: CatalogueSnapshot): Promise<SourceColumns> {
  const timeSlice = new TimeSlice();
  const sources = catalogue.dictionaries.of('source');
  const { source: indices, last_day: lastDays } = catalogue.columns;
  const series = new Uint32Array(sources.size);
  const newest = new Uint32Array(sources.size);
  for (let row = 0; row < catalogue.size; row++) {
    if (row % ROWS_PER_YIELD === 0) await timeSlice.yield();
    const source = indices[row]!;
    series[source]!++;
    newest[source] = Math.max(newest[source]!, lastDays[row]!);
  }
  return { series, newest };
}
