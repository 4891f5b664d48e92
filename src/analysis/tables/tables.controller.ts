import { Controller, Get } from '@nestjs/common';
import { BASE } from '../../config/price-paths.js';
import { DeferredListing } from '../../platform/formats/listing.js';
import { RequestSignal } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import { ApiOkResponse, ApiOperation } from '../../platform/http/api-docs.js';
import { NoDeadline } from '../../platform/http/routes.js';
import { AnalysisLists } from '../analysis-lists.js';
import { SeriesLoader } from '../series-loader.js';
import { PriceTableListing } from './price-table-listing.js';
import { PriceTableService } from './price-table.service.js';
import { tableQuery, tableRequest, type TableRequest } from './table.parameters.js';
import { ShownTable } from './shown-table.js';
import { schemaOf } from '../../platform/validation/field.js';

/** Tables of the prices of several series. */
@Controller(`${BASE}/PriceTable`)
@AnalysisLists()
export class TablesController {
  constructor(
    private readonly tables: PriceTableService,
    private readonly series: SeriesLoader,
  ) {}

  @Get()
  @NoDeadline()
  @ApiOperation({
    summary: 'A table of the prices of several series',
    description:
      'Dates down, newest first, and up to 500 series across, in the order of the series lists. A month that is not over has no row. CSV has a column, NDJSON a member for each series, named by its label.',
  })
  @ApiOkResponse({ description: 'The table', schema: schemaOf(ShownTable) })
  async read(
    @RequestQuery(tableQuery, tableRequest) request: TableRequest,
    @RequestSignal() signal: AbortSignal,
  ) {
    return new DeferredListing(
      async (_, expectItems) => new PriceTableListing(await this.tables.read(request, signal, expectItems)),
      async () => void (await this.tables.select(request, signal)),
      await this.series.shownRevision(request.view),
    );
  }
}
