import { asOfParameter } from '../../ledger/revision/as-of.js';
import type { Column } from '../../platform/formats/listing.js';
import type { ParsedQuery } from '../../platform/http/params.js';
import { requireFields, requireSortColumns } from '../../platform/listing/list-parameters.js';
import { pageParameters, requestedList, type RequestedList } from '../../platform/listing/page.js';
import type { Sort } from '../../platform/listing/sort.js';
import type { QueryValues } from '../../platform/validation/query-schema.js';
import { priceParameters } from '../analysis.parameters.js';
import type { Measure } from '../price-columns.js';
import {
  aggregateCriteria,
  aggregateFilters,
  aggregateQuery,
  groupDimensions,
  groupParameters,
} from './aggregate.parameters.js';
import { DEFAULT_AGGREGATE_SETTINGS } from './aggregate-settings.js';
import type { GroupSelection } from './aggregates.service.js';
import type { Dimension } from './dimensions.js';

/** The parameters of lists with one record for each group. */
export const groupListParameters = {
  by: groupParameters.by,
  measure: priceParameters.measure,
  per: groupParameters.per,
  min_matched: aggregateQuery.parameters.min_matched,
  as_of: asOfParameter,
  ...aggregateFilters,
  ...pageParameters,
};

/** Which groups of series a list has a record for. */
export interface GroupListRequest extends GroupSelection {
  /** Series that a change, or a link of the index, needs. */
  readonly minMatched: number;
  readonly list: RequestedList;
}

/** The values of `groupListParameters`, and of those that `listQuery` adds. */
type GroupListValues = QueryValues<typeof groupListParameters> & {
  readonly sort?: Sort;
  readonly fields?: readonly string[];
};

/**
 * The groups that a query asks for.
 * @param columnsBy the columns of the list, which depend on the groups
 * @throws ValidationError for a column that a list of these groups does not have
 */
export function groupListRequest(
  values: GroupListValues,
  format: ParsedQuery['format'],
  columnsBy: (dimensions: readonly Dimension[], measure: Measure) => Column[],
): GroupListRequest {
  const { measure = 'nominal', per = DEFAULT_AGGREGATE_SETTINGS.per } = values;
  const dimensions = groupDimensions(values.by);
  const columns = columnsBy(dimensions, measure);
  requireSortColumns(values.sort, columns);
  requireFields(values.fields, columns);
  return {
    criteria: aggregateCriteria(values),
    dimensions,
    measure,
    per,
    minMatched: values.min_matched ?? DEFAULT_AGGREGATE_SETTINGS.min_matched,
    view: { asOf: values.as_of, firstPublished: false },
    list: requestedList(values, format),
  };
}
