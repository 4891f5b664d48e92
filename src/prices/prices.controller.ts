import { Controller, Get, Param } from '@nestjs/common';
import { Answer, mediaTypes } from '../common/http/answer.js';
import { PRICE_PREFIXES } from '../common/http/prefixes.js';
import { CachedAnswer, Formats, Fresh } from '../common/http/route-decorators.js';
import { priceListAnswer, priceShapes } from './price-answer.js';
import {
  RequestedPriceList,
  RequestedPrices,
  type PriceListRequest,
  type PriceRequest,
} from './price-request.js';
import { pricesCsvHeader } from './prices-csv.js';
import { PricesService } from './prices.service.js';

/** The prices of series, singly and as a list. */
@Controller([...PRICE_PREFIXES])
@Formats('json', 'csv', 'ndjson')
@Fresh('series')
@CachedAnswer('series+references+rates')
export class PricesController {
  constructor(private readonly prices: PricesService) {}

  @Get('PriceSeriePrice')
  list(@RequestedPriceList() { query, context }: PriceListRequest) {
    return priceListAnswer(this.prices, query, context);
  }

  @Get('PriceSeriePrice/:uuid')
  async read(@Param('uuid') uuid: string, @RequestedPrices() { window, context }: PriceRequest) {
    const { format } = context;
    const text = await this.prices.single(uuid, window, priceShapes[format], context.gone);
    const body = format === 'csv' ? Buffer.concat([Buffer.from(pricesCsvHeader), text]) : text;
    return Answer.text(body, mediaTypes[format]);
  }
}
