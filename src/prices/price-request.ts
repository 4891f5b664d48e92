import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { QueryShape } from '../common/filtering/query-shape.js';
import { MAX_ITEMS } from '../common/filtering/parsers.js';
import { contextOf, type RequestContext } from '../common/http/request-context.js';
import { QUERY, readQuery } from '../common/http/request-query.js';
import { pageRequest } from '../common/pagination/page.js';
import { Criteria } from '../price-series/criteria.js';
import { pointWindow, priceListQuery, pricedSeriesFilters, pricesQuery } from './prices.parameters.js';
import type { PointWindow } from './point-window.js';
import type { PriceQuery } from './prices.service.js';

/** What a request asks of the prices of one series. */
export interface PriceRequest {
  window: PointWindow;
  context: RequestContext;
}

/** What a request asks of a list of prices. */
export interface PriceListRequest {
  query: PriceQuery;
  context: RequestContext;
}

/** The points that the request asks for: a `PriceRequest`. */
export const RequestedPrices = requested(pricesQuery, (context): PriceRequest => ({
  window: pointWindow(readQuery(pricesQuery, context)),
  context,
}));

/** The series and points that the request asks for: a `PriceListRequest`. */
export const RequestedPriceList = requested(priceListQuery, (context): PriceListRequest => {
  const values = readQuery(priceListQuery, context);
  const paged = values.page !== undefined || values.page_size !== undefined || context.format === 'json';
  // Who names series wants all of them.
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

/** A decorator of a handler's parameter that reads the query; the API document takes the parameters from its shape. */
export function requested(shape: QueryShape, read: (context: RequestContext) => unknown) {
  const decorate = createParamDecorator((_: unknown, execution: ExecutionContext) =>
    read(contextOf(execution.switchToHttp().getRequest<object>())),
  );
  return (): ParameterDecorator => (target, key, index) => {
    Reflect.defineMetadata(QUERY, shape, (target as Record<string | symbol, object>)[key!]!);
    decorate()(target, key, index);
  };
}
