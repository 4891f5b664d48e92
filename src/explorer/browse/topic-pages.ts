import { foldForSearch, plainWords } from '../../lib/text/folding.js';
import { FOOD_WORDS } from '../../price-series/search/word-lists.js';
import { addressOf } from '../../web/address.js';
import { termAddress } from '../help/term-address.js';
import { texts } from '../texts.js';
import { termTexts, type TermSlug } from '../texts/terms.js';
import type { NamedPage } from './nothing-found.js';

/** A country that a search is about. */
export interface SearchedCountry {
  readonly iso3: string;
  readonly name: string;
}

/** What people ask for that is no name in the data, as `plainWords` has it. */
const RATE = [...FOOD_WORDS].flatMap(([phrase, names]) => (names.includes('exchange rate') ? [phrase] : []));
const CONVERSIONS = phrases(
  `exchange_rate exchange_rates currency inflation cpi consumer_price_index ipc inflación inflação
  índice_de_precios indice_des_prix índice_de_preços تضخم التضخم`,
).concat(RATE);
const WARNINGS = phrases(
  `high highest warning warnings alert alerts anomaly anomalies crisis ifpa alps élevés élevé alerte
  alertes crise altos alto alertas alerta crisis crise مرتفعة تحذير`,
);
const TERMS = Object.entries(termTexts).map(([slug, { title, mentions = [] }]) => ({
  slug: slug as TermSlug,
  phrases: [title, slug, ...mentions].map(phraseOf),
}));

/**
 * Pages that answer what is no name of the data: rates and indices, warnings and, where nothing is
 * found, the explanations of words.
 * @param country that the search is about; null without one, or with several
 * @param isFound whether series are found
 */
export function topicPages(
  search: string,
  country: SearchedCountry | null,
  isFound: boolean,
  asOf: string,
): NamedPage[] {
  const text = ` ${plainWords(search).join(' ')} `;
  const has = (wanted: readonly string[]) => wanted.some((phrase) => text.includes(` ${phrase} `));
  const pages: NamedPage[] = [];
  if (country !== null && has(CONVERSIONS)) {
    const address = addressOf(`/countries/${country.iso3}`, { as_of: asOf });
    pages.push([`${address}#conversions`, texts.browse.conversionsOf(country.name)]);
  }
  if (has(WARNINGS)) {
    const by = country === null ? {} : { by: 'country,commodity', iso3_country_codes: country.iso3 };
    const name = country === null ? texts.home.mapTitle : texts.browse.highIn(country.name);
    pages.push([addressOf('/warnings', { ...by, as_of: asOf }), name]);
  }
  if (isFound) return pages;
  const terms = TERMS.filter((term) => has(term.phrases)).map(({ slug }) => slug);
  if (has(CONVERSIONS) && country === null)
    terms.unshift(has(RATE) ? 'exchange-rate' : 'consumer-price-index');
  return [
    ...pages,
    ...[...new Set(terms)].map((slug): NamedPage => [
      termAddress(slug),
      texts.browse.explained(termTexts[slug].title),
    ]),
  ];
}

function phrases(list: string): string[] {
  return list.split(/\s+/u).map((each) => phraseOf(each.replaceAll('_', ' ')));
}

function phraseOf(text: string): string {
  return plainWords(foldForSearch(text)).join(' ');
}
