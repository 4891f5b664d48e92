import { Controller, Get, UseInterceptors } from '@nestjs/common';
import { Roles } from '../common/access/access-rules.js';
import { BASE } from '../common/http/prefixes.js';
import { type ParsedQuery, ParsedQueryPipe, RequestQuery } from '../common/http/request-query.js';
import { ListFormats } from '../common/http/route-decorators.js';
import { requestedPage } from '../common/pagination/page.js';
import { PaginationInterceptor } from '../common/pagination/pagination.interceptor.js';
import { RecordListing } from '../common/pagination/record-listing.js';
import { AuditLog, auditLogColumns, auditLogQuery } from './audit-log.js';

/** The audit log, for admins. Read-only: no route changes it. */
@Controller(`${BASE}/AuditLog`)
@UseInterceptors(PaginationInterceptor)
export class AuditLogController {
  constructor(private readonly log: AuditLog) {}

  @Get()
  @Roles('admin')
  @ListFormats()
  async list(
    @RequestQuery(auditLogQuery, { pipe: ParsedQueryPipe })
    { values, format }: ParsedQuery<typeof auditLogQuery.parameters>,
  ) {
    const request = requestedPage(values, format);
    if (request === null) return new RecordListing(auditLogColumns, this.log.all(values), 'all');
    const page = await this.log.page(values, request);
    return RecordListing.of(auditLogColumns, page.items, page);
  }
}
