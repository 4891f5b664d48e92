import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { PRICE_PREFIXES } from '../config/price-paths.js';
import { RequestQuery } from '../platform/http/request/request-query.js';
import { RequestSignal } from '../platform/http/request/request-context.js';
import { CacheControl, ListFormats } from '../platform/http/routes/route-decorators.js';
import { PaginationInterceptor } from '../platform/listing/pagination.interceptor.js';
import { CachedBy } from '../database/revision/cached-by.js';
import { PriceListings, type PriceRequest } from './read/price-listing.js';
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
