import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { FacetCounts } from '../../price-series/facets/facets.service.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { plainWords } from '../../lib/text/folding.js';
import type { ReadFilter, Understood } from '../../price-series/search/understand.js';
import { selectSeries } from '../../price-series/catalogue/selection.js';
import { suggest, type Suggestions } from '../../price-series/suggestions/suggestions.js';
import { addressOf } from '../../web/address.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { texts } from '../texts.js';
import { type BrowseFilters, chosenValues, filterText, listText } from './browse-filters.js';
import type { BrowseState, FilterName } from './browse-state.js';
import { countryLabel } from '../countries/country-label.js';
import { type AppliedSearch, findSeries } from './find-series.js';
import { type SearchedCountry, topicPages } from './topic-pages.js';

const words = texts.browse;

/** Pages that a search leads to. */
const MAX_PAGES = 5;
/** Words of a search that suggestions take. */
const MAX_SUGGESTED = 60;

/** A page of the explorer, with its name. */
export type NamedPage = readonly [address: string, name: string];

const READ_FILTERS: readonly ReadFilter[] = ['admin_units', 'currencies', 'price_types_ids', 'sources_ids'];

/** What a search leads to beside the series that it finds. */
export interface SearchHints {
  /** Pages of what is named, the nearest first. */
  readonly pages: readonly NamedPage[];
  /** Where nothing is found, searches with one word less, or without all that nothing is called. */
  readonly shorter: readonly { dropped: readonly string[]; search: string; count: number }[];
}

/** What else there is for a search. @param filters as they were given */
export async function hintsFor(
  catalogue: CatalogueSnapshot,
  filters: BrowseFilters,
  { filters: applied, criteria, count, reading }: AppliedSearch,
  asOf: string,
): Promise<SearchHints> {
  const { search: given } = filters;
  if (given === undefined) return { pages: [], shorter: [] };
  const dated = (pages: readonly NamedPage[]) =>
    pages.map(([path, name]): NamedPage => [addressOf(path, { as_of: asOf }), name]);
  if (count > 0) {
    if (reading === null)
      return { pages: dated(await pagesFor(catalogue, applied.search ?? '')), shorter: [] };
    const countries = countriesOf(catalogue, selectSeries(catalogue, criteria).slice());
    const topics = topicPages(given, countries.length === 1 ? countries[0]! : null, true, asOf);
    // Of many countries with a currency, any five would be chosen by chance.
    const ofCountries = countries.length > MAX_PAGES ? [] : countries;
    const named =
      applied.search === undefined
        ? ofCountries.map(({ iso3, name }): NamedPage => [`/countries/${iso3}`, name])
        : await pagesFor(catalogue, applied.search);
    return { pages: [...topics, ...dated(named)].slice(0, MAX_PAGES), shorter: [] };
  }
  const read = applied === filters ? [] : (reading?.understood?.parts ?? []);
  const typed = (reading?.typed ?? []).map((word) => ({ search: word, shown: word }));
  const parts = read.length > 0 ? read : typed;
  const unnamed = new Set([...(reading?.unknown ?? []), ...(reading?.absent.keys() ?? [])]);
  const unnamedParts = parts.filter(({ search }) => unnamed.has(search));
  const shorter: SearchHints['shorter'][number][] = [];
  const timeSlice = new TimeSlice();
  for (const dropped of [
    ...parts.map((part) => [part]),
    ...(unnamedParts.length > 1 ? [unnamedParts] : []),
  ]) {
    const left = parts.filter((part) => !dropped.includes(part));
    if (left.length === 0) continue;
    const search = left.map((part) => part.search).join(' ');
    const { iso3_country_codes } = filters;
    const found = await findSeries(catalogue, { ...applied, iso3_country_codes, search });
    if (found.count > 0)
      shorter.push({ dropped: dropped.map(({ shown }) => shown), search, count: found.count });
    await timeSlice.yield();
  }
  const found: Suggestions[] = [];
  for (const { search } of parts)
    if (!unnamed.has(search)) found.push(...(await suggested(catalogue, search)));
  const near: NamedPage[] = [];
  // What goes together is nearer than each word by itself.
  for (const { search } of shorter.filter(({ search }) => search.includes(' ')))
    near.push(...(await pagesFor(catalogue, search)).slice(0, 1));
  near.push(...found.flatMap((each) => suggestedPages(each).slice(0, 2)));
  const countries = found.flatMap((each) =>
    each.countries.map(({ iso3_country_code: iso3, country_name }) => ({ iso3, name: country_name || iso3 })),
  );
  const topics = topicPages(given, countries.length === 1 ? countries[0]! : null, false, asOf);
  const pages = [...topics, ...dated(near)];
  return {
    pages: [...new Map(pages.map((page) => [page[0], page])).values()].slice(0, MAX_PAGES),
    shorter: shorter.sort((one, other) => other.count - one.count),
  };
}

