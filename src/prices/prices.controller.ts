import { Controller, Get, Param } from '@nestjs/common';
import { PRICE_PREFIXES } from '../common/http/prefixes.js';
import { CachedBy, ReplyFormats, CacheControl } from '../common/http/route-decorators.js';
import { PriceReplies } from './price-replies.js';
import {
  RequestedPriceList,
  RequestedPrices,
  type PriceListRequest,
  type PriceRequest,
} from './price-request.js';

/** The prices of one series, and of a list of series. */
@Controller([...PRICE_PREFIXES])
@ReplyFormats('json', 'csv', 'ndjson')
@CacheControl('series')
@CachedBy('series+references+rates')
export class PricesController {
  constructor(private readonly replies: PriceReplies) {}

  @Get('PriceSeriePrice')
  list(@RequestedPriceList() request: PriceListRequest) {
    return this.replies.list(request);
  }

  @Get('PriceSeriePrice/:uuid')
  read(@Param('uuid') uuid: string, @RequestedPrices() request: PriceRequest) {
    return this.replies.read(uuid, request);
  }
}
