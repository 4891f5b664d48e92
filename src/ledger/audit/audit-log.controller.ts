import { Controller, Get, UseInterceptors } from '@nestjs/common';
import { Roles } from '../../platform/http/routes/access-rules.js';
import { BASE } from '../../config/price-paths.js';
import { type ParsedQuery, wholeQuery, RequestQuery } from '../../platform/http/request/request-query.js';
import { ListFormats } from '../../platform/http/routes/route-decorators.js';
import { requestedList } from '../../platform/listing/page.js';
import { PaginationInterceptor } from '../../platform/listing/pagination.interceptor.js';
import { ApiOkResponse, ApiOperation, ApiTags, envelopeOf } from '../../platform/http/routes/api-docs.js';
import { ref } from '../../platform/validation/schema.js';
import { AuditLog, auditLogListQuery } from './audit-log.js';

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
  list(
    @RequestQuery(auditLogListQuery, wholeQuery)
    { values, format }: ParsedQuery<typeof auditLogListQuery.parameters>,
  ) {
    return this.log.list(values, requestedList(values, format));
  }
}
