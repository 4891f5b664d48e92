import { monthNumber } from '../../analysis/analysis.parameters.js';
import { type GroupKey, WARNING_GROUPS } from '../../analysis/warnings/warning-groups.js';
import { BY_SEVERITY, type ChangedCommodity } from '../../analysis/warnings/price-warning-change.js';
import type { ComparedWarning } from '../../analysis/warnings/warning-changes.service.js';
import type { WarningRow } from '../../analysis/warnings/warnings.service.js';
import { BASE } from '../../config/price-paths.js';
import { isoFromMonth } from '../../lib/dates/calendar-date.js';
import { compareBy, memberOf, type Sort, writtenSort } from '../../platform/listing/sort.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { countryLabel } from '../countries/country-label.js';
import { imageLinks } from '../images/image-links.js';
import { type AddressValues, addressOf } from '../../web/address.js';
import { asOfNote, citeLink, type DataLink, dataSection } from '../layout/data-section.js';
import { datasetBlock } from '../layout/dataset.js';
import { field, hidden, select } from '../../web/form.js';
import { html, type Html, type HtmlValue, nameOf } from '../../web/html.js';
import { exact, wholeNumber } from '../../web/numbers.js';
import { inOneLine, type PageContext, type PageView } from '../layout/page.js';
import { paged } from '../../web/paging.js';
import { longColumn, numberColumn, MutedRow, table, textColumn } from '../../web/table.js';
import { mapFigure } from '../map/map-figure.js';
import { asOfText } from '../series/series-state.js';
import { texts } from '../texts.js';
import { newestWholeText } from '../layout/age.js';
import { monthSlider } from './month-slider.js';
import { highCell } from './high-prices.js';
import { newsText } from './news.js';
import type { WarningOrder, WarningsView } from './warning-views.js';
import { warningsMap } from './warnings-map.js';

/** Series of a row that are named. */
const MAX_SERIES = 3;

/** Commodities of a country that are named. */
const MAX_COMMODITIES = 5;

/** Old prices come last in every order. */
const OLD_LAST = BY_SEVERITY[0]!;
const ORDERS: Record<WarningOrder, Sort> = {
  severity: BY_SEVERITY,
  country: [OLD_LAST, { column: 'country_name', descending: false }],
  year_before: [OLD_LAST, { column: 'share_12m_ago', descending: true }],
};

/** Rows of the table on one page. */
const PAGE_SIZE = 100;

/**
 * The page of warnings: a map by month, and a row for each country, or part of one.
 * @throws NotFound past the last page of the table
 */
export function warningsPage(view: WarningsView, info: PageContext): PageView {
  const { origin } = info;
  const { rows, by, order, month, codes, asOf, page, revision } = view;
  const values = {
    by: by === 'country' ? undefined : by,
    month,
    iso3_country_codes: codes,
    as_of: asOfText(asOf),
  };
  const shownOrder = order === 'severity' ? undefined : order;
  const address = (change: AddressValues = {}, suffix = '') =>
    addressOf(`/warnings${suffix}`, { ...values, order: shownOrder, ...change });
  const link = (label: string, list: string, more: AddressValues): DataLink => ({
    label,
    address: (format) => addressOf(`/${BASE}/${list}/`, { ...values, ...more, format }),
  });
  const data = [
    link(texts.warnings.compared, 'PriceWarningChange', { sort: writtenSort(ORDERS[order]) }),
    link(texts.warnings.title, 'PriceWarning', {}),
  ];
  const map = warningsMap(view);
  const news = newsText(view.countries, view.reach, month === undefined ? null : monthNumber(month));
  const { items, links } = paged(inOrder(view), page, PAGE_SIZE, (to) => address({ page: to }));
  const hasPrices = view.months.last > 0;
  const head = datasetBlock(
    { name: map.title, description: texts.warnings.description, address: address(), links: data },
    origin,
    month === undefined ? {} : { temporalCoverage: month },
  );
  const shown = html`${choices(view)} ${monthLinks(view, (to) => address({ month: to }))} ${mapFigure(map)}
  ${imageLinks((suffix) => address({}, suffix))}
  ${rows.length === 0 ? html`<p><strong>${texts.warnings.none}</strong></p>` : rowsTable(view, items, address)}
  ${links} ${page === 1 && rows.length > 0 ? changesSince(view) : null}
  ${dataSection(
    origin,
    data,
    citeLink(info, address({ as_of: asOfText(asOf) ?? `r${revision}` }), revision, map.title),
  )}`;
  return {
    title: map.title,
    description: inOneLine(news, texts.warnings.description),
    address: address(),
    preview: { address: address({}, '.preview.png'), alt: `${map.title}. ${map.unit}` },
    ...(hasPrices ? { head } : {}),
    main: html`<h1>${map.title}</h1>
      <p>
        ${newestWholeText(view.reach.newestUpTo(view.today), view.today)} ${news}
        ${texts.warnings.description}
      </p>
      ${asOfText(asOf) === undefined ? null : asOfNote(address({ as_of: undefined }), revision)}
      ${hasPrices ? shown : html`<p><strong>${texts.home.empty}</strong></p>`}`,
  };
}

