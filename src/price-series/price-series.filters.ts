import {
  choice,
  currencyCode,
  date,
  dateOrAgo,
  flag,
  hsCode,
  iso3,
  many,
  one,
  recordId,
  text,
  uuid,
} from '../common/filtering/parsers.js';
import {
  adminUnit,
  anyOf,
  countryCode,
  currency,
  everyWord,
  hsClass,
  idOf,
  is,
  item,
  itemOfPeriods,
  lastPrice,
  marketType,
  noneOf,
  regionalAverage,
  uuids,
} from './conditions.js';
import { Criteria, filter } from './criteria.js';
import { PERIOD_NAMES, PERIODS } from './periodicity.js';

const periodName = choice(PERIODS.map((period) => PERIOD_NAMES[period]));

/** Every parameter that chooses series: how it is read, what it says, and which series it keeps. */
export const priceSeriesFilters = {
  iso3_country_codes: filter(many(iso3, 'Countries.'), anyOf(countryCode)),
  iso3_country_codes_ne: filter(many(iso3, 'Countries left out.'), noneOf(countryCode)),
  periodicity: filter(many(periodName, 'Frequencies, any of which the series has.'), itemOfPeriods),
  start_date: filter(one(date, 'Data of the frequency begin on this date or later.'), item('startFrom')),
  end_date: filter(one(date, 'Data of the frequency end on this date or earlier.'), item('endTo')),
  data_from: filter(one(date, 'Data of the frequency reach to this date or later.'), item('endFrom')),
  data_to: filter(one(date, 'Data of the frequency begin on this date or earlier.'), item('startTo')),
  newerThan: filter(one(dateOrAgo, 'The last price is of this date or later.'), lastPrice('from')),
  olderThan: filter(one(dateOrAgo, 'The last price is of this date or earlier.'), lastPrice('to')),
  price_types_ids: filter(many(recordId, 'Ids of price types.'), anyOf(idOf('price_type'))),
  commodity_ids: filter(many(recordId, 'Ids of commodities.'), anyOf(idOf('commodity'))),
  commodity__hs_class_code: filter(
    many(hsCode, 'HS codes; one of 2, 4 or 6 digits covers the codes that begin with it.'),
    anyOf(hsClass),
  ),
  sources_ids: filter(many(recordId, 'Ids of sources.'), anyOf(idOf('source'))),
  market_ids: filter(many(recordId, 'Ids of markets.'), anyOf(idOf('market'))),
  admin_units: filter(many(text(), 'Administrative units, of either level.'), anyOf(adminUnit)),
  market_types: filter(many(text(), 'Types of the market.'), anyOf(marketType)),
  market_types_ne: filter(
    many(text(), 'Types of the market left out; a market without a type stays.'),
    noneOf(marketType),
  ),
  regional_average: filter(
    one(flag, 'Whether the market is the average of a country or region.'),
    is(regionalAverage),
  ),
  currencies: filter(many(currencyCode, 'Currencies.'), anyOf(currency)),
  uuids: filter(many(uuid, 'Series by their uuid.'), uuids),
  search: filter(
    one(
      text(),
      "Words that occur in the commodity's, the market's or the country's name; accents are ignored.",
    ),
    everyWord,
  ),
};

/** Pairs of dates of which the first may not lie after the second. */
export const priceSeriesRanges = [
  ['start_date', 'end_date'],
  ['data_from', 'data_to'],
  ['newerThan', 'olderThan'],
] as const;

/** The price types that every database has under these ids, whatever their names become. */
const EXPORT = 11;
const RETAIL = 12;
const WHOLESALE = 13;

/** The datasets that have a list of their own, by the price types of their series. */
export const datasets = {
  all: Criteria.none,
  domestic: Criteria.none.and('dataset', [RETAIL, WHOLESALE], anyOf(idOf('price_type'))),
  international: Criteria.none.and('dataset', [EXPORT], anyOf(idOf('price_type'))),
} as const;

export type Dataset = keyof typeof datasets;
