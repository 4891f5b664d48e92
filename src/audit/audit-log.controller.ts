import { Controller, Get, Req } from '@nestjs/common';
import { Roles } from '../common/access/access-rules.js';
import type { QueryValues } from '../common/filtering/query-schema.js';
import { recordChunks } from '../common/formats/record-chunks.js';
import { mediaTypes, RowStream } from '../common/http/reply.js';
import { BASE } from '../common/http/prefixes.js';
import { contextOf } from '../common/http/request-context.js';
import { RequestQuery } from '../common/http/request-query.js';
import { ReplyFormats } from '../common/http/route-decorators.js';
import { envelopeReply } from '../common/pagination/envelope.js';
import { pageRequest } from '../common/pagination/page.js';
import { AuditLog, auditLogFields, auditLogQuery, type AuditLogRecord } from './audit-log.js';

/** The audit log, for admins. Read-only: no route changes it. */
@Controller(`${BASE}/AuditLog`)
export class AuditLogController {
  constructor(private readonly log: AuditLog) {}

  @Get()
  @Roles('admin')
  @ReplyFormats('json', 'csv', 'ndjson')
  async list(
    @RequestQuery(auditLogQuery) query: QueryValues<typeof auditLogQuery.parameters>,
    @Req() request: object,
  ) {
    const context = contextOf(request);
    const { page, page_size, ...filters } = query;
    if (context.format === 'json')
      return envelopeReply(await this.log.page(filters, pageRequest(query)), context);
    const batches =
      page === undefined && page_size === undefined
        ? this.log.all(filters)
        : [(await this.log.page(filters, pageRequest(query))).items];
    const rows = context.format === 'csv' ? flatten(batches) : batches;
    return new RowStream(mediaTypes[context.format], recordChunks(context.format, auditLogFields, rows));
  }
}

/** CSV has no nested values, so `before` and `after` become JSON texts. */
async function* flatten(
  batches: AsyncIterable<readonly AuditLogRecord[]> | Iterable<readonly AuditLogRecord[]>,
) {
  for await (const records of batches) {
    yield records.map(({ before, after, ...record }) => ({
      ...record,
      before: before && JSON.stringify(before),
      after: after && JSON.stringify(after),
    }));
  }
}
