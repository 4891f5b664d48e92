import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { PRICE_PREFIXES } from '../config/price-paths.js';
import { RequestQuery } from '../platform/http/params.js';
import { RequestSignal } from '../platform/http/request.js';
import { CacheControl, ListFormats } from '../platform/http/routes.js';
import { PaginationInterceptor } from '../platform/listing/pagination.interceptor.js';
import { CachedBy } from '../ledger/revision/cached-by.js';
import { PriceListings, type PriceRequest } from './read/price-listing.js';
import { ApiOkResponse, ApiOperation, ApiTags, envelopeOf } from '../platform/http/api-docs.js';
import { priceQuery, priceRequest } from './price-queries.js';
import { extendedPriceListQuery, extendedPricesQuery } from './prices.parameters.js';
import type { PriceQuery } from './prices.service.js';
import { SeriePrices } from './read/datapoint.js';
import { schemaOf } from '../platform/validation/field.js';

/** The prices of one series, and of a list of series. */
@Controller([...PRICE_PREFIXES])
@UseInterceptors(PaginationInterceptor)
@ListFormats()
@CacheControl('minute')
@ApiTags('Prices')
@CachedBy('series', 'references', 'rates', 'findings')
export class PricesController {
  constructor(private readonly listings: PriceListings) {}

  @Get('PriceSeriePrice')
  @ApiOperation({
    summary: 'Prices of several series',
    description:
      '`periodicity`, `start_date`, `end_date` and `latest` select points; all other parameters select series.',
  })
  @ApiOkResponse({
    description: 'Series with their points, newest first',
    schema: envelopeOf(schemaOf(SeriePrices)),
  })
  list(
    @RequestQuery(extendedPriceListQuery, priceQuery) query: PriceQuery,
    @RequestSignal() signal: AbortSignal,
  ) {
    return this.listings.list(query, signal);
  }

  @Get('PriceSeriePrice/:uuid')
  @ApiOperation({ summary: 'Prices of one series' })
  @ApiOkResponse({ description: 'The series with its points, newest first', schema: schemaOf(SeriePrices) })
  read(
    @Param('uuid') uuid: string,
    @RequestQuery(extendedPricesQuery, priceRequest) request: PriceRequest,
    @RequestSignal() signal: AbortSignal,
  ) {
    return this.listings.read(uuid, request, signal);
  }
}
