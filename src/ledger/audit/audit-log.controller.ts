import { Controller, Get, UseInterceptors } from '@nestjs/common';
import { Roles } from '../../platform/http/routes/access-rules.js';
import { BASE } from '../../config/price-paths.js';
import { type ParsedQuery, wholeQuery, RequestQuery } from '../../platform/http/request/request-query.js';
import { ListFormats } from '../../platform/http/routes/route-decorators.js';
import { requestedPage } from '../../platform/listing/page.js';
import { PaginationInterceptor } from '../../platform/listing/pagination.interceptor.js';
import { RecordListing } from '../../platform/listing/record-listing.js';
import { ApiOkResponse, ApiOperation, ApiTags, envelopeOf } from '../../platform/http/routes/api-docs.js';
import { ref } from '../../platform/validation/schema.js';
import { AuditLog, auditLogColumns, auditLogQuery } from './audit-log.js';

/** The audit log, for admins. Read-only: no route changes it. */
@ApiTags('Maintenance')
@Controller(`${BASE}/AuditLog`)
@UseInterceptors(PaginationInterceptor)
export class AuditLogController {
  constructor(private readonly log: AuditLog) {}

  @Get()
  @Roles('admin')
  @ListFormats()
  @ApiOperation({ summary: 'List changes to the data' })
  @ApiOkResponse({
    description: 'A page of changes, newest first',
    schema: envelopeOf(ref('AuditLogEntry')),
  })
  async list(
    @RequestQuery(auditLogQuery, wholeQuery)
    { values, format }: ParsedQuery<typeof auditLogQuery.parameters>,
  ) {
    const request = requestedPage(values, format);
    if (request === null) return new RecordListing(auditLogColumns, this.log.all(values), 'all');
    const page = await this.log.page(values, request);
    return RecordListing.of(auditLogColumns, page.items, page);
  }
}
