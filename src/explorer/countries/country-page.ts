import { monthNumber } from '../../analysis/analysis.parameters.js';
import { BASE } from '../../config/price-paths.js';
import { dayFromIso, isoFromMonth, monthOf } from '../../lib/dates/calendar-date.js';
import { embedCode } from '../embed/embed.js';
import { imageLinks } from '../images/image-links.js';
import { type AddressValues, addressOf } from '../../web/address.js';
import { asOfNote, citeLink, type DataFormat, type DataLink, dataSection } from '../layout/data-section.js';
import { priceLinks } from '../layout/price-links.js';
import { datasetBlock } from '../layout/dataset.js';
import { figure, type SmallChart, smallFigures } from '../../web/chart/figure.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { columnFormat, dateOf, exact, monthText, wholeNumber } from '../../web/numbers.js';
import { inOneLine, type PageContext, type PageView } from '../layout/page.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { newestText } from '../layout/age.js';
import { ruleInWords, withoutCalls } from '../layout/finding-words.js';
import { publishedBy, publishersLine } from '../layout/sources.js';
import type { ReleaseRecord } from '../../releases/release-record.js';
import { nextReleases } from '../releases/next-releases.js';
import { texts } from '../texts.js';
import { highCell, highSentence, sumOf } from '../warnings/high-prices.js';
import { commodityPriceTables } from '../groups/commodity-price-tables.js';
import { groupUnit } from '../groups/group-chart.js';
import { leftOutPages } from '../groups/left-out.js';
import { marketMaps } from '../groups/market-maps.js';
import { priceReadings } from '../groups/main-prices.js';
import { changeLinks } from '../groups/price-rows.js';
import { cpiChart, indexChart, mainChart, rateChart } from './country-charts.js';
import type { PublishedValues } from './country-rates.js';
import type { CountryView } from './country-view.js';

/** Markets that are named; more are found by search. */
const MAX_MARKETS = 500;

/**
 * The page of a country: how its prices stand, and what they are converted by.
 * @param releases of its sources; none where an earlier state is shown
 */
export function countryPage(
  view: CountryView,
  releases: readonly ReleaseRecord[],
  info: PageContext,
): PageView {
  const { origin } = info;
  const { iso3, name, series, asOf, revision } = view;
  const path = `/countries/${iso3}`;
  const description = texts.countries.description(name, series, view.markets.length);
  const chart = mainChart(view);
  const address = addressOf(path, { as_of: asOf });
  const links = dataLinks(view);
  const citation = `${texts.countries.citation(name)}, ${publishedBy(view.catalogue, view.rows)}`;
  return {
    title: name,
    description: inOneLine(standingSentence(view), description),
    address,
    ...(chart === null
      ? {}
      : { preview: { address: addressOf(`${path}.preview.png`, { as_of: asOf }), alt: chart.summary } }),
    head: datasetBlock(
      {
        name: citation,
        description: texts.datasetDescription(description),
        address,
        links,
      },
      origin,
      {
        spatialCoverage: { '@type': 'Place', name, identifier: iso3 },
      },
    ),
    main: html`<h1>${nameOf(name)}</h1>
      <p>
        ${newestSentence(view)} ${description}
        <a href="${addressOf('/browse', { iso3_country_codes: iso3, as_of: asOf })}">${texts.nav.browse}</a>
        ${publishersLine(view.catalogue, view.rows)}
      </p>
      ${nextReleases(releases, { iso3 })} ${asOf === undefined ? null : asOfNote(path, revision)}
      ${warningsSection(view)} ${pricesSection(view)} ${indicesSection(view)}
      ${
        chart === null
          ? null
          : html`${indexChart(view) === null ? figure(chart) : null}
            ${imageLinks((suffix) => addressOf(path + suffix, { as_of: asOf }))}
            ${embedCode(address, chart.title, origin)}`
      }
      ${mainMapSection(view)} ${marketsList(view)} ${conversionsSection(view)} ${findingsSection(view)}
      ${dataSection(
        origin,
        [...links, ...findingLinks(view)],
        citeLink(info, addressOf(path, { as_of: asOf ?? `r${revision}` }), revision, citation),
      )}`,
  };
}

/** The newest open findings, and how many there are. */
function findingsSection({ findings, catalogue }: CountryView): Html | null {
  if (findings === null || findings.count === 0) return null;
  const seriesOf = (uuid: string | null) => {
    const row = uuid === null ? null : catalogue.find(uuid);
    if (row === null) return null;
    const { commodity, market } = catalogue.seriesAt(row);
    return html`<a href="/series/${uuid}">${nameOf(commodity.name)}, ${nameOf(market.name)}</a>`;
  };
  const items = findings.newest.map(
    ({ rule, uuid, date, detail }) =>
      html`<li>
        ${seriesOf(uuid)} ${date === null ? null : dateOf(date)} ${ruleInWords(rule)}<br />
        ${nameOf(withoutCalls(detail))}
      </li>`,
  );
  return html`<h2>${texts.findings}</h2>
    <p>${texts.countries.findings(findings.count)}</p>
    <ul class="plain">
      ${items}
    </ul>`;
}

