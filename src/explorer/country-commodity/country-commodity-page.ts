import { BASE } from '../../config/price-paths.js';
import { monthNumber } from '../../analysis/analysis.parameters.js';
import { type AddressValues, addressOf } from '../../web/address.js';
import { figure, lowFigure, smallFigures } from '../../web/chart/figure.js';
import { field, hidden } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { columnFormat, exact, monthText, percent, shortNumber, wholeNumber } from '../../web/numbers.js';
import { paged } from '../../web/paging.js';
import { numberColumn, MutedRow, table, textColumn } from '../../web/table.js';
import { embedCode } from '../embed/embed.js';
import { groupUnit } from '../groups/group-chart.js';
import type { GroupView } from '../groups/group-views.js';
import { marketMaps } from '../groups/market-maps.js';
import { kindOf } from '../groups/price-kinds.js';
import { imageLinks } from '../images/image-links.js';
import { newestText } from '../layout/age.js';
import { changeWords } from '../layout/change-words.js';
import { asOfNote, citeLink, type DataFormat, type DataLink, dataSection } from '../layout/data-section.js';
import { datasetBlock } from '../layout/dataset.js';
import type { PageContext, PageView } from '../layout/page.js';
import { priceLinks } from '../layout/price-links.js';
import { isInRange, rangeLinks } from '../layout/range-links.js';
import { publishedBy, publishersLine } from '../layout/sources.js';
import { PAGE_MEASURES } from '../series/series-state.js';
import type { ReleaseRecord } from '../../releases/release-record.js';
import { nextReleases } from '../releases/next-releases.js';
import { texts } from '../texts.js';
import { groupIndexChart, marketCharts, medianChart, pageTitle } from './country-commodity-charts.js';
import { countryCommodityAddress, countryCommodityValues, pathOf } from './country-commodity-state.js';
import { season } from './country-commodity-season.js';
import { FRESH_MONTHS } from '../../price-series/calendar.js';
import type { CountryCommodityView } from './country-commodity-view.js';

const words = texts.countryCommodity;

/** Charts of markets that are shown unless all are asked for. */
const MAX_MARKETS = 12;
/** Rows of the table of months on one page. */
const PAGE_SIZE = 24;

/**
 * The page of a commodity in a country: what it costs, how much that has changed, and where.
 * @param releases of its series; none where an earlier state is shown
 * @throws NotFound past the last page of the table
 */
export function countryCommodityPage(
  view: CountryCommodityView,
  releases: readonly ReleaseRecord[],
  context: PageContext,
): PageView {
  const { origin } = context;
  const { state, country, commodity, shown, revision, rows, catalogue } = view;
  const { iso3, commodityId, asOf } = state;
  const title = pageTitle(view);
  const sentence = priceSentence(view);
  const markets = new Set(Array.from(rows, (row) => catalogue.columns.market[row]!)).size;
  const description = words.description(sentence, rows.length, markets);
  const address = countryCommodityAddress(state);
  const chart = medianChart(view);
  const links = dataLinks(view);
  const link = (path: string) => addressOf(path, { as_of: asOf });
  const citation = `${words.citation(commodity, country)}, ${publishedBy(view.catalogue, view.rows)}`;
  return {
    title,
    description,
    address,
    ...(chart === null
      ? {}
      : { preview: { address: countryCommodityAddress(state, {}, '.preview.png'), alt: chart.summary } }),
    head: datasetBlock(
      { name: citation, description: texts.datasetDescription(description), address, links },
      origin,
      { spatialCoverage: { '@type': 'Place', name: country, identifier: iso3 } },
    ),
    main: html`<p class="path">
        <a href="${link(`/countries/${iso3}`)}">${nameOf(country)}</a> ›
        <a href="${link(`/commodities/${commodityId}`)}">${nameOf(words.everywhere(commodity))}</a>
      </p>
      <h1>${nameOf(commodity)}, ${nameOf(country)}</h1>
      <p>
        <strong>${newestText(view.newest, view.today)}</strong> ${sentence}
        ${publishersLine(view.catalogue, view.rows)}
      </p>
      ${nextReleases(releases, { iso3 })}
      ${asOf === undefined ? null : asOfNote(countryCommodityAddress(state, { as_of: undefined }), revision)}
      ${
        view.exceededLimit === null
          ? html`${measureLinks(view)} ${endsNote(view)} ${otherKindLinks(view)}`
          : html`<p>
              <a
                href="${addressOf('/browse', { iso3_country_codes: iso3, commodity_ids: commodityId, order: 'market', as_of: asOf })}"
                >${texts.groups.chooseSeries}</a
              >
            </p>`
      }
      ${relatedLinks(view)}
      ${
        chart === null
          ? null
          : html`${figure(chart)} ${rangeControls(view, shown!)}
            ${imageLinks((suffix) => countryCommodityAddress(state, {}, suffix))}
            ${embedCode(address, chart.title, origin)} ${indexFigure(view)} ${mapsSection(view, shown!)}
            ${marketTable(view, shown!)} ${marketChartsSection(view)} ${season(view, shown!)}
            ${monthsTable(view, shown!)}`
      }
      ${dataSection(
        origin,
        links,
        citeLink(
          context,
          countryCommodityAddress(state, { as_of: asOf ?? `r${revision}` }),
          revision,
          citation,
        ),
      )}`,
  };
}

