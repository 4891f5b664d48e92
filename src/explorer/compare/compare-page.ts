import { FORMULAS } from '../../analysis/comparisons/comparability.js';
import { BASE } from '../../config/price-paths.js';
import { entryOf } from '../../price-series/price-serie.view.js';
import { firstDayOfMonth, isoFromDay, isoFromMonth } from '../../lib/dates/calendar-date.js';
import { embedCode } from '../embed/embed.js';
import { imageLinks } from '../images/image-links.js';
import { addressOf } from '../../web/address.js';
import { asOfNote, citeLink, type DataFormat, dataSection } from '../layout/data-section.js';
import { datasetBlock } from '../layout/dataset.js';
import { rangeLinks } from '../layout/range-links.js';
import { figure, lowFigure } from '../../web/chart/figure.js';
import { field, hidden, select } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { columnFormat, dateOf, exact, wholeNumber } from '../../web/numbers.js';
import type { PageContext, PageView } from '../layout/page.js';
import { paged } from '../../web/paging.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { asOfText, PAGE_MEASURES, SCALES } from '../series/series-state.js';
import { firstDate } from '../series/series-empty.js';
import { seriesHeading } from '../series/series-names.js';
import { similarSeries } from '../series/similar-series.js';
import { texts } from '../texts.js';
import { compareChart, formulaChart, hasChart, lacksRate, sourceNames, withBase } from './compare-chart.js';
import { chosenOf, compareAddress, type CompareQuery, uuidsOf, wordsOf } from './compare-state.js';
import {
  type CompareView,
  type ComparedSeries,
  type FoundSeries,
  MAX_COMPARED_SERIES,
} from './compare-view.js';

/** Months on one page of the table. */
const PAGE_SIZE = 100;

/** The page where no series is chosen yet. */
export const emptyComparePage = (query: CompareQuery, found: FoundSeries | null): PageView => ({
  title: texts.compare.title,
  description: texts.compare.description([]),
  address: compareAddress(query),
  main: html`<h1>${texts.compare.title}</h1>
    <p>${texts.compare.empty}</p>
    <p><a href="${addressOf('/browse', { as_of: asOfText(query.as_of) })}">${texts.nav.browse}</a></p>
    ${searchForm(query)} ${searchResults(query, found)}`,
});

/**
 * The page of several series: one chart, and the table of its numbers.
 * @throws NotFound past the last page of the table
 */
export function comparePage(view: CompareView, found: FoundSeries | null, info: PageContext): PageView {
  const { origin } = info;
  const { query, catalogue, revision, series, title, notComparable } = view;
  const labels = series.map(({ label }) => label);
  const chartOfTwo = formulaChart(view);
  const address = compareAddress(query);
  const description = texts.compare.description(labels);
  const links = dataLinks(view);
  const rows = series.map(({ row }) => row);
  return {
    title,
    description,
    address,
    ...(hasChart(view)
      ? { preview: { address: compareAddress(query, {}, '.preview.png'), alt: compareChart(view).summary } }
      : {}),
    head: datasetBlock({ name: title, description, address, links }, origin),
    main: html`<h1>${nameOf(title)}</h1>
      ${query.as_of === undefined ? null : asOfNote(compareAddress(query, { as_of: undefined }), revision)}
      <ul class="plain">
        ${series.map((each) => seriesItem(each, view))}
      </ul>
      ${series.length < MAX_COMPARED_SERIES ? searchForm(query) : html`<p>${texts.compare.full(MAX_COMPARED_SERIES)}</p>`}
      ${searchResults(query, found)} ${settingsForm(query, series.length)} ${chartOf(view)}
      ${hasChart(view) ? embedCode(address, title, origin) : null}
      ${notComparable === null ? null : html`<p>${notComparable.detail}</p>`}
      ${chartOfTwo === null ? null : lowFigure(chartOfTwo, 'formula')} ${valuesTable(view)}
      ${dataSection(
        origin,
        links,
        citeLink(
          info,
          compareAddress(query, { as_of: asOfText(query.as_of) ?? `r${revision}` }),
          revision,
          `${sourceNames(view)}: ${labels.join('; ')}`,
        ),
      )}
      ${
        series.length < MAX_COMPARED_SERIES
          ? similarSeries(catalogue, rows[0]!, rows, addressWith(query), texts.compare.more)
          : null
      }`,
  };
}

/** A series with a link to its own page, and one that removes it from this page. */
function seriesItem({ uuid, label }: ComparedSeries, { query, series }: CompareView): Html {
  const others = series.filter((each) => each.uuid !== uuid).map((each) => each.uuid);
  const without = compareAddress(query, { uuids: others.join(',') });
  const address = addressOf(`/series/${uuid}`, { as_of: asOfText(query.as_of) });
  return html`<li>
    <a href="${address}">${nameOf(label)}</a>
    <span class="action">(<a href="${without}">${texts.compare.remove}</a>)</span>
  </li>`;
}

/** Makes addresses of the page with one more series. */
const addressWith = (query: CompareQuery) => (uuid: string) =>
  compareAddress(query, { uuids: [...uuidsOf(query), uuid].join(',') });

