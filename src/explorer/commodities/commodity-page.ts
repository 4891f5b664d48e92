import { BASE } from '../../config/price-paths.js';
import type { Chart } from '../../web/chart/chart.js';
import { calculatedChart, medianPoints } from '../groups/group-chart.js';
import { groupTable } from '../groups/group-table.js';
import { type GroupView, largest } from '../groups/group-views.js';
import { embedCode } from '../embed/embed.js';
import { imageLinks } from '../images/image-links.js';
import { addressOf } from '../../web/address.js';
import { asOfNote, citeLink, type DataFormat, dataSection } from '../layout/data-section.js';
import { priceLinks } from '../layout/price-links.js';
import { datasetBlock } from '../layout/dataset.js';
import { figure } from '../../web/chart/figure.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { columnFormat, dateOf, exact, wholeNumber } from '../../web/numbers.js';
import type { PageContext, PageView } from '../layout/page.js';
import { paged } from '../../web/paging.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { newestText } from '../layout/age.js';
import { texts } from '../texts.js';
import type { CommodityView } from './commodity-view.js';

/** Countries in the chart: as many as there are colours that can be told apart. */
const MOST_LINES = 8;
/** Rows of the table of months on one page. */
const PAGE_SIZE = 100;

/**
 * The page of a commodity: its prices across countries.
 * @throws NotFound past the last page of the table
 */
export function commodityPage(view: CommodityView, info: PageContext): PageView {
  const { origin } = info;
  const { id, name, groups, series, countries, asOf, revision } = view;
  const path = `/commodities/${id}`;
  const shown = chartedGroups(groups);
  const chart = commodityChart(view);
  const address = addressOf(path, { as_of: asOf });
  const data = (format?: DataFormat) =>
    addressOf(`/${BASE}/PriceAggregate/`, { commodity_ids: id, by: 'country', as_of: asOf, format });
  const list = (format?: DataFormat) =>
    addressOf(`/${BASE}/PriceSerie/`, { commodity_ids: id, as_of: asOf, format });
  const links = [
    ...priceLinks(view.catalogue, view.rows, (path, values) =>
      addressOf(path, { commodity_ids: id, as_of: asOf, ...values }),
    ),
    { label: texts.groups.title, address: data },
    { label: texts.series, address: list },
  ];
  const description = texts.commodities.description(name, series, countries);
  return {
    title: name,
    description,
    address,
    ...(chart === null
      ? {}
      : { preview: { address: addressOf(`${path}.preview.png`, { as_of: asOf }), alt: chart.summary } }),
    head: datasetBlock(
      {
        name: texts.commodities.citation(name),
        description: texts.datasetDescription(description),
        address,
        links,
      },
      origin,
    ),
    main: html`<h1>${nameOf(name)}</h1>
      <p>
        <strong>${newestText(view.newest, view.today)}</strong> ${description}
        <a href="${addressOf('/browse', { commodity_ids: id, as_of: asOf })}">${texts.nav.browse}</a>
      </p>
      ${asOf === undefined ? null : asOfNote(path, revision)}
      ${
        chart === null
          ? html`<p><strong>${texts.commodities.none}</strong></p>`
          : html`${figure(chart, texts.commodities.chartNote(shown.length))}
              ${imageLinks((suffix) => addressOf(path + suffix, { as_of: asOf }))}
              ${embedCode(address, chart.title, origin)}
              <h2>${texts.home.countries}</h2>
              ${groupTable(groups, texts.country, ({ fields }) => countryLink(view, fields))}
              ${monthsTable(view, shown)}`
      }
      ${dataSection(
        origin,
        links,
        citeLink(
          info,
          addressOf(path, { as_of: asOf ?? `r${revision}` }),
          revision,
          texts.commodities.citation(name),
        ),
      )}`,
  };
}

/** The largest groups of the price type and unit that most series have, in the order of the API. */
function chartedGroups(groups: readonly GroupView[]): GroupView[] {
  const sizes = new Map<string, number>();
  const kindOf = ({ fields }: GroupView) => `${fields.unit} ${fields.price_type_id}`;
  for (const group of groups)
    if (group.fields.unit !== null) sizes.set(kindOf(group), (sizes.get(kindOf(group)) ?? 0) + group.series);
  const [main] = [...sizes].sort(([, one], [, other]) => other - one);
  const alike = groups.filter((group) => kindOf(group) === main?.[0]);
  const chosen = new Set(largest(alike, MOST_LINES));
  return alike.filter((group) => chosen.has(group));
}

const labelOf = ({ countryLabel }: CommodityView, { iso3_country_code: iso3 }: GroupView['fields']) =>
  countryLabel(String(iso3));

function countryLink(view: CommodityView, fields: GroupView['fields']): Html {
  const address = addressOf(`/countries/${fields.iso3_country_code}`, { as_of: view.asOf });
  return html`<a href="${address}">${nameOf(labelOf(view, fields))}</a>`;
}

/** The chart of the page; null where none of the prices can be compared. */
export function commodityChart(view: CommodityView): Chart | null {
  const shown = chartedGroups(view.groups);
  if (shown.length === 0) return null;
  const { fields } = shown[0]!;
  const lines = shown.map((group) => ({
    name: labelOf(view, group.fields),
    points: medianPoints(group),
  }));
  const unit = texts.commodities.unit(String(fields.price_type).toLowerCase(), String(fields.unit));
  return calculatedChart(
    lines.length === 1
      ? texts.commodities.inCountry(view.name, lines[0]!.name)
      : texts.commodities.byCountry(view.name),
    unit,
    view.revision,
    lines,
  );
}

/** The numbers of the chart, newest first. */
function monthsTable(view: CommodityView, shown: readonly GroupView[]): Html {
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
    ...shown.map(({ fields }) => numberColumn(nameOf(labelOf(view, fields)))),
  ];
  const formats = byDate.map((medians) => columnFormat([...medians.values()]));
  const rows = items.map((date) => [
    dateOf(date),
    ...byDate.map((medians, index) => exact(medians.get(date) ?? null, formats[index])),
  ]);
  return html`<h2>${texts.table}</h2>
    ${table(texts.compare.tableNote(wholeNumber(dates.length)), columns, rows)} ${links}`;
}
