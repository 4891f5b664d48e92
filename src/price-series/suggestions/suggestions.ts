import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { foldForSearch, plainWords, searchWords } from '../../lib/text/folding.js';
import type { CatalogueSnapshot } from '../catalogue/catalogue-snapshot.js';
import { evaluate } from '../catalogue/selection.js';
import { wordsInNames } from '../catalogue/series-query.js';
import { foodNameOf } from '../commodity-kinds.js';
import { Criteria } from '../filters/criteria.js';
import { priceSeriesFilters } from '../filters/price-series.filters.js';
import { byCoverage, type MarketCoverage, marketCoverages } from '../search/market-coverage.js';
import { understoodFilters, readSearch, type Understood } from '../search/understand.js';
import { entryOf } from '../price-serie.view.js';
import { bestOf } from './best-of.js';
import { ApiSchema, ArrayOf, fieldsOf, Nested, OrNull } from '../../platform/validation/field.js';
import { CalendarDate, Count, CurrencyCode, Id, Iso3, Text, Uuid } from '../../platform/validation/fields.js';

/** Records looked at before the event loop may get a turn. */
const RECORDS_PER_SLICE = 500;

const SeriesCount = () => Count({ description: 'Number of series' });

class SuggestedCountry {
  @Iso3() iso3_country_code!: string;
  @Text() country_name!: string;
  @SeriesCount() series!: number;
}

class SuggestedCommodity {
  @Id() commodity_id!: number;
  @Text() commodity!: string;
  @Text() category!: string;
  @SeriesCount() series!: number;
}

class SuggestedMarket {
  @Id() market_id!: number;
  @Text() market!: string;
  @Text() admin_unit!: string;
  @Iso3() iso3_country_code!: string;
  @Text() country_name!: string;
  @SeriesCount() series!: number;
}

class SuggestedSeries {
  @Uuid() uuid!: string;
  @Text() commodity!: string;
  @Text() market!: string;
  @Iso3() iso3_country_code!: string;
  @Text() country_name!: string;
  @Text() price_type!: string;
  @Text() measure_unit!: string;
  @CurrencyCode() currency!: string;
  @Text() source!: string;
  @OrNull(CalendarDate()) last_price_date!: string | null;
}

class SuggestedCountryCommodity {
  @Iso3() iso3_country_code!: string;
  @Text() country_name!: string;
  @Id() commodity_id!: number;
  @Text() commodity!: string;
  @SeriesCount() series!: number;
}

const SERIES_FIELDS = fieldsOf(SuggestedSeries).map(({ name }) => name as keyof SuggestedSeries);

/** What a text that someone types may mean, best first; `series` are numbers of series. */
@ApiSchema()
export class Suggestions {
  @ArrayOf(Nested(SuggestedCountry)) countries!: SuggestedCountry[];
  @ArrayOf(Nested(SuggestedCommodity)) commodities!: SuggestedCommodity[];
  @ArrayOf(Nested(SuggestedMarket)) markets!: SuggestedMarket[];
  @ArrayOf(Nested(SuggestedSeries)) series!: SuggestedSeries[];
  @ArrayOf(Nested(SuggestedCountryCommodity), {
    description: 'A commodity in a country, for a text with words of both',
  })
  country_commodities!: SuggestedCountryCommodity[];
}

/** A record whose name has all words. */
interface Match {
  index: number;
  /** 0 for the text itself, 1 for a name that begins with it, 2 for others. */
  rank: number;
  series: number;
  name: string;
}

/** By rank, then most series, then name; the index is the order of codes or ids. */
const byRank = (one: Match, other: Match) =>
  one.rank - other.rank ||
  other.series - one.series ||
  (one.name < other.name ? -1 : Number(one.name > other.name)) ||
  one.index - other.index;

/** A commodity in a country. */
interface CountryCommodity {
  /** Its index among those of the catalogue. */
  readonly country: number;
  readonly id: number;
  readonly name: string;
  /** 0 for a kind of what the words name, 1 for a name that begins with one, 2 for others. */
  readonly rank: number;
  readonly coverage: MarketCoverage;
}

