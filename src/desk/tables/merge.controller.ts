import { Controller, Get, Param, Post } from '@nestjs/common';
import type { OperationResult } from '../../ledger/changes/operation-result.js';
import { type ApiError, NotFound, ReferenceMissing } from '../../platform/errors/api-error.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { one, parseId, recordId, text } from '../../platform/validation/parsers.js';
import { validateBody } from '../../platform/validation/validate-body.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import type { Criteria } from '../../price-series/filters/criteria.js';
import { PriceSeriesService } from '../../price-series/price-series.service.js';
import { RecordMergeDto } from '../../price-series/merging/record-merge.controller.js';
import { RecordMerging } from '../../price-series/merging/record-merging.js';
import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import { shownError } from '../layout/desk-form.js';
import { daySpan, type Likeness, type Coordinates } from '../layout/likeness.js';
import { deskPage } from '../layout/desk-page.js';
import { DeskPages } from '../session/desk-pages.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { redirectTo } from '../session/redirection.js';
import { Sent, type SentForm } from '../session/sent-form.js';
import { ShownAgain } from '../session/unsaved-forms.js';
import { deskTexts } from '../texts.js';
import { type DeskTable, DeskTables, requireId } from './desk-tables.js';
import { mergePage } from './merge-page.js';
import { removedReply } from './removed-page.js';
import { RemovedRecords } from './removed-records.js';
import { criteriaOfRecord } from './series-filter.js';
import { recordAddress } from './table-address.js';

const { labels: LABELS } = deskTexts.tables.merge;

/** Records that a search shows. */
const MAX_FOUND = 20;

const mergeQuery = new QuerySchema({
  search: one(text(), 'Words in the name of the other record.'),
  into: one(recordId, 'The id of the other record.'),
});
type MergeQuery = QueryValues<typeof mergeQuery.parameters>;

/** The page on which two records become one. */
@Controller('desk/tables/:table/:id/merge')
@DeskPages()
export class MergePageController {
  constructor(
    private readonly tables: DeskTables,
    private readonly merging: RecordMerging,
    private readonly series: PriceSeriesService,
    private readonly removed: RemovedRecords,
  ) {}

  /** @throws NotFound */
  @Get()
  async page(
    @Param('table') name: string,
    @Param('id') text: string,
    @RequestQuery(mergeQuery) query: MergeQuery,
    @CurrentSession() session: DeskSession,
  ): Promise<Reply> {
    const desk = this.mergedTable(name);
    return this.show(desk, await desk.service.read(requireId(text)), query, session);
  }

  /** Merges once, however often the form is sent. @throws NotFound */
  @Post()
  @ShownAgain<MergePageController>((page, { params, form, session, error }) =>
    page.showSent(page.mergedTable(params.table!), requireId(params.id!), form, session, error),
  )
  async merge(
    @Param('table') name: string,
    @Param('id') text: string,
    @Sent() { form, session, requireAuthor }: SentForm,
  ): Promise<Reply> {
    const desk = this.mergedTable(name);
    const id = requireId(text);
    const sent = form.get('into') ?? '';
    try {
      const { into } = validateBody(RecordMergeDto, sent === '' ? {} : { into: idOrText(sent) });
      await this.merging.merge(desk.merged!, id, into, requireAuthor());
      return redirectTo(recordAddress(desk.name, into, { done: 'merged' }));
    } catch (error) {
      if (error instanceof NotFound) return this.again(desk, id, parseId(sent), session);
      return this.showSent(desk, id, form, session, shownError(error, LABELS));
    }
  }

  /** A merge as it was sent. */
  private async showSent(
    desk: DeskTable,
    id: number,
    form: URLSearchParams,
    session: DeskSession,
    error: ApiError,
  ): Promise<Reply> {
    const into = parseId(form.get('into') ?? '');
    const failed = { error, reason: form.get('reason') ?? '' };
    return this.show(desk, await desk.service.read(id), Number.isNaN(into) ? {} : { into }, session, failed);
  }

  /** The reply where the record is gone: what was asked for may have been done before. */
  private async again(desk: DeskTable, id: number, into: number, session: DeskSession): Promise<Reply> {
    const removed = await this.removed.find(desk, id);
    if (removed !== null && removed.mergedInto === into)
      return redirectTo(recordAddress(desk.name, into, { done: 'merged' }));
    return removedReply(desk.name, removed, session);
  }

  /** @throws NotFound for tables whose records are not merged */
  private mergedTable(name: string): DeskTable {
    const desk = this.tables.find(name);
    if (desk.merged === null) throw new NotFound('Records of this table are not merged.');
    return desk;
  }

  private async show(
    desk: DeskTable,
    from: ReferenceEntity,
    { search = '', into }: MergeQuery,
    session: DeskSession,
    failed: { error: ApiError; reason: string } | null = null,
  ): Promise<Reply> {
    const { error = null, reason = '' } = failed ?? {};
    const preview = into === undefined ? null : await this.preview(desk, from, into);
    const problem = error ?? preview?.error ?? null;
    // Where there is no such record to merge into, another one is searched.
    const chosen =
      preview === null || preview.into === null
        ? null
        : {
            into: preview.into,
            result: preview.result,
            likeness: await this.likeness(desk.name, from, preview.into),
          };
    const found = chosen === null ? await this.find(desk, search) : null;
    const view = { from, search, reason, found, chosen, error: problem };
    return deskPage(mergePage(desk, view, session), session, { status: problem?.status ?? 200 });
  }

  private async find({ list, service }: DeskTable, search: string): Promise<readonly ReferenceEntity[]> {
    const filters = list.filtersOf({ search: search === '' ? undefined : search });
    return (await service.page(filters, { page: 1, pageSize: MAX_FOUND })).items;
  }

  /** How alike two records are: where they are, and of which time the prices of their series. */
  private async likeness(table: string, from: ReferenceEntity, into: ReferenceEntity): Promise<Likeness> {
    const places = table === 'Market' ? ([from, into] as unknown as [Coordinates, Coordinates]) : null;
    const spanOf = async (criteria: Criteria) => {
      const selection = await this.series.select(criteria);
      return daySpan(selection.catalogue, selection.slice());
    };
    const [one, other] = [from, into].map(({ id }) => criteriaOfRecord(table, id));
    return { places, spans: one && other ? [await spanOf(one), await spanOf(other)] : null };
  }

  /** What merging would change, or why it is not possible. */
  private async preview(desk: DeskTable, from: ReferenceEntity, id: number): Promise<MergePreview> {
    try {
      const result = await this.merging.tryOut(desk.merged!, from.id, id);
      return { into: await desk.service.read(id), result, error: null };
    } catch (thrown) {
      const error = shownError(thrown, LABELS);
      const into = error instanceof ReferenceMissing ? null : await desk.service.read(id);
      return { into, result: null, error };
    }
  }
}

/** The other record, null if there is none, and what merging into it would change. */
interface MergePreview {
  into: ReferenceEntity | null;
  result: OperationResult | null;
  error: ApiError | null;
}

/** An id as JSON has it; other text as it is, for the message about it. */
const idOrText = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text);
