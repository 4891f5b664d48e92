import type { ParsedQuery } from '../../platform/http/params.js';
import { listQuery } from '../../platform/listing/list-parameters.js';
import { QuerySchema } from '../../platform/validation/query-schema.js';
import { seriesRanges } from '../../prices/prices.parameters.js';
import {
  groupListParameters,
  type GroupListRequest,
  groupListRequest,
} from '../aggregates/group-list.parameters.js';
import { allSeasonColumns, seasonColumnsBy } from './price-season.js';

/** The query of seasons. */
export const priceSeasonQuery = listQuery(
  new QuerySchema(groupListParameters, { ranges: seriesRanges }),
  allSeasonColumns,
);

/**
 * Turns the query of seasons into a request.
 * @throws ValidationError for a column that a list of these groups does not have
 */
export const priceSeasonRequest = ({
  values,
  format,
}: ParsedQuery<typeof priceSeasonQuery.parameters>): GroupListRequest =>
  groupListRequest(values, format, seasonColumnsBy);
