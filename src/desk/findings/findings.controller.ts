import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NotFound } from '../../platform/errors/api-error.js';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { pageRequest } from '../../platform/listing/page.js';
import { parseId } from '../../platform/validation/parsers.js';
import type { QueryPairs } from '../../platform/validation/query-pairs.js';
import type { QueryValues } from '../../platform/validation/query-schema.js';
import { SeriesCatalogue } from '../../price-series/catalogue/catalogue.js';
import { countriesOf } from '../../price-series/countries/country-list.js';
import { CorrectionsService } from '../../prices/corrections/corrections.service.js';
import { findingQuery } from '../../quality/finding-list.js';
import { findingNotFound, FindingsService } from '../../quality/findings.service.js';
import { shownError } from '../layout/desk-form.js';
import { deskPage } from '../layout/desk-page.js';
import { DeskPages } from '../session/desk-pages.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { redirectTo } from '../session/redirection.js';
import { Sent, type SentForm } from '../session/sent-form.js';
import { ShownAgain } from '../session/unsaved-forms.js';
import { findingTexts as texts } from '../texts/findings.js';
import { type FindingAction, FINDING_ACTIONS, type SentFindingForm } from './finding-actions.js';
import { findingAddress, givenFilters, listAddress } from './finding-address.js';
import { correctionOf, dismissalOf } from './finding-forms.js';
import { findingListPage } from './finding-list-page.js';
import { findingPage } from './finding-page.js';
import { FindingViews } from './finding-views.js';
import { FindingCountries } from './finding-words.js';

const PAGE_SIZE = 50;
/** Above every id of a finding. */
const NEWEST = Number.MAX_SAFE_INTEGER;
const NO_PRECONDITIONS = { ifMatch: '*', ifNoneMatch: null } as const;

type Query = QueryValues<typeof findingQuery.parameters>;

/** Findings: the list, and one after the other with what can be done about it. */
@Controller('desk/findings')
@DeskPages()
export class DeskFindingsController {
  constructor(
    private readonly findings: FindingsService,
    private readonly corrections: CorrectionsService,
    private readonly views: FindingViews,
    private readonly catalogue: SeriesCatalogue,
  ) {}

  @Get()
  async list(
    @RequestQuery(findingQuery) query: Query,
    @CurrentSession() session: DeskSession,
    @Req() request: Request,
  ): Promise<Reply> {
    const filters = withState(query);
    const counts = await this.findings.counts({ ...filters, rule: undefined, iso3_country_codes: undefined });
    const page = await this.findings.page(filters, pageRequest(query, PAGE_SIZE));
    const done = await this.doneBefore(request);
    const given = givenFilters(infoOf(request).query);
    const countries = new FindingCountries(countriesOf(await this.catalogue.current()));
    return deskPage(findingListPage({ filters: given, page, counts, countries, done }), session);
  }

  /** The first one to go through. */
  @Get('next')
  async first(@RequestQuery(findingQuery) query: Query, @Req() request: Request): Promise<Reply> {
    const filters = givenFilters(infoOf(request).query);
    const { next } = await this.findings.neighbours(withState(query), NEWEST);
    return redirectTo(next === null ? listAddress(filters) : findingAddress(next, filters));
  }

  @Get(':id')
  async page(
    @Param('id') id: string,
    @RequestQuery(findingQuery) query: Query,
    @CurrentSession() session: DeskSession,
    @Req() request: Request,
  ): Promise<Reply> {
    const { query: pairs, signal } = infoOf(request);
    const number = requireId(id);
    return this.show(number, session, { query, pairs, signal, done: await this.doneBefore(request) }, null);
  }

  /** Does something about it, and goes on to the next one. */
  @Post(':id/:action')
  @ShownAgain<DeskFindingsController>(
    (desk, { params, query: pairs, valuesOf, form, session, error, signal }) => {
      const page = { query: valuesOf(findingQuery), pairs, signal, done: null };
      return desk.show(requireId(params.id!), session, page, {
        action: actionOf(params.action!),
        form,
        error,
      });
    },
  )
  async apply(
    @Param('id') id: string,
    @Param('action') name: string,
    @RequestQuery(findingQuery) query: Query,
    @Sent() sent: SentForm,
  ): Promise<Reply> {
    const action = actionOf(name);
    const number = requireId(id);
    const { form, session, info } = sent;
    const { query: pairs, signal } = info;
    try {
      await this.run(action, number, sent);
    } catch (thrown) {
      const page = { query, pairs, signal, done: null };
      return this.show(number, session, page, { action, form, error: shownError(thrown, texts.labels) });
    }
    const filters = givenFilters(pairs);
    if (action === 'open') return redirectTo(findingAddress(number, filters));
    // What was done may have ended others, too.
    const { next } = await this.findings.neighbours(withState(query), number);
    const done = { done: number };
    return redirectTo(next === null ? listAddress(filters, done) : findingAddress(next, filters, done));
  }

  private async run(action: FindingAction, id: number, { form, requireAuthor }: SentForm): Promise<void> {
    await this.findings.read(id);
    if (action === 'correct' || action === 'remove') {
      const correction = correctionOf(form, action === 'remove');
      await this.corrections.correct([correction], requireAuthor(), false);
    } else {
      const patch = action === 'dismiss' ? dismissalOf(form) : ({ state: 'open' } as const);
      const author = { ...requireAuthor(), reason: '' };
      await this.findings.setState(id, patch, NO_PRECONDITIONS, author);
    }
  }

  private async show(
    id: number,
    session: DeskSession,
    { query, pairs, signal, done }: FindingPageOptions,
    sent: SentFindingForm | null,
  ): Promise<Reply> {
    const [uuid, date] = ['uuid', 'at'].map((name) => sent?.form.get(name) ?? pairs.all(name)[0]);
    const chosen = { uuid, date: sent?.form.get('date') ?? date };
    const view = await this.views.read(id, withState(query), chosen, signal);
    const options = { filters: givenFilters(pairs), session, sent, done };
    return deskPage(findingPage(view, options), session, { status: sent?.error.status ?? 200 });
  }

  /** What has become of the finding that was dealt with before. */
  private async doneBefore(request: Request): Promise<string | null> {
    const id = parseId(infoOf(request).query.all('done')[0] ?? '');
    if (Number.isNaN(id)) return null;
    const state = await this.findings.stateOf(id);
    return state === null ? null : texts.done(id, texts.states[state]);
  }
}

/** What the page of a finding is opened with. */
interface FindingPageOptions {
  readonly query: Query;
  readonly pairs: QueryPairs;
  readonly signal: AbortSignal;
  /** What has become of the finding that was dealt with before. */
  readonly done: string | null;
}

/** @throws NotFound */
function actionOf(name: string): FindingAction {
  const action = FINDING_ACTIONS.find((each) => each === name);
  if (action === undefined) throw new NotFound();
  return action;
}

/** The filters of a query; open findings unless it asks for others. */
function withState({ page: _, page_size: __, ...filters }: Query) {
  return { state: ['open'] as Query['state'], ...filters };
}

/** @throws NotFound for text that is no id */
function requireId(text: string): number {
  const id = parseId(text);
  if (Number.isNaN(id)) throw findingNotFound();
  return id;
}
