import { Injectable, type PipeTransform } from '@nestjs/common';
import { QuerySchema } from '../../platform/validation/query-schema.js';
import type { ParsedQuery } from '../../platform/http/params.js';
import { asOfParameter } from '../../ledger/revision/as-of.js';
import { listQuery, requireFields } from '../../platform/listing/list-parameters.js';
import { pageParameters, requestedPage } from '../../platform/listing/page.js';
import { Criteria } from './criteria.js';
import { askedSeriesFilters, priceSeriesRanges } from './price-series.filters.js';
import { seriesColumns } from '../series-listing.js';
import type { SeriesRequest } from '../price-series.service.js';

/** All parameters of the lists of series. */
export const priceSeriesQuery = listQuery(
  new QuerySchema(
    { ...askedSeriesFilters, as_of: asOfParameter, ...pageParameters },
    { ranges: priceSeriesRanges },
  ),
  seriesColumns,
  ['status'],
);

/** Turns the values of the query into criteria, by the table of filters, and a page. */
@Injectable()
export class PriceSeriesFilterPipe implements PipeTransform<
  ParsedQuery<typeof priceSeriesQuery.parameters>,
  SeriesRequest
> {
  transform({ values, format }: ParsedQuery<typeof priceSeriesQuery.parameters>): SeriesRequest {
    const criteria = Criteria.of(askedSeriesFilters, values);
    // Entries of observed series alone do not say that they are.
    if (criteria.scope === 'observed') requireFields(values.fields, seriesColumns);
    return {
      criteria,
      page: requestedPage(values, format),
      asOf: values.as_of,
      sort: values.sort ?? [],
    };
  }
}
