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
import { PriceWarningChange, warningChangeColumnsBy } from './price-warning-change.js';
import { WarningChangesService } from './warning-changes.service.js';
import { type WarningChangeRequest, warningChangeQuery, warningChangeRequest } from './warning.parameters.js';

/** How many prices of a country are high, beside a month and a year before. */
@Controller(`${BASE}/PriceWarningChange`)
@AnalysisLists()
export class WarningChangesController {
  constructor(
    private readonly changes: WarningChangesService,
    private readonly series: SeriesLoader,
  ) {}

  @Get()
  @NoDeadline()
  @ApiOperation({
    summary: 'Warnings beside a month and a year before',
    description:
      'The groups of `PriceWarning/` in `month`, or in the newest month of each country: how many of their prices are high, how many were a month and a year before, and which are newly high or no longer. `sort=old,-share,-rated` lists the most severe first. With `as_of`, of up to 10,000 series.',
  })
  @ApiOkResponse({
    description: 'Groups with how many of their prices are high',
    schema: envelopeOf(schemaOf(PriceWarningChange)),
  })
  async list(
    @RequestQuery(warningChangeQuery, warningChangeRequest) request: WarningChangeRequest,
    @RequestSignal() signal: AbortSignal,
  ) {
    const load = async (expectItems: ExpectItems) => {
      const { rows, revision } = await this.changes.list(request, signal, expectItems);
      const changes = rows.map(({ change }) => change);
      return RecordListing.pageOf(warningChangeColumnsBy(request.grouping), changes, request.list, revision);
    };
    return DeferredListing.loadedBy(load, await this.series.shownRevision(request.view));
  }
}
