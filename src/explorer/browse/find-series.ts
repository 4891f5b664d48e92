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

/** Series that are found, and how the search was interpreted for that. */
export interface AppliedSearch {
  /** The filters as they were applied. */
  readonly filters: BrowseFilters;
  readonly criteria: Criteria;
  readonly count: number;
  /** How the search was interpreted; null where the filters were applied as they are. */
  readonly reading: SearchReading | null;
}

/**
 * Applies the filters as given. If the search finds no series, or finds some outside the country
 * that it names, applies it as it was interpreted instead; if that leads nowhere, keeps the search
 * and filters by the named country.
 */
export async function findSeries(
  catalogue: CatalogueSnapshot,
  filters: BrowseFilters,
): Promise<AppliedSearch> {
  const criteria = Criteria.of(priceSeriesFilters, filters);
  const selection = selectSeries(catalogue, criteria);
  const { count } = selection;
  const literal: AppliedSearch = { filters, criteria, count, reading: null };
  if (filters.search === undefined) return literal;
  const namedCountries = await countriesCalled(catalogue, filters.search);
  const isInOtherCountry = (row: number) =>
    !namedCountries.includes(catalogue.referenceAt('market', row).iso3_country_code);
  const namesUnfilteredCountry = namedCountries.length > 0 && filters.iso3_country_codes === undefined;
  const isOutsideNamedCountry = namesUnfilteredCountry && selection.slice().some(isInOtherCountry);
  if (count > 0 && !isOutsideNamedCountry) return literal;
  const filtersFor = (understood: Understood): BrowseFilters => ({
    ...filters,
    search: undefined,
    ...understoodFilters(understood),
  });
  // A filter that the user has set is never replaced.
  const keepsChosenFilters = (understood: Understood) =>
    [...understood.filters.keys()].every((name) => filters[name] === undefined);
  // `evaluate`, not `selectSeries`: criteria that are only tried must not fill the cache.
  const finds = (understood: Understood) =>
    keepsChosenFilters(understood) &&
    evaluate(catalogue, Criteria.of(priceSeriesFilters, filtersFor(understood))).count > 0;
  const reading = await readSearch(catalogue, filters.search, finds);
  const { understood } = reading;
  const isInterpreted = understood !== null && keepsChosenFilters(understood);
  if (!isInterpreted && count === 0) return { ...literal, reading };
  const applied = isInterpreted ? filtersFor(understood) : { ...filters, iso3_country_codes: namedCountries };
  const appliedCriteria = Criteria.of(priceSeriesFilters, applied);
  const found = selectSeries(catalogue, appliedCriteria);
  return { filters: applied, criteria: appliedCriteria, count: found.count, reading };
}
