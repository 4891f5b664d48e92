import { asOfParameter } from '../../ledger/revision/as-of.js';
import type { ParsedQuery } from '../../platform/http/params.js';
import { listQuery, requireFields, requireSortColumns } from '../../platform/listing/list-parameters.js';
import { pageParameters, requestedList, type RequestedList } from '../../platform/listing/page.js';
import { integer, MAX_ID, one } from '../../platform/validation/parsers.js';
import { QuerySchema } from '../../platform/validation/query-schema.js';
import { seriesRanges } from '../../prices/prices.parameters.js';
import {
  aggregateCriteria,
  aggregateFilters,
  groupDimensions,
  groupParameters,
} from '../aggregates/aggregate.parameters.js';
import type { GroupSelection } from '../aggregates/aggregates.service.js';
import { month, monthNumber, priceParameters } from '../analysis.parameters.js';
import { allChangeColumns, changeColumnsBy } from './price-change.js';

const query = new QuerySchema(
  {
    by: groupParameters.by,
    month: one(month, 'This month, `YYYY-MM`. By default, for each group the newest one with a price.'),
    measure: priceParameters.measure,
    per: groupParameters.per,
    min_matched: one(
      integer(1, MAX_ID),
      'As many series must have a price in both months of a change; 3 unless given.',
    ),
    as_of: asOfParameter,
    ...aggregateFilters,
    ...pageParameters,
  },
  { ranges: seriesRanges },
);

/** The query of price changes. */
export const priceChangeQuery = listQuery(query, allChangeColumns);

/** Which price changes are requested. */
export interface PriceChangeRequest extends GroupSelection {
  /** The month number; null for the newest one of each group. */
  readonly month: number | null;
  /** Series that a change needs. */
  readonly minMatched: number;
  readonly list: RequestedList;
}

/**
 * Turns the query of price changes into a `PriceChangeRequest`.
 * @throws ValidationError for a sort by a column that these groups do not have
 */
export function priceChangeRequest({
  values,
  format,
}: ParsedQuery<typeof priceChangeQuery.parameters>): PriceChangeRequest {
  const { measure = 'nominal', per = 'base', min_matched: minMatched = 3 } = values;
  const dimensions = groupDimensions(values.by);
  requireSortColumns(values.sort, changeColumnsBy(dimensions, measure));
  requireFields(values.fields, changeColumnsBy(dimensions, measure));
  return {
    criteria: aggregateCriteria(values),
    dimensions,
    month: values.month === undefined ? null : monthNumber(values.month),
    measure,
    per,
    minMatched,
    view: { asOf: values.as_of, firstPublished: false },
    list: requestedList(values, format),
  };
}
