import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { mediaTypes, RowStream } from '../common/http/reply.js';
import { PRICE_PREFIXES } from '../common/http/prefixes.js';
import { CachedBy, ReplyFormats, CacheControl } from '../common/http/route-decorators.js';
import { pageRequest } from '../common/pagination/page.js';
import { PriceSeriesPaginationInterceptor } from './pagination.interceptor.js';
import { seriesRows } from './price-serie.rows.js';
import { RequestedSeries, type SeriesRequest } from './price-series-filter.pipe.js';
import { type Dataset, datasets } from './price-series.filters.js';
import { PriceSeriesService } from './price-series.service.js';

/** The lists of series, which take the same parameters, and the single series. */
@Controller([...PRICE_PREFIXES])
@UseInterceptors(PriceSeriesPaginationInterceptor)
@CacheControl('series')
@CachedBy('series+references')
export class PriceSeriesController {
  constructor(private readonly service: PriceSeriesService) {}

  @Get('PriceSerie')
  @ReplyFormats('json', 'csv', 'ndjson')
  list(@RequestedSeries() request: SeriesRequest) {
    return this.answer('all', request);
  }

  @Get('PriceSerieDomestic')
  @ReplyFormats('json', 'csv', 'ndjson')
  domestic(@RequestedSeries() request: SeriesRequest) {
    return this.answer('domestic', request);
  }

  @Get('PriceSerieInternational')
  @ReplyFormats('json', 'csv', 'ndjson')
  international(@RequestedSeries() request: SeriesRequest) {
    return this.answer('international', request);
  }

  @Get('PriceSerie/:uuid')
  read(@Param('uuid') uuid: string) {
    return this.service.read(uuid);
  }

  private async answer(dataset: Dataset, { criteria, page, format }: SeriesRequest) {
    const asked = criteria.with(datasets[dataset]);
    if (format === 'json') return this.service.list(asked, page ?? pageRequest({}));
    const { catalogue, places } = await this.service.slice(asked, page);
    return new RowStream(mediaTypes[format], seriesRows(format, catalogue, places));
  }
}