/** The form that searches for a series to add. It sends the series and settings along. */
const searchForm = (query: CompareQuery): Html =>
  html`<form class="row" method="get" action="/compare" role="search">
    <div class="wide">${field(texts.compare.add, 'add', wordsOf(query) ?? undefined, 'search')}</div>
    ${hidden('uuids', uuidsOf(query).join(',') || undefined)}
    ${Object.entries(chosenOf(query)).map(([name, value]) => hidden(name, value))}
    <button>${texts.home.search}</button>
  </form>`;

/** Found series, each with a link that adds it; null without a search, and where no more fit. */
function searchResults(query: CompareQuery, found: FoundSeries | null): Html | null {
  if (found === null || uuidsOf(query).length >= MAX_COMPARED_SERIES) return null;
  const { words, catalogue, count, rows } = found;
  const browseLink = html`<a href="${addressOf('/browse', { search: words, as_of: asOfText(query.as_of) })}"
    >${texts.compare.browseFound}</a
  >`;
  if (count === 0) return html`<p><strong>${texts.compare.nothing(words)}</strong> ${browseLink}</p>`;
  const items = rows.map((row) => {
    const entry = entryOf(catalogue, row);
    return html`<li>
      ${seriesHeading(entry)}, ${entry.currency} ${texts.perAmount} ${nameOf(entry.measure_unit)},
      ${dateOf(entry.last_price_date)}
      <span class="action"
        >(<a
          href="${addressWith(query)(entry.uuid)}"
          aria-label="${texts.compare.addOne(`${entry.commodity}, ${entry.market}`)}"
          >${texts.compare.addLink}</a
        >)</span
      >
    </li>`;
  });
  return html`<section>
    <h2>${texts.compare.found(count, words)}</h2>
    <ul class="plain">
      ${items}
    </ul>
    ${count > rows.length && html`<p>${texts.compare.moreFound(count - rows.length)} ${browseLink}</p>`}
  </section>`;
}

/**
 * The form that changes the measure, the chart and the dates. The formula is a choice for two
 * series alone; the form keeps it meanwhile.
 */
function settingsForm(query: CompareQuery, count: number): Html {
  const { measure = 'nominal', per = 'unit', formula = 'ratio' } = query;
  return html`<form class="row" method="get" action="/compare">
    ${hidden('uuids', uuidsOf(query).join(','))}
    ${select(
      texts.prices,
      'measure',
      measure,
      PAGE_MEASURES.map((each) => [each, texts.measure[each]] as const),
    )}
    ${select(texts.perUnit, 'per', per, [
      ['unit', texts.compare.unit],
      ['base', texts.compare.baseUnit],
    ])}
    ${
      count === 2
        ? select(
            texts.compare.formula,
            'formula',
            formula,
            FORMULAS.map((each) => [each, texts.compare.formulas[each]] as const),
          )
        : hidden('formula', formula === 'ratio' ? undefined : formula)
    }
    ${select(
      texts.seriesPage.scale,
      'scale',
      query.scale ?? 'linear',
      SCALES.map((each) => [each, texts.seriesPage.scales[each]] as const),
    )}
    ${field(texts.compare.base, 'base', query.base, 'month')}
    ${field(texts.from, 'start_date', query.start_date, 'date')}
    ${field(texts.to, 'end_date', query.end_date, 'date')} ${hidden('as_of', asOfText(query.as_of))}
    <button>${texts.show}</button>
  </form>`;
}

/** Links to spans of time that end with the newest price of all series. */
function spanLinks({ query, catalogue, series }: CompareView): Html | null {
  const entries = series.map(({ row }) => entryOf(catalogue, row));
  const starts = entries.flatMap((entry) => firstDate(entry) ?? []).sort();
  const ends = entries.flatMap(({ last_price_date: date }) => date ?? []).sort();
  const chosen = { start_date: query.start_date, end_date: query.end_date };
  return rangeLinks(starts[0] ?? null, ends.at(-1) ?? null, chosen, (change) =>
    compareAddress(query, change),
  );
}

/** The chart; where there is none, the reason, and a link to the chart of indices. */
function chartOf(view: CompareView): Html {
  const { query, terms } = view;
  if (hasChart(view))
    return html`${figure(compareChart(view), captionOf(view))} ${spanLinks(view)}
    ${imageLinks((suffix) => compareAddress(query, {}, suffix))}`;
  const baseMonth = indexBaseMonth(view);
  const base = baseMonth === undefined ? null : isoFromMonth(baseMonth);
  return html`<p>
    <strong>${terms.isCommon ? texts.compare.noRate : texts.compare.noUnit}</strong>
    ${base && html`<a href="${compareAddress(query, { base })}">${texts.compare.asIndex(base)}</a>`}
  </p>`;
}

/**
 * The newest month in which all series have a price, or in which one has; none without prices.
 * Without exchange rates no series has a value, so that the dates of the last prices stand in.
 */