/** The rows in the order that is asked for, in which the API gives them, too. */
function inOrder({ rows, order }: WarningsView): ComparedWarning[] {
  const sort = ORDERS[order];
  const compare = compareBy(sort);
  return rows
    .map((row) => ({ row, keys: sort.map(({ column }) => memberOf(row.change, column)) }))
    .sort((one, other) => compare(one.keys, other.keys))
    .map(({ row }) => row);
}

/** The form that changes what is shown: the month, at an earlier state of the data, too. */
function choices(view: WarningsView): Html {
  const { by, order, month, months, codes, asOf } = view;
  const all = Array.from({ length: Math.max(0, months.last - months.first + 1) }, (_, back) =>
    isoFromMonth(months.last - back),
  );
  const options = month === undefined || all.includes(month) ? all : [month, ...all];
  const known = asOfText(asOf);
  const isInstant = known !== undefined && !known.startsWith('r');
  return html`<form class="row" method="get" action="/warnings">
    ${select(texts.warnings.month, 'month', month ?? '', [
      ['', texts.warnings.newestMonth],
      ...options.map((each) => [each, each] as const),
    ])}
    ${select(
      texts.warnings.by,
      'by',
      by,
      WARNING_GROUPS.map((group) => [group, texts.warnings.groups[group]] as const),
    )}
    ${
      known === undefined || isInstant
        ? field(texts.warnings.knownOn, 'as_of', known?.slice(0, 10), 'date')
        : hidden('as_of', known)
    }
    ${hidden('iso3_country_codes', codes)} ${hidden('order', order === 'severity' ? undefined : order)}
    <button>${texts.show}</button>
    ${monthSlider(view)}
  </form>`;
}

/** Steps through time by a month or a year. */
function monthLinks(
  { month, months, reach, today }: WarningsView,
  address: (month: string) => string,
): Html | null {
  if (months.last === 0) return null;
  // Those of the newest month that is over, which the page says first.
  const newest = reach.newestUpTo(today) ?? months.last;
  const shown = month === undefined ? newest : monthNumber(month);
  const link = (step: number, text: string) => {
    const to = shown + step;
    return to < months.first || to > months.last
      ? null
      : html`<a href="${address(isoFromMonth(to))}">${text} (${isoFromMonth(to)})</a>`;
  };
  return html`<nav class="pages" aria-label="${texts.warnings.month}">
    ${link(-12, texts.warnings.yearBefore)} ${link(-1, texts.warnings.monthBefore)}
    ${link(1, texts.warnings.monthAfter)} ${link(12, texts.warnings.yearAfter)}
  </nav>`;
}

