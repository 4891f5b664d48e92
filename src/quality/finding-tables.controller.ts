import { Controller, Get, UseInterceptors } from '@nestjs/common';
import { BASE } from '../config/price-paths.js';
import { CachedBy } from '../database/revision/cached-by.js';
import type { Column } from '../platform/formats/listing.js';
import type { ListFormat } from '../platform/formats/list-format.js';
import { type ParsedQuery, ParsedQueryPipe, RequestQuery } from '../platform/http/request/request-query.js';
import { ApiOkResponse, ApiOperation, ApiTags, envelopeOf, ref } from '../platform/http/routes/api-docs.js';
import { CacheControl, ListFormats } from '../platform/http/routes/route-decorators.js';
import { Page, pageBounds, requestedPage } from '../platform/listing/page.js';
import { PaginationInterceptor } from '../platform/listing/pagination.interceptor.js';
import { RecordListing } from '../platform/listing/record-listing.js';
import { findingCountColumns } from './finding-counts.js';
import { findingQuery } from './finding-list.js';
import { ruleColumns, ruleQuery, ruleRecords } from './finding-rules.js';
import { FindingsService } from './findings.service.js';

/** How many findings there are, and the rules that make them. */
@ApiTags('Quality')
@Controller(BASE)
@UseInterceptors(PaginationInterceptor)
@ListFormats()
@CacheControl('revalidate')
@CachedBy('findings', 'series', 'references')
export class FindingTablesController {
  constructor(private readonly findings: FindingsService) {}

  @Get('FindingSummary')
  @ApiOperation({ summary: 'Count findings by country, rule and state' })
  @ApiOkResponse({ description: 'A page of counts', schema: envelopeOf(ref('FindingCount')) })
  async counts(
    @RequestQuery(findingQuery, { pipe: ParsedQueryPipe })
    { values, format }: ParsedQuery<typeof findingQuery.parameters>,
  ) {
    return listingOf(findingCountColumns, await this.findings.counts(values), values, format);
  }

  @Get('FindingRule')
  @ApiOperation({ summary: 'List the rules that make findings, with their thresholds' })
  @ApiOkResponse({ description: 'A page of rules', schema: envelopeOf(ref('FindingRule')) })
  rules(
    @RequestQuery(ruleQuery, { pipe: ParsedQueryPipe })
    { values, format }: ParsedQuery<typeof ruleQuery.parameters>,
  ) {
    return listingOf(ruleColumns, ruleRecords, values, format);
  }
}

/**
 * A list that is in memory: the requested page of it, or all.
 * @throws NotFound past the last page
 */
function listingOf(
  columns: readonly Column[],
  records: readonly object[],
  values: { page?: number; page_size?: number },
  format: ListFormat,
): RecordListing {
  const request = requestedPage(values, format);
  if (request === null) return RecordListing.of(columns, records, 'all');
  const { offset, limit } = pageBounds(request, records.length);
  const items = records.slice(offset, offset + limit);
  const page = new Page(records.length, items, request.page, request.pageSize);
  return RecordListing.of(columns, items, page);
}