function indexBaseMonth(view: CompareView): number | undefined {
  const { catalogue, series, months } = view;
  const { last_day } = catalogue.columns;
  const hasPrice = lacksRate(view)
    ? ({ row }: ComparedSeries, month: number) => firstDayOfMonth(month) <= last_day[row]!
    : ({ values }: ComparedSeries, month: number) => values.has(month);
  return months.find((month) => series.every((each) => hasPrice(each, month))) ?? months[0];
}

/**
 * What a reader of the chart has to know: that prices are in dollars or in real terms, and why
 * series have no line. Where the dates leave no month, a link to all dates.
 */
function captionOf(view: CompareView): Html | null {
  const { query, terms, realBase, series } = view;
  const { base, measure = 'nominal' } = query;
  if (view.months.length === 0 && (query.start_date ?? query.end_date) !== undefined)
    return html`<a href="${compareAddress(query, { start_date: undefined, end_date: undefined })}"
      >${texts.chart.allDates}</a
    >`;
  const withoutLine = series.filter(({ values }) => values.size === 0);
  const isInDollars = base === undefined && terms.measure !== measure;
  if (withoutLine.length === 0 && !isInDollars && realBase === null) return null;
  const reason = base === undefined ? noLineReason(view) : texts.compare.noBase(base);
  const notes = [isInDollars ? texts.compare.dollars : '', realNote(view)].filter((note) => note !== '');
  return html`${notes.map((note) => `${note} `)}${withoutLine.map(
    ({ label }) => html`${nameOf(label)} ${reason} `,
  )}`;
}

/** How real prices are calculated, and their base period; empty for prices not in real terms. */
const realNote = ({ terms, realBase }: CompareView): string =>
  realBase === null
    ? ''
    : texts.compare.realBase[terms.measure === 'real_usd' ? 'real_usd' : 'real'](realBase);

/** Why a series may have no value, and so no line. */
const noLineReason = ({ terms, realBase }: CompareView): string =>
  terms.measure === 'real' && realBase !== null
    ? texts.compare.noPriceInBase(realBase)
    : texts.compare.noPrice;

/** The table of the values by month, newest first; of two series also their ratio or difference. */
function valuesTable(view: CompareView): Html {
  const { query, series, months, comparison } = view;
  const { items, links } = paged(months, query.page ?? 1, PAGE_SIZE, (page) =>
    compareAddress(query, { page }),
  );
  const compared = new Map(comparison?.observations.map(({ date, value }) => [date, value]));
  const formats = series.map(({ values }) => columnFormat([...values.values()]));
  const comparedFormat = columnFormat([...compared.values()]);
  const cells = items.map((month) => {
    const date = isoFromDay(firstDayOfMonth(month));
    return [
      dateOf(date),
      ...series.map(({ values }, index) => exact(values.get(month) ?? null, formats[index])),
      ...(comparison === null ? [] : [exact(compared.get(date) ?? null, comparedFormat)]),
    ];
  });
  // Where no chart says the unit of all series, headings are their labels, which have it.
  const columns = [
    textColumn(texts.date),
    ...series.map(({ name, label }) => numberColumn(hasChart(view) ? nameOf(name) : headingOf(label))),
    ...(comparison === null ? [] : [numberColumn(texts.compare.formulas[comparison.terms.formula])]),
  ];
  const notes = [texts.compare.tableNote(wholeNumber(months.length)), realNote(view)];
  if (comparison !== null) {
    const { formula, currency, unit } = comparison.terms;
    notes.push(`${texts.compare.formulas[formula]}: ${withBase(`${currency}, ${unit}`, comparison.base)}.`);
  }
  return html`<h2>${texts.table}</h2>
    ${table(notes.filter((note) => note !== '').join(' '), columns, cells)} ${links}`;
}

/**
 * A label with its parts on lines of their own, so that it does not widen its column. The first
 * part is the number of the series.
 */
const headingOf = (label: string): Html =>
  html`${label.split(' · ').map((part, index) => (index === 0 ? part : html`<br />${nameOf(part)}`))}`;

/** Links to the same numbers in the API. */
function dataLinks({ query, terms, series, comparison }: CompareView) {
  const priceParameters = {
    measure: terms.measure,
    per: terms.per,
    start_date: query.start_date,
    end_date: query.end_date,
    as_of: asOfText(query.as_of),
  };
  const uuids = series.map(({ uuid }) => uuid).join(',');
  const indexParameters = query.base === undefined ? {} : { transform: 'index', base: query.base };
  const priceTable = {
    label: texts.prices,
    formats: ['json', 'csv', 'xlsx', 'parquet'] as const,
    address: (format?: DataFormat) =>
      addressOf(`/${BASE}/PriceTable/`, { uuid__in: uuids, ...priceParameters, ...indexParameters, format }),
  };
  if (comparison === null) return [priceTable];
  const { formula } = comparison.terms;
  return [
    priceTable,
    {
      label: texts.compare.formulas[formula],
      address: (format?: DataFormat) =>
        addressOf(`/${BASE}/PriceCompare/`, { uuids, formula, ...priceParameters, format }),
    },
  ];
}
