import { Controller, Get, Param, Post } from '@nestjs/common';
import { HarvestAlarms } from '../../harvests/alarms/harvest-alarms.js';
import { addressOf } from '../../web/address.js';
import { HeldRuns } from '../../harvests/held/held-runs.js';
import { HarvestsService, harvestTag, toHarvestRecord } from '../../harvests/records/harvests.service.js';
import { HarvestRuns } from '../../harvests/runs/harvest-runs.js';
import { HarvestScheduler } from '../../harvests/runs/harvest-scheduler.js';
import { Clock } from '../../platform/clock/clock.js';
import { type ApiError, NotFound, PreconditionFailed } from '../../platform/errors/api-error.js';
import { RequestQuery } from '../../platform/http/params.js';
import { type Reply, RowStream } from '../../platform/http/reply.js';
import { OwnMediaType } from '../../platform/http/routes.js';
import { choice, one, parseId } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { shownError } from '../layout/desk-form.js';
import { DESK_HEADERS, deskPage, REFRESH } from '../layout/desk-page.js';
import { DeskPages } from '../session/desk-pages.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { redirectTo } from '../session/redirection.js';
import { Sent, type SentForm } from '../session/sent-form.js';
import { ShownAgain } from '../session/unsaved-forms.js';
import { harvestPagesTexts as texts } from '../texts/harvests.js';
import { HARVEST_OUTCOMES, harvestAddress, type HarvestOutcome, HARVESTS } from './harvest-address.js';
import { harvestListPage } from './harvest-list-page.js';
import { harvestPage, isBusy } from './harvest-page.js';
import type { HeldView, SentHarvestForm } from './held-section.js';

const pageQuery = new QuerySchema({ done: one(choice(HARVEST_OUTCOMES), 'What was done before.') });

/** Runs that are shown. */
const MAX_RUNS = 50;

/** The pages of harvests and their runs. */
@Controller('desk/harvests')
@DeskPages()
export class DeskHarvestsController {
  constructor(
    private readonly harvests: HarvestsService,
    private readonly runs: HarvestRuns,
    private readonly held: HeldRuns,
    private readonly scheduler: HarvestScheduler,
    private readonly alarms: HarvestAlarms,
    private readonly clock: Clock,
  ) {}

  @Get()
  async list(
    @RequestQuery(pageQuery) { done }: QueryValues<typeof pageQuery.parameters>,
    @CurrentSession() session: DeskSession,
  ): Promise<Reply> {
    const view = {
      done,
      harvests: await this.harvests.list(),
      states: await this.runs.states(),
      expected: await this.alarms.expectedFiles(),
      now: this.clock.now(),
    };
    return deskPage(harvestListPage(view, session), session);
  }

  /** @throws NotFound */
  @Get(':id')
  page(
    @Param('id') id: string,
    @RequestQuery(pageQuery) { done }: QueryValues<typeof pageQuery.parameters>,
    @CurrentSession() session: DeskSession,
  ): Promise<Reply> {
    return this.show(id, session, null, done);
  }

  /** The file of a run that is held. @throws NotFound */
  @Get(':id/runs/:run/file')
  @OwnMediaType()
  async file(@Param('id') id: string, @Param('run') run: string): Promise<RowStream> {
    return new RowStream('application/octet-stream', await this.held.file(id, parseId(run)), {
      headers: {
        ...DESK_HEADERS,
        'Content-Disposition': `attachment; filename="harvest-run-${parseId(run)}"`,
      },
    });
  }

  /** Asks for a run. @throws NotFound */
  @Post(':id/run')
  @ShownAgain<DeskHarvestsController>((desk, { params, form, session, error }) =>
    desk.show(params.id!, session, { kind: 'run', form, error }),
  )
  run(@Param('id') id: string, @Sent() { form, session, requireAuthor }: SentForm): Promise<Reply> {
    return this.once(id, session, { kind: 'run', form }, async () => {
      await this.runs.request(id, requireAuthor().deadline);
      this.scheduler.wake();
      return 'asked';
    });
  }

  /** Turns a harvest on or off. @throws NotFound */
  @Post(':id/enabled')
  @ShownAgain<DeskHarvestsController>((desk, { params, form, session, error }) =>
    desk.show(params.id!, session, { kind: 'enabled', form, error }),
  )
  turn(@Param('id') id: string, @Sent() { form, session, requireAuthor }: SentForm): Promise<Reply> {
    const enabled = form.get('enabled') === 'true';
    return this.once(id, session, { kind: 'enabled', form }, async () => {
      const author = requireAuthor();
      await this.harvests.update(id, { enabled }, { ifMatch: '*', ifNoneMatch: null }, author);
      return enabled ? 'on' : 'off';
    });
  }

