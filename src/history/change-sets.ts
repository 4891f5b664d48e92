import { Injectable } from '@nestjs/common';
import { instantText } from '../platform/clock/clock.js';
import { NotFound } from '../platform/errors/api-error.js';
import type { Column, ColumnType } from '../platform/formats/listing.js';
import { Page, pageBounds, pageParameters, type PageRequest } from '../platform/listing/page.js';
import { choice, date, many, one, text } from '../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../platform/validation/query-schema.js';
import { Database, type SqlValue } from '../database/database.js';
import { CHANGE_SET_KINDS, CHANGE_SET_STATES } from '../database/revision/change-set.js';
import { HOLDER_TIMEOUT_MS, databaseTime } from '../database/revision/import-lock-time.js';

/** One act that changed data, as responses show it. */
export interface ChangeSetRecord {
  id: number;
  kind: string;
  state: string;
  /** ISO 8601, UTC. */
  started_at: string;
  /** Null while it is running. */
  ended_at: string | null;
  /** Null if it has changed nothing. */
  first_revision: number | null;
  last_revision: number | null;
  input: string;
  format: string;
  digest: string;
  source: string;
  reason: string;
  /** What an import has read and stored; null for other kinds. */
  counts: Record<string, unknown> | null;
}

/** The fields of a record as columns; tables show `counts` as JSON. */
export const changeSetColumns: readonly Column[] = [
  { name: 'id', type: 'integer' },
  { name: 'kind', type: 'string' },
  { name: 'state', type: 'string' },
  { name: 'started_at', type: 'string' },
  { name: 'ended_at', type: 'string' },
  { name: 'first_revision', type: 'integer' },
  { name: 'last_revision', type: 'integer' },
  { name: 'input', type: 'string' },
  { name: 'format', type: 'string' },
  { name: 'digest', type: 'string' },
  { name: 'source', type: 'string' },
  { name: 'reason', type: 'string' },
  { name: 'counts', type: 'string' },
] satisfies { name: keyof ChangeSetRecord; type: ColumnType }[];

export const changeSetQuery = new QuerySchema(
  {
    kind: many(choice(CHANGE_SET_KINDS), 'Only change sets of these kinds.'),
    state: many(choice(CHANGE_SET_STATES), 'Only change sets in these states.'),
    source: many(text(), 'Only imports that were told to use these sources.'),
    from: one(date, 'Only change sets that began on this day (UTC) or later.'),
    to: one(date, 'Only change sets that began on this day (UTC) or earlier.'),
    ...pageParameters,
  },
  { ranges: [['from', 'to']] },
);

export type ChangeSetFilters = Omit<QueryValues<typeof changeSetQuery.parameters>, 'page' | 'page_size'>;

type Row = [
  id: number,
  kind: string,
  state: string,
  startedAt: string,
  endedAt: string | null,
  firstRevision: number | string | null,
  lastRevision: number | string | null,
  input: string,
  format: string,
  digest: string,
  source: string,
  reason: string,
  counts: string | null,
  heartbeat: number | string | null,
];

/** Rows read by one statement. */
const ROWS_PER_STATEMENT = 500;
/** Greater than every id. */
const ABOVE_ALL_IDS = 2 ** 31;

/** Reads change sets, newest first. */
@Injectable()
export class ChangeSets {
  constructor(private readonly database: Database) {}

  /** @throws NotFound */
  async read(id: number): Promise<ChangeSetRecord> {
    const [row] = await this.database.arrays<Row>(`${this.select()} WHERE c.id = ?`, [id]);
    if (row === undefined) throw changeSetNotFound();
    return toRecord(row);
  }

