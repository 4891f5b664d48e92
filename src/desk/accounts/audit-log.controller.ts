import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AuditLog, auditLogQuery } from '../../ledger/audit/audit-log.js';
import { AccountRecords } from '../../auth/accounts/account-records.js';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { pageRequest } from '../../platform/listing/page.js';
import type { QueryValues } from '../../platform/validation/query-schema.js';
import { deskPage } from '../layout/desk-page.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { DeskPages } from '../session/desk-pages.js';
import { auditLogPage } from './audit-log-page.js';

const PAGE_SIZE = 50;
const FILTERS = Object.keys(auditLogQuery.parameters).filter((name) => !name.startsWith('page'));

/** The audit log, for admins. */
@Controller('desk/audit-log')
@DeskPages('admin')
export class DeskAuditLogController {
  constructor(
    private readonly log: AuditLog,
    private readonly accounts: AccountRecords,
  ) {}

  @Get()
  async page(
    @RequestQuery(auditLogQuery) query: QueryValues<typeof auditLogQuery.parameters>,
    @CurrentSession() session: DeskSession,
    @Req() request: Request,
  ): Promise<Reply> {
    const page = await this.log.page(query, pageRequest(query, PAGE_SIZE));
    const pairs = infoOf(request).query;
    const given = FILTERS.map((name) => [name, pairs.all(name).join(',')] as const);
    const filters = Object.fromEntries(given.filter(([, value]) => value !== ''));
    return deskPage(auditLogPage(page, filters, await this.accounts.list()), session);
  }
}
