import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AuditLog } from '../../ledger/audit/audit-log.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { NotFound, PreconditionFailed } from '../../platform/errors/api-error.js';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { pageParameters } from '../../platform/listing/page.js';
import { parseId, UUID } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import { PriceSeriesService } from '../../price-series/price-series.service.js';
import { CorrectionsService } from '../../prices/corrections/corrections.service.js';
import { parsePointNumber } from '../../prices/datapoint.dto.js';
import { PointVersions } from '../../prices/history/point-versions.js';
import { parsePointId } from '../../prices/store/point-id.js';
import { shownError } from '../layout/desk-form.js';
import { deskPage } from '../layout/desk-page.js';
import { deskSeriesTexts } from '../texts/series.js';
import { DeskPages } from '../session/desk-pages.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { redirectTo } from '../session/redirection.js';
import { Sent, type SentForm } from '../session/sent-form.js';
import { ShownAgain, type UnsavedForm } from '../session/unsaved-forms.js';
import {
  type DeskSeriesQuery,
  deskSeriesQuery,
  type DeskSeriesView,
  DeskSeriesViews,
  pointRows,
} from './desk-series-view.js';
import { NewPoints } from './new-points.js';
import { correctionsOf, editsOf } from './point-edits.js';
import { pointPage } from './point-page.js';
import { pointsConflict } from './points-conflict.js';
import { deskSeriesAddress, windowOf } from './series-address.js';
import { seriesListPage } from './series-list-page.js';
import { deskSeriesPage, type SentSeries } from './series-page.js';

const { search, iso3_country_codes } = priceSeriesFilters;
const searchQuery = new QuerySchema({ search, iso3_country_codes, page: pageParameters.page });
type SearchQuery = QueryValues<typeof searchQuery.parameters>;

/** The pages of series, at which their prices are corrected. */
@Controller('desk/series')
@DeskPages()
export class DeskSeriesController {
  constructor(
    private readonly series: PriceSeriesService,
    private readonly views: DeskSeriesViews,
    private readonly corrections: CorrectionsService,
    private readonly newPoints: NewPoints,
    private readonly versions: PointVersions,
    private readonly audit: AuditLog,
  ) {}

  /** @throws NotFound past the last page */
  @Get()
  async list(
    @RequestQuery(searchQuery) query: SearchQuery,
    @Req() request: Request,
    @CurrentSession() session: DeskSession,
  ): Promise<Reply> {
    const given = infoOf(request).query;
    const [text, country] = ['search', 'iso3_country_codes'].map((name) => given.all(name).join(','));
    if (UUID.test(text!.trim())) return redirectTo(deskSeriesAddress(text!.trim().toLowerCase()));
    const { page = 1, ...filters } = query;
    const selection = await this.series.select(Criteria.of(priceSeriesFilters, filters));
    const state = { search: text!, country: country!, page };
    return deskPage(seriesListPage(selection, state), session);
  }

  /** @throws NotFound */
  @Get(':uuid')
  async page(
    @Param('uuid') uuid: string,
    @RequestQuery(deskSeriesQuery) query: DeskSeriesQuery,
    @Req() request: Request,
    @CurrentSession() session: DeskSession,
  ): Promise<Reply> {
    return reply(await this.views.read(uuid, query, infoOf(request).signal), {}, session);
  }

  /** Saves the prices of a page that were changed, as one change set. @throws NotFound */
  @Post(':uuid')
  @ShownAgain<DeskSeriesController>((desk, unsaved) => desk.showSent(unsaved, 'points'))
  async save(
    @Param('uuid') uuid: string,
    @RequestQuery(deskSeriesQuery) query: DeskSeriesQuery,
    @Sent() { form, session, info: { signal }, requireAuthor }: SentForm,
  ): Promise<Reply> {
    const view = await this.views.read(uuid, query, signal);
    const edits = editsOf(form, view.serieId, pointRows(view));
    const address = (values: object) =>
      deskSeriesAddress(view.series.state.uuid, { ...windowOf(query), ...values });
    if (edits.length === 0) return redirectTo(address({ done: 'unchanged' }));
    if (edits.some(({ isConflict }) => isConflict)) return conflict(view, form, session);
    try {
      const author = requireAuthor();
      const requested = correctionsOf(view.series.state.uuid, edits);
      const { change_set } = await this.corrections.correct(requested, author, false);
      return redirectTo(address({ done: change_set === null ? 'unchanged' : 'saved', change_set }));
    } catch (thrown) {
      if (thrown instanceof PreconditionFailed)
        return conflict(await this.views.read(uuid, query, signal), form, session);
      return reply(view, { points: { form, error: shownError(thrown, deskSeriesTexts.labels) } }, session);
    }
  }

