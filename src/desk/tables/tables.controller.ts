import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { randomUUID } from 'node:crypto';
import { type ApiError, NotFound, PreconditionFailed } from '../../platform/errors/api-error.js';
import { infoOf } from '../../platform/http/request.js';
import { readQuery, RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { choice, one } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import type { ListParameters } from '../../reference/base/list-query.js';
import { type FieldLabels, formKey, shownError } from '../layout/desk-form.js';
import { deskPage } from '../layout/desk-page.js';
import { DeskPages } from '../session/desk-pages.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { redirectTo } from '../session/redirection.js';
import { Sent, type SentForm } from '../session/sent-form.js';
import { ShownAgain, type UnsavedForm } from '../session/unsaved-forms.js';
import { deskTexts } from '../texts.js';
import { chosenTexts, conflictPage } from './conflict-page.js';
import { DeskRecords, RecordConflict } from './desk-records.js';
import { type DeskTable, DeskTables, requireId } from './desk-tables.js';
import { sentTexts } from './form-values.js';
import { listPage } from './list-page.js';
import { RecordHistories } from './record-histories.js';
import { removedReply } from './removed-page.js';
import { RemovedRecords } from './removed-records.js';
import { newRecordPage, recordPage, type RecordView } from './record-page.js';
import { TABLE_OUTCOMES, recordAddress, tableAddress } from './table-address.js';
import { tablesPage } from './tables-page.js';

/** Records on one page of a list. */
const PAGE_SIZE = 50;

const doneQuery = new QuerySchema({ done: one(choice(TABLE_OUTCOMES), 'What was done before.') });
type DoneQuery = QueryValues<typeof doneQuery.parameters>;

/** The pages of the reference tables. */
@Controller('desk/tables')
@DeskPages()
export class DeskTablesController {
  constructor(
    private readonly tables: DeskTables,
    private readonly records: DeskRecords,
    private readonly histories: RecordHistories,
    private readonly removed: RemovedRecords,
  ) {}

  @Get()
  async index(@CurrentSession() session: DeskSession): Promise<Reply> {
    const tables = this.tables.all();
    const counts: number[] = [];
    for (const { service, list } of tables)
      counts.push((await service.page(list.filtersOf({}), { page: 1, pageSize: 1 })).count);
    return deskPage(tablesPage(tables, counts), session);
  }

  /** @throws NotFound past the last page @throws ValidationError for filters */
  @Get(':table')
  async list(
    @Param('table') name: string,
    @RequestQuery(doneQuery) { done }: DoneQuery,
    @Req() request: Request,
    @CurrentSession() session: DeskSession,
  ): Promise<Reply> {
    const desk = this.tables.find(name);
    const info = infoOf(request);
    const query = readQuery(desk.query, info) as ListParameters & { order?: string };
    const { order, page = 1 } = query;
    const column = order?.replace(/^-/, '');
    const records = await desk.service.page(
      desk.list.filtersOf(query),
      { page, pageSize: PAGE_SIZE },
      null,
      column === undefined ? [] : [{ column, descending: order!.startsWith('-') }],
    );
    return deskPage(listPage(desk, records, info.query, done), session);
  }

  @Get(':table/new')
  newRecord(@Param('table') name: string, @CurrentSession() session: DeskSession): Reply {
    return deskPage(newRecordPage(this.tables.find(name), randomUUID(), session, null), session);
  }

  @Post(':table/new')
  @ShownAgain<DeskTablesController>((desk, { params, form, session, error }) =>
    desk.showNew(desk.tables.find(params.table!), form, session, error),
  )
  async create(
    @Param('table') name: string,
    @Sent() { form, session, requireAuthor }: SentForm,
  ): Promise<Reply> {
    const desk = this.tables.find(name);
    try {
      const values = sentTexts(desk.table, form);
      return await this.records.create(desk, values, formKey(form), requireAuthor());
    } catch (error) {
      return this.showNew(desk, form, session, shownError(error, fieldLabels(desk)));
    }
  }

  /** A new record as it was sent. */
  private showNew(
    desk: DeskTable,
    form: URLSearchParams,
    session: DeskSession,
    error: ApiError,
  ): Promise<Reply> {
    const sent = { values: sentTexts(desk.table, form), reason: form.get('reason') ?? '', error };
    const page = newRecordPage(desk, formKey(form) ?? randomUUID(), session, sent);
    return Promise.resolve(deskPage(page, session, { status: error.status }));
  }

  /** @throws NotFound */
  @Get(':table/:id')
  async read(
    @Param('table') name: string,
    @Param('id') text: string,
    @RequestQuery(doneQuery) { done }: DoneQuery,
    @CurrentSession() session: DeskSession,
  ): Promise<Reply> {
    return this.show(this.tables.find(name), requireId(text), session, { done });
  }

  /** @throws NotFound */
  @Post(':table/:id')
  @ShownAgain<DeskTablesController>((desk, { params, form, session, error }) =>
    desk.showSent(params, session, { sent: sentRecord(desk.tables.find(params.table!), form, error) }),
  )
  async save(
    @Param('table') name: string,
    @Param('id') text: string,
    @Sent() { form, session, requireAuthor }: SentForm,
  ): Promise<Reply> {
    const desk = this.tables.find(name);
    const id = requireId(text);
    const { values, reason, version } = sentRecord(desk, form, null);
    try {
      await this.records.save(desk, id, version, values, requireAuthor());
      return redirectTo(recordAddress(name, id, { done: 'saved' }));
    } catch (error) {
      if (error instanceof RecordConflict) {
        const history = await this.histories.read(desk, id);
        const view = { stored: error.stored, history, version, sent: values, reason };
        return deskPage(conflictPage(desk, view, session), session, { status: 412 });
      }
      if (error instanceof NotFound) return removedReply(name, await this.removed.find(desk, id), session);
      return this.show(desk, id, session, {
        sent: sentRecord(desk, form, shownError(error, fieldLabels(desk))),
      });
    }
  }

  /** Removes a record once, however often the form is sent. @throws NotFound */
  @Post(':table/:id/remove')
  @ShownAgain<DeskTablesController>((desk, { params, form, session, error }) =>
    desk.showSent(params, session, { notRemoved: { form, error } }),
  )
  async remove(
    @Param('table') name: string,
    @Param('id') text: string,
    @Sent() { form, session, requireAuthor }: SentForm,
  ): Promise<Reply> {
    const desk = this.tables.find(name);
    const id = requireId(text);
    try {
      const conditions = { ifMatch: [form.get('version') ?? ''], ifNoneMatch: null };
      await desk.service.remove(id, conditions, requireAuthor());
      return redirectTo(tableAddress(name, { done: 'removed' }));
    } catch (error) {
      if (error instanceof NotFound) {
        const removed = await this.removed.find(desk, id);
        if (removed !== null && removed.mergedInto === null)
          return redirectTo(tableAddress(name, { done: 'removed' }));
        return removedReply(name, removed, session);
      }
      if (error instanceof PreconditionFailed)
        // Removing it as it is now is another decision: the form has the new version.
        return this.show(desk, id, session, {
          notRemoved: { form: null, error: new PreconditionFailed(deskTexts.tables.changedMeanwhile) },
        });
      return this.show(desk, id, session, { notRemoved: { form, error: shownError(error) } });
    }
  }

  /** The page of a record with a form that was sent without a valid token. */
  private async showSent(
    { table, id: text }: UnsavedForm['params'],
    session: DeskSession,
    form: Partial<Pick<RecordView, 'sent' | 'notRemoved'>>,
  ): Promise<Reply> {
    const [desk, id] = [this.tables.find(table!), requireId(text!)];
    try {
      return await this.show(desk, id, session, form);
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      return removedReply(desk.name, await this.removed.find(desk, id), session);
    }
  }

  /** The page of a record, with the status of what went wrong. */
  private async show(
    desk: DeskTable,
    id: number,
    session: DeskSession,
    { sent = null, notRemoved = null, done }: Partial<Pick<RecordView, 'sent' | 'notRemoved' | 'done'>>,
  ): Promise<Reply> {
    const record = await desk.service.read(id);
    const history = await this.histories.read(desk, id);
    const status = (sent ?? notRemoved)?.error.status ?? 200;
    const view = { record, history, sent, notRemoved, done };
    return deskPage(recordPage(desk, view, session), session, { status });
  }
}

/** What messages call the fields of a record, which have other names in bodies. */
const fieldLabels = ({ table: { dto } }: DeskTable): FieldLabels => ({
  ...Object.fromEntries(
    Object.entries(dto.reads).flatMap(([write, read]) => {
      const label = deskTexts.tables.column(read);
      return [
        [write, label],
        [read, label],
      ];
    }),
  ),
  reason: deskTexts.tables.column('reason'),
});

/** What a form of a record has sent. */
const sentRecord = <E extends ApiError | null>({ table }: DeskTable, form: URLSearchParams, error: E) => ({
  values: chosenTexts(sentTexts(table, form), form),
  reason: form.get('reason') ?? '',
  version: form.get('version') ?? '',
  error,
});
