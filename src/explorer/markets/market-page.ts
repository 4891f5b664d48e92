import { FRESH_MONTHS } from '../../price-series/calendar.js';
import { type AddressValues, addressOf } from '../../web/address.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { exact, monthText, wholeNumber } from '../../web/numbers.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { commodityPriceTables } from '../groups/commodity-price-tables.js';
import { priceReadings } from '../groups/main-prices.js';
import { changeLinks, isOldPrice, newestPriceMonth } from '../groups/price-rows.js';
import { newestText } from '../layout/age.js';
import { publishedBy, publishersLine } from '../layout/sources.js';
import { asOfNote, citeLink, type DataLink, dataSection } from '../layout/data-section.js';
import { datasetBlock } from '../layout/dataset.js';
import type { PageContext, PageView } from '../layout/page.js';
import { priceLinks } from '../layout/price-links.js';
import { texts } from '../texts.js';
import type { MarketView } from './market-view.js';

const words = texts.markets;

/** The page of a market: what its commodities cost, and how much that has changed. */
export function marketPage(view: MarketView, context: PageContext): PageView {
  const { origin } = context;
  const { market, country, rows, asOf, revision } = view;
  const path = `/markets/${market.id}`;
  const address = addressOf(path, { as_of: asOf });
  const description = words.description(market.name, country, rows.length);
  const citation = `${words.citation(market.name, country)}, ${publishedBy(view.catalogue, rows)}`;
  const links = dataLinks(view);
  const ofCountry = addressOf(`/countries/${market.iso3_country_code}`, { as_of: asOf });
  return {
    title: words.title(market.name, country),
    description,
    address,
    head: datasetBlock(
      { name: citation, description: texts.datasetDescription(description), address, links },
      origin,
      { spatialCoverage: { '@type': 'Place', name: words.title(market.name, country) } },
    ),
    main: html`<p class="path">
        <a href="${ofCountry}">${nameOf(country)}</a>
        ${market.admin_unit === '' ? null : html`› ${nameOf(market.admin_unit)}`}
      </p>
      <h1>${nameOf(market.name)}, ${nameOf(country)}</h1>
      <p>
        <strong>${newestText(view.newest, view.today)}</strong> ${headline(view)}
        ${market.regional_average ? words.average : null} ${publishersLine(view.catalogue, rows)}
      </p>
      ${asOf === undefined ? null : asOfNote(path, revision)}
      <h2>${texts.commodityPrices.title}</h2>
      ${commodityPriceTables(view.prices, {
        note: words.note,
        address: (id) =>
          addressOf(`/countries/${market.iso3_country_code}/commodities/${id}`, { as_of: asOf }),
      })}
      ${nearSection(view)}
      ${dataSection(
        origin,
        links,
        citeLink(context, addressOf(path, { as_of: asOf ?? `r${revision}` }), revision, citation),
      )}`,
  };
}

/** How many foods cost more than a year before, of those that can be compared; null without any. */
function headline({ prices }: MarketView): string | null {
  const newest = newestPriceMonth(prices);
  const changes = prices
    .filter((price) => price.isFood && !isOldPrice(price, newest))
    .flatMap(({ group: { change } }) => (change.change_12m === null ? [] : [change.change_12m]));
  if (changes.length === 0) return null;
  const up = changes.filter((change) => change > 0).length;
  return words.headline(up, changes.length, monthText(newest - FRESH_MONTHS));
}

function nearSection({ market, near, asOf }: MarketView): Html | null {
  if (near.length === 0) return null;
  const link = (id: number, name: string) =>
    html`<a href="${addressOf(`/markets/${id}`, { as_of: asOf })}">${nameOf(name)}</a>`;
  if (near[0]!.distance === null)
    return html`<h2>${words.region(market.admin_unit)}</h2>
      <ul>
        ${near.map(({ id, name }) => html`<li>${link(id, name)}</li>`)}
      </ul>`;
  const rows = near.map(({ id, name, distance }) => [link(id, name), exact(distance, wholeNumber)]);
  return html`<h2>${words.near}</h2>
    ${table(words.nearNote, [textColumn(texts.market), numberColumn(words.distance)], rows)}`;
}

/** The same numbers in the API. */
function dataLinks({ market, catalogue, rows, asOf }: MarketView): DataLink[] {
  const address = (path: string, values: AddressValues) =>
    addressOf(path, { market_ids: market.id, as_of: asOf, ...values });
  return [
    ...priceLinks(catalogue, rows, address),
    ...changeLinks(priceReadings('commodity', catalogue, rows), (path, values) =>
      address(path, { by: 'commodity', ...values }),
    ),
  ];
}
