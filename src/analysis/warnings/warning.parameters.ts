import { asOfParameter } from '../../ledger/revision/as-of.js';
import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import { ValidationError } from '../../platform/errors/api-error.js';
import type { Column } from '../../platform/formats/listing.js';
import type { ParsedQuery } from '../../platform/http/params.js';
import { listQuery, requireFields, requireSortColumns } from '../../platform/listing/list-parameters.js';
import type { Sort } from '../../platform/listing/sort.js';
import {
  type PageRequest,
  pageParameters,
  requestedList,
  type RequestedList,
  requestedPage,
} from '../../platform/listing/page.js';
import { choice, date, one } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { pricedSeriesFilters, seriesRanges } from '../../prices/prices.parameters.js';
import type { PriceView } from '../../prices/prices.service.js';
import { contradiction, month, monthNumber } from '../analysis.parameters.js';
import { foodFilter, withGoods } from '../goods.parameter.js';
import { allWarningChangeColumns, warningChangeColumnsBy } from './price-warning-change.js';
import { allWarningColumns, warningColumnsBy } from './warning-listing.js';
import { WARNING_GROUPS, type WarningGrouping } from './warning-groups.js';

/** The filters that choose which series are counted. */
const seriesFilters = { ...pricedSeriesFilters, ...foodFilter };

const groupParameters = {
  by: one(choice(WARNING_GROUPS), 'What a row is about; `country` unless given.'),
  month: one(
    month,
    'This month, `YYYY-MM`. By default, for each country its newest month that is over and has a price.',
  ),
};

const query = new QuerySchema(
  {
    ...groupParameters,
    start_date: one(date, 'A row for each month of this date or later, dated by its first day.'),
    end_date: one(date, 'A row for each month of this date or earlier.'),
    as_of: asOfParameter,
    ...seriesFilters,
    ...pageParameters,
  },
  { ranges: [['start_date', 'end_date'], ...seriesRanges] },
);

/** The query of warnings. */
export const warningQuery = listQuery(query, allWarningColumns);

/** The query of changes of warnings. */
export const warningChangeQuery = listQuery(
  new QuerySchema(
    { ...groupParameters, as_of: asOfParameter, ...seriesFilters, ...pageParameters },
    { ranges: seriesRanges },
  ),
  allWarningChangeColumns,
);

/** Month numbers; both ends are included. */
export interface MonthRange {
  from: number;
  to: number;
}

/** Of which groups warnings are requested, and of which month. */
export interface WarningGroupRequest {
  grouping: WarningGrouping;
  criteria: Criteria;
  /** The month number; null for the newest of each country. */
  month: number | null;
  view: PriceView;
}

/** Which warnings are requested. */
export interface WarningRequest extends WarningGroupRequest {
  /** A row for each of these months; null for one month. */
  range: MonthRange | null;
  page: PageRequest | null;
  /** The columns to sort by; without it, by country and group, the newest month first. */
  sort?: Sort;
}

/** Which changes of warnings are requested. */
export interface WarningChangeRequest extends WarningGroupRequest {
  list: RequestedList;
}

/**
 * Turns the query of warnings into a `WarningRequest`.
 * @throws ValidationError for `month` with a range of months, and for a column that a list of these
 * groups does not have
 */
export function warningRequest({
  values,
  format,
}: ParsedQuery<typeof warningQuery.parameters>): WarningRequest {
  const { start_date, end_date } = values;
  const bounds = (['start_date', 'end_date'] as const).filter((name) => values[name] !== undefined);
  if (values.month !== undefined && bounds.length > 0) {
    const detail = `month is one month: leave out month or ${bounds.join(' and ')}.`;
    throw new ValidationError(contradiction(['month', ...bounds], detail));
  }
  return {
    ...groupRequest(values, warningColumnsBy),
    range: bounds.length === 0 ? null : monthRange(start_date, end_date),
    page: requestedPage(values, format),
    sort: values.sort,
  };
}

/** The months whose first day, which dates their rows, is between two dates (ISO 8601). */
const monthRange = (start?: string, end?: string): MonthRange => ({
  // The first month that begins on the start or later is the one after that of the day before.
  from: start === undefined ? 0 : monthOf(dayFromIso(start)! - 1) + 1,
  to: end === undefined ? Infinity : monthOf(dayFromIso(end)!),
});

/**
 * Turns the query of changes of warnings into a `WarningChangeRequest`.
 * @throws ValidationError for a column that a list of these groups does not have
 */
export const warningChangeRequest = ({
  values,
  format,
}: ParsedQuery<typeof warningChangeQuery.parameters>): WarningChangeRequest => ({
  ...groupRequest(values, warningChangeColumnsBy),
  list: requestedList(values, format),
});

/**
 * The part of a request that both queries have.
 * @param columnsBy the columns of a list with a grouping
 * @throws ValidationError for a field or a sort column that the list does not have
 */
function groupRequest(
  values: QueryValues<typeof warningChangeQuery.parameters>,
  columnsBy: (grouping: WarningGrouping) => Column[],
): WarningGroupRequest {
  const { by: grouping = 'country' } = values;
  requireSortColumns(values.sort, columnsBy(grouping));
  requireFields(values.fields, columnsBy(grouping));
  return {
    grouping,
    criteria: Criteria.of(seriesFilters, withGoods(values, 'food')),
    month: values.month === undefined ? null : monthNumber(values.month),
    view: { asOf: values.as_of, firstPublished: false },
  };
}
