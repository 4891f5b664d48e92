import { Controller, Get, UseInterceptors } from '@nestjs/common';
import { BASE } from '../config/price-paths.js';
import { ApiOkResponse, ApiOperation, ApiTags, envelopeOf } from '../platform/http/api-docs.js';
import { type ParsedQuery, RequestQuery, wholeQuery } from '../platform/http/params.js';
import { CacheControl, ListFormats } from '../platform/http/routes.js';
import { listQuery } from '../platform/listing/list-parameters.js';
import { pageParameters, requestedList } from '../platform/listing/page.js';
import { PaginationInterceptor } from '../platform/listing/pagination.interceptor.js';
import { RecordListing } from '../platform/listing/record-listing.js';
import { schemaOf } from '../platform/validation/field.js';
import { QuerySchema } from '../platform/validation/query-schema.js';
import { Criteria } from '../price-series/filters/criteria.js';
import { priceSeriesFilters, priceSeriesRanges } from '../price-series/filters/price-series.filters.js';
import { releaseColumns, ReleaseRecord } from './release-record.js';
import { ReleasesService } from './releases.service.js';

const releaseQuery = listQuery(
  new QuerySchema({ ...priceSeriesFilters, ...pageParameters }, { ranges: priceSeriesRanges }),
  releaseColumns,
);

/** The release calendar. Not in the page cache: what is late depends on the day. */
@Controller(`${BASE}/Release`)
@UseInterceptors(PaginationInterceptor)
@ListFormats()
@CacheControl('minute')
@ApiTags('Price series')
export class ReleasesController {
  constructor(private readonly releases: ReleasesService) {}

  @Get()
  @ApiOperation({
    summary: 'List when sources have published, and when their next values are expected',
    description:
      'A record for each source, country and frequency of the series that match. The next values are expected the median lag of the last 12 releases after the end of their period; a release is the day on which an import first stored values of a period that ended after the first import of the source.',
  })
  @ApiOkResponse({
    description: 'A page of releases, by country, source and frequency',
    schema: envelopeOf(schemaOf(ReleaseRecord)),
  })
  async list(
    @RequestQuery(releaseQuery, wholeQuery)
    { values, format }: ParsedQuery<typeof releaseQuery.parameters>,
  ) {
    const { records, revision } = await this.releases.list(Criteria.of(priceSeriesFilters, values));
    return RecordListing.pageOf(releaseColumns, records, requestedList(values, format), revision);
  }
}
