import { applyDecorators, Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { PRICE_PREFIXES } from '../config/price-paths.js';
import { RequestSignal } from '../platform/http/request.js';
import { RequestQuery } from '../platform/http/params.js';
import { CacheControl } from '../platform/http/routes.js';
import { PaginationInterceptor } from '../platform/listing/pagination.interceptor.js';
import { CachedBy } from '../ledger/revision/cached-by.js';
import { type Dataset, datasets } from '../price-series/filters/price-series.filters.js';
import { ApiOkResponse, ApiOperation, ApiTags, envelopeOf } from '../platform/http/api-docs.js';
import { PriceSeriesService, type SeriesRequest } from '../price-series/price-series.service.js';
import { PriceListings, type PriceRequest } from '../prices/read/price-listing.js';
import { priceRequest } from '../prices/price-queries.js';
import { pricesQuery } from '../prices/prices.parameters.js';
import type { PriceQuery } from '../prices/prices.service.js';
import { fpmaEntryJson } from './fpma-entry.view.js';
import { fpmaPriceObject } from './fpma-prices.view.js';
import { fpmaPriceQuery, fpmaPriceListQuery, fpmaSeriesRequest, fpmaSeriesQuery } from './fpma.queries.js';
import { FpmaSerie, FpmaSeriePrices } from './fpma-records.js';
import { schemaOf } from '../platform/validation/field.js';

/** Unknown parameters are ignored, as in the live tool, and listed in a response header. */
const ignoreUnknown = true;

/** The query of a list of series, as an `SeriesRequest`. */
const SeriesQuery = () => RequestQuery(fpmaSeriesQuery, fpmaSeriesRequest, { ignoreUnknown });

/** A list of series. */
const SeriesList = (summary: string) =>
  applyDecorators(
    CachedBy('series', 'references'),
    ApiOperation({ summary }),
    ApiOkResponse({ description: 'Series in the shape of FPMA', schema: envelopeOf(schemaOf(FpmaSerie)) }),
  );

/**
 * The paths and response shapes of FAO's live FPMA tool over the same data, so that its clients
 * only need to change the host.
 */
@Controller([...PRICE_PREFIXES])
@UseInterceptors(PaginationInterceptor)
@CacheControl('minute')
@ApiTags('FPMA-compatible')
export class FpmaController {
  constructor(
    private readonly series: PriceSeriesService,
    private readonly prices: PriceListings,
  ) {}

  @Get('FpmaSerie')
  @SeriesList('List all series')
  list(@SeriesQuery() request: SeriesRequest) {
    return this.listOf('all', request);
  }

  @Get('FpmaSerieDomestic')
  @SeriesList('List the series of the domestic dataset')
  domestic(@SeriesQuery() request: SeriesRequest) {
    return this.listOf('domestic', request);
  }

  @Get('FpmaSerieInternational')
  @SeriesList('List the series of the international dataset')
  international(@SeriesQuery() request: SeriesRequest) {
    return this.listOf('international', request);
  }

  @Get('FpmaSeriePrice')
  @CachedBy('series', 'references', 'rates')
  @ApiOperation({ summary: 'Prices of several series' })
  @ApiOkResponse({
    description: 'Points in the shape of FPMA',
    schema: envelopeOf(schemaOf(FpmaSeriePrices)),
  })
  priceList(
    @RequestQuery(fpmaPriceListQuery, fpmaPriceQuery, { ignoreUnknown }) query: PriceQuery,
    @RequestSignal() signal: AbortSignal,
  ) {
    return this.prices.list(query, signal, fpmaPriceObject);
  }

  @Get('FpmaSeriePrice/:uuid')
  @CachedBy('series', 'references', 'rates')
  @ApiOperation({ summary: 'Prices of one series' })
  @ApiOkResponse({ description: 'Points in the shape of FPMA', schema: schemaOf(FpmaSeriePrices) })
  pricesOf(
    @Param('uuid') uuid: string,
    @RequestQuery(pricesQuery, priceRequest, { ignoreUnknown }) request: PriceRequest,
    @RequestSignal() signal: AbortSignal,
  ) {
    return this.prices.read(uuid, request, signal, fpmaPriceObject, 'observed');
  }

  private listOf(dataset: Dataset, request: SeriesRequest) {
    return this.series.list(
      { ...request, criteria: request.criteria.with(datasets[dataset]) },
      fpmaEntryJson,
    );
  }
}