  /** Removes a harvest with its runs, once however often the form is sent. */
  @Post(':id/remove')
  @ShownAgain<DeskHarvestsController>((desk, { params, form, session, error }) =>
    desk.show(params.id!, session, { kind: 'remove', form, error }),
  )
  async remove(@Param('id') id: string, @Sent() { form, session, requireAuthor }: SentForm): Promise<Reply> {
    try {
      const conditions = { ifMatch: [form.get('version') ?? ''], ifNoneMatch: null };
      await this.harvests.remove(id, conditions, requireAuthor());
    } catch (thrown) {
      // Its form was sent before.
      if (!(thrown instanceof NotFound))
        return this.show(id, session, { kind: 'remove', ...whyNotRemoved(thrown, form) });
    }
    return redirectTo(addressOf(HARVESTS, { done: 'removed' }));
  }

  /** Has the file of a run imported that is held. @throws NotFound */
  @Post(':id/runs/:run/import')
  @ShownAgain<DeskHarvestsController>((desk, { params, form, session, error }) =>
    desk.show(params.id!, session, { kind: 'import', run: parseId(params.run!), form, error }),
  )
  import(
    @Param('id') id: string,
    @Param('run') run: string,
    @Sent() { form, session, requireAuthor }: SentForm,
  ): Promise<Reply> {
    return this.once(id, session, { kind: 'import', run: parseId(run), form }, async () => {
      await this.held.import(id, parseId(run), requireAuthor());
      this.scheduler.wake();
      return 'approved';
    });
  }

  /** Ends a run that is held. @throws NotFound */
  @Post(':id/runs/:run/dismiss')
  @ShownAgain<DeskHarvestsController>((desk, { params, form, session, error }) =>
    desk.show(params.id!, session, { kind: 'dismiss', run: parseId(params.run!), form, error }),
  )
  dismiss(
    @Param('id') id: string,
    @Param('run') run: string,
    @Sent() { form, session, requireAuthor }: SentForm,
  ): Promise<Reply> {
    return this.once(id, session, { kind: 'dismiss', run: parseId(run), form }, async () => {
      await this.held.dismiss(id, parseId(run), requireAuthor());
      return 'dismissed';
    });
  }

  /** Does what a form asks, and shows the page of its harvest; or why it was not accepted. */
  private async once(
    id: string,
    session: DeskSession,
    sent: Omit<SentHarvestForm, 'error'>,
    work: () => Promise<HarvestOutcome>,
  ): Promise<Reply> {
    let error: ApiError;
    try {
      const done = await work();
      return redirectTo(harvestAddress((await this.harvests.read(id)).id, { done }));
    } catch (thrown) {
      if (thrown instanceof NotFound) throw thrown;
      error = shownError(thrown, texts.labels);
    }
    return this.show(id, session, { ...sent, error });
  }

  /** @throws NotFound */
  private async show(
    text: string,
    session: DeskSession,
    sent: SentHarvestForm | null,
    done?: HarvestOutcome,
  ): Promise<Reply> {
    const row = await this.harvests.read(text);
    const id = String(row.id);
    const { waiting = null, held = null } = (await this.runs.states()).get(row.id) ?? {};
    const view = {
      harvest: toHarvestRecord(row),
      tag: harvestTag(row),
      runs: await this.runs.list(id, MAX_RUNS),
      waiting,
      expected: (await this.alarms.expectedFiles()).get(row.id),
      held: held && (await this.withReport(id, held)),
      now: this.clock.now(),
      sent,
      done,
    };
    // Whoever has just asked for a run sees how it ends.
    const isWatched = done !== undefined && isBusy(view);
    return deskPage(harvestPage(view, session), session, {
      status: sent?.error.status ?? 200,
      ...(isWatched ? { headers: REFRESH } : {}),
    });
  }

  /** Null where somebody has decided of the run meanwhile. */
  private async withReport(harvest: string, run: HeldView['run']): Promise<HeldView | null> {
    try {
      return { run, report: await this.held.report(harvest, run.id) };
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }
}

/** Removing it as it is now is another decision: then its form has the new version. */
const whyNotRemoved = (thrown: unknown, form: URLSearchParams): Pick<SentHarvestForm, 'form' | 'error'> =>
  thrown instanceof PreconditionFailed
    ? { form: null, error: new PreconditionFailed(texts.changedMeanwhile) }
    : { form, error: shownError(thrown, texts.labels) };