/** What it costs, and how much that has changed in a year, in a sentence. */
function priceSentence(view: CountryCommodityView): string {
  const { shown, isAverage, state, exceededLimit, rows } = view;
  if (exceededLimit !== null)
    return texts.groups.tooMany(wholeNumber(rows.length), wholeNumber(exceededLimit));
  if (shown === null) return words.missing[state.measure];
  const { change } = shown;
  // `KES per kg` becomes `KES 120 per kg`.
  const amount = groupUnit(state.measure, shown).replace(/ /, ` ${shortNumber(change.median)} `);
  const price = words.priceOf(amount, String(shown.fields.price_type).toLowerCase());
  const month = monthText(monthNumber(change.month));
  const { markets, matched } = marketCounts(view, shown);
  const isOneEach = markets === change.n;
  const costs = isAverage
    ? words.average(price, month)
    : words.price(price, month, change.n, isOneEach ? markets : null);
  if (change.change_12m === null) return words.sentence(costs, words.unmatched);
  return words.sentence(
    costs,
    changeWords(change.change_12m, 'year') +
      (isAverage
        ? ''
        : words.matched(isOneEach ? matched : change.matched_12m, isOneEach ? markets : change.n)),
  );
}

/** The markets with a price in the newest month, and those of them with one a year before. */
function marketCounts({ markets }: CountryCommodityView, { change: { month } }: GroupView) {
  const fresh = markets.filter(({ change }) => change.month === month);
  return { markets: fresh.length, matched: fresh.filter(({ change }) => change.matched_12m > 0).length };
}

/** Links to the same prices in the other measures: nominal, real, US dollars. */
function measureLinks({ state, shown }: CountryCommodityView): Html {
  // Links keep type, currency and unit: another measure may open with other ones by itself.
  const kind = shown === null ? state.kind : kindOf(shown);
  const items = PAGE_MEASURES.map((measure, index) => {
    const separator = index === 0 ? null : ' · ';
    const address = countryCommodityAddress(state, {
      measure: measure === 'nominal' ? undefined : measure,
      ...kind,
      // Prices in US dollars are pooled over all currencies.
      currency: measure === 'usd' || state.measure === 'usd' ? undefined : kind.currency,
    });
    return measure === state.measure
      ? html`${separator}<strong>${texts.measure[measure]}</strong>`
      : html`${separator}<a href="${address}">${texts.measure[measure]}</a>`;
  });
  return html`<nav aria-label="${words.measures}"><p>${items}</p></nav>`;
}