  /** Adds a missing price. @throws NotFound */
  @Post(':uuid/points')
  @ShownAgain<DeskSeriesController>((desk, unsaved) => desk.showSent(unsaved, 'added'))
  async add(
    @Param('uuid') uuid: string,
    @RequestQuery(deskSeriesQuery) query: DeskSeriesQuery,
    @Sent() { form, session, info: { signal }, requireAuthor }: SentForm,
  ): Promise<Reply> {
    const view = await this.views.read(uuid, query, signal);
    const { state } = view.series;
    const address = deskSeriesAddress(state.uuid, { ...windowOf(query), done: 'added' });
    try {
      return await this.newPoints.add(state.uuid, form, address, requireAuthor(), signal);
    } catch (thrown) {
      return reply(view, { added: { form, error: shownError(thrown, deskSeriesTexts.labels) } }, session);
    }
  }

  /** What a price was before. @throws NotFound, CalculatedPoint */
  @Get(':uuid/points/:id')
  async point(
    @Param('uuid') uuid: string,
    @Param('id') text: string,
    @Req() request: Request,
    @CurrentSession() session: DeskSession,
  ): Promise<Reply> {
    const id = parsePointNumber(text);
    const { entry } = await this.series.read(uuid, undefined);
    const versions = await this.versions.read(uuid, id, infoOf(request).signal);
    const filters = { table: ['observation'], record_id: [id!] };
    const { items } = await this.audit.page(filters, { page: 1, pageSize: 2 * versions.length });
    const accounts = new Map(
      items.map(({ change_set_id, username, subject }) => [change_set_id, username ?? subject]),
    );
    const date = isoFromDay(parsePointId(id!)!.day);
    return deskPage(pointPage(entry, date, versions, accounts), session);
  }

  /** Lets the source's price return. One that was withdrawn before changes nothing. */
  @Post(':uuid/corrections/:id/withdraw')
  @ShownAgain<DeskSeriesController>((desk, unsaved) => desk.showSent(unsaved, 'withdrawn'))
  async withdraw(
    @Param('uuid') uuid: string,
    @Param('id') text: string,
    @Sent() { requireAuthor }: SentForm,
  ): Promise<Reply> {
    const { entry } = await this.series.read(uuid, undefined);
    const id = parseId(text);
    if (Number.isNaN(id)) throw new NotFound();
    try {
      await this.corrections.withdraw(id, requireAuthor());
      return redirectTo(deskSeriesAddress(entry.uuid, { done: 'withdrawn' }));
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      return redirectTo(deskSeriesAddress(entry.uuid, { done: 'unchanged' }));
    }
  }

  /** The page of a series with a form that was sent without a valid token. */
  private async showSent(
    { params, valuesOf, form, session, error, signal }: UnsavedForm,
    which: keyof SentSeries,
  ): Promise<Reply> {
    const view = await this.views.read(params.uuid!, valuesOf(deskSeriesQuery), signal);
    return reply(view, { [which]: { form, error } }, session);
  }
}

/** The page of a series, with the status of what was not accepted. */
function reply(view: DeskSeriesView, sent: SentSeries, session: DeskSession): Reply {
  const status = (sent.points ?? sent.added ?? sent.withdrawn)?.error.status ?? 200;
  return deskPage(deskSeriesPage(view, sent, session), session, { status });
}

/** The page of prices that were changed meanwhile. */
function conflict(view: DeskSeriesView, form: URLSearchParams, session: DeskSession): Reply {
  const edits = editsOf(form, view.serieId, pointRows(view));
  const page = pointsConflict(view, edits, form.get('reason') ?? '', session);
  return deskPage(page, session, { status: 412 });
}