/** By rank, then most markets with newest prices, then name and id, then country. */
const byKind = (one: CountryCommodity, other: CountryCommodity) =>
  one.rank - other.rank ||
  byCoverage(one.coverage, other.coverage) ||
  (one.name < other.name ? -1 : Number(one.name > other.name)) ||
  one.id - other.id ||
  one.country - other.country;

/** @param words folded by `foldForSearch` */
function kindRank(name: string, words: readonly string[]): number {
  const isNamed = (own: string) => words.some((word) => own.startsWith(word));
  const head = plainWords(foodNameOf(name));
  return head.length > 0 && head.every(isNamed) ? 0 : isNamed(foldForSearch(name)) ? 1 : 2;
}

/**
 * What a text names or, where nothing is called so, what it was understood as: without punctuation
 * and words of questions, with food and countries in other languages, with currencies, price types
 * and sources, and without slips.
 * @param text of at most 60 characters, so that it has at most 31 words
 * @param limit of each kind
 */
export async function suggest(
  catalogue: CatalogueSnapshot,
  text: string,
  limit: number,
): Promise<Suggestions> {
  const named = await suggestNamed(catalogue, text, limit);
  if (Object.values(named).some((found: readonly unknown[]) => found.length > 0)) return named;
  const criteriaOf = (understood: Understood) =>
    Criteria.of(priceSeriesFilters, understoodFilters(understood));
  const { understood, isFound } = await readSearch(
    catalogue,
    text,
    (meaning) => evaluate(catalogue, criteriaOf(meaning)).count > 0,
  );
  if (!isFound || understood === null) return named;
  const { filters, search } = understood;
  if (filters.size === 0) return suggestNamed(catalogue, search, limit);
  // A region has no page of its own, and what is sold in it need not be what is named.
  const pages = filters.has('admin_units') ? named : await suggestNamed(catalogue, search, limit);
  return { ...pages, series: newestSeries(catalogue, criteriaOf(understood), limit) };
}

/**
 * Countries, commodities, markets and series with words that begin with each word of the text, as
 * in `search`. Records without series are left out. A market is also found by the words of its
 * country, if its own name has one, too; of series, those with the newest prices come first. Words
 * of a commodity beside words of a country are the commodity in the country.
 */