/** The countries of series. @param rows indexes in the catalogue */
function countriesOf(catalogue: CatalogueSnapshot, rows: Uint32Array): SearchedCountry[] {
  const codes = new Set<string>();
  for (const row of rows) codes.add(catalogue.referenceAt('market', row).iso3_country_code);
  return [...codes].map((iso3) => ({ iso3, name: countryLabel(catalogue, iso3) }));
}

async function pagesFor(catalogue: CatalogueSnapshot, text: string): Promise<NamedPage[]> {
  return (await suggested(catalogue, text)).flatMap(suggestedPages).slice(0, MAX_PAGES);
}

/** What is suggested for a text; nothing for one that is too long for that. */
async function suggested(catalogue: CatalogueSnapshot, text: string): Promise<Suggestions[]> {
  return text.length > MAX_SUGGESTED ? [] : [await suggest(catalogue, text, MAX_PAGES)];
}

/** The pages of what is suggested; series are in the table. */
export const suggestedPages = ({
  country_commodities,
  countries,
  commodities,
  markets,
}: Suggestions): NamedPage[] => [
  ...country_commodities.map(({ iso3_country_code: iso3, commodity_id, ...names }): NamedPage => [
    `/countries/${iso3}/commodities/${commodity_id}`,
    words.inCountry(names.commodity, names.country_name || iso3),
  ]),
  ...countries.map(({ iso3_country_code: iso3, country_name }): NamedPage => [
    `/countries/${iso3}`,
    country_name || iso3,
  ]),
  ...commodities.map(({ commodity_id, commodity }): NamedPage => [`/commodities/${commodity_id}`, commodity]),
  ...markets.map(({ market_id, market, country_name, iso3_country_code: iso3 }): NamedPage => [
    `/markets/${market_id}`,
    `${market}, ${country_name || iso3}`,
  ]),
];

/** Links to pages. */
export const linkedPages = (label: string, pages: readonly NamedPage[]): Html | null =>
  pages.length === 0
    ? null
    : html`<p>
        ${label}
        ${pages.map(
          ([address, name], index) =>
            html`${index === 0 ? null : ' · '}<a href="${address}">${nameOf(name)}</a>`,
        )}
      </p>`;

/** How a search was read where it finds nothing word for word. */
export function readingNote({ reading, count }: AppliedSearch): Html | null {
  if (reading === null || reading.understood === null || count === 0) return null;
  const { slips, isReworded } = reading.understood;
  const meant = wordsOf(reading.understood);
  const typed = slips.map((slip) => slip.typed);
  return html`${
    slips.length === 0
      ? null
      : html`<p>
          <strong
            >${words.slips(
              typed,
              slips.map((slip) => slip.meant),
            )}</strong
          >
        </p>`
  }
  ${slips.length < meant.length && isReworded ? html`<p>${words.understood(meant.join(', '))}</p>` : null}`;
}

