import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import { QuerySchema } from '../common/filtering/query-schema.js';
import type { Format } from '../common/http/reply.js';
import { contextOf, type RequestContext } from '../common/http/request-context.js';
import { QUERY, readQuery } from '../common/http/request-query.js';
import { type PageRequest, pageParameters, pageRequest } from '../common/pagination/page.js';
import { Criteria } from './criteria.js';
import { priceSeriesFilters, priceSeriesRanges } from './price-series.filters.js';

/** All parameters of the lists of series. */
export const priceSeriesQuery = new QuerySchema(
  { ...priceSeriesFilters, ...pageParameters },
  { ranges: priceSeriesRanges },
);

/** The parsed query of a list of series. */
export interface SeriesRequest {
  criteria: Criteria;
  /** Null if neither `page` nor `page_size` was given. */
  page: PageRequest | null;
  format: Format;
}

/**
 * Parses the query string by the table of filters. Throws one 400 that names every bad parameter.
 */
@Injectable()
export class PriceSeriesFilterPipe implements PipeTransform<RequestContext, SeriesRequest> {
  transform(context: RequestContext): SeriesRequest {
    const values = readQuery(priceSeriesQuery, context);
    return {
      criteria: Criteria.of(priceSeriesFilters, values),
      page: values.page === undefined && values.page_size === undefined ? null : pageRequest(values),
      format: context.format,
    };
  }
}

const requestContext = createParamDecorator((_: unknown, execution: ExecutionContext) =>
  contextOf(execution.switchToHttp().getRequest<object>()),
);

/**
 * Parameter decorator: the parsed query, a `SeriesRequest`. The OpenAPI document gets the
 * parameters from its metadata.
 */
export function RequestedSeries(): ParameterDecorator {
  return (target, key, index) => {
    const handler = (target as Record<string | symbol, object>)[key!]!;
    Reflect.defineMetadata(QUERY, priceSeriesQuery, handler);
    requestContext(PriceSeriesFilterPipe)(target, key, index);
  };
}
