import { Controller, Get, Param } from '@nestjs/common';
import { PRICE_PREFIXES } from '../common/http/prefixes.js';
import { CachedBy, CacheControl } from '../common/http/route-decorators.js';
import { envelopeReply } from '../common/pagination/envelope.js';
import { type Dataset, datasets } from '../price-series/price-series.filters.js';
import { PriceSeriesService } from '../price-series/price-series.service.js';
import { PriceReplies } from '../prices/price-replies.js';
import type { PriceListRequest, PriceRequest } from '../prices/price-request.js';
import { fpmaEntriesJson } from './fpma-entry.view.js';
import { fpmaPriceObject } from './fpma-prices.view.js';
import {
  RequestedFpmaPriceList,
  RequestedFpmaPrices,
  RequestedFpmaSeries,
  type FpmaSeriesRequest,
} from './fpma.parameters.js';

const shapes = { json: fpmaPriceObject };

/**
 * The paths and response shapes of FAO's live FPMA tool over the same data, so that its clients
 * only need to change the host.
 */
@Controller([...PRICE_PREFIXES])
@CacheControl('series')
export class FpmaController {
  constructor(
    private readonly series: PriceSeriesService,
    private readonly prices: PriceReplies,
  ) {}

  @Get('FpmaSerie')
  @CachedBy('series+references')
  list(@RequestedFpmaSeries() request: FpmaSeriesRequest) {
    return this.seriesReply('all', request);
  }

  @Get('FpmaSerieDomestic')
  @CachedBy('series+references')
  domestic(@RequestedFpmaSeries() request: FpmaSeriesRequest) {
    return this.seriesReply('domestic', request);
  }

  @Get('FpmaSerieInternational')
  @CachedBy('series+references')
  international(@RequestedFpmaSeries() request: FpmaSeriesRequest) {
    return this.seriesReply('international', request);
  }

  @Get('FpmaSeriePrice')
  @CachedBy('series+references+rates')
  priceList(@RequestedFpmaPriceList() request: PriceListRequest) {
    return this.prices.list(request, shapes);
  }

  @Get('FpmaSeriePrice/:uuid')
  @CachedBy('series+references+rates')
  pricesOf(@Param('uuid') uuid: string, @RequestedFpmaPrices() request: PriceRequest) {
    return this.prices.read(uuid, request, shapes);
  }

  private async seriesReply(dataset: Dataset, { criteria, page, context }: FpmaSeriesRequest) {
    const list = await this.series.list(criteria.with(datasets[dataset]), page);
    return envelopeReply(list, context, (rows) => fpmaEntriesJson(list.catalogue, rows));
  }
}
