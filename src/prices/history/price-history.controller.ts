import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { PRICE_PREFIXES } from '../../config/price-paths.js';
import { CachedBy } from '../../ledger/revision/cached-by.js';
import { RequestSignal } from '../../platform/http/request/request-context.js';
import { RequestQuery } from '../../platform/http/request/request-query.js';
import { ApiOkResponse, ApiOperation, ApiProblems, ApiTags } from '../../platform/http/routes/api-docs.js';
import { arrayOf, ref } from '../../platform/validation/schema.js';
import { CacheControl, ListFormats } from '../../platform/http/routes/route-decorators.js';
import { PaginationInterceptor } from '../../platform/listing/pagination.interceptor.js';
import { RecordListing } from '../../platform/listing/record-listing.js';
import { parsePointNumber } from '../datapoint.dto.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { pricedSeriesFilters } from '../prices.parameters.js';
import {
  type DifferenceParameters,
  differenceListQuery,
  differencesQuery,
  RevisionRanges,
} from './difference-parameters.js';
import { PointVersions, pointVersionColumns } from './point-versions.js';
import { pointDifferenceColumns, PriceDifferences, type RevisionRange } from './price-differences.js';

const DIFFERENCES = {
  description: 'The stored points that differ',
  schema: arrayOf(ref('PointDifference')),
};

/** What was known of stored prices, and how two states of the data differ. */
@Controller(PRICE_PREFIXES.map((prefix) => `${prefix}/PriceSeriePrice`))
@UseInterceptors(PaginationInterceptor)
@ListFormats()
@CacheControl('revalidate')
@ApiTags('History')
@CachedBy('series', 'references')
export class PriceHistoryController {
  constructor(
    private readonly versions: PointVersions,
    private readonly differences: PriceDifferences,
    private readonly ranges: RevisionRanges,
  ) {}

  @Get('differences')
  @ApiOperation({ summary: 'Differences between two states of several series' })
  @ApiOkResponse(DIFFERENCES)
  async ofSelection(
    @RequestQuery(differenceListQuery) query: DifferenceParameters<typeof differenceListQuery.parameters>,
  ) {
    const range = await this.ranges.of(query);
    const criteria = Criteria.of(pricedSeriesFilters, query);
    return listing(await this.differences.ofSelection(criteria, range), range);
  }

  @Get(':uuid/differences')
  @ApiOperation({ summary: 'Differences between two states of a series' })
  @ApiOkResponse(DIFFERENCES)
  async ofSeries(
    @Param('uuid') uuid: string,
    @RequestQuery(differencesQuery) query: DifferenceParameters<typeof differencesQuery.parameters>,
  ) {
    const range = await this.ranges.of(query);
    return listing(await this.differences.ofSeries(uuid, range), range);
  }

  @Get(':uuid/:id/versions')
  @ApiOperation({ summary: 'Versions of a stored price' })
  @ApiOkResponse({ description: 'The versions, newest first', schema: arrayOf(ref('PointVersion')) })
  @ApiProblems('calculated')
  async ofPoint(@Param('uuid') uuid: string, @Param('id') id: string, @RequestSignal() signal: AbortSignal) {
    const versions = await this.versions.read(uuid, parsePointNumber(id), signal);
    return RecordListing.of(pointVersionColumns, versions, 'all');
  }
}

const listing = (batches: ConstructorParameters<typeof RecordListing>[1], { to }: RevisionRange) =>
  new RecordListing(pointDifferenceColumns, batches, 'all', Math.max(to, 0));
