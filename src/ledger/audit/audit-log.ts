import { Injectable } from '@nestjs/common';
import { choice, date, many, one, recordId, text, integer } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import type { Listing } from '../../platform/formats/listing.js';
import { listQuery } from '../../platform/listing/list-parameters.js';
import {
  type Page,
  pageParameters,
  type PageRequest,
  type RequestedList,
} from '../../platform/listing/page.js';
import { Database } from '../../database/database.js';
import type { Reads } from '../../database/reads.js';
import { placeholders } from '../../database/sql.js';
import { Conditions, NewestFirst } from '../../database/newest-first.js';
import { AUDITED_ACTIONS } from './audit-trail.js';
import { OrNull, WithSchema } from '../../platform/validation/field.js';
import { Id, Instant, Text, WideCount } from '../../platform/validation/fields.js';
import { columnsOf } from '../../platform/formats/columns.js';

const ChangedFields = () => WithSchema<Record<string, unknown>>({ type: 'object' });

/** One entry of the audit log, as responses show it. */
export class AuditLogRecord {
  @Id() id!: number;
  @Instant() at!: string;
  @OrNull(Id()) account_id!: number | null;
  /** Of the account; null for commands and accounts of an identity provider. */
  @OrNull(Text()) username!: string | null;
  @Text() token_id!: string;
  @Text() request_id!: string;
  @Text() table!: string;
  @OrNull(WideCount()) record_id!: number | null;
  @Text() action!: string;
  /** The changed fields; null before a creation and after a deletion. */
  @OrNull(ChangedFields()) before!: Record<string, unknown> | null;
  @OrNull(ChangedFields()) after!: Record<string, unknown> | null;
  /** The account's issuer and id at the identity provider; empty for accounts of this service. */
  @Text() issuer!: string;
  @Text() subject!: string;
  /** Null for changes that are not published, such as those of accounts. */
  @OrNull(Id()) change_set_id!: number | null;
}

/** The fields of a record as columns; tables show `before` and `after` as JSON. */
const auditLogColumns = columnsOf(AuditLogRecord);

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

export const auditLogListQuery = listQuery(auditLogQuery, auditLogColumns);

type AuditLogFilters = Omit<QueryValues<typeof auditLogQuery.parameters>, 'page' | 'page_size'>;

/** A row: the record with `before` and `after` as JSON. */
type Row = Omit<AuditLogRecord, 'before' | 'after'> & Record<'before' | 'after', string | null>;

/** Reads the audit log, newest changes first. */
@Injectable()
export class AuditLog {
  private readonly changes: NewestFirst<Row, AuditLogRecord>;

  constructor(database: Database) {
    this.changes = new NewestFirst<Row, AuditLogRecord>(database, {
      columns:
        'id, `at`, account_id, (SELECT username FROM account WHERE account.id = audit_log.account_id) AS username, token_id, request_id, table_name AS `table`, record_id, action, `before`, `after`, issuer, subject, change_set_id',
      from: 'audit_log',
      id: 'id',
      toItem: toRecord,
    });
  }

  /** @throws NotFound for a page past the last */
  page(filters: AuditLogFilters, request: PageRequest): Promise<Page<AuditLogRecord>> {
    return this.changes.page(conditionsOf(filters), request);
  }

  /** The requested list of changes. @throws NotFound for a page past the last */
  list(filters: AuditLogFilters, request: RequestedList): Promise<Listing> {
    return this.changes.list(auditLogColumns, conditionsOf(filters), request);
  }
}

const conditionsOf = (filters: AuditLogFilters): Conditions =>
  new Conditions()
    .anyOf('table_name', filters.table)
    .anyOf('record_id', filters.record_id)
    .anyOf('account_id', filters.account_id)
    .anyOf('subject', filters.subject)
    .anyOf('change_set_id', filters.change_set_id)
    .anyOf('action', filters.action)
    .days('`at`', filters);

function toRecord(row: Row): AuditLogRecord {
  const parse = (json: string | null) =>
    json === null ? null : (JSON.parse(json) as Record<string, unknown>);
  return { ...row, before: parse(row.before), after: parse(row.after) };
}

/**
 * Who made change sets, by their ids: the username, or the subject at the identity provider; of
 * several the first by name. None for commands, and where no change has been logged yet.
 */
export async function authorsOf(
  reads: Pick<Reads, 'rows'>,
  changeSetIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (changeSetIds.length === 0) return new Map();
  const rows = await reads.rows<{ id: number; name: string | null }>(
    'SELECT l.change_set_id AS id, MIN(COALESCE(a.username, l.subject)) AS name FROM audit_log l' +
      ' LEFT JOIN account a ON a.id = l.account_id' +
      ` WHERE l.change_set_id IN (${placeholders(changeSetIds.length)}) GROUP BY l.change_set_id`,
    changeSetIds,
  );
  return new Map(rows.flatMap(({ id, name }) => (name ? [[id, name] as const] : [])));
}