const partsOf = ({ parts }: Understood) => parts.map(({ shown }) => shown);
const wordsOf = (understood: Understood) => [
  ...partsOf(understood),
  ...[...understood.filterWords].flatMap(([name, values]) =>
    name === 'admin_units' ? values : [words.attribute(filterText(name), values)],
  ),
];

/** The filters that words of a search may stand for, as they were applied. */
export const readValues = (filters: BrowseFilters) =>
  Object.fromEntries(READ_FILTERS.map((name) => [name, listText(filters[name] ?? [])])) as Record<
    ReadFilter,
    string
  >;

/** What is near where no series fits: what was understood, what to drop, which pages there are. */
export function nothingFits(
  state: BrowseState,
  given: BrowseFilters,
  { filters, reading }: AppliedSearch,
  { without }: FacetCounts,
  hints: SearchHints,
  catalogue: CatalogueSnapshot,
): Html {
  const as_of = state.get('as_of');
  // Of a search that was understood, the links have what was understood.
  const applied = { search: filters.search, ...readValues(filters) };
  const chosen = chosenValues(catalogue, given);
  const understood = reading?.understood ?? null;
  // Words of a search that were taken for other filters are those of filters of their own.
  const isRead = READ_FILTERS.some((name) => filters[name] !== given[name]);
  const read: Partial<Record<FilterName, readonly string[]>> =
    isRead && understood !== null
      ? { search: partsOf(understood), ...Object.fromEntries(understood.filterWords) }
      : {};
  const valueOf = (name: FilterName) =>
    (read[name] ?? chosen.filter((value) => value.name === name).map(({ text }) => text)).join(', ');
  const drops = Object.entries(without)
    .filter(([, count]) => count > 0)
    .sort(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
    .map(([name, count]) => {
      const filter = name as FilterName;
      const text = words.without(filterText(filter), valueOf(filter));
      return item(state.address({ ...applied, [name]: undefined }), text, count);
    });
  const shorter = hints.shorter.map(({ dropped, search, count }) =>
    item(state.address({ ...applied, search }), words.withoutWords(dropped), count),
  );
  const unknown = reading?.unknown ?? [];
  const absent = [...(reading?.absent.values() ?? [])];
  const near = [...(reading?.near ?? [])].flatMap(([typed, nearest]) =>
    nearest.map((word) => [word, withWord(given.search!, typed, word)] as const),
  );
  return html`<p><strong>${words.nothing}</strong></p>
    ${unknown.length === 0 ? null : html`<p>${words.unknown(unknown)}</p>`}
    ${absent.length === 0 ? null : html`<p>${words.absent(absent)}</p>`}
    ${understood === null || absent.length > 0 ? null : html`<p>${words.understood(wordsOf(understood).join(', '))}</p>`}
    ${
      near.length === 0
        ? null
        : html`<p>
            ${words.nearWords}
            ${near.map(
              ([word, search], index) =>
                html`${index === 0 ? null : ' · '}<a href="${state.address({ search })}">${word}</a>`,
            )}
          </p>`
    }
    <ul>
      ${[...shorter, ...drops]}
      ${state.given.length === 1 && drops.length === 1 ? null : html`<li><a href="${addressOf('/browse', { as_of })}">${words.all}</a></li>`}
      <li><a href="/#countries">${words.allCountries}</a></li>
      <li><a href="${addressOf('/commodities', { as_of })}">${words.allCommodities}</a></li>
    </ul>
    ${given.search === undefined || hints.pages.length > 0 ? null : html`<p>${words.howToSearch}</p>`}
    ${linkedPages(words.nearest, hints.pages)}`;
}

const withWord = (search: string, typed: string, word: string) =>
  plainWords(search)
    .map((each) => (each === typed ? word : each))
    .join(' ');

const item = (address: string, text: string, count: number): Html =>
  html`<li><a href="${address}">${text}</a>: ${words.found(wholeNumber(count))}</li>`;
