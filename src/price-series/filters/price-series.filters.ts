import {
  choice,
  currencyCode,
  date,
  dateOrRelative,
  flag,
  hsCode,
  iso3,
  many,
  one,
  recordId,
  text,
  uuid,
} from '../../platform/validation/parsers.js';
import {
  adminUnit,
  anyOf,
  category,
  countryCode,
  currency,
  everyWord,
  hsClass,
  idOf,
  is,
  itemBound,
  itemOfPeriods,
  lastPrice,
  marketType,
  noneOf,
  regionalAverage,
  status,
  uuids,
} from './conditions.js';
import { Criteria, filter } from './criteria.js';
import { periodNames } from '../periodicity.js';
import { SERIES_STATUSES, type SeriesStatus } from '../series-status.js';

const periodName = choice(periodNames);

/** Every parameter that selects series: its parser, its description and its condition. */
export const priceSeriesFilters = {
  iso3_country_codes: filter(many(iso3, 'Countries.'), anyOf(countryCode)),
  iso3_country_codes_ne: filter(many(iso3, 'Countries to exclude.'), noneOf(countryCode)),
  periodicity: filter(
    many(periodName, 'Frequencies. The series has data of at least one of them.'),
    itemOfPeriods,
  ),
  start_date: filter(
    one(date, 'The data of one frequency start on or after this date.'),
    itemBound('startFrom'),
  ),
  end_date: filter(one(date, 'The data of one frequency end on or before this date.'), itemBound('endTo')),
  data_from: filter(one(date, 'The data of one frequency end on or after this date.'), itemBound('endFrom')),
  data_to: filter(one(date, 'The data of one frequency start on or before this date.'), itemBound('startTo')),
  newerThan: filter(one(dateOrRelative, 'The last price is dated on or after this date.'), lastPrice('from')),
  olderThan: filter(one(dateOrRelative, 'The last price is dated on or before this date.'), lastPrice('to')),
  price_types_ids: filter(many(recordId, 'Ids of price types.'), anyOf(idOf('price_type'))),
  commodity_ids: filter(many(recordId, 'Ids of commodities.'), anyOf(idOf('commodity'))),
  commodity__hs_class_code: filter(
    many(hsCode, 'HS codes. A code of 2, 4 or 6 digits includes all codes that begin with it.'),
    anyOf(hsClass),
  ),
  categories: filter(many(text(), 'Categories of commodities; "" for none.'), anyOf(category)),
  sources_ids: filter(many(recordId, 'Ids of sources.'), anyOf(idOf('source'))),
  market_ids: filter(many(recordId, 'Ids of markets.'), anyOf(idOf('market'))),
  admin_units: filter(many(text(), 'Administrative units of either level; "" for none.'), anyOf(adminUnit)),
  market_types: filter(many(text(), 'Market types; "" for none.'), anyOf(marketType)),
  market_types_ne: filter(
    many(text(), 'Market types to exclude. Markets without a type are included, unless "" is excluded.'),
    noneOf(marketType),
  ),
  regional_average: filter(
    one(flag, 'Whether the market is the average of a country or region.'),
    is(regionalAverage),
  ),
  measure_units_ids: filter(many(recordId, 'Ids of units of measure.'), anyOf(idOf('measure_unit'))),
  currencies: filter(many(currencyCode, 'Currencies.'), anyOf(currency)),
  uuids: filter(many(uuid, 'UUIDs of series.'), uuids),
  search: filter(
    one(
      text(),
      'Words, each of which begins a word in the name of the commodity, the market or the country, or is an ISO 3166 code of the country. Letter case and accents are ignored.',
    ),
    everyWord,
  ),
};

/** The status of series, `all` for every one. */
const statusNames = choice([...SERIES_STATUSES, 'all']);

/** Selects the series that are asked for by uuid, of whatever status they are. */
export const askedUuids = (description: string) =>
  filter(many(uuid, description), uuids, (values) => ({ uuids: values }));

/** Selects series by what their prices are. Where it is left out, observed ones are meant. */
export const statusFilter = {
  status: filter(
    many(
      statusNames,
      'What the prices are: `observed`, `estimated`, `forecast`, or `all`. By default observed ones, and ' +
        'whatever series are named by `uuid`. Entries have a member `status` where others are among them.',
    ),
    (values, query) => {
      if (!values.includes('all')) anyOf(status)(values as SeriesStatus[], query);
    },
    () => 'all',
  ),
};

/** What selects series at addresses that show estimates and forecasts when they are asked for. */
export const askedSeriesFilters = {
  ...priceSeriesFilters,
  uuids: askedUuids('UUIDs of series.'),
  ...statusFilter,
};

/** Pairs of dates whose first must not be after the second. */
export const priceSeriesRanges = [
  ['start_date', 'end_date'],
  ['data_from', 'data_to'],
  ['newerThan', 'olderThan'],
] as const;

/** Price types have these ids in every database, even after a rename. */
const EXPORT = 11;
const RETAIL = 12;
const WHOLESALE = 13;

/** The datasets with a list of their own, defined by price types. */
export const datasets = {
  all: Criteria.none,
  domestic: Criteria.none.and('dataset', [RETAIL, WHOLESALE], anyOf(idOf('price_type'))),
  international: Criteria.none.and('dataset', [EXPORT], anyOf(idOf('price_type'))),
} as const;

export type Dataset = keyof typeof datasets;
