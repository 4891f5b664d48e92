import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AuditLog, auditLogQuery } from '../../ledger/audit/audit-log.js';
import { AccountRecords } from '../../auth/accounts/account-records.js';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { pageRequest } from '../../platform/listing/page.js';
import type { QueryValues } from '../../platform/validation/query-schema.js';
import { SeriesCatalogue } from '../../price-series/catalogue/catalogue.js';
import { deskPage } from '../layout/desk-page.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { DeskPages } from '../session/desk-pages.js';
import { DeskTables } from '../tables/desk-tables.js';
import { auditLogPage } from './audit-log-page.js';
import { AuditWords } from './audit-words.js';

const PAGE_SIZE = 50;
/** What entries are about beside reference tables, as the audit log names it. */
const OTHER_TABLES = [
  'account',
  'alias',
  'change_set',
  'edition',
  'finding',
  'import',
  'observation',
  'price_serie',
  'sample',
  'series_join',
];
const FILTERS = Object.keys(auditLogQuery.parameters).filter((name) => !name.startsWith('page'));

/** The audit log, for admins. */
@Controller('desk/audit-log')
@DeskPages('admin')
export class DeskAuditLogController {
  constructor(
    private readonly log: AuditLog,
    private readonly accounts: AccountRecords,
    private readonly catalogue: SeriesCatalogue,
    private readonly tables: DeskTables,
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
    const tables = [...this.tables.all().map(({ table }) => table.statements.name), ...OTHER_TABLES].sort();
    const choices = { accounts: await this.accounts.list(), tables };
    const words = new AuditWords(await this.catalogue.current());
    return deskPage(auditLogPage(page, filters, choices, words), session);
  }
}
