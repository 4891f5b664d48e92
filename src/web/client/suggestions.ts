import { scriptTexts } from './texts.js';

/** Suggestions of each kind that are shown. */
const LIMIT = 4;

/** A page that someone who types may want. */
export interface Suggestion {
  /** Heading of its kind. */
  group: string;
  name: string;
  /** What tells it from others with the name. */
  detail: string;
  address: string;
}

/** The reply of `Suggest/`, as far as it is shown. */
interface Reply {
  countries: { iso3_country_code: string; country_name: string }[];
  commodities: { commodity_id: number; commodity: string; category: string }[];
  markets: { market_id: number; market: string; admin_unit: string; country_name: string }[];
  series: {
    uuid: string;
    commodity: string;
    market: string;
    country_name: string;
    price_type: string;
    currency: string;
    measure_unit: string;
  }[];
  country_commodities: {
    iso3_country_code: string;
    country_name: string;
    commodity_id: number;
    commodity: string;
  }[];
}

/** What stands before the paths of the service: this file is at `/explorer/FOLDER/`. */
const BASE_PATH = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');

/** Longest text that the server takes. */
const MAX_LENGTH = 60;

/**
 * What a text may mean, best first in each kind.
 * @throws DOMException when the signal aborts, TypeError without a connection
 */
export async function suggestionsFor(text: string, signal: AbortSignal): Promise<Suggestion[]> {
  const query = new URLSearchParams({ q: text.slice(0, MAX_LENGTH), limit: String(LIMIT) });
  const response = await fetch(`${BASE_PATH}/api/v1/Suggest/?${query}`, { signal });
  if (!response.ok) return [];
  const { countries, commodities, markets, series, country_commodities } = (await response.json()) as Reply;
  return [
    ...country_commodities.map(({ iso3_country_code, country_name, commodity_id, commodity }) => ({
      group: scriptTexts.countryCommodities,
      name: commodity,
      detail: country_name || iso3_country_code,
      address: `${BASE_PATH}/countries/${iso3_country_code}/commodities/${commodity_id}`,
    })),
    ...countries.map(({ iso3_country_code, country_name }) => ({
      group: scriptTexts.countries,
      name: country_name || iso3_country_code,
      detail: iso3_country_code,
      address: `${BASE_PATH}/countries/${iso3_country_code}`,
    })),
    ...commodities.map(({ commodity_id, commodity, category }) => ({
      group: scriptTexts.commodities,
      name: commodity,
      detail: category,
      address: `${BASE_PATH}/commodities/${commodity_id}`,
    })),
    ...markets.map(({ market_id, market, admin_unit, country_name }) => ({
      group: scriptTexts.markets,
      name: market,
      detail: listed(admin_unit, country_name),
      address: `${BASE_PATH}/markets/${market_id}`,
    })),
    ...series.map((entry) => ({
      group: scriptTexts.series,
      name: listed(entry.commodity, entry.market, entry.country_name),
      detail: listed(entry.price_type.toLowerCase(), `${entry.currency} / ${entry.measure_unit}`),
      address: `${BASE_PATH}/series/${entry.uuid}`,
    })),
  ];
}

const listed = (...parts: string[]) => parts.filter((part) => part !== '').join(', ');
