import type { FacetCounts } from '../../price-series/facets/facets.service.js';
import type { FacetValue } from '../../price-series/facets/facet-values.js';
import { field, hidden, select } from '../../web/form.js';
import { html, type Html } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { texts } from '../texts.js';
import type { BrowseState, FilterName } from './browse-state.js';

/** The filters that have a choice of their values. */
const CHOICES = [
  'iso3_country_codes',
  'categories',
  'commodity_ids',
  'price_types_ids',
  'currencies',
  'sources_ids',
  'periodicity',
] as const satisfies FilterName[];

/** Values of one choice; the rarest beyond these are reached by search. */
const MOST_VALUES = 150;

/** The form of the filters, each value with the number of series that it would leave. */
export function browseForm(state: BrowseState, facets: FacetCounts['facets']): Html {
  const shown: readonly string[] = [...CHOICES, 'search'];
  const kept = state.given.filter((name) => !shown.includes(name));
  return html`<form class="row" method="get" action="/browse" role="search">
    <div class="wide">${field(texts.search, 'search', state.get('search'), 'search')}</div>
    ${CHOICES.map((name) => choiceOf(name, state.get(name), facets[name]))}
    ${kept.map((name) => hidden(name, state.get(name)))} ${hidden('order', state.get('order') || undefined)}
    ${hidden('as_of', state.get('as_of') || undefined)}
    <button>${texts.show}</button>
  </form>`;
}

function choiceOf(
  name: (typeof CHOICES)[number],
  chosen: string,
  values: readonly FacetValue[],
): Html | null {
  const options = values
    .filter(({ value }) => value !== '')
    .slice(0, MOST_VALUES)
    .map(({ value, name: text, count }): [string, string] => [
      listItem(String(value)),
      `${text || String(value)} (${wholeNumber(count)})`,
    ]);
  // Several values at once, or a rare one: the form keeps it.
  if (chosen !== '' && !options.some(([value]) => value === chosen)) options.unshift([chosen, chosen]);
  if (options.length === 0) return null;
  return select(texts.filter[name], name, chosen, [['', texts.any], ...options]);
}

/** A text as an item of a comma-separated list. */
const listItem = (text: string) => (/[",]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