/** Where prices in another measure end before those that are published; null where they do not. */
function endsNote({ state, shown, newest }: CountryCommodityView): Html | null {
  if (shown === null || newest === null) return null;
  const month = monthNumber(shown.change.month);
  // The newest month may not be over.
  if (newest - month <= FRESH_MONTHS) return null;
  const text = words.ends[state.measure](monthText(month));
  return text === null ? null : html`<p><strong>${text}</strong></p>`;
}

/** Prices of other types, currencies and units, which are never put together with these. */
function otherKindLinks(view: CountryCommodityView): Html | null {
  const { kinds, shown, state } = view;
  const others = kinds.filter((kind) => kind !== shown);
  if (others.length === 0) return null;
  return html`<p>
    ${words.kinds}:
    ${others.map((kind, index) => {
      const { price_type_id, currency, unit } = kindOf(kind);
      const address = countryCommodityAddress(state, {
        price_type_id,
        currency: state.measure === 'usd' ? undefined : currency,
        unit,
        page: undefined,
      });
      const text = words.kind(
        String(kind.fields.price_type).toLowerCase(),
        groupUnit(state.measure, kind),
        kind.series,
      );
      return html`${index === 0 ? null : ' · '}<a href="${address}">${nameOf(text)}</a>`;
    })}
  </p>`;
}

function relatedLinks({ related, state: { iso3, asOf } }: CountryCommodityView): Html | null {
  if (related.length === 0) return null;
  return html`<p>
    ${words.also}
    ${related.map(
      ({ id, name, changeInYear }, index) =>
        html`${index === 0 ? null : ', '}<a
            href="${addressOf(`/countries/${iso3}/commodities/${id}`, { as_of: asOf })}"
            >${nameOf(name)}</a
          >${changeInYear === null ? null : ` (${words.changeInYear(percent(changeInYear))})`}`,
    )}
  </p>`;
}

const NO_RANGE = { start_date: undefined, end_date: undefined };

/** Links to the newest years of the charts, and a form of their first and last date. */
function rangeControls({ state }: CountryCommodityView, { observations }: GroupView): Html {
  const { start_date, end_date } = state.range;
  const others = countryCommodityValues({ ...state, range: NO_RANGE });
  const links = rangeLinks(observations.at(-1)!.date, observations[0]!.date, state.range, (change) =>
    countryCommodityAddress(state, change),
  );
  return html`${links}
    <form class="row" method="get" action="${pathOf(state)}">
      ${Object.entries(others).map(([name, value]) => hidden(name, value === undefined ? value : String(value)))}
      ${field(texts.from, 'start_date', start_date, 'date')} ${field(texts.to, 'end_date', end_date, 'date')}
      <button>${texts.show}</button>
    </form>`;
}

function indexFigure(view: CountryCommodityView): Html | null {
  // The index of one market says what its price says.
  if (view.isAverage || view.markets.length < 2) return null;
  const chart = groupIndexChart(view);
  return chart === null ? html`<p>${words.noIndex}</p>` : lowFigure(chart, 'index', html`${words.indexNote}`);
}

/** Where it is dear, and where its price rises; null without markets that have coordinates. */
function mapsSection(view: CountryCommodityView, shown: GroupView): Html | null {
  if (view.isAverage) return null;
  const drawn = marketMaps({
    iso3: view.state.iso3,
    catalogue: view.catalogue,
    title: pageTitle(view),
    unit: groupUnit(view.state.measure, shown),
    markets: view.markets,
    month: monthNumber(shown.change.month),
    asOf: view.state.asOf,
  });
  return (
    drawn &&
    html`<h2>${texts.marketMaps.heading}</h2>
      ${drawn}`
  );
}

