import type { Measure, Per } from '../../analysis/price-columns.js';
import type { SeriesReferences } from '../../price-series/catalogue/reference-dictionaries.js';
import type { SeriesEntry } from '../../price-series/price-serie.view.js';
import { addressOf } from '../../web/address.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { texts } from '../texts.js';
import type { SeriesView } from './series-view.js';

/** What a series is called: commodity, market, country and price type. */
export function seriesTitle(entry: SeriesEntry): string {
  const { commodity, market, country_name, iso3_country_code } = entry;
  return `${commodity}, ${market}, ${country_name || iso3_country_code} (${typeAndStatus(entry)})`;
}

/** What prices are that were not observed; null for others. */
export const statusText = ({ status = 'observed' }: SeriesEntry): string | null =>
  status === 'observed' ? null : texts.seriesPage.statuses[status];

/** The price type, and what the prices are unless they were observed. */
export const typeAndStatus = (entry: SeriesEntry): string =>
  [entry.price_type.toLowerCase(), statusText(entry) ?? []].flat().join(', ');

/** The same as a heading, in which a name that is written from right to left turns no other one. */
export function seriesHeading(entry: SeriesEntry): Html {
  const { commodity, market } = entry;
  const country = entry.country_name || entry.iso3_country_code;
  return html`${nameOf(commodity)}, ${nameOf(market)}, ${nameOf(country)} (${typeAndStatus(entry)})`;
}

/**
 * The path of a series: country, commodity in it, market.
 * @param end what the path goes on to
 */
export function seriesPath(entry: SeriesEntry, asOf: string | undefined, end: Html | null = null): Html {
  const { iso3_country_code: iso3, country_name, commodity, commodity_id, market, market_id } = entry;
  const link = (path: string, name: string) =>
    html`<a href="${addressOf(path, { as_of: asOf })}">${nameOf(name)}</a>`;
  return html`<p class="path">
    ${link(`/countries/${iso3}`, country_name || iso3)} ›
    ${link(`/countries/${iso3}/commodities/${commodity_id}`, commodity)} ›
    ${link(`/markets/${market_id}`, market)} ${end !== null && html`› ${end}`}
  </p>`;
}

/** What prices are for: the published unit, or a kilogram or litre. */
export const amountOf = (per: Per, unit: Pick<SeriesReferences['measure_unit'], 'name' | 'dimension'>) =>
  per === 'unit' ? unit.name : unit.dimension === 'volume' ? texts.litre : texts.kilogram;

/** The unit of prices: `KES per 90 kg`. */
export function priceUnit(
  measure: Measure,
  per: Per,
  currency: string,
  unit: Pick<SeriesReferences['measure_unit'], 'name' | 'dimension'>,
): string {
  const money = texts.money[measure](currency);
  return `${money} ${texts.perAmount} ${amountOf(per, unit)}`;
}

/** A price as sentences have it: `KES 62 per 90 kg`. @param price the number */
export function amountText(
  { state: { measure, per }, entry, unit, realBase }: SeriesView,
  price: string,
): string {
  const money = `${measure === 'usd' ? texts.money.usd() : entry.currency} ${price}`;
  const text = `${money} ${texts.perAmount} ${amountOf(per, unit)}`;
  return measure === 'real' ? texts.seriesPage.inReal(text, realBase) : text;
}

/** The unit of the prices that a page shows, with the base period of real ones. */
export function unitText({ state: { measure, per }, entry, unit, realBase }: SeriesView): string {
  const text = priceUnit(measure, per, entry.currency, unit);
  return measure === 'real' && realBase !== null ? `${text} (${texts.indexBase(realBase)})` : text;
}
