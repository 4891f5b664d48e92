import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { PRICE_PREFIXES } from '../common/http/prefixes.js';
import { RequestQuery } from '../common/http/request-query.js';
import { RequestSignal } from '../common/http/request-context.js';
import { CacheControl, ListFormats } from '../common/http/route-decorators.js';
import { PaginationInterceptor } from '../common/pagination/pagination.interceptor.js';
import { CachedBy } from '../database/cached-by.js';
import { PriceListings, type PriceRequest } from './price-listing.js';
import { PriceListPipe, PricesPipe } from './price-queries.js';
import { priceListQuery, pricesQuery } from './prices.parameters.js';
import type { PriceQuery } from './prices.service.js';

/** The prices of one series, and of a list of series. */
@Controller([...PRICE_PREFIXES])
@UseInterceptors(PaginationInterceptor)
@ListFormats()
@CacheControl('minute')
@CachedBy('series', 'references', 'rates')
export class PricesController {
  constructor(private readonly listings: PriceListings) {}

  @Get('PriceSeriePrice')
  list(
    @RequestQuery(priceListQuery, { pipe: PriceListPipe }) query: PriceQuery,
    @RequestSignal() signal: AbortSignal,
  ) {
    return this.listings.list(query, signal);
  }

  @Get('PriceSeriePrice/:uuid')
  read(
    @Param('uuid') uuid: string,
    @RequestQuery(pricesQuery, { pipe: PricesPipe }) request: PriceRequest,
    @RequestSignal() signal: AbortSignal,
  ) {
    return this.listings.read(uuid, request, signal);
  }
}
