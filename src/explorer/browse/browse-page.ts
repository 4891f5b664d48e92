import { BASE } from '../../config/price-paths.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { PERIOD_NAMES } from '../../price-series/periodicity.js';
import type { FacetCounts } from '../../price-series/facets/facets.service.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { html, type Html, nameOf } from '../layout/html.js';
import { dateOf, wholeNumber } from '../layout/numbers.js';
import type { PageView } from '../layout/page.js';
import { paged } from '../layout/paging.js';
import { table, textColumn } from '../layout/table.js';
import { texts } from '../texts.js';
import { browseForm } from './browse-form.js';
import type { BrowseOrder, BrowseState, FilterName } from './browse-state.js';

/** Series on one page. */
const PAGE_SIZE = 50;

/** What the page of a search is made of. */
export interface BrowseView {
  state: BrowseState;
  counts: FacetCounts;
  catalogue: CatalogueSnapshot;
  /** The series that match, in order. */
  rows: readonly number[];
  page: number;
}

/**
 * The page of a search: filters, and the series that match.
 * @throws NotFound past the last page
 */
export function browsePage({ state, counts, catalogue, rows, page }: BrowseView, origin: string): PageView {
  const { items, links } = paged(rows, page, PAGE_SIZE, (to) => state.address({ page: to }));
  const data = (format?: string) => state.address({ order: undefined, format }, `/${BASE}/PriceSerie/`);
  return {
    title: texts.nav.browse,
    description: texts.browse.description(counts.count),
    address: state.address(),
    main: html`<h1>${texts.nav.browse}</h1>
      ${browseForm(state, counts.facets)}
      ${rows.length === 0 ? nothingFits(state, counts) : seriesTable(catalogue, items, state, counts.count)}
      ${links}
      <section>
        <h2>${texts.asData}</h2>
        <p>
          <a href="${data()}">JSON</a> · <a href="${data('csv')}">CSV</a> ·
          <a href="${data('ndjson')}">NDJSON</a>
        </p>
        <div class="api">
          <p>${texts.asCall}</p>
          <pre><code>curl '${origin}${data()}'</code></pre>
        </div>
      </section>`,
  };
}

function seriesTable(
  catalogue: CatalogueSnapshot,
  rows: readonly number[],
  state: BrowseState,
  count: number,
): Html {
  const heading = (order: BrowseOrder, text: string) =>
    state.get('order') === order
      ? html`${text} ${texts.browse.ordered}`
      : html`<a href="${state.address({ order })}">${text}</a>`;
  const columns = [
    textColumn(heading('commodity', texts.commodity)),
    textColumn(heading('market', texts.market)),
    textColumn(heading('country', texts.country)),
    textColumn(texts.priceType),
    textColumn(texts.unit),
    textColumn(texts.frequency),
    textColumn(heading('-last_price_date', texts.newestDate)),
  ];
  return table(
    texts.browse.found(wholeNumber(count)),
    columns,
    rows.map((row) => cellsOf(catalogue, row)),
  );
}

function cellsOf(catalogue: CatalogueSnapshot, row: number) {
  const { uuid, commodity, market, price_type, measure_unit, currency, periodicity, lastDay } =
    catalogue.seriesAt(row);
  return [
    html`<a href="/series/${uuid}">${nameOf(commodity.name)}</a>`,
    nameOf(market.name),
    nameOf(market.country_name || market.iso3_country_code),
    price_type.name.toLowerCase(),
    html`${currency} ${texts.perAmount} ${nameOf(measure_unit.name)}`,
    periodicity.map(({ period }) => texts.period[PERIOD_NAMES[period]]).join(', '),
    dateOf(lastDay === null ? null : isoFromDay(lastDay)),
  ];
}

/** Where no series fits: how many would, with one filter dropped. */
function nothingFits(state: BrowseState, { without }: FacetCounts): Html {
  const drops = Object.entries(without)
    .filter(([, count]) => count > 0)
    .sort(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
    .map(([name, count]) => {
      const link = html`<a href="${state.address({ [name]: undefined })}"
        >${texts.browse.without(filterText(name))}</a
      >`;
      return html`<li>${link}: ${texts.browse.found(wholeNumber(count))}</li>`;
    });
  return html`<p><strong>${texts.browse.nothing}</strong></p>
    <ul>
      ${drops}
      <li><a href="/browse">${texts.browse.all}</a></li>
    </ul>`;
}

const filterText = (name: string) =>
  (texts.filter as Readonly<Partial<Record<FilterName, string>>>)[name as FilterName] ?? name;
