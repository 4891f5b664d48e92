import type { Finding } from '../../quality/finding.dto.js';
import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import type { SeriesEntry } from '../../price-series/price-serie.view.js';
import type { Chart } from '../../web/chart/chart.js';
import { embedCode } from '../embed/embed.js';
import { imageLinks } from '../images/image-links.js';
import { addressOf } from '../../web/address.js';
import { figure } from '../../web/chart/figure.js';
import { field, hidden, select } from '../../web/form.js';
import { type Html, html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { newestText } from '../layout/age.js';
import type { PageContext, PageView } from '../layout/page.js';
import { folded } from '../layout/folded.js';
import { rangeLinks } from '../layout/range-links.js';
import type { ReleaseRecord } from '../../releases/release-record.js';
import { nextReleases } from '../releases/next-releases.js';
import { texts } from '../texts.js';
import { ratingFigure, ratingsOf } from './rating-view.js';
import { seasonalSection } from './seasonal-view.js';
import { headlineText } from './series-headline.js';
import { jumpOf, seriesChart } from './series-chart.js';
import { seriesDataset } from './series-dataset.js';
import { dataLinks, madeOf } from './series-data.js';
import { seriesFacts } from './series-facts.js';
import { emptyReason, firstDate, partialNote } from './series-empty.js';
import { seriesHeading, seriesPath, seriesTitle, statusText, unitText } from './series-names.js';
import { correctionTable, findingsSection } from './series-remarks.js';
import { PAGE_MEASURES, SCALES, seriesAddress } from './series-state.js';
import { pricesTable } from './series-table.js';
import { defaultPeriodicity, type SeriesView } from './series-view.js';
import { similarSeries } from './similar-series.js';

/** Which part of the table is shown, in which month (a month number), and to whom. */
interface ShownPage {
  /** Undefined for the newest rows, with the older ones folded. */
  page: number | undefined;
  today: number;
  /** Of its source; none where an earlier state is shown. */
  releases: readonly ReleaseRecord[];
  info: PageContext;
}

/**
 * The page of a series.
 * @param findings open ones about it; null where an earlier state is shown
 * @throws NotFound past the last page of the table
 */
export function seriesPage(
  view: SeriesView,
  findings: readonly Finding[] | null,
  { page, today, releases, info }: ShownPage,
): PageView {
  const { origin } = info;
  const { entry, state } = view;
  const title = seriesTitle(entry);
  const headline = headlineText(view);
  const chart = seriesChart(view);
  const ratings = ratingsOf(view);
  const link = (path: string) => addressOf(path, { as_of: state.asOf });
  return {
    title,
    description: texts.seriesPage.description(headline, title, entry.source),
    // The page without a query is for crawlers, too.
    address: seriesAddress(
      state,
      state.periodicity === defaultPeriodicity(entry) ? { periodicity: undefined } : {},
    ),
    preview: { address: seriesAddress(state, {}, '.preview.png'), alt: chart.summary },
    head: seriesDataset(view, origin),
    main: html`${seriesPath(entry, state.asOf)}
      <h1>${seriesHeading(entry)}</h1>
      <p><strong>${newestText(newestMonth(entry), today)}</strong> ${headline}</p>
      <p>
        ${texts.publishedBy} ${nameOf(entry.source)}. ${state.asOf === undefined ? null : asOfNote(view)}
        ${otherStatuses(view)}
      </p>
      ${nextReleases(releases, { iso3: entry.iso3_country_code })} ${figure(chart, captionOf(chart, view))}
      ${ranges(view)} ${imageLinks((suffix) => seriesAddress(state, {}, suffix))}
      ${embedCode(seriesAddress(state), title, origin)} ${choices(view)} ${seriesFacts(view)}
      ${pricesTable(view, state.periodicity === 'monthly' ? ratings : null, page)}
      ${folded(texts.seriesPage.ratingsHeading, ratingFigure(view, ratings))}
      ${folded(texts.seriesPage.season, seasonOf(view))}
      ${findings === null ? null : folded(texts.findings, findingsSection(view, findings), findings.length)}
      ${folded(texts.seriesPage.corrections, correctionTable(view), view.corrections.length)}
      <div class="columns">${madeOf(view)} ${dataLinks(view, info)}</div>
      ${statusText(entry) === null && compareLink(state)}
      ${similarSeries(view.catalogue, view.row, [view.row], (uuid) => link(`/series/${uuid}`))}`,
  };
}

const compareLink = ({ uuid, asOf }: SeriesView['state']): Html =>
  html`<p>
    <a href="${addressOf('/compare', { uuids: uuid, as_of: asOf })}">${texts.compare.with}</a>
  </p>`;

/** Links to what its source observed, estimated or expects of the same goods. */
function otherStatuses({ ofOtherStatus, state }: SeriesView): Html | null {
  if (ofOtherStatus.length === 0) return null;
  const links = ofOtherStatus.map(
    ({ uuid, status }, index) =>
      html`${index === 0 ? '' : ', '}<a href="${addressOf(`/series/${uuid}`, { as_of: state.asOf })}"
          >${texts.seriesPage.statuses[status!]}</a
        >`,
  );
  return html`${texts.seriesPage.otherStatus} ${links}.`;
}

/** Its years over each other; null without an earlier one. */
const seasonOf = (view: SeriesView): Html | null =>
  view.months &&
  seasonalSection({
    months: view.months,
    title: seriesTitle(view.entry),
    unit: unitText(view),
    note: texts.chart.note(view.source.name, view.rows[0]?.date ?? null, view.revision),
  });

const newestMonth = ({ last_price_date: date }: SeriesEntry): number | null =>
  date === null ? null : monthOf(dayFromIso(date)!);

const asOfNote = ({ state, revision }: SeriesView) =>
  html`<strong>${texts.asOf(revision)}</strong>
    <a href="${seriesAddress(state, { as_of: undefined })}">${texts.showNewest}</a>`;

/** What a chart lacks and why, what its marks are, and where a logarithmic scale shows more. */
function captionOf(chart: Chart, view: SeriesView): Html | null {
  const { state } = view;
  if (chart.lines.every(({ points }) => points.length === 0)) {
    const { text, offer } = emptyReason(view);
    return offer === null ? null : html`${text} <a href="${offer[1]}">${offer[0]}</a>`;
  }
  const jump = jumpOf(chart);
  const partial = partialNote(view);
  if (chart.marks!.length === 0 && jump === null && partial === null) return null;
  return html`${partial} ${chart.marks!.length === 0 ? null : texts.chart.marks}
  ${
    jump !== null &&
    html`${texts.seriesPage.jumps(wholeNumber(jump))}
      <a href="${seriesAddress(state, { scale: 'log' })}">${texts.seriesPage.asLog}</a>`
  }`;
}

/** Links to the newest years. */
const ranges = ({ state, entry }: SeriesView): Html | null =>
  rangeLinks(
    firstDate(entry),
    entry.last_price_date,
    { start_date: state.startDate, end_date: state.endDate },
    (change) => seriesAddress(state, change),
  );

/** The form that changes what is shown. */
function choices({ state, entry, unit }: SeriesView): Html {
  // A frequency that the series does not have stays chosen where an address asks for it.
  const names = new Set([...entry.periodicity.map(({ period }) => period), state.periodicity]);
  const periods = [...names].map((period) => [period, texts.period[period]] as const);
  const per = [
    ['unit', unit.name],
    ['base', unit.dimension === 'volume' ? texts.litre : texts.kilogram],
  ] as const;
  return html`<form class="row" method="get" action="/series/${state.uuid}">
    ${select(texts.frequency, 'periodicity', state.periodicity, periods)}
    ${select(
      texts.prices,
      'measure',
      state.measure,
      PAGE_MEASURES.map((measure) => [measure, texts.measure[measure]] as const),
    )}
    ${entry.conversion_factor === null ? null : select(texts.perUnit, 'per', state.per, per)}
    ${select(
      texts.seriesPage.scale,
      'scale',
      state.scale,
      SCALES.map((scale) => [scale, texts.seriesPage.scales[scale]] as const),
    )}
    ${field(texts.from, 'start_date', state.startDate, 'date')}
    ${field(texts.to, 'end_date', state.endDate, 'date')} ${hidden('as_of', state.asOf)}
    <button>${texts.show}</button>
  </form>`;
}
