import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { FacetCounts } from '../../price-series/facets/facets.service.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { plainWords } from '../../lib/text/folding.js';
import { searchedWords, type Understood } from '../../price-series/search/understand.js';
import { suggest, type Suggestions } from '../../price-series/suggestions/suggestions.js';
import { addressOf } from '../../web/address.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { texts } from '../texts.js';
import { type BrowseFilters, chosenValues, filterText, listText } from './browse-filters.js';
import type { BrowseState, FilterName } from './browse-state.js';
import { type AppliedSearch, findSeries } from './find-series.js';

const words = texts.browse;

/** Pages that a search leads to. */
const MAX_PAGES = 5;
/** Words of a search that suggestions take. */
const MAX_SUGGESTED = 60;

/** A page of the explorer, with its name. */
export type NamedPage = readonly [path: string, name: string];

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
  { filters: applied, count, reading }: AppliedSearch,
): Promise<SearchHints> {
  if (filters.search === undefined) return { pages: [], shorter: [] };
  if (count > 0) return { pages: await pagesFor(catalogue, applied.search ?? ''), shorter: [] };
  const read = applied === filters ? [] : (reading?.understood?.parts ?? []);
  const parts =
    read.length > 0 ? read : searchedWords(filters.search).map((word) => ({ search: word, shown: word }));
  const unnamed = new Set(
    [...(reading?.unknown ?? []), ...(reading?.absent.keys() ?? [])].join(' ').split(' '),
  );
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
  const pages: NamedPage[] = [];
  for (const { search } of parts) pages.push(...(await pagesFor(catalogue, search)).slice(0, 2));
  return {
    pages: [...new Map(pages.map((page) => [page[0], page])).values()].slice(0, MAX_PAGES),
    shorter: shorter.sort((one, other) => other.count - one.count),
  };
}

async function pagesFor(catalogue: CatalogueSnapshot, text: string): Promise<NamedPage[]> {
  if (text === '' || text.length > MAX_SUGGESTED) return [];
  return suggestedPages(await suggest(catalogue, text, MAX_PAGES)).slice(0, MAX_PAGES);
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

/** Links to pages in the state of the data that is shown. */
export const linkedPages = (label: string, pages: readonly NamedPage[], state: BrowseState): Html | null =>
  pages.length === 0
    ? null
    : html`<p>
        ${label}
        ${pages.map(
          ([path, name], index) =>
            html`${index === 0 ? null : ' · '}<a href="${addressOf(path, { as_of: state.get('as_of') })}"
                >${nameOf(name)}</a
              >`,
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
const wordsOf = (understood: Understood) => [...partsOf(understood), ...understood.regionWords];

/** What is near where no series fits: what was understood, what to drop, which pages there are. */
export function nothingFits(
  state: BrowseState,
  given: BrowseFilters,
  { filters, reading }: AppliedSearch,
  { without }: FacetCounts,
  hints: SearchHints,
  catalogue: CatalogueSnapshot,
): Html {
  // Of a search that was understood, the links have what was understood.
  const applied = { search: filters.search, admin_units: listText(filters.admin_units ?? []) };
  const chosen = chosenValues(catalogue, given);
  const understood = reading?.understood ?? null;
  // Words of a search that were taken for regions are those of a filter of their own.
  const hasRegions = given.admin_units === undefined && filters.admin_units !== undefined;
  const read: Partial<Record<FilterName, readonly string[]>> =
    hasRegions && understood !== null
      ? { search: partsOf(understood), admin_units: understood.regionWords }
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
      <li><a href="${addressOf('/browse', { as_of: state.get('as_of') })}">${words.all}</a></li>
      ${absent.length === 0 ? null : html`<li><a href="/#countries">${words.allCountries}</a></li>`}
    </ul>
    ${linkedPages(words.nearest, hints.pages, state)}`;
}

const withWord = (search: string, typed: string, word: string) =>
  plainWords(search)
    .map((each) => (each === typed ? word : each))
    .join(' ');

const item = (address: string, text: string, count: number): Html =>
  html`<li><a href="${address}">${text}</a>: ${words.found(wholeNumber(count))}</li>`;
