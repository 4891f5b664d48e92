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

/** What selects the series that are counted. */
const countedSeries = { ...pricedSeriesFilters, ...foodFilter };

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
    ...countedSeries,
    ...pageParameters,
  },
  { ranges: [['start_date', 'end_date'], ...seriesRanges] },
);

/** The query of warnings. */
export const warningQuery = listQuery(query, allWarningColumns);

/** The query of changes of warnings. */
export const warningChangeQuery = listQuery(
  new QuerySchema(
    { ...groupParameters, as_of: asOfParameter, ...countedSeries, ...pageParameters },
    { ranges: seriesRanges },
  ),
  allWarningChangeColumns,
);

/** Month numbers, both included. */
export interface MonthRange {
  from: number;
  to: number;
}

/** Which warnings are compared with those before. */
export interface WarningChangeRequest {
  grouping: WarningGrouping;
  criteria: Criteria;
  /** The month number; null for the newest of each country. */
  month: number | null;
  view: PriceView;
}

/** Which warnings are requested. */
export interface WarningRequest extends WarningChangeRequest {
  /** A row for each of these months; null for one month. */
  range: MonthRange | null;
  page: PageRequest | null;
  /** By columns of the list; none for the order of countries and groups, newest first. */
  sort?: Sort;
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
  const { start_date: start, end_date: end } = values;
  const bounds = (['start_date', 'end_date'] as const).filter((name) => values[name] !== undefined);
  if (values.month !== undefined && bounds.length > 0) {
    const detail = `month is one month: leave out month or ${bounds.join(' and ')}.`;
    throw new ValidationError(contradiction(['month', ...bounds], detail));
  }
  return {
    ...countedGroups(values, warningColumnsBy),
    range:
      bounds.length === 0
        ? null
        : {
            // The first day of a month dates it.
            from: start === undefined ? 0 : monthOf(dayFromIso(start)! - 1) + 1,
            to: end === undefined ? Infinity : monthOf(dayFromIso(end)!),
          },
    page: requestedPage(values, format),
    sort: values.sort,
  };
}

/** Which changes of warnings are requested. */
export interface ListedWarningChanges extends WarningChangeRequest {
  list: RequestedList;
}

/**
 * Turns the query of changes of warnings into a request.
 * @throws ValidationError for a column that a list of these groups does not have
 */
export const warningChangeRequest = ({
  values,
  format,
}: ParsedQuery<typeof warningChangeQuery.parameters>): ListedWarningChanges => ({
  ...countedGroups(values, warningChangeColumnsBy),
  list: requestedList(values, format),
});

/**
 * The groups whose warnings are counted.
 * @param columnsBy the columns of their list
 * @throws ValidationError for a column that this list does not have
 */
function countedGroups(
  values: QueryValues<typeof warningChangeQuery.parameters>,
  columnsBy: (grouping: WarningGrouping) => Column[],
): WarningChangeRequest {
  const { by: grouping = 'country', month: asked } = values;
  requireSortColumns(values.sort, columnsBy(grouping));
  requireFields(values.fields, columnsBy(grouping));
  return {
    grouping,
    criteria: Criteria.of(countedSeries, withGoods(values, 'food')),
    month: asked === undefined ? null : monthNumber(asked),
    view: { asOf: values.as_of, firstPublished: false },
  };
}
