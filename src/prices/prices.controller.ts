import { Controller, Get, Param } from '@nestjs/common';
import { PRICE_PREFIXES } from '../common/http/prefixes.js';
import { CachedBy, ReplyFormats, CacheControl } from '../common/http/route-decorators.js';
import { PriceAnswers } from './price-answers.js';
import {
  RequestedPriceList,
  RequestedPrices,
  type PriceListRequest,
  type PriceRequest,
} from './price-request.js';

/** The prices of series, singly and as a list. */
@Controller([...PRICE_PREFIXES])
@ReplyFormats('json', 'csv', 'ndjson')
@CacheControl('series')
@CachedBy('series+references+rates')
export class PricesController {
  constructor(private readonly answers: PriceAnswers) {}

  @Get('PriceSeriePrice')
  list(@RequestedPriceList() request: PriceListRequest) {
    return this.answers.list(request);
  }

  @Get('PriceSeriePrice/:uuid')
  read(@Param('uuid') uuid: string, @RequestedPrices() request: PriceRequest) {
    return this.answers.single(uuid, request);
  }
}