/** The newest price of each market with its changes. */
function marketTable(view: CountryCommodityView, shown: GroupView): Html {
  const { markets, state, catalogue } = view;
  const oldest = monthNumber(shown.change.month) - FRESH_MONTHS;
  const priceFormat = columnFormat(markets.map(({ change }) => change.median));
  const rows = markets.map(({ fields, rows, change }) => {
    const address =
      rows.length === 1
        ? addressOf(`/series/${catalogue.uuidAt(rows[0]!)}`, { as_of: state.asOf })
        : addressOf(`/markets/${fields.market_id}`, { as_of: state.asOf });
    const cells = [
      html`<a href="${address}">${nameOf(String(fields.market))}</a>`,
      html`<span class="nowrap">${change.month}</span>`,
      exact(change.median, priceFormat),
      exact(change.change_1m, percent),
      exact(change.change_12m, percent),
    ];
    return monthNumber(change.month) < oldest ? new MutedRow(cells) : cells;
  });
  const columns = [
    textColumn(texts.market),
    textColumn(words.month),
    numberColumn(words.inMarkets(groupUnit(state.measure, shown))),
    numberColumn(words.inMonth),
    numberColumn(words.inYear),
  ];
  return html`<h2>${words.markets}</h2>
    ${table(words.marketsNote(monthText(oldest)), columns, rows)}`;
}

/** The prices of markets beside each other; null where there is one market. */
function marketChartsSection(view: CountryCommodityView): Html | null {
  const { state, markets } = view;
  const charts = marketCharts(view, state.allMarkets ? Infinity : MAX_MARKETS);
  if (charts.length === 0) return null;
  return html`<h2>${words.multiples}</h2>
    ${
      charts.length < markets.length &&
      html`<p>
        ${words.multiplesNote(charts.length, markets.length)}
        <a href="${countryCommodityAddress(state, { markets: 'all' })}">${words.allMarkets}</a>
      </p>`
    }
    ${smallFigures(charts, texts.groups.source(view.revision))}`;
}

/** The numbers of the charts, newest first. */
function monthsTable(view: CountryCommodityView, shown: GroupView): Html {
  const observations = shown.observations.filter(({ date }) => isInRange(date, view.state.range));
  const { items, links } = paged(observations, view.page, PAGE_SIZE, (page) =>
    countryCommodityAddress(view.state, { page }),
  );
  const priceFormat = columnFormat(shown.observations.map(({ median }) => median));
  const indexFormat = columnFormat(shown.observations.map(({ index }) => index));
  const rows = items.map(({ date, median, n, index, n_matched }) => [
    html`<span class="nowrap">${date.slice(0, 7)}</span>`,
    exact(median, priceFormat),
    wholeNumber(n),
    exact(index, indexFormat),
    exact(n_matched, wholeNumber),
  ]);
  const columns = [
    textColumn(words.month),
    numberColumn(words.medianColumn(groupUnit(view.state.measure, shown))),
    numberColumn(texts.groups.n),
    numberColumn(texts.groups.index),
    numberColumn(texts.groups.matched),
  ];
  return html`<h2>${texts.table}</h2>
    ${table(words.tableNote(wholeNumber(observations.length)), columns, rows)} ${links}`;
}

/** The same numbers in the API. */
function dataLinks({ state, catalogue, rows, isAverage, exceededLimit }: CountryCommodityView): DataLink[] {
  const { iso3, commodityId, measure, per, asOf } = state;
  const selection = {
    iso3_country_codes: iso3,
    commodity_ids: commodityId,
    ...(isAverage ? { regional_average: true } : {}),
  };
  const link = (label: string, list: string, values: AddressValues): DataLink => ({
    label,
    address: (format?: DataFormat) =>
      addressOf(`/${BASE}/${list}/`, {
        ...selection,
        goods: false,
        measure,
        per,
        ...values,
        as_of: asOf,
        format,
      }),
  });
  return [
    ...priceLinks(
      catalogue,
      rows,
      (path, values) =>
        addressOf(path, {
          ...selection,
          ...(isAverage ? {} : { regional_average: false }),
          as_of: asOf,
          ...values,
        }),
      measure === 'nominal' ? {} : { table: { measure, per } },
    ),
    ...(exceededLimit === null
      ? [
          link(words.changes, 'PriceChange', { min_matched: 1 }),
          link(words.marketChanges, 'PriceChange', { by: 'market', min_matched: 1 }),
          link(words.monthly, 'PriceAggregate', {}),
          link(words.season.heading, 'PriceSeason', {}),
        ]
      : []),
  ];
}
