import { asOfParameter } from '../../ledger/revision/as-of.js';
import type { ParsedQuery } from '../../platform/http/params.js';
import { listQuery, requireFields, requireSortColumns } from '../../platform/listing/list-parameters.js';
import { pageParameters, requestedList, type RequestedList } from '../../platform/listing/page.js';
import { QuerySchema } from '../../platform/validation/query-schema.js';
import { seriesRanges } from '../../prices/prices.parameters.js';
import {
  aggregateCriteria,
  aggregateFilters,
  aggregateQuery,
  groupDimensions,
  groupParameters,
} from '../aggregates/aggregate.parameters.js';
import type { GroupSelection } from '../aggregates/aggregates.service.js';
import { priceParameters } from '../analysis.parameters.js';
import { allSeasonColumns, seasonColumnsBy } from './price-season.js';

const query = new QuerySchema(
  {
    by: groupParameters.by,
    measure: priceParameters.measure,
    per: groupParameters.per,
    min_matched: aggregateQuery.parameters.min_matched,
    as_of: asOfParameter,
    ...aggregateFilters,
    ...pageParameters,
  },
  { ranges: seriesRanges },
);

/** The query of seasons. */
export const priceSeasonQuery = listQuery(query, allSeasonColumns);

/** Which seasons are requested. */
export interface PriceSeasonRequest extends GroupSelection {
  /** Series that a link of the index needs. */
  readonly minMatched: number;
  readonly list: RequestedList;
}

/**
 * Turns the query of seasons into a `PriceSeasonRequest`.
 * @throws ValidationError for a sort by a column that these groups do not have
 */
export function priceSeasonRequest({
  values,
  format,
}: ParsedQuery<typeof priceSeasonQuery.parameters>): PriceSeasonRequest {
  const { measure = 'nominal', per = 'base', min_matched: minMatched = 3 } = values;
  const dimensions = groupDimensions(values.by);
  const columns = seasonColumnsBy(dimensions, measure);
  requireSortColumns(values.sort, columns);
  requireFields(values.fields, columns);
  return {
    criteria: aggregateCriteria(values),
    dimensions,
    measure,
    per,
    minMatched,
    view: { asOf: values.as_of, firstPublished: false },
    list: requestedList(values, format),
  };
}
