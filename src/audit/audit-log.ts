import { Injectable } from '@nestjs/common';
import { choice, date, many, one, recordId, text, wholeNumber } from '../common/filtering/parsers.js';
import { QueryShape, type QueryValues } from '../common/filtering/query-shape.js';
import { Page, pageBounds, pageParameters, type PageRequest } from '../common/pagination/page.js';
import { Database, type SqlValue } from '../database/database.js';
import { AUDITED_ACTIONS } from './audit-trail.js';

/** One change of the data, as the list shows it. */
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
  /** The changed fields; null where there was or is no record. */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export const auditLogFields: readonly (keyof AuditLogRecord)[] = [
  'id',
  'at',
  'account_id',
  'token_id',
  'request_id',
  'table',
  'record_id',
  'action',
  'before',
  'after',
];

export const auditLogQuery = new QueryShape(
  {
    table: many(text(50), 'Keeps changes of these tables, such as `commodity`.'),
    record_id: many(wholeNumber(1, Number.MAX_SAFE_INTEGER), 'Keeps changes of the records with these ids.'),
    account_id: many(recordId, 'Keeps changes by these accounts.'),
    action: many(choice(AUDITED_ACTIONS), 'Keeps changes of these kinds.'),
    from: one(date, 'Keeps changes on this day (UTC) or later.'),
    to: one(date, 'Keeps changes on this day (UTC) or earlier.'),
    ...pageParameters,
  },
  { ranges: [['from', 'to']] },
);

export type AuditLogFilters = Omit<QueryValues<typeof auditLogQuery.parameters>, 'page' | 'page_size'>;

type Row = [
  id: number,
  at: string,
  accountId: number | null,
  tokenId: string,
  requestId: string,
  table: string,
  recordId: number | null,
  action: string,
  before: string | null,
  after: string | null,
  total?: number,
];

const COLUMNS =
  'id, `at`, account_id, token_id, request_id, table_name, record_id, action, `before`, `after`';
/** Rows that one statement of a long list reads. */
const ROWS_PER_STATEMENT = 500;
/** Above every id. */
const NEWEST = 2 ** 53 - 1;

/** Reads the trail of changes, newest first. */
@Injectable()
export class AuditLog {
  constructor(private readonly database: Database) {}

  /** @throws NotFound for a page past the last */
  async page(filters: AuditLogFilters, request: PageRequest): Promise<Page<AuditLogRecord>> {
    const { page, pageSize } = request;
    const { where, values } = condition(filters);
    const counted = `SELECT COUNT(*) FROM audit_log WHERE ${where}`;
    const rows = await this.database.arrays<Row>(
      `SELECT ${COLUMNS}, (${counted}) FROM audit_log WHERE ${where} ORDER BY id DESC LIMIT ? OFFSET ?`,
      [...values, ...values, pageSize, Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER)],
    );
    const count = Number(
      rows[0]?.[10] ?? (page === 1 ? 0 : (await this.database.arrays<[number]>(counted, values))[0]?.[0]),
    );
    pageBounds(request, count);
    return new Page(count, rows.map(recordOf), page, pageSize);
  }

  /** All changes that pass the filters, in pieces. */
  async *all(filters: AuditLogFilters): AsyncGenerator<AuditLogRecord[]> {
    const { where, values } = condition(filters);
    const sql = `SELECT ${COLUMNS} FROM audit_log WHERE ${where} AND id < ? ORDER BY id DESC LIMIT ${ROWS_PER_STATEMENT}`;
    for (let before = NEWEST; ;) {
      const rows = await this.database.arrays<Row>(sql, [...values, before]);
      yield rows.map(recordOf);
      if (rows.length < ROWS_PER_STATEMENT) return;
      before = (rows.at(-1) as Row)[0];
    }
  }
}

function condition(filters: AuditLogFilters): { where: string; values: SqlValue[] } {
  const parts: string[] = ['1 = 1'];
  const values: SqlValue[] = [];
  const anyOf = (column: string, wanted: readonly SqlValue[] | undefined) => {
    if (wanted === undefined) return;
    parts.push(`${column} IN (${wanted.map(() => '?').join(', ')})`);
    values.push(...wanted);
  };
  anyOf('table_name', filters.table);
  anyOf('record_id', filters.record_id);
  anyOf('account_id', filters.account_id);
  anyOf('action', filters.action);
  if (filters.from !== undefined) {
    parts.push('`at` >= ?');
    values.push(filters.from);
  }
  if (filters.to !== undefined) {
    parts.push('`at` <= ?');
    values.push(`${filters.to}T23:59:59.999Z`);
  }
  return { where: parts.join(' AND '), values };
}

function recordOf(row: Row): AuditLogRecord {
  const [id, at, account_id, token_id, request_id, table, record_id, action, before, after] = row;
  return {
    id,
    at,
    account_id,
    token_id,
    request_id,
    table,
    record_id,
    action,
    before: before === null ? null : (JSON.parse(before) as Record<string, unknown>),
    after: after === null ? null : (JSON.parse(after) as Record<string, unknown>),
  };
}