/** What the food of most fresh prices costs in each market, and how that has changed. */
function mainMapSection(view: CountryView): Html | null {
  const { mapped: group } = view;
  if (group === null) return null;
  const { commodity, commodity_id: id } = group.fields;
  const drawn = marketMaps({
    iso3: view.iso3,
    catalogue: view.catalogue,
    title: texts.countryCommodity.title(String(commodity), view.name),
    unit: groupUnit('nominal', group),
    markets: view.mappedMarkets,
    month: monthNumber(group.change.month),
    asOf: view.asOf,
  });
  return (
    drawn &&
    html`<h2>${texts.marketMaps.heading}</h2>
      ${drawn}
      <p>
        <a href="${commodityAddress(view, Number(id))}">${texts.marketMaps.table(String(commodity))}</a>
      </p>`
  );
}

/** The markets with their numbers of series. */
const marketsList = ({ iso3, asOf, markets }: CountryView): Html =>
  html`<details>
    <summary>${texts.countries.markets} (${wholeNumber(markets.length)})</summary>
    <p>
      ${markets
        .slice(0, MAX_MARKETS)
        .map(
          ({ id, name, count }, index) =>
            html`${index === 0 ? null : ', '}<a href="${addressOf(`/markets/${id}`, { as_of: asOf })}"
                >${nameOf(name)}</a
              >
              (${wholeNumber(count)})`,
        )}
      ${
        markets.length > MAX_MARKETS &&
        html`<a href="${addressOf('/browse', { iso3_country_codes: iso3, order: 'market', as_of: asOf })}"
          >${texts.countries.moreMarkets(wholeNumber(markets.length - MAX_MARKETS))}</a
        >`
      }
    </p>
  </details>`;

/** How old the newest prices are, and whether that is old beside the other countries. */
function newestSentence({ iso3, newestDate, reach, today }: CountryView): Html {
  const month = newestDate === null ? null : monthOf(dayFromIso(newestDate)!);
  return html`<strong>${newestText(month, today)}</strong>
    ${reach.isOld(iso3) ? texts.warnings.oldSentence(monthText(reach.current!)) : null}`;
}

/** How many food prices are high, and of which commodities. */
function warningsSection(view: CountryView): Html {
  const { iso3, asOf, warnings, reach } = view;
  const high = reach.isOld(iso3) ? [] : warnings.filter((row) => row.high > 0);
  const rows = high.map((row) => [
    html`<a href="${commodityAddress(view, row.key.commodity_id!)}">${nameOf(row.key.commodity!)}</a>`,
    wholeNumber(row.fresh),
    wholeNumber(row.rated),
    wholeNumber(row.high),
    wholeNumber(row.ifpa.high),
    wholeNumber(row.alps.alert + row.alps.crisis),
  ]);
  const columns = [
    textColumn(texts.commodity),
    numberColumn(texts.warnings.fresh),
    numberColumn(texts.warnings.rated),
    numberColumn(texts.warnings.highPrices),
    numberColumn(texts.warnings.high),
    numberColumn(texts.warnings.alert),
  ];
  const all = addressOf('/warnings', { by: 'country,commodity', iso3_country_codes: iso3, as_of: asOf });
  return html`<h2>${texts.warnings.title}</h2>
    <p>${standingSentence(view)}</p>
    ${high.length === 0 ? null : table(texts.countries.warningsNote, columns, rows)}
    <p><a href="${all}">${texts.countries.allWarnings}</a></p>`;
}

/** All commodities are of the newest month of the country. */
function standingSentence({ iso3, warnings, reach }: CountryView): string {
  const [row] = warnings;
  if (reach.isOld(iso3)) return texts.countries.old;
  return row === undefined
    ? texts.commodityPrices.noFood
    : highSentence(sumOf(warnings), monthText(row.month));
}

/** What each commodity costs, and how much that has changed. */
function pricesSection(view: CountryView): Html {
  const warnings = new Map(view.warnings.map((row) => [row.key.commodity_id, row]));
  const isOld = view.reach.isOld(view.iso3);
  const high = (id: number) => {
    const warning = warnings.get(id);
    return isOld || warning === undefined ? null : highCell(warning);
  };
  return html`<h2>${texts.commodityPrices.title}</h2>
    ${
      // Of more series than are read, food may be among those left out.
      view.prices.length === 0 && view.leftOut.length > 0
        ? null
        : commodityPriceTables(view.prices, {
            ...{ note: texts.countries.pricesNote, high },
            address: (id) => commodityAddress(view, id),
          })
    }
    ${leftOutPages(
      view.leftOut.map(({ id, name }) => [commodityAddress(view, id), name]),
      view.maxSeries,
    )}`;
}

