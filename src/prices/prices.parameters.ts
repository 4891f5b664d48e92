import { ValidationError, type Violation } from '../common/errors/api-error.js';
import { choice, date, many, MAX_ID, one, uuid, wholeNumber } from '../common/filtering/parsers.js';
import { QueryShape, type QueryValues } from '../common/filtering/query-shape.js';
import { dayFromIso } from '../common/dates/calendar-date.js';
import { pageParameters } from '../common/pagination/page.js';
import { uuids } from '../price-series/conditions.js';
import { filter } from '../price-series/criteria.js';
import { PERIODS, PERIOD_NAMES } from '../price-series/periodicity.js';
import { priceSeriesFilters, priceSeriesRanges } from '../price-series/price-series.filters.js';
import { PointWindow } from './point-window.js';

/** The filters of the lists, but for those whose names choose points here. */
const seriesFilters = without(priceSeriesFilters, 'periodicity', 'start_date', 'end_date');

/** What chooses points. On the lists of series three of these names choose series. */
export const pointParameters = {
  periodicity: many(
    choice(PERIODS.map((period) => PERIOD_NAMES[period])),
    'Frequencies of the points; all of them, mixed, unless given.',
  ),
  start_date: one(date, 'Points of this date or later.'),
  end_date: one(date, 'Points of this date or earlier.'),
  startdate: one(date, 'The same as `start_date`.'),
  enddate: one(date, 'The same as `end_date`.'),
  latest: one(wholeNumber(1, MAX_ID), 'Only the newest so many points of each frequency.'),
};

/** What chooses series whose prices are asked for. */
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

/** The ranges of the lists that are not of points. */
const seriesRanges = priceSeriesRanges.filter(
  (range): range is Exclude<(typeof priceSeriesRanges)[number], readonly ['start_date', 'end_date']> =>
    range[0] !== 'start_date',
);

/** Pairs of dates of which the first may not lie after the second. */
export const priceListRanges = [...pointRanges, ...seriesRanges];

/** All that the prices of one series can be asked. */
export const pricesQuery = new QueryShape(pointParameters, { ranges: pointRanges });

/** All that a list of prices can be asked. */
export const priceListQuery = new QueryShape(
  { ...pointParameters, ...pricedSeriesFilters, ...pageParameters },
  { ranges: priceListRanges },
);

/**
 * The points that the parameters ask for.
 * @throws InvalidInput where a date is given under both its names, and they differ
 */
export function pointWindow(values: QueryValues<typeof pointParameters>): PointWindow {
  const faults: Violation[] = [];
  const either = (name: 'start_date' | 'end_date', alias: 'startdate' | 'enddate'): number | null => {
    const [given, other] = [values[name], values[alias]];
    if (given !== undefined && other !== undefined && given !== other) {
      const detail = `${name} (${given}) and ${alias} (${other}) are the same parameter.`;
      for (const each of [name, alias])
        faults.push({ in: 'query', name: each, code: 'conflicting_fields', detail });
    }
    const text = given ?? other;
    return text === undefined ? null : dayFromIso(text);
  };
  const from = either('start_date', 'startdate') ?? 0;
  const to = either('end_date', 'enddate') ?? Infinity;
  if (faults.length > 0) throw new ValidationError(faults);
  const { periodicity } = values;
  const periods = PERIODS.filter((period) => periodicity?.includes(PERIOD_NAMES[period]) ?? true);
  return new PointWindow(periods, from, to, values.latest ?? Infinity);
}

function without<T extends object, K extends keyof T & string>(table: T, ...names: K[]): Omit<T, K> {
  const kept = Object.entries(table).filter(([name]) => !(names as string[]).includes(name));
  return Object.fromEntries(kept) as Omit<T, K>;
}
