import { BASE } from '../../config/price-paths.js';
import type { FindingRecord } from '../../quality/finding-list.js';
import { imageLinks } from '../images/image-links.js';
import { addressOf } from '../layout/address.js';
import { figure } from '../layout/figure.js';
import { field, hidden, select } from '../layout/form.js';
import { type Html, html, jsonLd, nameOf } from '../layout/html.js';
import { dateOf, exact, wholeNumber } from '../layout/numbers.js';
import type { PageView } from '../layout/page.js';
import { paged } from '../layout/paging.js';
import { numberColumn, table, textColumn } from '../layout/table.js';
import { texts } from '../texts.js';
import { seriesChart } from './series-chart.js';
import { datasetJson, dataLinks, madeOf } from './series-data.js';
import { seriesFacts } from './series-facts.js';
import { seriesTitle, unitText } from './series-names.js';
import { PAGE_MEASURES, seriesAddress } from './series-state.js';
import type { SeriesRow, SeriesView } from './series-view.js';
import { similarSeries } from './similar-series.js';

/** Rows of the table on one page. */
const PAGE_SIZE = 100;

/**
 * The page of a series.
 * @param findings open ones about it; null where an earlier state is shown
 * @throws NotFound past the last page of the table
 */
export function seriesPage(
  view: SeriesView,
  findings: readonly FindingRecord[] | null,
  page: number,
  origin: string,
): PageView {
  const { entry, state } = view;
  const title = seriesTitle(entry);
  const chart = seriesChart(view);
  return {
    title,
    description: texts.seriesDescription(title, unitText(view), entry.source),
    address: seriesAddress(state),
    preview: { address: seriesAddress(state, {}, '.preview.png'), alt: chart.summary },
    head: jsonLd(datasetJson(view, origin)),
    main: html`<p class="path">
        <a href="/countries/${entry.iso3_country_code}"
          >${nameOf(entry.country_name || entry.iso3_country_code)}</a
        >
        › <a href="/commodities/${entry.commodity_id}">${nameOf(entry.commodity)}</a>
      </p>
      <h1>${nameOf(title)}</h1>
      <p>${texts.publishedBy} ${nameOf(entry.source)}. ${state.asOf === undefined ? null : asOfNote(view)}</p>
      ${seriesFacts(view)} ${choices(view)}
      ${figure(chart, chart.marks!.length === 0 ? null : texts.chart.marks)}
      ${imageLinks((suffix) => seriesAddress(state, {}, suffix))}
      ${findings === null ? null : findingList(findings)}
      <div class="columns">${madeOf(view)} ${dataLinks(view, origin)}</div>
      ${rowsTable(view, page)}
      <p>
        <a href="${addressOf('/compare', { uuids: state.uuid, as_of: state.asOf })}">${texts.compare.with}</a>
      </p>
      ${similarSeries(view.catalogue, view.row, [view.row], (uuid) => `/series/${uuid}`)}`,
  };
}

const asOfNote = ({ state, revision }: SeriesView) =>
  html`<strong>${texts.asOf(revision)}</strong>
    <a href="${seriesAddress(state, { as_of: undefined })}">${texts.showNewest}</a>`;

/** The form that changes what is shown. */
function choices({ state, entry, unit }: SeriesView): Html {
  const periods = entry.periodicity.map(({ period }) => [period, texts.period[period]] as const);
  const per = [
    ['unit', unit.name],
    ['base', unit.dimension === 'volume' ? texts.litre : texts.kilogram],
  ] as const;
  return html`<form class="row" method="get" action="/series/${state.uuid}">
    ${periods.length === 0 ? null : select(texts.frequency, 'periodicity', state.periodicity, periods)}
    ${select(
      texts.prices,
      'measure',
      state.measure,
      PAGE_MEASURES.map((measure) => [measure, texts.measure[measure]] as const),
    )}
    ${entry.conversion_factor === null ? null : select(texts.perUnit, 'per', state.per, per)}
    ${field(texts.from, 'start_date', state.startDate, 'date')}
    ${field(texts.to, 'end_date', state.endDate, 'date')} ${hidden('as_of', state.asOf)}
    <button>${texts.show}</button>
  </form>`;
}

/** The numbers of the chart, newest first, each with a link to what it was made of. */
function rowsTable(view: SeriesView, page: number): Html {
  const { state, rows } = view;
  const { items, links } = paged(rows, page, PAGE_SIZE, (to) => seriesAddress(state, { page: to }));
  const explained = ({ id, date }: SeriesRow) =>
    html`<a
      href="${addressOf(`/${BASE}/PriceSeriePrice/${state.uuid}/${id}/`, { explain: true, as_of: state.asOf })}"
      >${dateOf(date)}</a
    >`;
  const shown = items.map((row) => [
    explained(row),
    exact(row.nominal),
    exact(row.real),
    exact(row.usd),
    html`${[row.partial ? texts.notOver : '', row.flags.join(', '), row.comment].filter((text) => text !== '').join('; ')}`,
  ]);
  const columns = [
    textColumn(texts.date),
    ...PAGE_MEASURES.map((measure) => numberColumn(texts.column[measure](view.entry.currency))),
    textColumn(texts.remarks),
  ];
  return html`<h2>${texts.table}</h2>
    ${table(texts.tableNote(wholeNumber(rows.length), unitText(view)), columns, shown)} ${links}`;
}

function findingList(findings: readonly FindingRecord[]): Html | null {
  if (findings.length === 0) return null;
  const items = findings.map(
    ({ id, rule, date, detail }) =>
      html`<li>
        <a href="/${BASE}/Finding/${id}/">${rule}</a> ${date === null ? null : dateOf(date)} ${nameOf(detail)}
      </li>`,
  );
  return html`<h2>${texts.findings}</h2>
    <p>${texts.findingsNote}</p>
    <ul class="plain">
      ${items}
    </ul>`;
}
