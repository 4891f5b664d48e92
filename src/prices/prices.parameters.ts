import { ValidationError, type Violation } from '../platform/errors/api-error.js';
import { choice, date, flag, many, MAX_ID, one, uuid, integer } from '../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../platform/validation/query-schema.js';
import { dayFromIso } from '../lib/dates/calendar-date.js';
import { ownFieldsParameter, sortParameter } from '../platform/listing/list-parameters.js';
import { pageParameters } from '../platform/listing/page.js';
import { asOfParameter } from '../ledger/revision/as-of.js';
import { seriesColumns } from '../price-series/series-listing.js';
import { pricesSeriesFields } from './read/prices-csv.js';
import { uuids } from '../price-series/filters/conditions.js';
import { filter } from '../price-series/filters/criteria.js';
import { PERIODS, PERIOD_NAMES, periodNames } from '../price-series/periodicity.js';
import {
  askedSeriesFilters,
  askedUuids,
  priceSeriesFilters,
  priceSeriesRanges,
  statusFilter,
} from '../price-series/filters/price-series.filters.js';
import type { PointExtras, PriceView } from './prices.service.js';
import { PointWindow } from './read/point-window.js';

/** The filters of the series lists, except those whose names filter points here. */
const seriesFilters = omit(priceSeriesFilters, 'periodicity', 'start_date', 'end_date');

/** Filters of points. On the series lists, three of these names filter series. */
const pointParameters = {
  periodicity: many(
    choice(periodNames),
    'Frequencies of the points. By default all frequencies are returned, mixed.',
  ),
  start_date: one(date, 'Points of this date or later.'),
  end_date: one(date, 'Points of this date or earlier.'),
  startdate: one(date, 'The same as `start_date`.'),
  enddate: one(date, 'The same as `end_date`.'),
  latest: one(integer(1, MAX_ID), 'Only the newest points of each frequency, at most this many.'),
};

/** The parameters of every read of prices that say which state of the data it shows. */
const viewParameters = {
  as_of: asOfParameter,
  first_published: one(
    flag,
    'Of each stored point the value that was known first; derived points are made of these.',
  ),
};

/** The view that the parameters describe. */
export const priceView = (values: QueryValues<typeof viewParameters>): PriceView => ({
  asOf: values.as_of,
  firstPublished: values.first_published ?? false,
});

/** Members of the points that are added on request. The addresses of FPMA do not have them. */
const extraParameters = {
  flags: one(flag, 'Adds `flags` to points: the names of the rules with open findings about them.'),
  rate_basis: one(
    flag,
    'Adds `rate_basis` to each point: `published`, `relation`, `successor` or `predecessor`; ' +
      '`unclear` where nothing decides in which units of a redenominated currency the price is; ' +
      'null without a rate.',
  ),
  index_base: one(
    flag,
    'Adds `index_base` to each point: the base period that its real price is in terms of; null ' +
      'without an index.',
  ),
};

/** Filters of the series whose prices are requested. */
export const pricedSeriesFilters = {
  uuid__in: filter(
    many(uuid, 'Series by their uuid. Such a list is not paged unless `page_size` is given.'),
    uuids,
  ),
  ...seriesFilters,
};

const pointRanges = [
  ['start_date', 'end_date'],
  ['startdate', 'enddate'],
  ['start_date', 'enddate'],
  ['startdate', 'end_date'],
] as const;

/** The date ranges that filter series, where `start_date` and `end_date` choose points. */
export const seriesRanges = priceSeriesRanges.filter(
  (range): range is Exclude<(typeof priceSeriesRanges)[number], readonly ['start_date', 'end_date']> =>
    range[0] !== 'start_date',
);

/** Pairs of dates of which the first must not be after the second. */
export const priceListRanges = [...pointRanges, ...seriesRanges];

/** The fields of the series that are beside the points, which stay whole. */
const seriesFieldsParameter = { fields: ownFieldsParameter(pricesSeriesFields) };

/** The query parameters of the prices of one series. */
export const pricesQuery = new QuerySchema(
  { ...pointParameters, ...viewParameters },
  { ranges: pointRanges },
);

/** The same with the members on request. */
export const extendedPricesQuery = new QuerySchema(
  { ...pricesQuery.parameters, ...extraParameters, ...seriesFieldsParameter },
  { ranges: pointRanges },
);

/** The query parameters of one price. */
export const datapointQuery = new QuerySchema({
  ...viewParameters,
  explain: one(flag, 'Adds `explain`: the stored points, exchange rates and index that it was made of.'),
});

/** The query parameters of a list of prices. */
export const priceListQuery = new QuerySchema(
  { ...pointParameters, ...viewParameters, ...pricedSeriesFilters, ...pageParameters },
  { ranges: priceListRanges },
);

/** What selects the series of a list of prices, estimates and forecasts when they are asked for. */
export const askedPriceFilters = {
  ...pricedSeriesFilters,
  uuid__in: askedUuids('Series by their uuid. Such a list is not paged unless `page_size` is given.'),
  uuids: askedSeriesFilters.uuids,
  ...statusFilter,
};

/** The same with the members on request. */
export const extendedPriceListQuery = new QuerySchema(
  {
    ...priceListQuery.parameters,
    ...askedPriceFilters,
    ...extraParameters,
    sort: sortParameter(seriesColumns),
    ...seriesFieldsParameter,
  },
  { ranges: priceListRanges },
);

/**
 * The members that the parameters ask for.
 * @throws ValidationError for findings, which are those of today, with an earlier state
 */
export function pointExtras(
  values: QueryValues<typeof extraParameters> & Partial<QueryValues<typeof viewParameters>>,
): PointExtras {
  const {
    flags,
    rate_basis: rateBasis,
    index_base: indexBase,
    as_of: asOf,
    first_published: firstPublished,
  } = values;
  if (flags === true && (asOf !== undefined || firstPublished === true)) {
    const other = asOf === undefined ? 'first_published' : 'as_of';
    const detail = `flags are those of today: leave out flags or ${other}.`;
    throw new ValidationError(
      ['flags', other].map((name) => ({ in: 'query', name, code: 'contradiction', detail })),
    );
  }
  return { flags, rateBasis, indexBase };
}

/**
 * The window that the parameters describe.
 * @throws ValidationError if a date is given under both of its names, with different values
 */
export function pointWindow(values: QueryValues<typeof pointParameters>): PointWindow {
  const violations: Violation[] = [];
  const dateOf = (name: 'start_date' | 'end_date', alias: 'startdate' | 'enddate'): number | null => {
    const [given, other] = [values[name], values[alias]];
    if (given !== undefined && other !== undefined && given !== other) {
      const detail = `${name} (${given}) and ${alias} (${other}) are the same parameter and must have the same value.`;
      for (const each of [name, alias])
        violations.push({ in: 'query', name: each, code: 'conflicting_fields', detail });
    }
    const text = given ?? other;
    return text === undefined ? null : dayFromIso(text);
  };
  const from = dateOf('start_date', 'startdate') ?? 0;
  const to = dateOf('end_date', 'enddate') ?? Infinity;
  if (violations.length > 0) throw new ValidationError(violations);
  const { periodicity } = values;
  const periods = PERIODS.filter((period) => periodicity?.includes(PERIOD_NAMES[period]) ?? true);
  return new PointWindow(periods, from, to, values.latest ?? Infinity);
}

function omit<T extends object, K extends keyof T & string>(table: T, ...names: K[]): Omit<T, K> {
  const entries = Object.entries(table).filter(([name]) => !(names as string[]).includes(name));
  return Object.fromEntries(entries) as Omit<T, K>;
}
