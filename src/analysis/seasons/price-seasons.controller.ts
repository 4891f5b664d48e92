import { Controller, Get } from '@nestjs/common';
import { BASE } from '../../config/price-paths.js';
import { DeferredListing, type ExpectItems } from '../../platform/formats/listing.js';
import { ApiOkResponse, ApiOperation, envelopeOf } from '../../platform/http/api-docs.js';
import { RequestQuery } from '../../platform/http/params.js';
import { RequestSignal } from '../../platform/http/request.js';
import { NoDeadline } from '../../platform/http/routes.js';
import { RecordListing } from '../../platform/listing/record-listing.js';
import { schemaOf } from '../../platform/validation/field.js';
import type { GroupListRequest } from '../aggregates/group-list.parameters.js';
import { AnalysisLists } from '../analysis-lists.js';
import { SeriesLoader } from '../series-loader.js';
import { PriceSeason, seasonColumnsBy } from './price-season.js';
import { priceSeasonQuery, priceSeasonRequest } from './price-season.parameters.js';
import { PriceSeasonsService } from './price-seasons.service.js';

/** In which months the prices of groups of series are dear and cheap. */
@Controller(`${BASE}/PriceSeason`)
@AnalysisLists()
export class PriceSeasonsController {
  constructor(
    private readonly seasons: PriceSeasonsService,
    private readonly series: SeriesLoader,
  ) {}

  @Get()
  @NoDeadline()
  @ApiOperation({
    summary: 'Dear and cheap months by group',
    description:
      'The seasonal indices of each group, of its index or else of its median, and the months in which it is usually dearest and cheapest. Of up to 10,000 series in one reply.',
  })
  @ApiOkResponse({
    description: 'Groups with a price in any month',
    schema: envelopeOf(schemaOf(PriceSeason)),
  })
  async list(
    @RequestQuery(priceSeasonQuery, priceSeasonRequest) request: GroupListRequest,
    @RequestSignal() signal: AbortSignal,
  ) {
    const { list, dimensions, measure } = request;
    const load = async (expectItems: ExpectItems) => {
      const { seasons, revision } = await this.seasons.list(request, signal, expectItems);
      return RecordListing.pageOf(seasonColumnsBy(dimensions, measure), seasons, list, revision);
    };
    return DeferredListing.loadedBy(load, await this.series.shownRevision(request.view));
  }
}
