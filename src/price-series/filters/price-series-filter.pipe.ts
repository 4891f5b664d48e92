import { Injectable, type PipeTransform } from '@nestjs/common';
import { QuerySchema } from '../../platform/validation/query-schema.js';
import type { ParsedQuery } from '../../platform/http/request/request-query.js';
import { type PageRequest, pageParameters, requestedPage } from '../../platform/listing/page.js';
import { Criteria } from './criteria.js';
import { priceSeriesFilters, priceSeriesRanges } from './price-series.filters.js';

/** All parameters of the lists of series. */
export const priceSeriesQuery = new QuerySchema(
  { ...priceSeriesFilters, ...pageParameters },
  { ranges: priceSeriesRanges },
);

/** A request for a list of series. */
export interface SeriesRequest {
  criteria: Criteria;
  /** Null for all series that match. */
  page: PageRequest | null;
}

/** Turns the values of the query into criteria, by the table of filters, and a page. */
@Injectable()
export class PriceSeriesFilterPipe implements PipeTransform<
  ParsedQuery<typeof priceSeriesQuery.parameters>,
  SeriesRequest
> {
  transform({ values, format }: ParsedQuery<typeof priceSeriesQuery.parameters>): SeriesRequest {
    return { criteria: Criteria.of(priceSeriesFilters, values), page: requestedPage(values, format) };
  }
}
