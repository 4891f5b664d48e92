import { Controller, Get, Req } from '@nestjs/common';
import { Roles } from '../common/access/access-rules.js';
import type { QueryValues } from '../common/filtering/query-shape.js';
import { recordParts } from '../common/formats/record-parts.js';
import { mediaTypes, RowStream } from '../common/http/reply.js';
import { BASE } from '../common/http/prefixes.js';
import { contextOf } from '../common/http/request-context.js';
import { RequestQuery } from '../common/http/request-query.js';
import { ReplyFormats } from '../common/http/route-decorators.js';
import { envelopeAnswer } from '../common/pagination/envelope.js';
import { pageRequest } from '../common/pagination/page.js';
import { AuditLog, auditLogFields, auditLogQuery, type AuditLogRecord } from './audit-log.js';

/** The trail of changes, for admins. There is no route that changes it. */
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
      return envelopeAnswer(await this.log.page(filters, pageRequest(query)), context);
    const pieces =
      page === undefined && page_size === undefined
        ? this.log.all(filters)
        : [(await this.log.page(filters, pageRequest(query))).items];
    const rows = context.format === 'csv' ? flat(pieces) : pieces;
    return new RowStream(mediaTypes[context.format], recordParts(context.format, auditLogFields, rows));
  }
}

/** CSV has no fields within fields: they stand there as JSON. */
async function* flat(pieces: AsyncIterable<readonly AuditLogRecord[]> | Iterable<readonly AuditLogRecord[]>) {
  for await (const records of pieces) {
    yield records.map(({ before, after, ...record }) => ({
      ...record,
      before: before && JSON.stringify(before),
      after: after && JSON.stringify(after),
    }));
  }
}
