import { Controller, Get, UseInterceptors } from '@nestjs/common';
import { BASE } from '../config/price-paths.js';
import { type ParsedQuery, ParsedQueryPipe, RequestQuery } from '../platform/http/request/request-query.js';
import { ApiOkResponse, ApiOperation, ApiTags, envelopeOf, ref } from '../platform/http/routes/api-docs.js';
import { ListFormats } from '../platform/http/routes/route-decorators.js';
import { requestedPage } from '../platform/listing/page.js';
import { PaginationInterceptor } from '../platform/listing/pagination.interceptor.js';
import { RecordListing } from '../platform/listing/record-listing.js';
import { findingColumns, findingQuery } from './finding-list.js';
import { FindingsService } from './findings.service.js';

/** What looks wrong in the data, and what became of it. */
@ApiTags('Quality')
@Controller(`${BASE}/Finding`)
@UseInterceptors(PaginationInterceptor)
export class FindingsController {
  constructor(private readonly findings: FindingsService) {}

  @Get()
  @ListFormats()
  @ApiOperation({ summary: 'List findings' })
  @ApiOkResponse({ description: 'A page of findings, newest first', schema: envelopeOf(ref('Finding')) })
  async list(
    @RequestQuery(findingQuery, { pipe: ParsedQueryPipe })
    { values, format }: ParsedQuery<typeof findingQuery.parameters>,
  ) {
    const request = requestedPage(values, format);
    if (request === null) return new RecordListing(findingColumns, this.findings.all(values), 'all');
    const page = await this.findings.page(values, request);
    return RecordListing.of(findingColumns, page.items, page);
  }
}
