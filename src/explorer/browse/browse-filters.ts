import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { SeriesReferenceTable } from '../../price-series/catalogue/reference-dictionaries.js';
import { html, type Html } from '../../web/html.js';
import { countryLabel } from '../countries/country-label.js';
import { texts } from '../texts.js';
import type { BrowseQuery, BrowseState, FilterName } from './browse-state.js';

/** The filters that have a value, as a page has them. */
export type BrowseFilters = Pick<BrowseQuery, FilterName>;

/** A value of a filter in words. */
interface ChosenValue {
  readonly name: FilterName;
  readonly text: string;
  /** What the filter has without it; '' where that is nothing. */
  readonly rest: string;
}

/** More values of one filter are counted, not named. */
const MAX_NAMED = 20;

/** The tables whose records filters name by id. */
const TABLE_OF: Partial<Record<FilterName, SeriesReferenceTable>> = {
  price_types_ids: 'price_type',
  commodity_ids: 'commodity',
  sources_ids: 'source',
  market_ids: 'market',
  measure_units_ids: 'measure_unit',
};

/** The values of all filters that are given, each by itself; of many, their number. */
export function chosenValues(catalogue: CatalogueSnapshot, filters: BrowseFilters): ChosenValue[] {
  return (Object.keys(filters) as FilterName[]).flatMap((name): ChosenValue[] => {
    const value = filters[name];
    if (value === undefined) return [];
    if (!Array.isArray(value)) return [{ name, text: valueText(catalogue, name, value), rest: '' }];
    if (name === 'uuids') return [{ name, text: texts.browse.found(String(value.length)), rest: '' }];
    // The link without one repeats all others.
    if (value.length > MAX_NAMED) return [{ name, text: texts.browse.values(value.length), rest: '' }];
    return value.map((item) => ({
      name,
      text: valueText(catalogue, name, item),
      rest: listText((value as (string | number)[]).filter((other) => other !== item)),
    }));
  });
}

function valueText(catalogue: CatalogueSnapshot, name: FilterName, value: string | number | boolean): string {
  const { dictionaries } = catalogue;
  const table = TABLE_OF[name];
  if (table !== undefined) {
    const index = dictionaries.of(table).indexOf(Number(value));
    return index === undefined ? texts.unknown : dictionaries.of(table).at(index).name;
  }
  if (name === 'iso3_country_codes' || name === 'iso3_country_codes_ne')
    return countryLabel(catalogue, String(value));
  if (name === 'periodicity') return texts.period[value as keyof typeof texts.period];
  if (typeof value === 'boolean') return value ? texts.browse.yes : texts.browse.no;
  return value === '' ? texts.browse.none : String(value);
}

/** Each value that is chosen, with a link to the page without it. */
export const chosenList = (state: BrowseState, values: readonly ChosenValue[]): Html | null =>
  values.length === 0
    ? null
    : html`<ul class="chips" aria-label="${texts.browse.chosen}">
        ${values.map(({ name, text, rest }) => {
          const label = filterText(name);
          return html`<li>
            <span class="muted">${label}:</span> ${text}
            <a href="${state.address({ [name]: rest })}" aria-label="${texts.browse.remove(label, text)}"
              >×</a
            >
          </li>`;
        })}
      </ul>`;

export const filterText = (name: FilterName): string => texts.filter[name];

/** A text as an item of a comma-separated list. */
export const listItem = (text: string) =>
  text === '' || /[",]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Values as a comma-separated list. */
export const listText = (values: readonly (string | number)[]): string =>
  values.map((value) => listItem(String(value))).join(',');