const commodityAddress = ({ iso3, asOf }: CountryView, id: number): string =>
  addressOf(`/countries/${iso3}/commodities/${id}`, { as_of: asOf });

/** The indices of the main foods; null where the country has no food prices. */
function indicesSection(view: CountryView): Html | null {
  if (view.main.length === 0) return null;
  const chart = indexChart(view);
  return html`<h2>${texts.groups.index}</h2>
    ${chart === null ? html`<p>${texts.countries.noIndex}</p>` : figure(chart, null, 'index')}`;
}

/** What prices are converted by, and how far that reaches. */
function conversionsSection(view: CountryView): Html {
  const { rate, index, currency, newestDate, revision } = view;
  const [rateDrawn, cpiDrawn] = [rateChart(view), cpiChart(view)];
  const fresh = ({ points }: PublishedValues) => {
    const last = points.at(-1);
    return last === undefined || newestDate === null
      ? null
      : html`${texts.countries.reaches(isoFromMonth(monthOf(last.day)), monthsBetween(last.day, dayFromIso(newestDate)!))}`;
  };
  const drawn: SmallChart[] = [
    ...(rateDrawn === null ? [] : [{ chart: rateDrawn, id: 'rate', caption: fresh(rate) }]),
    ...(cpiDrawn === null ? [] : [{ chart: cpiDrawn, id: 'cpi', caption: fresh(index) }]),
  ];
  const published = [rate, index].filter(({ points }) => points.length > 0);
  const sources = [...new Set(published.map(({ source }) => source || texts.unknown))];
  return html`<h2 id="conversions">${texts.countries.conversions}</h2>
    ${rateDrawn === null ? html`<p>${texts.countries.noRate(currency)}</p>` : null}
    ${cpiDrawn === null ? html`<p>${texts.countries.noCpi}</p>` : null}
    ${drawn.length === 0 ? null : smallFigures(drawn, texts.chart.note(sources.join(', '), null, revision))}
    ${conversionTable(view)}`;
}

/** The numbers of both charts, newest first; null where there are none. */
function conversionTable({ rate, index, currency }: CountryView): Html | null {
  const [rates, indices] = [rate, index].map(
    ({ points }) => new Map(points.map(({ day, value }) => [day, value])),
  ) as [Map<number, number>, Map<number, number>];
  const days = [...new Set([...rates.keys(), ...indices.keys()])].sort((one, other) => other - one);
  if (days.length === 0) return null;
  const [rateFormat, indexFormat] = [rates, indices].map((values) => columnFormat([...values.values()]));
  const rows = days.map((day) => [
    isoFromMonth(monthOf(day)),
    exact(rates.get(day) ?? null, rateFormat),
    exact(indices.get(day) ?? null, indexFormat),
  ]);
  const columns = [
    textColumn(texts.warnings.month),
    numberColumn(texts.countries.rateUnit(currency)),
    numberColumn(index.base === null ? texts.countries.cpi : texts.compare.index(index.base)),
  ];
  return html`<details>
    <summary>${texts.table}</summary>
    ${table(texts.countries.conversionsNote, columns, rows)}
  </details>`;
}

/** The findings that are counted, in the API. */
const findingLinks = ({ iso3, findings }: CountryView): DataLink[] =>
  findings === null || findings.count === 0
    ? []
    : [
        {
          label: texts.findings,
          address: (format) =>
            addressOf(`/${BASE}/Finding/`, { iso3_country_codes: iso3, state: 'open', format }),
        },
      ];

const monthsBetween = (from: number, to: number) => monthOf(to) - monthOf(from);

/** The same numbers in the API. */
function dataLinks(view: CountryView): DataLink[] {
  const { iso3, isLarge, currency, asOf } = view;
  const link = (label: string, list: string, values: AddressValues) => ({
    label,
    address: (format?: DataFormat) => addressOf(`/${BASE}/${list}/`, { ...values, as_of: asOf, format }),
  });
  const country = { iso3_country_codes: iso3 };
  const address = (path: string, values: AddressValues) =>
    addressOf(path, { ...country, as_of: asOf, ...values });
  return [
    ...priceLinks(view.catalogue, view.rows, address),
    link(texts.series, 'PriceSerie', country),
    link(texts.warnings.title, 'PriceWarning', { ...country, by: 'country,commodity' }),
    ...(isLarge
      ? []
      : [
          ...changeLinks(priceReadings('commodity', view.catalogue, view.rows), address),
          link(texts.groups.title, 'PriceAggregate', { ...country, measure: 'nominal', goods: false }),
        ]),
    link(texts.countries.rate, 'FxRate', { currency, rate_type: 'official' }),
    link(texts.countries.cpi, 'Cpi', { iso3_country_code: iso3, item: 'general' }),
  ];
}
