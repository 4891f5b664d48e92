import type { CatalogueSnapshot } from '../price-series/catalogue/catalogue-snapshot.js';
import type { MonthlyIndices } from '../prices/derive/conversion.js';
import { isNewerBase } from '../prices/derive/linked-indices.js';
import type { SeriesPoints } from '../prices/read/price-loader.js';
import { DOLLAR_COUNTRY, isReal, type Measure } from './price-columns.js';
import type { SelectedSeries, SeriesLoader } from './series-loader.js';

/**
 * The base period in whose terms real prices are put side by side, of what the consumer price
 * index of each has: the one that most have, so all where they have one in common; of several, the
 * newest.
 */
export function commonBase(indices: Iterable<Pick<MonthlyIndices, 'bases'>>): string | null {
  const counts = new Map<string, number>();
  for (const { bases } of indices) for (const base of bases) counts.set(base, (counts.get(base) ?? 0) + 1);
  const sorted = [...counts].sort(
    ([one, countOfOne], [other, count]) => count - countOfOne || (isNewerBase(one, other) ? -1 : 1),
  );
  return sorted[0]?.[0] ?? null;
}

/**
 * The base periods of real prices, by group of series that are put side by side, in their order;
 * null for prices that are not in real terms.
 * @param groups catalogue rows
 */
export async function commonBases(
  loader: SeriesLoader,
  selected: SelectedSeries,
  measure: Measure,
  groups: readonly Iterable<number>[],
  signal: AbortSignal,
): Promise<(string | null)[]> {
  if (!isReal(measure)) return groups.map(() => null);
  const { catalogue } = selected;
  const countriesOf = (rows: Iterable<number>) =>
    measure === 'real' ? Array.from(rows, (row) => countryOf(catalogue, row)) : [DOLLAR_COUNTRY];
  const countries = groups.map(countriesOf);
  const indices = await loader.indices(selected, new Set(countries.flat()), signal);
  return countries.map((ofGroup) => commonBase(ofGroup.map((country) => indices.get(country)!)));
}

const countryOf = (catalogue: CatalogueSnapshot, row: number): string =>
  catalogue.referenceAt('market', row).iso3_country_code;

/**
 * A series whose real prices are in terms of a base period: those that cannot be have none, for the
 * reason `other_base`. Other measures do not depend on it.
 * @param base null for the newest one of its country
 */
export function inTermsOf(series: SeriesPoints, measure: Measure, base: string | null): SeriesPoints {
  const { context } = series;
  if (measure !== 'real') return series;
  return { ...series, context: { ...context, conversion: context.conversion.inTermsOf(base) } };
}
