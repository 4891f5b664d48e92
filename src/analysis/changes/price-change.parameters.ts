import type { ParsedQuery } from '../../platform/http/params.js';
import { listQuery } from '../../platform/listing/list-parameters.js';
import { integer, MAX_ID, one } from '../../platform/validation/parsers.js';
import { QuerySchema } from '../../platform/validation/query-schema.js';
import { seriesRanges } from '../../prices/prices.parameters.js';
import {
  groupListParameters,
  type GroupListRequest,
  groupListRequest,
} from '../aggregates/group-list.parameters.js';
import { month, monthNumber } from '../analysis.parameters.js';
import { allChangeColumns, changeColumnsBy } from './price-change.js';

const { by, ...parameters } = groupListParameters;
const query = new QuerySchema(
  {
    by,
    month: one(month, 'This month, `YYYY-MM`. By default, for each group the newest one with a price.'),
    ...parameters,
    min_matched: one(
      integer(1, MAX_ID),
      'As many series must have a price in both months of a change; 3 unless given.',
    ),
  },
  { ranges: seriesRanges },
);

/** The query of price changes. */
export const priceChangeQuery = listQuery(query, allChangeColumns);

/** Which price changes are requested. */
export interface PriceChangeRequest extends GroupListRequest {
  /** The month number; null for the newest one of each group. */
  readonly month: number | null;
}

/**
 * Turns the query of price changes into a `PriceChangeRequest`.
 * @throws ValidationError for a column that a list of these groups does not have
 */
export const priceChangeRequest = ({
  values,
  format,
}: ParsedQuery<typeof priceChangeQuery.parameters>): PriceChangeRequest => ({
  ...groupListRequest(values, format, changeColumnsBy),
  month: values.month === undefined ? null : monthNumber(values.month),
});
