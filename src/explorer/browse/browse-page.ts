import { FRESH_MONTHS } from '../../price-series/calendar.js';
import { isOldBeside } from '../../analysis/warnings/country-months.js';
import { BASE } from '../../config/price-paths.js';
import { isoFromDay, monthOf } from '../../lib/dates/calendar-date.js';
import { PERIOD_NAMES } from '../../price-series/periodicity.js';
import type { FacetCounts } from '../../price-series/facets/facets.service.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { type ChartPoint, MONTH_GAP } from '../../web/chart/segments.js';
import { type AddressValues, addressOf } from '../../web/address.js';
import { asOfNote, citeLink, type DataLink, dataSection } from '../layout/data-section.js';
import { priceLinks } from '../layout/price-links.js';
import { datasetBlock } from '../layout/dataset.js';
import { Html, html, type HtmlValue, nameOf } from '../../web/html.js';
import { dateOf, exact, monthText, percent, shortNumber, wholeNumber } from '../../web/numbers.js';
import { ageText } from '../layout/age.js';
import type { PageContext, PageView } from '../layout/page.js';
import { paged } from '../../web/paging.js';
import { numberColumn, MutedRow, table, type TableColumn, textColumn } from '../../web/table.js';
import { texts } from '../texts.js';
import { type BrowseFilters, chosenList, chosenValues, filterText } from './browse-filters.js';
import { browseForm } from './browse-form.js';
import { type BrowseOrder, type OrderName, orderParts, sortText } from './browse-order.js';
import type { BrowseState } from './browse-state.js';
import { compareBar, tickButton, type Ticks } from './browse-ticks.js';
import type { AppliedSearch } from './find-series.js';
import { linkedPages, nothingFits, readingNote, readValues, type SearchHints } from './nothing-found.js';
import { sparkline } from '../../web/chart/sparkline.js';

/** Series on one page. */
export const SERIES_PER_PAGE = 50;

/** What the page of a search is made of. */
interface BrowseView {
  state: BrowseState;
  /** The filters as they were given. */
  filters: BrowseFilters;
  finding: AppliedSearch;
  hints: SearchHints;
  counts: FacetCounts;
  catalogue: CatalogueSnapshot;
  /** The series that match, in order. */
  rows: Uint32Array;
  order: BrowseOrder | undefined;
  /** The newest monthly prices of the series of the page, oldest first. */
  trends: ReadonlyMap<number, readonly ChartPoint[]>;
  ticks: Ticks;
  page: number;
  revision: number;
  /** The month of today (a month number). */
  today: number;
  /** The newest month that a quarter of the countries reach (a month number); null without one. */
  current: number | null;
}

/**
 * The page of a search: filters, and the series that match.
 * @throws NotFound past the last page
 */
export function browsePage(view: BrowseView, info: PageContext): PageView {
  const { origin } = info;
  const { state, counts, rows, page, revision, catalogue, finding, hints, order } = view;
  if (catalogue.size === 0) return emptyPage(state, revision);
  const { items, links } = paged(Array.from(rows), page, SERIES_PER_PAGE, (to) =>
    state.address({ page: to }),
  );
  const asOf = state.get('as_of');
  const chosen = chosenValues(catalogue, view.filters);
  const filters = chosen.map(({ name, text }) => `${filterText(name)} ${text}`);
  const description = texts.browse.description(counts.count, filters);
  return {
    title: texts.nav.browse,
    description,
    address: state.plain({ order }),
    ...(rows.length === 0
      ? {}
      : {
          head: datasetBlock(
            {
              name: texts.browse.dataset(filters),
              description: texts.datasetDescription(description),
              address: state.plain(),
              links: linksOf(view),
            },
            origin,
          ),
        }),
    main: html`<h1>${texts.nav.browse}</h1>
      ${asOf === '' ? null : asOfNote(state.address({ as_of: undefined }), revision)}
      ${browseForm(state, counts.facets)} ${chosenList(state, chosen)} ${readingNote(finding)}
      ${
        rows.length === 0
          ? nothingFits(state, view.filters, finding, counts, hints, catalogue)
          : html`${linkedPages(texts.browse.about, hints.pages)} ${seriesTable(view, items)} ${links}`
      }
      ${rows.length === 0 && view.ticks.uuids.length === 0 ? null : compareBar(view.ticks, state, page, catalogue)}
      ${
        rows.length === 0
          ? null
          : dataSection(
              origin,
              linksOf(view, sortText(order)),
              citeLink(
                info,
                state.plain({ as_of: asOf === '' ? `r${revision}` : asOf }),
                revision,
                description.replace(/\.$/, ''),
              ),
            )
      }`,
  };
}

/** Before the first import there is nothing to choose from. */
const emptyPage = (state: BrowseState, revision: number): PageView => ({
  title: texts.nav.browse,
  description: texts.browse.empty,
  address: state.plain(),
  main: html`<h1>${texts.nav.browse}</h1>
    ${state.get('as_of') === '' ? null : asOfNote(state.address({ as_of: undefined }), revision)}
    <p>${texts.browse.empty}</p>
    <p><a href="/help">${texts.browse.emptyHelp}</a></p>`,
});

