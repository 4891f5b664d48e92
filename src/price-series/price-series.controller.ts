import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { mediaTypes, RowStream } from '../common/http/reply.js';
import { PRICE_PREFIXES } from '../common/http/prefixes.js';
import { CachedBy, ReplyFormats, CacheControl } from '../common/http/route-decorators.js';
import { pageRequest } from '../common/pagination/page.js';
import { PriceSeriesPaginationInterceptor } from './pagination.interceptor.js';
import { seriesLines } from './price-serie.lines.js';
import { RequestedSeries, type SeriesRequest } from './price-series-filter.pipe.js';
import { type Dataset, datasets } from './price-series.filters.js';
import { PriceSeriesService } from './price-series.service.js';

/** The lists of series, which have the same parameters, and the single series. */
@Controller([...PRICE_PREFIXES])
@UseInterceptors(PriceSeriesPaginationInterceptor)
@CacheControl('series')
@CachedBy('series+references')
export class PriceSeriesController {
  constructor(private readonly service: PriceSeriesService) {}

  @Get('PriceSerie')
  @ReplyFormats('json', 'csv', 'ndjson')
  list(@RequestedSeries() request: SeriesRequest) {
    return this.reply('all', request);
  }

  @Get('PriceSerieDomestic')
  @ReplyFormats('json', 'csv', 'ndjson')
  domestic(@RequestedSeries() request: SeriesRequest) {
    return this.reply('domestic', request);
  }

  @Get('PriceSerieInternational')
  @ReplyFormats('json', 'csv', 'ndjson')
  international(@RequestedSeries() request: SeriesRequest) {
    return this.reply('international', request);
  }

  @Get('PriceSerie/:uuid')
  read(@Param('uuid') uuid: string) {
    return this.service.read(uuid);
  }

  private async reply(dataset: Dataset, { criteria, page, format }: SeriesRequest) {
    const selected = criteria.with(datasets[dataset]);
    if (format === 'json') return this.service.list(selected, page ?? pageRequest({}));
    const { catalogue, rows } = await this.service.slice(selected, page);
    return new RowStream(mediaTypes[format], seriesLines(format, catalogue, rows));
  }
}
