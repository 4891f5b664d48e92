import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { QuerySchema } from '../common/filtering/query-schema.js';
import { MAX_ITEMS } from '../common/filtering/parsers.js';
import { contextOf, type RequestContext } from '../common/http/request-context.js';
import { QUERY, readQuery } from '../common/http/request-query.js';
import { pageRequest } from '../common/pagination/page.js';
import { Criteria } from '../price-series/criteria.js';
import { pointWindow, priceListQuery, pricedSeriesFilters, pricesQuery } from './prices.parameters.js';
import type { PointWindow } from './point-window.js';
import type { PriceQuery } from './prices.service.js';

/** A request for the prices of one series. */
export interface PriceRequest {
  window: PointWindow;
  context: RequestContext;
}

/** A request for a list of prices. */
export interface PriceListRequest {
  query: PriceQuery;
  context: RequestContext;
}

/** Injects the request as a `PriceRequest`. */
export const RequestedPrices = createQueryDecorator(pricesQuery, (context): PriceRequest => ({
  window: pointWindow(readQuery(pricesQuery, context)),
  context,
}));

/** Injects the request as a `PriceListRequest`. */
export const RequestedPriceList = createQueryDecorator(priceListQuery, (context): PriceListRequest => {
  const values = readQuery(priceListQuery, context);
  const paged = values.page !== undefined || values.page_size !== undefined || context.format === 'json';
  // A client that names series wants all of them.
  const page = values.uuid__in ? pageRequest(values, MAX_ITEMS) : pageRequest(values);
  return {
    query: {
      criteria: Criteria.of(pricedSeriesFilters, values),
      window: pointWindow(values),
      page: paged ? page : null,
    },
    context,
  };
});

/**
 * Creates a parameter decorator that injects what `read` makes of the query. The schema is attached
 * to the handler, so that the API document lists its parameters.
 */
export function createQueryDecorator(schema: QuerySchema, read: (context: RequestContext) => unknown) {
  const decorate = createParamDecorator((_: unknown, execution: ExecutionContext) =>
    read(contextOf(execution.switchToHttp().getRequest<object>())),
  );
  return (): ParameterDecorator => (target, key, index) => {
    Reflect.defineMetadata(QUERY, schema, (target as Record<string | symbol, object>)[key!]!);
    decorate()(target, key, index);
  };
}
