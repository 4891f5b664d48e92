import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { PRICE_PREFIXES } from '../../config/price-paths.js';
import { CachedBy } from '../../ledger/revision/cached-by.js';
import { RequestSignal } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import { ApiOkResponse, ApiOperation, ApiProblems, ApiTags } from '../../platform/http/api-docs.js';
import { arrayOf } from '../../platform/validation/schema.js';
import { CacheControl, ListFormats } from '../../platform/http/routes.js';
import { PaginationInterceptor } from '../../platform/listing/pagination.interceptor.js';
import { listQuery } from '../../platform/listing/list-parameters.js';
import { memberOf, type Sort, sortItems } from '../../platform/listing/sort.js';
import { batchesOf } from '../../lib/collections/batches.js';
import { ValidationError } from '../../platform/errors/api-error.js';
import { noParameters, type QueryValues } from '../../platform/validation/query-schema.js';
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
import { PointVersion, pointVersionColumns, PointVersions } from './point-versions.js';
import {
  PointDifference,
  pointDifferenceColumns,
  PriceDifferences,
  type RevisionRange,
} from './price-differences.js';
import { schemaOf } from '../../platform/validation/field.js';

const versionsQuery = listQuery(noParameters, pointVersionColumns);

/** Differences that one request may have sorted: they are in memory meanwhile. */
const MAX_SORTED = 100_000;
const SORTED_PER_BATCH = 200;

const DIFFERENCES = {
  description: 'The stored points that differ',
  schema: arrayOf(schemaOf(PointDifference)),
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
    return listing(await this.differences.ofSelection(criteria, range), range, query);
  }

  @Get(':uuid/differences')
  @ApiOperation({ summary: 'Differences between two states of a series' })
  @ApiOkResponse(DIFFERENCES)
  async ofSeries(
    @Param('uuid') uuid: string,
    @RequestQuery(differencesQuery) query: DifferenceParameters<typeof differencesQuery.parameters>,
  ) {
    const range = await this.ranges.of(query);
    return listing(await this.differences.ofSeries(uuid, range), range, query);
  }

  @Get(':uuid/:id/versions')
  @ApiOperation({ summary: 'Versions of a stored price' })
  @ApiOkResponse({ description: 'The versions, newest first', schema: arrayOf(schemaOf(PointVersion)) })
  @ApiProblems('calculated')
  async ofPoint(
    @Param('uuid') uuid: string,
    @Param('id') id: string,
    @RequestQuery(versionsQuery) { sort = [] }: QueryValues<typeof versionsQuery.parameters>,
    @RequestSignal() signal: AbortSignal,
  ) {
    const versions = await this.versions.read(uuid, parsePointNumber(id), signal);
    return RecordListing.pageOf(pointVersionColumns, versions, { page: null, sort });
  }
}

async function listing(
  differences: AsyncIterable<readonly PointDifference[]>,
  { to }: RevisionRange,
  { sort = [] }: { sort?: Sort },
): Promise<RecordListing> {
  const batches = sort.length === 0 ? differences : await sorted(differences, sort);
  return new RecordListing(pointDifferenceColumns, batches, 'all', Math.max(to, 0));
}

/** @throws ValidationError for more differences than are sorted */
async function sorted(
  differences: AsyncIterable<readonly PointDifference[]>,
  sort: Sort,
): Promise<(readonly PointDifference[])[]> {
  const atMost = (async function* () {
    let count = 0;
    for await (const batch of differences) {
      count += batch.length;
      if (count > MAX_SORTED) throw tooManySorted();
      yield batch;
    }
  })();
  const { items } = await sortItems(atMost, sort, memberOf, (difference) => difference);
  return [...batchesOf(items, SORTED_PER_BATCH)];
}

const tooManySorted = () =>
  new ValidationError([
    {
      in: 'query',
      name: 'sort',
      code: 'contradiction',
      detail: `At most ${MAX_SORTED} differences are sorted: select fewer series, or leave out sort.`,
      max: MAX_SORTED,
    },
  ]);
