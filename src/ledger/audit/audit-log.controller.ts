import { Controller, Get, UseInterceptors } from '@nestjs/common';
import { ListFormats, Roles } from '../../platform/http/routes.js';
import { BASE } from '../../config/price-paths.js';
import { type ParsedQuery, RequestQuery, wholeQuery } from '../../platform/http/params.js';
import { requestedList } from '../../platform/listing/page.js';
import { PaginationInterceptor } from '../../platform/listing/pagination.interceptor.js';
import { ApiOkResponse, ApiOperation, ApiTags, envelopeOf } from '../../platform/http/api-docs.js';
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
