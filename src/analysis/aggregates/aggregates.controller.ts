import { Controller, Get } from '@nestjs/common';
import { BASE } from '../../config/price-paths.js';
import { DeferredListing, type ExpectItems } from '../../platform/formats/listing.js';
import { RequestSignal } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import { ApiOkResponse, ApiOperation, envelopeOf } from '../../platform/http/api-docs.js';
import { NoDeadline } from '../../platform/http/routes.js';
import { AnalysisLists } from '../analysis-lists.js';
import { SeriesLoader } from '../series-loader.js';
import { aggregateQuery, aggregateRequest, type AggregateRequest } from './aggregate.parameters.js';
import { AggregateExplanations } from './aggregate-explanations.js';
import { AggregateListing } from './aggregate-listing.js';
import { AggregatesService } from './aggregates.service.js';
import { AggregateGroup } from './aggregate-group.js';
import { schemaOf } from '../../platform/validation/field.js';

/** The prices of groups of series, put together. */
@Controller(`${BASE}/PriceAggregate`)
@AnalysisLists()
export class AggregatesController {
  constructor(
    private readonly aggregates: AggregatesService,
    private readonly explanations: AggregateExplanations,
    private readonly series: SeriesLoader,
  ) {}

  @Get()
  @NoDeadline()
  @ApiOperation({
    summary: 'Prices of groups of series',
    description:
      'Median, mean, least and greatest price of each group month by month, and a chained Jevons index, which does not jump when markets come and go. Regional averages are left out, unless `regional_average=true` takes only these. Of up to 10,000 series in one reply.',
  })
  @ApiOkResponse({
    description: 'Groups, each with its observations, newest first',
    schema: envelopeOf(schemaOf(AggregateGroup)),
  })
  async list(
    @RequestQuery(aggregateQuery, aggregateRequest) request: AggregateRequest,
    @RequestSignal() signal: AbortSignal,
  ) {
    return new DeferredListing(
      async (_, expectItems: ExpectItems) => {
        const list = await this.aggregates.list(request, signal, expectItems);
        const explained = request.explain ? await this.explanations.of(list, request, signal) : null;
        return new AggregateListing(list, request, explained);
      },
      async (expectItems) => void (await this.aggregates.list(request, signal, expectItems)),
      await this.series.shownRevision(request.view),
    );
  }
}
