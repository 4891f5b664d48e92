import { Controller, Get } from '@nestjs/common';
import { BASE } from '../../config/price-paths.js';
import { DeferredListing, type ExpectItems } from '../../platform/formats/listing.js';
import { RequestSignal } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import { ApiOkResponse, ApiOperation, envelopeOf } from '../../platform/http/api-docs.js';
import { NoDeadline } from '../../platform/http/routes.js';
import { AnalysisLists } from '../analysis-lists.js';
import { SeriesLoader } from '../series-loader.js';
import { WarningListing } from './warning-listing.js';
import { warningQuery, warningRequest, type WarningRequest } from './warning.parameters.js';
import { WarningsService } from './warnings.service.js';
import { PriceWarning } from './price-warning.js';
import { schemaOf } from '../../platform/validation/field.js';

/** How many series of a country have high prices. */
@Controller(`${BASE}/PriceWarning`)
@AnalysisLists()
export class WarningsController {
  constructor(
    private readonly warnings: WarningsService,
    private readonly series: SeriesLoader,
  ) {}

  @Get()
  @NoDeadline()
  @ApiOperation({
    summary: 'Warnings by country',
    description:
      'The fresh series of each country, or of each category or commodity of a country, by the class of their IFPA and ALPS in one month: in `month`, in the newest month of the country, or in each month from `start_date` to `end_date`. With `as_of`, of up to 10,000 series.',
  })
  @ApiOkResponse({
    description: 'Countries with their warnings',
    schema: envelopeOf(schemaOf(PriceWarning)),
  })
  async list(
    @RequestQuery(warningQuery, warningRequest) request: WarningRequest,
    @RequestSignal() signal: AbortSignal,
  ) {
    const load = async (expectItems: ExpectItems) => {
      const listed = await this.warnings.list(request, signal, expectItems);
      await expectItems(listed.size);
      return new WarningListing(listed, request.grouping);
    };
    return DeferredListing.loadedBy(load, await this.series.shownRevision(request.view));
  }
}
