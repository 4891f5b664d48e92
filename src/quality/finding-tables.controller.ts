import { Controller, Get, UseInterceptors } from '@nestjs/common';
import { BASE } from '../config/price-paths.js';
import { CachedBy } from '../ledger/revision/cached-by.js';
import { type ParsedQuery, RequestQuery, wholeQuery } from '../platform/http/params.js';
import { ApiOkResponse, ApiOperation, ApiTags, envelopeOf } from '../platform/http/api-docs.js';

import { CacheControl, ListFormats } from '../platform/http/routes.js';
import { listQuery } from '../platform/listing/list-parameters.js';
import { requestedList } from '../platform/listing/page.js';
import { PaginationInterceptor } from '../platform/listing/pagination.interceptor.js';
import { RecordListing } from '../platform/listing/record-listing.js';
import { schemaOf } from '../platform/validation/field.js';
import { FindingCount, findingCountColumns } from './finding-counts.js';
import { findingQuery } from './finding-list.js';
import { FindingRule, ruleColumns, ruleQuery, ruleRecords } from './finding-rules.js';
import { FindingsService } from './findings.service.js';

const findingCountQuery = listQuery(findingQuery, findingCountColumns);

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
  @ApiOkResponse({ description: 'A page of counts', schema: envelopeOf(schemaOf(FindingCount)) })
  async counts(
    @RequestQuery(findingCountQuery, wholeQuery)
    { values, format }: ParsedQuery<typeof findingCountQuery.parameters>,
  ) {
    const counts = await this.findings.counts(values);
    return RecordListing.pageOf(findingCountColumns, counts, requestedList(values, format));
  }

  @Get('FindingRule')
  @ApiOperation({ summary: 'List the rules that make findings, with their thresholds' })
  @ApiOkResponse({ description: 'A page of rules', schema: envelopeOf(schemaOf(FindingRule)) })
  rules(
    @RequestQuery(ruleQuery, wholeQuery)
    { values, format }: ParsedQuery<typeof ruleQuery.parameters>,
  ) {
    return RecordListing.pageOf(ruleColumns, ruleRecords, requestedList(values, format));
  }
}