function rowsTable(
  { catalogue, by, order, asOf, reach }: WarningsView,
  rows: readonly ComparedWarning[],
  address: (change: AddressValues) => string,
): Html {
  const as_of = asOfText(asOf);
  const heading = (text: string, by: WarningOrder) =>
    by === order
      ? html`${text} ${texts.browse.ordered}`
      : html`<a href="${address({ order: by === 'severity' ? undefined : by })}">${text}</a>`;
  const columns = [
    textColumn(heading(texts.country, 'country')),
    ...(by === 'country' ? [] : [textColumn(texts.warnings.groups[by])]),
    textColumn(texts.warnings.month),
    numberColumn(heading(texts.warnings.highPrices, 'severity')),
    numberColumn(heading(texts.warnings.aYearBefore, 'year_before')),
    numberColumn(texts.warnings.fresh),
    numberColumn(texts.warnings.high),
    numberColumn(texts.warnings.alert),
    longColumn(texts.warnings.worst),
  ];
  const cells = rows.map((row) => {
    const { key, month, fresh, ifpa, alps, top, change } = row;
    const isOld = reach.isOld(key.iso3_country_code);
    const values = [
      countryLink(catalogue, key.iso3_country_code, as_of),
      ...(by === 'country' ? [] : [groupName(key, as_of)]),
      html`<span class="nowrap">${isoFromMonth(month)}</span>`,
      isOld ? texts.warnings.old : highCell(row),
      isOld || change.share_12m_ago === null
        ? exact(null)
        : highCell({ fresh, rated: change.rated_12m_ago, high: change.high_12m_ago }),
      wholeNumber(fresh),
      wholeNumber(ifpa.high),
      wholeNumber(alps.alert + alps.crisis),
      worst(catalogue, top, as_of),
    ];
    return isOld ? new MutedRow(values) : values;
  });
  return table(texts.warnings.note, columns, cells);
}

const countryLink = (catalogue: CatalogueSnapshot, iso3: string, as_of: string | undefined): Html =>
  html`<a href="${addressOf(`/countries/${iso3}`, { as_of })}">${nameOf(countryLabel(catalogue, iso3))}</a>`;

const commodityLink = (iso3: string, id: number, name: string, as_of: string | undefined): Html =>
  html`<a href="${addressOf(`/countries/${iso3}/commodities/${id}`, { as_of })}">${nameOf(name)}</a>`;

/** The category or commodity of a row; a commodity leads to its page. */
const groupName = (key: GroupKey, as_of: string | undefined): HtmlValue =>
  key.commodity_id === undefined
    ? nameOf(key.category ?? '')
    : commodityLink(key.iso3_country_code, key.commodity_id, key.commodity!, as_of);

/** Which prices of each country are newly high, and which no longer; old ones are left out. */
function changesSince({ catalogue, countries, asOf }: WarningsView): Html {
  const as_of = asOfText(asOf);
  const changed = countries.filter(
    ({ change }) => !change.old && change.newly_high + change.no_longer_high > 0,
  );
  const named = (iso3: string, commodities: readonly ChangedCommodity[]): Html =>
    html`${commodities
      .slice(0, MAX_COMMODITIES)
      .map(
        ({ commodity_id: id, commodity, series }) =>
          html`${commodityLink(iso3, id, commodity, as_of)}${series === 1 ? null : ` (${wholeNumber(series)})`}<br />`,
      )}${
      commodities.length > MAX_COMMODITIES &&
      html`<span class="muted"
        >${texts.warnings.moreCommodities(wholeNumber(commodities.length - MAX_COMMODITIES))}</span
      >`
    }`;
  const rows = [...changed]
    .sort((one, other) => other.change.newly_high - one.change.newly_high)
    .map(({ key: { iso3_country_code: iso3 }, month, change }) => [
      countryLink(catalogue, iso3, as_of),
      html`<span class="nowrap">${isoFromMonth(month)}</span>`,
      wholeNumber(change.newly_high),
      named(iso3, change.newly_high_commodities),
      wholeNumber(change.no_longer_high),
      named(iso3, change.no_longer_high_commodities),
    ]);
  const columns = [
    textColumn(texts.country),
    textColumn(texts.warnings.month),
    numberColumn(texts.warnings.newlyHigh),
    textColumn(texts.commodity),
    numberColumn(texts.warnings.noLongerHigh),
    textColumn(texts.commodity),
  ];
  return html`<h2>${texts.warnings.changes}</h2>
    ${rows.length === 0 ? html`<p>${texts.warnings.noChanges}</p>` : table(texts.warnings.changesNote, columns, rows)}`;
}

/** The series with the highest IFPA. */
const worst = (catalogue: CatalogueSnapshot, top: WarningRow['top'], as_of: string | undefined) =>
  top
    .slice(0, MAX_SERIES)
    .map(
      ({ row }) =>
        html`<a href="${addressOf(`/series/${catalogue.uuidAt(row)}`, { as_of })}"
            >${nameOf(catalogue.referenceAt('commodity', row).name)},
            ${nameOf(catalogue.referenceAt('market', row).name)}</a
          ><br />`,
    );
