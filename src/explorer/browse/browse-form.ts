import type { FacetCounts } from '../../price-series/facets/facets.service.js';
import type { FacetValue } from '../../price-series/facets/facet-values.js';
import { field, hidden, select } from '../../web/form.js';
import { html, type Html } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { texts } from '../texts.js';
import { filterText, listItem } from './browse-filters.js';
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
const MAX_VALUES = 150;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The form of the filters, each value with the number of series that it would leave. Where windows
 * are narrow, the filters are folded, so that series come first.
 */
export function browseForm(state: BrowseState, facets: FacetCounts['facets']): Html {
  const since = state.get('newerThan');
  const isDate = since === '' || DATE.test(since);
  const shown = [...CHOICES, 'search', ...(isDate ? ['newerThan'] : [])];
  return html`<form class="row" method="get" action="/browse" role="search">
    <div class="wide">${field(texts.search, 'search', state.get('search'), 'search')}</div>
    <details class="filters">
      <summary>${texts.browse.filters}</summary>
      <div class="row">
        ${CHOICES.map((name) => choiceOf(name, state.get(name), facets[name]))}
        ${isDate ? field(filterText('newerThan'), 'newerThan', since, 'date') : null}
      </div>
    </details>
    ${state.kept(shown).map(([name, value]) => hidden(name, value))}
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
    .slice(0, MAX_VALUES)
    .map(({ value, name: text, count }): [string, string] => [
      listItem(String(value)),
      `${name === 'periodicity' ? texts.period[value as keyof typeof texts.period] : text || String(value)} (${wholeNumber(count)})`,
    ]);
  // Several values at once, or a rare one: the form keeps it.
  if (chosen !== '' && !options.some(([value]) => value === chosen))
    options.unshift([chosen, texts.browse.asChosen]);
  if (options.length === 0) return null;
  return select(filterText(name), name, chosen, [['', texts.any], ...options]);
}