async function suggestNamed(catalogue: CatalogueSnapshot, text: string, limit: number): Promise<Suggestions> {
  const words = searchWords(text);
  if (words.length === 0)
    return { countries: [], commodities: [], markets: [], series: [], country_commodities: [] };
  const timeSlice = new TimeSlice();
  const { dictionaries } = catalogue;
  const { marketIndex } = dictionaries;
  const all = 2 ** words.length - 1;
  const { inCommodity, inMarket, inCountry } = wordsInNames(dictionaries, words);
  const perMarket = countSeries(catalogue, 'market');
  const perCommodity = countSeries(catalogue, 'commodity');
  await timeSlice.yield();

  const wanted = foldForSearch(text);
  const best = async (
    counts: Uint32Array,
    isMatch: (index: number) => boolean,
    nameOf: (index: number) => string,
    isCode: (index: number) => boolean = () => false,
  ) => {
    const matches: Match[] = [];
    for (let index = 0; index < counts.length; index++) {
      if (index % RECORDS_PER_SLICE === 0) await timeSlice.yield();
      if (counts[index] === 0 || !isMatch(index)) continue;
      const name = nameOf(index);
      matches.push({ index, rank: isCode(index) ? 0 : rankOf(name, wanted), series: counts[index]!, name });
    }
    return bestOf(matches, limit, byRank);
  };

  const { countries, countryLabels, countryOf } = marketIndex;
  const perCountry = Uint32Array.from(
    countries,
    (_, index) => catalogue.countryStarts[index + 1]! - catalogue.countryStarts[index]!,
  );
  const codesOf = new Map(marketIndex.countryCodes.map((codes) => [codes[0]!, codes]));
  const bestCountries = await best(
    perCountry,
    (index) => inCountry[index] === all,
    (index) => countryLabels[index]!,
    (index) => codesOf.get(countries[index]!.toLowerCase())?.includes(wanted) === true,
  );
  const commodities = dictionaries.of('commodity');
  const bestCommodities = await best(
    perCommodity,
    (index) => inCommodity[index] === all,
    (index) => commodities.at(index).name,
  );
  const markets = dictionaries.of('market');
  const bestMarkets = await best(
    perMarket,
    (index) => inMarket[index] !== 0 && (inMarket[index]! | inCountry[countryOf[index]!]!) === all,
    (index) => markets.at(index).name,
  );
  await timeSlice.yield();
  // The commodities of each country that has a part of the words.
  const pairs: CountryCommodity[] = [];
  for (const [country, ofCountry] of inCountry.entries()) {
    if (ofCountry === 0 || ofCountry === all) continue;
    const rowsOf = new Map<number, number[]>();
    for (let row = catalogue.countryStarts[country]!; row < catalogue.countryStarts[country + 1]!; row++) {
      const commodity = catalogue.columns.commodity[row]!;
      const ofCommodity = inCommodity[commodity]!;
      if (ofCommodity === 0 || ofCommodity === all || (ofCommodity | ofCountry) !== all) continue;
      const known = rowsOf.get(commodity);
      if (known === undefined) rowsOf.set(commodity, [row]);
      else known.push(row);
    }
    const found = [...rowsOf].map(([commodity, rows]) => ({ ...commodities.at(commodity), rows }));
    for (const [{ id, name }, coverage] of marketCoverages(catalogue, found))
      pairs.push({ country, id, name, rank: kindRank(name, words), coverage });
    await timeSlice.yield();
  }
  return {
    countries: bestCountries.map(({ index, name, series }) => ({
      iso3_country_code: countries[index]!,
      country_name: name,
      series,
    })),
    commodities: bestCommodities.map(({ index, name, series }) => {
      const { id, category } = commodities.at(index);
      return { commodity_id: id, commodity: name, category, series };
    }),
    markets: bestMarkets.map(({ index, name, series }) => {
      const { id, admin_unit, iso3_country_code, country_name } = markets.at(index);
      return { market_id: id, market: name, admin_unit, iso3_country_code, country_name, series };
    }),
    series: newestSeries(catalogue, Criteria.of(priceSeriesFilters, { search: text }), limit),
    country_commodities: bestOf(pairs, limit, byKind).map(({ country, id, name, coverage }) => ({
      iso3_country_code: countries[country]!,
      country_name: countryLabels[country]!,
      commodity_id: id,
      commodity: name,
      series: coverage.series,
    })),
  };
}

function rankOf(name: string, wanted: string): number {
  const folded = foldForSearch(name);
  if (folded === wanted) return 0;
  return folded.startsWith(wanted) ? 1 : 2;
}

function countSeries(catalogue: CatalogueSnapshot, table: 'market' | 'commodity'): Uint32Array {
  const counts = new Uint32Array(catalogue.dictionaries.of(table).size);
  const column = catalogue.columns[table];
  for (let row = 0; row < catalogue.size; row++) counts[column[row]!]!++;
  return counts;
}

/** Those with the newest prices first, then in the order of the lists. */
function newestSeries(catalogue: CatalogueSnapshot, criteria: Criteria, limit: number): SuggestedSeries[] {
  const { last_day } = catalogue.columns;
  const rows = evaluate(catalogue, criteria).slice();
  const newest = bestOf(rows, limit, (one, other) => last_day[other]! - last_day[one]! || one - other);
  return newest.map((row) => {
    const entry = entryOf(catalogue, row);
    return Object.fromEntries(SERIES_FIELDS.map((name) => [name, entry[name]])) as unknown as SuggestedSeries;
  });
}