/** The same series and their prices in the API, as `sort` has them; none of no series. */
function linksOf({ state, catalogue, rows, finding: { filters } }: BrowseView, sort?: string): DataLink[] {
  if (rows.length === 0) return [];
  // What was understood of a search, because the API takes it literally.
  const read = { search: filters.search, ...readValues(filters) };
  const address = (path: string, values: AddressValues) => state.plain({ ...read, ...values }, path);
  const isByDate = state.get('start_date') !== '' || state.get('end_date') !== '';
  return [
    ...(isByDate
      ? [{ label: texts.allPrices, address: () => '', formats: [], note: texts.datedPrices }]
      : priceLinks(catalogue, rows, address, { sort })),
    { label: texts.series, address: (format) => address(`/${BASE}/PriceSerie/`, { sort, format }) },
  ];
}

/** Columns whose greatest values are asked for first. */
const DOWN_FIRST: readonly OrderName[] = ['price', 'change', 'last_price_date'];

function seriesTable(view: BrowseView, rows: readonly number[]): Html {
  const { state, counts, order } = view;
  const current = order === undefined ? null : orderParts(order);
  const ordered = (column: TableColumn, name: OrderName): TableColumn => {
    const isCurrent = current?.name === name;
    const down = isCurrent ? !current.descending : DOWN_FIRST.includes(name);
    const to: BrowseOrder = down ? `-${name}` : name;
    return {
      ...column,
      heading: html`<a href="${state.address({ order: to })}">${column.heading}</a>`,
      ...(isCurrent ? { sort: current.descending ? 'descending' : 'ascending' } : {}),
    };
  };
  // Prices and changes of an earlier state are read for the series of the page alone.
  const computed = (column: TableColumn, name: OrderName) =>
    state.get('as_of') === '' ? ordered(column, name) : column;
  const columns = [
    ordered(textColumn(texts.commodity), 'commodity'),
    computed(numberColumn(texts.browse.newest), 'price'),
    ordered(textColumn(texts.unit), 'unit'),
    ordered(textColumn(texts.market), 'market'),
    ordered(textColumn(texts.country), 'country'),
    computed(numberColumn(texts.browse.inYear), 'change'),
    textColumn(texts.browse.trend),
    ordered(textColumn(texts.newestDate), 'last_price_date'),
    ordered(textColumn(texts.priceType), 'price_type'),
    ordered(textColumn(texts.frequency), 'frequency'),
  ];
  const series = table(
    [texts.browse.found(wholeNumber(counts.count)), texts.browse.trendNote, oldNote(view)].join(' '),
    columns,
    rows.map((row) => {
      const cells = cellsOf(view, row);
      return isOldBeside(view.current, view.catalogue.columns.last_day[row]!) ? new MutedRow(cells) : cells;
    }),
  );
  return html`<div id="series">${series}</div>`;
}

/** What is grey; nothing where no country has prices. */
const oldNote = ({ current }: BrowseView): string =>
  current === null ? '' : texts.browse.oldNote(monthText(current - FRESH_MONTHS));

function cellsOf({ catalogue, trends, state, today, ticks }: BrowseView, row: number): HtmlValue[] {
  const trend = trends.get(row) ?? [];
  const { uuid, commodity, market, price_type, measure_unit, currency, periodicity, lastDay } =
    catalogue.seriesAt(row);
  const as_of = state.get('as_of');
  const link = (path: string, name: string) =>
    html`<a href="${addressOf(path, { as_of })}">${nameOf(name)}</a>`;
  return [
    html`${tickButton(uuid, ticks, `${commodity.name}, ${market.name}`)}
    ${link(`/series/${uuid}`, commodity.name)}`,
    exact(trend.at(-1)?.value ?? null),
    html`<span class="unit">${currency} ${texts.perAmount} ${nameOf(measure_unit.name)}</span>`,
    nameOf(market.name),
    link(`/countries/${market.iso3_country_code}`, market.country_name || market.iso3_country_code),
    exact(changeInYear(trend), percent),
    trendOf(trend),
    lastDay === null
      ? dateOf(null)
      : html`${dateOf(isoFromDay(lastDay))} <span class="muted">${ageText(monthOf(lastDay), today)}</span>`,
    price_type.name.toLowerCase(),
    periodicity.map(({ period }) => texts.period[PERIOD_NAMES[period]]).join(', '),
  ];
}

/** The change of the newest month from that a year before, as a fraction; null without both. */
function changeInYear(trend: readonly ChartPoint[]): number | null {
  const last = trend.at(-1);
  if (last === undefined) return null;
  const before = trend.find(({ day }) => monthOf(day) === monthOf(last.day) - 12);
  return before === undefined ? null : last.value / before.value - 1;
}

/** The line of the newest months, with its ends in words. */
function trendOf(trend: readonly ChartPoint[]): Html | null {
  const [first, last] = [trend[0], trend.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const label = texts.browse.trendLabel(
    [first, last].map(({ day, value }) => `${shortNumber(value)} (${isoFromDay(day).slice(0, 7)})`),
  );
  return new Html(sparkline(trend, MONTH_GAP, label));
}
