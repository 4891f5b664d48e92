import { Injectable } from '@nestjs/common';
import { choice, date, many, one, recordId, text, integer } from '../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../platform/validation/query-schema.js';
import type { Column, ColumnType } from '../platform/formats/listing.js';
import { Page, pageBounds, pageParameters, type PageRequest } from '../platform/listing/page.js';
import { Database, type SqlValue } from '../database/database.js';
import { AUDITED_ACTIONS } from './audit-trail.js';

/** One change to the data, as responses show it. */
export interface AuditLogRecord {
  id: number;
  /** ISO 8601, UTC. */
  at: string;
  account_id: number | null;
  token_id: string;
  request_id: string;
  table: string;
  record_id: number | null;
  action: string;
  /** The changed fields; null before a creation and after a deletion. */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  /** The account's issuer and id at the identity provider; empty for accounts of this service. */
  issuer: string;
  subject: string;
  /** Null for changes that are not published, such as those of accounts. */
  change_set_id: number | null;
}

/** The fields of a record as columns; tables show `before` and `after` as JSON. */
export const auditLogColumns: readonly Column[] = [
  { name: 'id', type: 'integer' },
  { name: 'at', type: 'string' },
  { name: 'account_id', type: 'integer' },
  { name: 'token_id', type: 'string' },
  { name: 'request_id', type: 'string' },
  { name: 'table', type: 'string' },
  { name: 'record_id', type: 'integer' },
  { name: 'action', type: 'string' },
  { name: 'before', type: 'string' },
  { name: 'after', type: 'string' },
  { name: 'issuer', type: 'string' },
  { name: 'subject', type: 'string' },
  { name: 'change_set_id', type: 'integer' },
] satisfies { name: keyof AuditLogRecord; type: ColumnType }[];

export const auditLogQuery = new QuerySchema(
  {
    table: many(text(50), 'Only changes to these tables, such as `commodity`.'),
    record_id: many(integer(1, Number.MAX_SAFE_INTEGER), 'Only changes to records with these ids.'),
    account_id: many(recordId, 'Only changes by these accounts.'),
    subject: many(text(255), 'Only changes by these accounts of the identity provider.'),
    change_set_id: many(recordId, 'Only changes of these change sets.'),
    action: many(choice(AUDITED_ACTIONS), 'Only changes of these kinds.'),
    from: one(date, 'Only changes on this day (UTC) or later.'),
    to: one(date, 'Only changes on this day (UTC) or earlier.'),
    ...pageParameters,
  },
  { ranges: [['from', 'to']] },
);

export type AuditLogFilters = Omit<QueryValues<typeof auditLogQuery.parameters>, 'page' | 'page_size'>;

/** A row: the record with `before` and `after` as JSON, and on a page the number of all records. */
type Row = Omit<AuditLogRecord, 'before' | 'after'> &
  Record<'before' | 'after', string | null> & { total?: number };

const COLUMNS =
  'id, `at`, account_id, token_id, request_id, table_name AS `table`, record_id, action, `before`, `after`, issuer, subject, change_set_id';
/** Rows read by one statement. */
const ROWS_PER_STATEMENT = 500;
/** Greater than every id. */
const ABOVE_ALL_IDS = 2 ** 53 - 1;

/** Reads the audit log, newest changes first. */
@Injectable()
export class AuditLog {
  constructor(private readonly database: Database) {}

  /** @throws NotFound for a page past the last */
  async page(filters: AuditLogFilters, request: PageRequest): Promise<Page<AuditLogRecord>> {
    const { page, pageSize } = request;
    const { where, values } = whereClause(filters);
    const countSql = `SELECT COUNT(*) FROM audit_log WHERE ${where}`;
    const rows = await this.database.rows<Row>(
      `SELECT ${COLUMNS}, (${countSql}) AS total FROM audit_log WHERE ${where} ORDER BY id DESC LIMIT ? OFFSET ?`,
      [...values, ...values, pageSize, Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER)],
    );
    const count = Number(
      rows[0]?.total ?? (page === 1 ? 0 : (await this.database.arrays<[number]>(countSql, values))[0]?.[0]),
    );
    pageBounds(request, count);
    return new Page(count, rows.map(toRecord), page, pageSize);
  }

  /** All changes that match the filters, in batches. */
  async *all(filters: AuditLogFilters): AsyncGenerator<AuditLogRecord[]> {
    const { where, values } = whereClause(filters);
    const sql = `SELECT ${COLUMNS} FROM audit_log WHERE ${where} AND id < ? ORDER BY id DESC LIMIT ${ROWS_PER_STATEMENT}`;
    for (let before = ABOVE_ALL_IDS; ;) {
      const rows = await this.database.rows<Row>(sql, [...values, before]);
      yield rows.map(toRecord);
      if (rows.length < ROWS_PER_STATEMENT) return;
      before = (rows.at(-1) as Row).id;
    }
  }
}

function whereClause(filters: AuditLogFilters): { where: string; values: SqlValue[] } {
  const conditions: string[] = ['1 = 1'];
  const values: SqlValue[] = [];
  const anyOf = (column: string, accepted: readonly SqlValue[] | undefined) => {
    if (accepted === undefined) return;
    conditions.push(`${column} IN (${accepted.map(() => '?').join(', ')})`);
    values.push(...accepted);
  };
  anyOf('table_name', filters.table);
  anyOf('record_id', filters.record_id);
  anyOf('account_id', filters.account_id);
  anyOf('subject', filters.subject);
  anyOf('change_set_id', filters.change_set_id);
  anyOf('action', filters.action);
  if (filters.from !== undefined) {
    conditions.push('`at` >= ?');
    values.push(filters.from);
  }
  if (filters.to !== undefined) {
    conditions.push('`at` <= ?');
    values.push(`${filters.to}T23:59:59.999Z`);
  }
  return { where: conditions.join(' AND '), values };
}

function toRecord({ total: _, ...row }: Row): AuditLogRecord {
  const parse = (json: string | null) =>
    json === null ? null : (JSON.parse(json) as Record<string, unknown>);
  return { ...row, before: parse(row.before), after: parse(row.after) };
}
