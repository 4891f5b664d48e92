import { Controller, Get } from '@nestjs/common';
import { BASE } from '../../config/price-paths.js';
import { DeferredListing, type ExpectItems } from '../../platform/formats/listing.js';
import { ApiOkResponse, ApiOperation, envelopeOf } from '../../platform/http/api-docs.js';
import { RequestQuery } from '../../platform/http/params.js';
import { RequestSignal } from '../../platform/http/request.js';
import { NoDeadline } from '../../platform/http/routes.js';
import { RecordListing } from '../../platform/listing/record-listing.js';
import { schemaOf } from '../../platform/validation/field.js';
import { AnalysisLists } from '../analysis-lists.js';
import { SeriesLoader } from '../series-loader.js';
import { changeColumnsBy, PriceChange } from './price-change.js';
import { priceChangeQuery, priceChangeRequest, type PriceChangeRequest } from './price-change.parameters.js';
import { PriceChangesService } from './price-changes.service.js';

/** How the prices of groups of series stand, and how they have changed. */
@Controller(`${BASE}/PriceChange`)
@AnalysisLists()
export class PriceChangesController {
  constructor(
    private readonly changes: PriceChangesService,
    private readonly series: SeriesLoader,
  ) {}

  @Get()
  @NoDeadline()
  @ApiOperation({
    summary: 'Changes of prices by group',
    description:
      'The median price of each group in `month`, or in its newest month with a price, and the change over one, three and twelve months of the series with a price in both months: a change that does not move when markets come and go. Of up to 10,000 series in one reply.',
  })
  @ApiOkResponse({
    description: 'Groups with a price in the month',
    schema: envelopeOf(schemaOf(PriceChange)),
  })
  async list(
    @RequestQuery(priceChangeQuery, priceChangeRequest) request: PriceChangeRequest,
    @RequestSignal() signal: AbortSignal,
  ) {
    const { list, dimensions, measure } = request;
    const load = async (expectItems: ExpectItems) => {
      const { changes, revision } = await this.changes.list(request, signal, expectItems);
      return RecordListing.pageOf(changeColumnsBy(dimensions, measure), changes, list, revision);
    };
    return DeferredListing.loadedBy(load, await this.series.shownRevision(request.view));
  }
}
