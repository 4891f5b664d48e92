import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { evaluate } from '../../price-series/catalogue/selection.js';
import type { FacetCounts } from '../../price-series/facets/facets.service.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import { plainWords } from '../../lib/text/folding.js';
import { LEFT_OUT } from '../../price-series/search/word-lists.js';
import { suggest, type Suggestions } from '../../price-series/suggestions/suggestions.js';
import { addressOf } from '../../web/address.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { texts } from '../texts.js';
import { type BrowseFilters, chosenValues, filterText, listText } from './browse-filters.js';
import type { BrowseState, FilterName } from './browse-state.js';
import type { AppliedSearch } from './find-series.js';

const words = texts.browse;

/** Pages that a search leads to. */
const MOST_PAGES = 5;
/** Words of a search that suggestions take. */
const MAX_SUGGESTED = 60;

/** A page of the explorer, with its name. */
export type NamedPage = readonly [path: string, name: string];

/** What a search leads to beside the series that it finds. */
export interface SearchHints {
  /** Pages of what is named, the nearest first. */
  readonly pages: readonly NamedPage[];
  /** Where nothing is found, the searches with one word less that find something. */
  readonly shorter: readonly { word: string; search: string; count: number }[];
}

/** What else there is for a search. @param filters as they were given */
export async function hintsFor(
  catalogue: CatalogueSnapshot,
  filters: BrowseFilters,
  { filters: applied, count }: AppliedSearch,
): Promise<SearchHints> {
  if (filters.search === undefined) return { pages: [], shorter: [] };
  const searched = applied.search ?? '';
  if (count > 0) return { pages: await pagesFor(catalogue, searched), shorter: [] };
  const each = plainWords(searched === '' ? filters.search : searched).filter((word) => !LEFT_OUT.has(word));
  const shorter = each.flatMap((word) => {
    const search = each.filter((other) => other !== word).join(' ');
    const found = Criteria.of(priceSeriesFilters, { ...applied, search: search || undefined });
    return [{ word, search, count: search === '' ? 0 : evaluate(catalogue, found).count }];
  });
  const pages: NamedPage[] = [];
  for (const word of each) pages.push(...(await pagesFor(catalogue, word)).slice(0, 2));
  return {
    pages: [...new Map(pages.map((page) => [page[0], page])).values()].slice(0, MOST_PAGES),
    shorter: shorter.filter((one) => one.count > 0).sort((one, other) => other.count - one.count),
  };
}

async function pagesFor(catalogue: CatalogueSnapshot, text: string): Promise<NamedPage[]> {
  if (text === '' || text.length > MAX_SUGGESTED) return [];
  return suggestedPages(await suggest(catalogue, text, 2)).slice(0, MOST_PAGES);
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
  const { slips, isReworded, words: meant } = reading.understood;
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
  const valueOf = (name: FilterName) =>
    chosen
      .filter((value) => value.name === name)
      .map(({ text }) => text)
      .join(', ');
  const drops = Object.entries(without)
    .filter(([, count]) => count > 0)
    .sort(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
    .map(([name, count]) => {
      const filter = name as FilterName;
      const text = words.without(
        filterText(filter),
        valueOf(filter) || reading!.understood!.words.join(', '),
      );
      return item(state.address({ ...applied, [name]: undefined }), text, count);
    });
  const shorter = hints.shorter.map(({ word, search, count }) =>
    item(state.address({ ...applied, search }), words.withoutWord(word), count),
  );
  const unknown = reading?.unknown ?? [];
  const near = [...(reading?.near ?? [])].flatMap(([typed, nearest]) =>
    nearest.map((word) => [word, withWord(given.search!, typed, word)] as const),
  );
  return html`<p><strong>${words.nothing}</strong></p>
    ${unknown.length === 0 ? null : html`<p>${words.unknown(unknown)}</p>`}
    ${reading?.understood ? html`<p>${words.understood(reading.understood.words.join(', '))}</p>` : null}
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
    </ul>
    ${linkedPages(words.nearest, hints.pages, state)}`;
}

const withWord = (search: string, typed: string, word: string) =>
  plainWords(search)
    .map((each) => (each === typed ? word : each))
    .join(' ');

const item = (address: string, text: string, count: number): Html =>
  html`<li><a href="${address}">${text}</a>: ${words.found(wholeNumber(count))}</li>`;