  /** @throws NotFound for a page past the last */
  async page(filters: ChangeSetFilters, request: PageRequest): Promise<Page<ChangeSetRecord>> {
    const { page, pageSize } = request;
    const { where, values } = this.where(filters);
    // One snapshot, so that the count belongs to the rows.
    return this.database.readSnapshot(async (arrays) => {
      const [counted] = await arrays<[number]>(`SELECT COUNT(*) ${FROM} WHERE ${where}`, values);
      const count = Number(counted![0]);
      pageBounds(request, count);
      const rows = await arrays<Row>(`${this.select()} WHERE ${where} ORDER BY c.id DESC LIMIT ? OFFSET ?`, [
        ...values,
        pageSize,
        (page - 1) * pageSize,
      ]);
      return new Page(count, rows.map(toRecord), page, pageSize);
    });
  }

  /** All change sets that match the filters, in batches. */
  async *all(filters: ChangeSetFilters): AsyncGenerator<ChangeSetRecord[]> {
    const { where, values } = this.where(filters);
    const sql = `${this.select()} WHERE ${where} AND c.id < ? ORDER BY c.id DESC LIMIT ${ROWS_PER_STATEMENT}`;
    for (let before = ABOVE_ALL_IDS; ;) {
      const rows = await this.database.arrays<Row>(sql, [...values, before]);
      yield rows.map(toRecord);
      if (rows.length < ROWS_PER_STATEMENT) return;
      before = (rows.at(-1) as Row)[0];
    }
  }

  private select(): string {
    const revision = (which: 'MIN' | 'MAX') =>
      `(SELECT ${which}(number) FROM revision r WHERE r.change_set_id = c.id)`;
    return (
      `SELECT c.id, c.kind, ${this.state()}, c.started_at, c.ended_at, ${revision('MIN')}, ${revision('MAX')},` +
      ` c.input, c.format, c.digest, c.source, c.reason, c.counts, l.seen_at ${FROM}`
    );
  }

  /** The state. Where the lock of a running import is silent, its process was killed or hangs. */
  private state(): string {
    const silent = `l.holder IS NULL OR ${databaseTime(this.database.embedded)} - l.seen_at >= ${HOLDER_TIMEOUT_MS}`;
    return `CASE WHEN c.state = 'running' AND (${silent}) THEN 'interrupted' ELSE c.state END`;
  }

  private where(filters: ChangeSetFilters): { where: string; values: SqlValue[] } {
    const conditions: string[] = ['1 = 1'];
    const values: SqlValue[] = [];
    const anyOf = (expression: string, accepted: readonly string[] | undefined) => {
      if (accepted === undefined) return;
      conditions.push(`${expression} IN (${accepted.map(() => '?').join(', ')})`);
      values.push(...accepted);
    };
    anyOf('c.kind', filters.kind);
    anyOf(this.state(), filters.state);
    anyOf('c.source', filters.source);
    if (filters.from !== undefined) {
      conditions.push('c.started_at >= ?');
      values.push(filters.from);
    }
    if (filters.to !== undefined) {
      conditions.push('c.started_at <= ?');
      values.push(`${filters.to}T23:59:59.999Z`);
    }
    return { where: conditions.join(' AND '), values };
  }
}

export const changeSetNotFound = () => new NotFound('There is no such change set.');

const FROM = 'FROM change_set c LEFT JOIN import_lock l ON l.change_set_id = c.id';

function toRecord(row: Row): ChangeSetRecord {
  const [id, kind, state, started_at, endedAt, first, last, input, format, digest, source, reason] = row;
  const [counts, heartbeat] = row.slice(-2) as [string | null, number | string | null];
  // Until the next import begins, the last heartbeat is all that is known of an interrupted one.
  const lastSeen = heartbeat === null ? started_at : instantText(Number(heartbeat));
  return {
    id,
    kind,
    state,
    started_at,
    ended_at: endedAt ?? (state === 'interrupted' ? lastSeen : null),
    first_revision: first === null ? null : Number(first),
    last_revision: last === null ? null : Number(last),
    input,
    format,
    digest,
    source,
    reason,
    counts: counts === null ? null : (JSON.parse(counts) as Record<string, unknown>),
  };
}
