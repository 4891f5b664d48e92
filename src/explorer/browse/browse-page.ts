import { BASE } from '../../config/price-paths.js';
import { isoFromDay, monthOf } from '../../lib/dates/calendar-date.js';
import { PERIOD_NAMES } from '../../price-series/periodicity.js';
import type { FacetCounts } from '../../price-series/facets/facets.service.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { type ChartPoint, MONTH_GAP } from '../../web/chart/segments.js';
import { MOST_SERIES } from '../compare/compare-view.js';
import { type AddressValues, addressOf } from '../../web/address.js';
import { asOfNote, citeLink, type DataLink, dataSection } from '../layout/data-section.js';
import { priceLinks } from '../layout/price-links.js';
import { datasetBlock } from '../layout/dataset.js';
import { hidden } from '../../web/form.js';
import { Html, html, type HtmlValue, nameOf } from '../../web/html.js';
import { dateOf, exact, shortNumber, wholeNumber } from '../../web/numbers.js';
import { ageText } from '../layout/age.js';
import type { PageContext, PageView } from '../layout/page.js';
import { paged } from '../../web/paging.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { texts } from '../texts.js';
import { browseForm } from './browse-form.js';
import { type BrowseOrder, type BrowseState, type FilterName, sortText } from './browse-state.js';
import { sparkline } from '../../web/chart/sparkline.js';

/** The id of the form that compares series. */
const COMPARE_FORM = 'compare';

/** Series on one page. */
export const SERIES_PER_PAGE = 50;

/** What the page of a search is made of. */
export interface BrowseView {
  state: BrowseState;
  counts: FacetCounts;
  catalogue: CatalogueSnapshot;
  /** The series that match, in order. */
  rows: Uint32Array;
  /** The newest monthly prices of the series of the page, oldest first. */
  trends: ReadonlyMap<number, readonly ChartPoint[]>;
  page: number;
  revision: number;
  /** The month of today (a month number). */
  today: number;
}

/**
 * The page of a search: filters, and the series that match.
 * @throws NotFound past the last page
 */
export function browsePage(view: BrowseView, info: PageContext): PageView {
  const { origin } = info;
  const { state, counts, rows, page, revision } = view;
  const { items, links } = paged(Array.from(rows), page, SERIES_PER_PAGE, (to) =>
    state.address({ page: to }),
  );
  const dataLinks = linksOf(view, sortText(state.get('order')));
  const asOf = state.get('as_of');
  const filters = state.given.map((name) => `${filterText(name)} ${state.get(name)}`);
  const description = texts.browse.description(counts.count, filters);
  return {
    title: texts.nav.browse,
    description,
    address: state.address(),
    ...(rows.length === 0
      ? {}
      : {
          head: datasetBlock(
            {
              name: texts.browse.dataset(filters),
              description: texts.datasetDescription(description),
              address: state.address({ order: undefined }),
              links: linksOf(view),
            },
            origin,
          ),
        }),
    main: html`<h1>${texts.nav.browse}</h1>
      ${asOf === '' ? null : asOfNote(state.address({ as_of: undefined }), revision)}
      ${browseForm(state, counts.facets)}
      ${rows.length === 0 ? nothingFits(state, counts) : seriesTable(view, items)} ${links}
      ${
        rows.length === 0
          ? null
          : dataSection(
              origin,
              dataLinks,
              citeLink(
                info,
                state.address({ as_of: asOf === '' ? `r${revision}` : asOf }),
                revision,
                description.replace(/\.$/, ''),
              ),
            )
      }`,
  };
}

/** The same series and their prices in the API, as `sort` has them; none of no series. */
function linksOf({ state, catalogue, rows }: BrowseView, sort?: string): DataLink[] {
  if (rows.length === 0) return [];
  const address = (path: string, values: AddressValues) =>
    state.address({ order: undefined, ...values }, path);
  const isByDate = state.get('start_date') !== '' || state.get('end_date') !== '';
  return [
    ...(isByDate
      ? [{ label: texts.allPrices, address: () => '', formats: [], note: texts.datedPrices }]
      : priceLinks(catalogue, rows, address, sort)),
    { label: texts.series, address: (format) => address(`/${BASE}/PriceSerie/`, { sort, format }) },
  ];
}

function seriesTable(view: BrowseView, rows: readonly number[]): Html {
  const { state, counts } = view;
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
    numberColumn(texts.browse.newest),
    textColumn(texts.browse.trend),
    textColumn(heading('-last_price_date', texts.newestDate)),
  ];
  const series = table(
    `${texts.browse.found(wholeNumber(counts.count))} ${texts.browse.trendNote}`,
    columns,
    rows.map((row) => cellsOf(view, row)),
  );
  return html`${series} ${compareForm(state)}`;
}

function cellsOf({ catalogue, trends, state, today }: BrowseView, row: number): HtmlValue[] {
  const trend = trends.get(row) ?? [];
  const { uuid, commodity, market, price_type, measure_unit, currency, periodicity, lastDay } =
    catalogue.seriesAt(row);
  const as_of = state.get('as_of');
  const link = (path: string, name: string) =>
    html`<a href="${addressOf(path, { as_of })}">${nameOf(name)}</a>`;
  return [
    html`${compareBox(uuid, texts.browse.compareOne(`${commodity.name}, ${market.name}`))}
    ${link(`/series/${uuid}`, commodity.name)}`,
    nameOf(market.name),
    link(`/countries/${market.iso3_country_code}`, market.country_name || market.iso3_country_code),
    price_type.name.toLowerCase(),
    html`${currency} ${texts.perAmount} ${nameOf(measure_unit.name)}`,
    periodicity.map(({ period }) => texts.period[PERIOD_NAMES[period]]).join(', '),
    exact(trend.at(-1)?.value ?? null),
    trendOf(trend),
    lastDay === null
      ? dateOf(null)
      : html`${dateOf(isoFromDay(lastDay))} <span class="quiet">${ageText(monthOf(lastDay), today)}</span>`,
  ];
}

/** Compares the series that are ticked in the table: their boxes name it, it is not around them. */
const compareForm = (state: BrowseState): Html =>
  html`<form id="${COMPARE_FORM}" class="row" method="get" action="/compare">
    ${hidden('as_of', state.get('as_of') || undefined)}
    <button>${texts.browse.compare}</button>
    <span class="wide quiet">${texts.browse.compareNote(MOST_SERIES)}</span>
  </form>`;

const compareBox = (uuid: string, name: string): Html =>
  html`<input type="checkbox" form="${COMPARE_FORM}" name="uuids" value="${uuid}" aria-label="${name}" />`;

/** The line of the newest months, with its ends in words. */
function trendOf(trend: readonly ChartPoint[]): Html | null {
  const [first, last] = [trend[0], trend.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const label = texts.browse.trendLabel(
    [first, last].map(({ day, value }) => `${shortNumber(value)} (${isoFromDay(day).slice(0, 7)})`),
  );
  return new Html(sparkline(trend, MONTH_GAP, label));
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
      <li><a href="${addressOf('/browse', { as_of: state.get('as_of') })}">${texts.browse.all}</a></li>
    </ul>`;
}

const filterText = (name: string) =>
  (texts.filter as Readonly<Partial<Record<FilterName, string>>>)[name as FilterName] ?? name;
