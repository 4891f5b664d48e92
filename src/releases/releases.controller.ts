import { Controller, Get, Req, UseInterceptors } from '@nestjs/common';
import type { Request } from 'express';
import { BASE } from '../config/price-paths.js';
import { ValidationError } from '../platform/errors/api-error.js';
import { ApiOkResponse, ApiOperation, ApiTags, envelopeOf } from '../platform/http/api-docs.js';
import { type ParsedQuery, RequestQuery, wholeQuery } from '../platform/http/params.js';
import { CacheControl, ListFormats } from '../platform/http/routes.js';
import { CALENDAR } from '../platform/formats/page-formats.js';
import { infoOf } from '../platform/http/request.js';
import { listQuery } from '../platform/listing/list-parameters.js';
import { pageParameters, requestedList } from '../platform/listing/page.js';
import { PaginationInterceptor } from '../platform/listing/pagination.interceptor.js';
import { RecordListing } from '../platform/listing/record-listing.js';
import { schemaOf } from '../platform/validation/field.js';
import { QuerySchema } from '../platform/validation/query-schema.js';
import { Criteria } from '../price-series/filters/criteria.js';
import { priceSeriesFilters, priceSeriesRanges } from '../price-series/filters/price-series.filters.js';
import { releaseCalendar } from './release-calendar.js';
import { releaseColumns, ReleaseRecord } from './release-record.js';
import { ReleasesService } from './releases.service.js';

const releaseQuery = listQuery(
  new QuerySchema({ ...priceSeriesFilters, ...pageParameters }, { ranges: priceSeriesRanges }),
  releaseColumns,
);

/** Parameters of lists, which a calendar is not: it has all releases. */
const OF_LISTS = ['page', 'page_size', 'sort', 'fields'] as const;

/** The release calendar. Not in the page cache: what is late depends on the day. */
@Controller(`${BASE}/Release`)
@UseInterceptors(PaginationInterceptor)
@ListFormats(CALENDAR)
@CacheControl('minute')
@ApiTags('Price series')
export class ReleasesController {
  constructor(private readonly releases: ReleasesService) {}

  @Get()
  @ApiOperation({
    summary: 'List when sources have published, and when their next values are expected',
    description:
      'A record for each source, country and frequency of the series that match. The next values are expected the median lag of the last 12 releases after the end of their period; a release is the day on which an import first stored values of a period that ended after the first import of the source. As `ics`, a calendar with an event for each next release that is expected, without `page`, `page_size`, `sort` and `fields`.',
  })
  @ApiOkResponse({
    description: 'A page of releases, by country, source and frequency',
    schema: envelopeOf(schemaOf(ReleaseRecord)),
  })
  async list(
    @RequestQuery(releaseQuery, wholeQuery) query: ParsedQuery<typeof releaseQuery.parameters>,
    @Req() request: Request,
  ) {
    const { values } = query;
    const info = infoOf(request);
    if (info.format === CALENDAR) requireNone(values, OF_LISTS);
    const { records, revision } = await this.releases.list(Criteria.of(priceSeriesFilters, values));
    if (info.format === CALENDAR) return releaseCalendar(records, info, revision);
    return RecordListing.pageOf(releaseColumns, records, requestedList(values, query.format), revision);
  }
}

/** @throws ValidationError for each of the parameters that is given */
function requireNone(values: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const given = names.filter((name) => values[name] !== undefined);
  if (given.length === 0) return;
  throw new ValidationError(
    given.map((name) => ({
      in: 'query',
      name,
      code: 'contradiction',
      detail: `A calendar has all releases in full, so leave out ${name}.`,
    })),
  );
}
