import { applyDecorators, Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { PRICE_PREFIXES } from '../config/price-paths.js';
import { RequestQuery, wholeQuery } from '../platform/http/params.js';
import { CacheControl, ListFormats } from '../platform/http/routes.js';
import { PaginationInterceptor } from '../platform/listing/pagination.interceptor.js';
import { Reply } from '../platform/http/reply.js';
import { type AsOf, asOfQuery } from '../ledger/revision/as-of.js';
import { CachedBy } from '../ledger/revision/cached-by.js';
import { PriceSeriesFilterPipe, priceSeriesQuery } from './filters/price-series-filter.pipe.js';
import { type Dataset, datasets } from './filters/price-series.filters.js';
import { ApiOkResponse, ApiOperation, ApiTags, envelopeOf } from '../platform/http/api-docs.js';
import { PriceSeriesService, type SeriesRequest } from './price-series.service.js';
import { SeriesEntry } from './price-serie.view.js';
import { schemaOf } from '../platform/validation/field.js';

/** The query of a list of series, as a `SeriesRequest`. */
const SeriesQuery = () => RequestQuery(priceSeriesQuery, wholeQuery, { pipe: PriceSeriesFilterPipe });

/** A list of series, in all formats. */
const SeriesList = (summary: string) =>
  applyDecorators(
    ListFormats(),
    ApiOperation({ summary }),
    ApiOkResponse({ description: 'A page of series', schema: envelopeOf(schemaOf(SeriesEntry)) }),
  );

/** The lists of series, which have the same parameters, and the single series. */
@Controller([...PRICE_PREFIXES])
@UseInterceptors(PaginationInterceptor)
@CacheControl('minute')
@ApiTags('Price series')
@CachedBy('series', 'references')
export class PriceSeriesController {
  constructor(private readonly service: PriceSeriesService) {}

  @Get('PriceSerie')
  @SeriesList('List all price series')
  list(@SeriesQuery() request: SeriesRequest) {
    return this.listOf('all', request);
  }

  @Get('PriceSerieDomestic')
  @SeriesList('List the series of the domestic dataset: wholesale and retail')
  domestic(@SeriesQuery() request: SeriesRequest) {
    return this.listOf('domestic', request);
  }

  @Get('PriceSerieInternational')
  @SeriesList('List the series of the international dataset: export')
  international(@SeriesQuery() request: SeriesRequest) {
    return this.listOf('international', request);
  }

  @Get('PriceSerie/:uuid')
  @ApiOperation({ summary: 'Read one price series' })
  @ApiOkResponse({ description: 'The series', schema: schemaOf(SeriesEntry) })
  async read(@Param('uuid') uuid: string, @RequestQuery(asOfQuery) { as_of }: { as_of?: AsOf }) {
    const { entry, revision } = await this.service.read(uuid, as_of);
    return Reply.json(entry, { revision });
  }

  private listOf(dataset: Dataset, request: SeriesRequest) {
    return this.service.list({ ...request, criteria: request.criteria.with(datasets[dataset]) });
  }
}
