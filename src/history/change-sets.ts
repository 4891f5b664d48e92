import { Injectable } from '@nestjs/common';
import { instantText } from '../platform/clock/clock.js';
import { NotFound } from '../platform/errors/api-error.js';
import type { Listing } from '../platform/formats/listing.js';
import { listQuery } from '../platform/listing/list-parameters.js';
import { type Page, pageParameters, type PageRequest, type RequestedList } from '../platform/listing/page.js';
import { choice, date, many, one, text } from '../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../platform/validation/query-schema.js';
import { Database } from '../database/database.js';
import { isHeldSql } from '../database/lease.js';
import { Conditions, NewestFirst } from '../database/newest-first.js';
import { CHANGE_SETS_WITH_LOCK } from '../ledger/changes/stored-change-sets.js';
import { revisionOf } from '../ledger/revision/stored-revisions.js';
import { CHANGE_SET_KINDS, CHANGE_SET_STATES } from '../ledger/changes/change-set.js';
import { ApiSchema, OrNull, WithSchema } from '../platform/validation/field.js';
import { Id, Instant, OneOf, Text, WideCount } from '../platform/validation/fields.js';
import { columnsOf } from '../platform/formats/columns.js';

/** One operation that changed data, as responses show it. */
@ApiSchema({ name: 'ChangeSet' })
export class ChangeSetRecord {
  @Id() id!: number;
  @OneOf<string>(CHANGE_SET_KINDS) kind!: string;
  @OneOf<string>(CHANGE_SET_STATES, {
    description: 'interrupted: its process was killed; what it stored before stays',
  })
  state!: string;
  @Instant() started_at!: string;
  @OrNull(Instant({ description: 'Null while it is running' })) ended_at!: string | null;
  @OrNull(WideCount(), { description: 'Null if it has changed nothing' })
  first_revision!: number | null;
  @OrNull(WideCount()) last_revision!: number | null;
  @Text({ description: 'Name of the imported file, or a URL without its query; empty if unknown' })
  input!: string;
  @Text({ description: 'Format of the import, or name of the mapping that was written' })
  format!: string;
  @Text({ description: 'SHA-256 of the input' }) digest!: string;
  @Text({ description: 'The source that the import was given' }) source!: string;
  @Text({ description: 'Why the data were changed, as `reason` of the request said' })
  reason!: string;
  /** Null for most other kinds. */
  @OrNull(WithSchema<Record<string, unknown>>({ type: 'object' }), {
    description: 'What an import has read and stored, or a revert has reverted',
  })
  counts!: Record<string, unknown> | null;
  @OrNull(Id({ description: 'The change set that has reverted this one' }))
  reverted_by!: number | null;
}

/** The fields of a record as columns; tables show `counts` as JSON. */
const changeSetColumns = columnsOf(ChangeSetRecord);

export const changeSetQuery = new QuerySchema(
  {
    kind: many(choice(CHANGE_SET_KINDS), 'Only change sets of these kinds.'),
    state: many(choice(CHANGE_SET_STATES), 'Only change sets in these states.'),
    source: many(text(), 'Only imports that were given these sources.'),
    from: one(date, 'Only change sets that began on this day (UTC) or later.'),
    to: one(date, 'Only change sets that began on this day (UTC) or earlier.'),
    ...pageParameters,
  },
  { ranges: [['from', 'to']] },
);

export const changeSetListQuery = listQuery(changeSetQuery, changeSetColumns);

type ChangeSetFilters = Omit<QueryValues<typeof changeSetQuery.parameters>, 'page' | 'page_size'>;

/** A row: servers return big integers as text. */
type Row = Omit<ChangeSetRecord, 'first_revision' | 'last_revision' | 'counts'> &
  Record<'first_revision' | 'last_revision' | 'heartbeat', number | string | null> & {
    counts: string | null;
  };

/** Reads change sets, newest first. */
@Injectable()
export class ChangeSets {
  private readonly columns: string;
  private readonly changeSets: NewestFirst<Row, ChangeSetRecord>;
  /** The state. Where the lock of a running import is silent, its process was killed or hangs. */
  private readonly state: string;

  constructor(private readonly database: Database) {
    const held = isHeldSql(database.embedded, 'l');
    this.state = `CASE WHEN c.state = 'running' AND NOT ${held} THEN 'interrupted' ELSE c.state END`;
    this.columns =
      `c.id, c.kind, ${this.state} AS state, c.started_at, c.ended_at, ${revisionOf('MIN', 'c.id')} AS first_revision,` +
      ` ${revisionOf('MAX', 'c.id')} AS last_revision, c.input, c.format, c.digest, c.source, c.reason, c.counts, c.reverted_by,` +
      ' l.seen_at AS heartbeat';
    this.changeSets = new NewestFirst<Row, ChangeSetRecord>(database, {
      columns: this.columns,
      from: CHANGE_SETS_WITH_LOCK,
      id: 'c.id',
      toItem: toRecord,
    });
  }

  /** @throws NotFound */
  async read(id: number): Promise<ChangeSetRecord> {
    const sql = `SELECT ${this.columns} FROM ${CHANGE_SETS_WITH_LOCK} WHERE c.id = ?`;
    const [row] = await this.database.rows<Row>(sql, [id]);
    if (row === undefined) throw changeSetNotFound();
    return toRecord(row);
  }

  /** @throws NotFound for a page past the last */
  page(filters: ChangeSetFilters, request: PageRequest): Promise<Page<ChangeSetRecord>> {
    return this.changeSets.page(this.conditionsOf(filters), request);
  }

  /** The requested list of change sets. @throws NotFound for a page past the last */
  list(filters: ChangeSetFilters, request: RequestedList): Promise<Listing> {
    return this.changeSets.list(changeSetColumns, this.conditionsOf(filters), request);
  }

  private conditionsOf(filters: ChangeSetFilters): Conditions {
    return new Conditions()
      .anyOf('c.kind', filters.kind)
      .anyOf(this.state, filters.state)
      .anyOf('c.source', filters.source)
      .days('c.started_at', filters);
  }
}

export const changeSetNotFound = () => new NotFound('There is no such change set.');

function toRecord({ heartbeat, ...row }: Row): ChangeSetRecord {
  const { started_at, ended_at, state, counts } = row;
  const number = (value: number | string | null) => (value === null ? null : Number(value));
  // Until the next import begins, the last heartbeat is all that is known of an interrupted one.
  const lastSeen = heartbeat === null ? started_at : instantText(Number(heartbeat));
  return {
    ...row,
    ended_at: ended_at ?? (state === 'interrupted' ? lastSeen : null),
    first_revision: number(row.first_revision),
    last_revision: number(row.last_revision),
    counts: counts === null ? null : (JSON.parse(counts) as Record<string, unknown>),
  };
}
