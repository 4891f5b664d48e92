import { Controller, Get, Param } from '@nestjs/common';
import { BASE } from '../../config/price-paths.js';
import { RequestSignal } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import { ApiOkResponse, ApiOperation, envelopeOf } from '../../platform/http/api-docs.js';
import { NoDeadline } from '../../platform/http/routes.js';
import { DeferredListing, type ExpectItems } from '../../platform/formats/listing.js';
import {
  indicatorListRequest,
  indicatorListQuery,
  type IndicatorListRequest,
} from './indicator-list.parameters.js';
import { AnalysisLists } from '../analysis-lists.js';
import { SeriesLoader } from '../series-loader.js';
import { IndicatorListService } from './indicator-list.service.js';
import { IndicatorRowListing } from './indicator-row-listing.js';
import { indicatorQuery, indicatorRequest, type IndicatorRequest } from './indicator.parameters.js';
import { IndicatorsService } from './indicators.service.js';
import { SerieIndicator, SerieIndicators } from './serie-indicators.js';
import { schemaOf } from '../../platform/validation/field.js';

/** Indicators of price series. */
@Controller(`${BASE}/PriceSerieIndicator`)
@AnalysisLists()
export class IndicatorsController {
  constructor(
    private readonly indicators: IndicatorsService,
    private readonly lists: IndicatorListService,
    private readonly series: SeriesLoader,
  ) {}

  @Get()
  @NoDeadline()
  @ApiOperation({
    summary: 'The newest indicators of several series',
    description:
      'The newest month of each series that is over and has a price, or `month`. With `month`, `as_of` or other settings than the default, of up to 10,000 series.',
  })
  @ApiOkResponse({
    description: 'Series, each with the indicators of one month',
    schema: envelopeOf(schemaOf(SerieIndicator)),
  })
  async list(
    @RequestQuery(indicatorListQuery, indicatorListRequest) request: IndicatorListRequest,
    @RequestSignal() signal: AbortSignal,
  ) {
    const load = async (expectItems: ExpectItems) => {
      const listed = await this.lists.list(request, signal, expectItems);
      await expectItems(listed.rows.length);
      return new IndicatorRowListing(listed, request.fields);
    };
    return DeferredListing.loadedBy(load, await this.series.shownRevision(request.view));
  }

  @Get(':uuid')
  @ApiOperation({
    summary: 'Indicators of one series',
    description:
      'Changes, the mean of five years, seasonal index, volatility, the indicator of food price anomalies (IFPA, SDG 2.c.1) and the alert for price spikes (ALPS), for each month that is over and has a price. A value that cannot be had is null, and `reasons` says why.',
  })
  @ApiOkResponse({
    description: 'The series with its indicators, newest first',
    schema: schemaOf(SerieIndicators),
  })
  read(
    @Param('uuid') uuid: string,
    @RequestQuery(indicatorQuery, indicatorRequest) request: IndicatorRequest,
    @RequestSignal() signal: AbortSignal,
  ) {
    return this.indicators.read(uuid, request, signal);
  }
}
