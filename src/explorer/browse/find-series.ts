import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { evaluate, selectSeries } from '../../price-series/catalogue/selection.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import {
  countriesCalled,
  readSearch,
  type SearchReading,
  type Understood,
  understoodFilters,
} from '../../price-series/search/understand.js';
import type { BrowseFilters } from './browse-filters.js';

/** Series that are found, and how the search was read for that. */
export interface AppliedSearch {
  /** The filters as they were applied. */
  readonly filters: BrowseFilters;
  readonly criteria: Criteria;
  readonly count: number;
  /** What was made of the search where it finds nothing word for word, else null. */
  readonly reading: SearchReading | null;
}

/**
 * Applies filters: as they are or, where a search finds nothing so, or not in the country that it
 * names alone, as it was understood.
 */
export async function findSeries(
  catalogue: CatalogueSnapshot,
  filters: BrowseFilters,
): Promise<AppliedSearch> {
  const criteria = Criteria.of(priceSeriesFilters, filters);
  const { count } = selectSeries(catalogue, criteria);
  const literal: AppliedSearch = { filters, criteria, count, reading: null };
  if (filters.search === undefined) return literal;
  const called = await countriesCalled(catalogue, filters.search);
  const isElsewhere = (row: number) =>
    !called.includes(catalogue.referenceAt('market', row).iso3_country_code);
  const isMissed = called.length > 0 && filters.iso3_country_codes === undefined;
  if (count > 0 && !(isMissed && selectSeries(catalogue, criteria).slice().some(isElsewhere))) return literal;
  const meant = (understood: Understood): BrowseFilters => ({
    ...filters,
    search: undefined,
    ...understoodFilters(understood),
  });
  // What was chosen stays.
  const isFree = (understood: Understood) =>
    [...understood.filters.keys()].every((name) => filters[name] === undefined);
  const finds = (understood: Understood) =>
    isFree(understood) && evaluate(catalogue, Criteria.of(priceSeriesFilters, meant(understood))).count > 0;
  const reading = await readSearch(catalogue, filters.search, finds);
  const { understood } = reading;
  const isRead = understood !== null && isFree(understood);
  if (!isRead && count === 0) return { ...literal, reading };
  const applied = isRead ? meant(understood) : { ...filters, iso3_country_codes: called };
  const found = Criteria.of(priceSeriesFilters, applied);
  return { filters: applied, criteria: found, count: selectSeries(catalogue, found).count, reading };
}
