import { FRESH_MONTHS } from '../../price-series/calendar.js';
import { BASE } from '../../config/price-paths.js';
import { embedCode } from '../embed/embed.js';
import { imageLinks } from '../images/image-links.js';
import { type AddressValues, addressOf } from '../../web/address.js';
import { asOfNote, citeLink, type DataFormat, dataSection } from '../layout/data-section.js';
import { priceLinks } from '../layout/price-links.js';
import { datasetBlock } from '../layout/dataset.js';
import { figure } from '../../web/chart/figure.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { columnFormat, dateOf, exact, monthText, wholeNumber } from '../../web/numbers.js';
import type { PageContext, PageView } from '../layout/page.js';
import { paged } from '../../web/paging.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { priceReadings } from '../groups/main-prices.js';
import { changeLinks, isOldPrice, priceRowsTable } from '../groups/price-rows.js';
import { newestText } from '../layout/age.js';
import { publishedBy, publishersLine } from '../layout/sources.js';
import type { ReleaseRecord } from '../../releases/release-record.js';
import { nextReleases } from '../releases/next-releases.js';
import { texts } from '../texts.js';
import { leftOutPages } from '../groups/left-out.js';
import { changeChart, commodityChart, labelOf } from './commodity-charts.js';
import type { CommodityView, CountryPrice } from './commodity-view.js';

const words = texts.commodities;

/** Rows of the table of months on one page. */
const PAGE_SIZE = 100;

/**
 * The page of a commodity: what it costs in each country, and how much that has changed.
 * @param releases of its series; none where an earlier state is shown
 * @throws NotFound past the last page of the table
 */
export function commodityPage(
  view: CommodityView,
  releases: readonly ReleaseRecord[],
  info: PageContext,
): PageView {
  const { origin } = info;
  const { id, name, rows, countries, asOf, revision } = view;
  const path = `/commodities/${id}`;
  const chart = commodityChart(view);
  const changes = changeChart(view);
  const address = addressOf(path, { as_of: asOf });
  const description = words.description(name, rows.length, countries);
  const citation = `${words.citation(name)}, ${publishedBy(view.catalogue, rows)}`;
  const links = dataLinks(view);
  return {
    title: name,
    description,
    address,
    ...(chart === null
      ? {}
      : { preview: { address: addressOf(`${path}.preview.png`, { as_of: asOf }), alt: chart.summary } }),
    head: datasetBlock(
      { name: citation, description: texts.datasetDescription(description), address, links },
      origin,
    ),
    main: html`<h1>${nameOf(name)}</h1>
      <p>
        <strong>${newestText(view.newest, view.today)}</strong> ${headline(view)}
        ${words.counts(rows.length, countries)}
        <a href="${addressOf('/browse', { commodity_ids: id, as_of: asOf })}">${texts.nav.browse}</a>
        ${publishersLine(view.catalogue, rows)}
      </p>
      ${nextReleases(releases, {})} ${asOf === undefined ? null : asOfNote(path, revision)}
      ${changes === null ? null : figure(changes, words.changeNote, 'change')}
      ${
        chart === null
          ? view.leftOut.length === 0 && html`<p><strong>${words.none}</strong></p>`
          : html`${figure(chart, words.chartNote(view.dollars.length))}
            ${imageLinks((suffix) => addressOf(path + suffix, { as_of: asOf }))}
            ${embedCode(address, chart.title, origin)}`
      }
      ${view.prices.length === 0 ? null : countryTable(view)}
      ${leftOutPages(
        view.leftOut.map(({ iso3, name }) => [
          addressOf(`/countries/${iso3}/commodities/${id}`, { as_of: asOf }),
          name,
        ]),
        view.maxSeries,
      )}
      ${chart === null ? null : monthsTable(view)}
      ${dataSection(
        origin,
        links,
        citeLink(info, addressOf(path, { as_of: asOf ?? `r${revision}` }), revision, citation),
      )}`,
  };
}

/** The same numbers in the API. */
function dataLinks({ id, catalogue, rows, asOf, maxSeries }: CommodityView) {
  const address = (path: string, values: AddressValues) =>
    addressOf(path, { commodity_ids: id, as_of: asOf, ...values });
  const link = (label: string, list: string, values: AddressValues) => ({
    label,
    address: (format?: DataFormat) => address(`/${BASE}/${list}/`, { ...values, format }),
  });
  return [
    ...priceLinks(catalogue, rows, address),
    ...(rows.length > maxSeries
      ? []
      : [
          ...changeLinks(priceReadings('country', catalogue, rows), (path, values) =>
            address(path, { by: 'country', ...values }),
          ),
          link(words.inDollars, 'PriceChange', {
            by: 'country',
            measure: 'usd',
            min_matched: 1,
            goods: false,
          }),
          link(texts.groups.title, 'PriceAggregate', { by: 'country', goods: false }),
        ]),
    link(texts.series, 'PriceSerie', {}),
  ];
}

/** How many countries it costs more in than a year before, of those that can be compared. */
function headline({ prices, current }: CommodityView): string | null {
  const changes = prices
    .filter((price) => !isOldPrice(price, current))
    .flatMap(({ group: { change } }) => (change.change_12m === null ? [] : [change.change_12m]));
  if (changes.length === 0) return null;
  const up = changes.filter((change) => change > 0).length;
  return words.headline(up, changes.length, monthText(current - FRESH_MONTHS));
}

/** What it costs in each country, in local money and in dollars; old prices come last. */
function countryTable({ id, prices, current, asOf }: CommodityView): Html {
  const isOld = (price: CountryPrice) => isOldPrice(price, current);
  const ordered = [...prices.filter((price) => !isOld(price)), ...prices.filter(isOld)];
  const rows = ordered.map((price) => ({
    ...price,
    address: addressOf(`/countries/${price.iso3}/commodities/${id}`, { as_of: asOf }),
    last: dollarsOf(price),
  }));
  return html`<h2>${texts.home.countries}</h2>
    ${priceRowsTable(rows, { heading: texts.country, note: words.note, last: words.dollars, newest: current })}`;
}

/** The newest price in dollars, with its month where it is another than that of the local one. */
function dollarsOf({ group, dollars }: CountryPrice): Html | null {
  if (dollars === null) return null;
  const { median, month } = dollars.change;
  return month === group.change.month
    ? exact(median)
    : html`${exact(median)} <span class="nowrap muted">${month}</span>`;
}

/** The numbers of the chart, newest first. */
function monthsTable(view: CommodityView): Html {
  const shown = view.dollars;
  const path = `/commodities/${view.id}`;
  const byDate = shown.map(
    ({ observations }) => new Map(observations.map(({ date, median }) => [date, median])),
  );
  const dates = [...new Set(byDate.flatMap((each) => [...each.keys()]))].sort().reverse();
  const { items, links } = paged(dates, view.page, PAGE_SIZE, (page) =>
    addressOf(path, { as_of: view.asOf, page }),
  );
  const columns = [
    textColumn(texts.date),
    ...shown.map((group) => numberColumn(nameOf(labelOf(view, group)))),
  ];
  const formats = byDate.map((medians) => columnFormat([...medians.values()]));
  const rows = items.map((date) => [
    dateOf(date),
    ...byDate.map((medians, index) => exact(medians.get(date) ?? null, formats[index])),
  ]);
  return html`<h2>${texts.table}</h2>
    ${table(texts.compare.tableNote(wholeNumber(dates.length)), columns, rows)} ${links}`;
}
