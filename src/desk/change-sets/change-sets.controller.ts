import { Controller, Get, Param, Post } from '@nestjs/common';
import {
  type ChangeSetRecord,
  ChangeSets,
  changeSetNotFound,
  changeSetQuery,
} from '../../history/change-sets.js';
import { requireRevertible } from '../../history/revert/affected.js';
import { Database } from '../../database/database.js';
import { NotRevertible } from '../../history/revert/revert-errors.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { NoDeadline } from '../../platform/http/routes.js';
import { pageRequest } from '../../platform/listing/page.js';
import type { QueryValues } from '../../platform/validation/query-schema.js';
import { parseId } from '../../platform/validation/parsers.js';
import { FindingsService } from '../../quality/findings.service.js';
import { deskPage, REFRESH } from '../layout/desk-page.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { DeskPages } from '../session/desk-pages.js';
import { redirectTo } from '../session/redirection.js';
import { Sent, type SentForm } from '../session/sent-form.js';
import { ShownAgain } from '../session/unsaved-forms.js';
import { Uploads } from '../upload/uploads.js';
import { ChangeSetDetails } from './change-set-details.js';
import { CHANGE_SETS, changeSetListPage } from './change-set-list-page.js';
import { changeSetPage } from './change-set-page.js';
import { DeskReverts } from './desk-reverts.js';
import { revertPage, type SentRevert } from './revert-page.js';

const PAGE_SIZE = 50;

/** What has changed the data, and reverting it. */
@Controller('desk/change-sets')
@DeskPages()
export class DeskChangeSetsController {
  constructor(
    private readonly database: Database,
    private readonly changeSets: ChangeSets,
    private readonly details: ChangeSetDetails,
    private readonly findings: FindingsService,
    private readonly reverts: DeskReverts,
    private readonly uploads: Uploads,
  ) {}

  @Get()
  async list(
    @RequestQuery(changeSetQuery) query: QueryValues<typeof changeSetQuery.parameters>,
    @CurrentSession() session: DeskSession,
  ): Promise<Reply> {
    const page = await this.changeSets.page(query, pageRequest(query, PAGE_SIZE));
    const ids = page.items.map(({ id }) => id);
    const [authors, affected] = [await this.details.authors(ids), await this.details.affected(ids)];
    const kind = query.kind?.join(',') ?? '';
    const state = query.state?.join(',') ?? '';
    return deskPage(changeSetListPage({ page, kind, state, authors, affected }), session);
  }

  @Get(':id')
  async page(@Param('id') text: string, @CurrentSession() session: DeskSession): Promise<Reply> {
    const changeSet = await this.changeSets.read(requireId(text));
    const { id, state } = changeSet;
    const reverts = await this.details.revertedChangeSet(changeSet);
    const revertState = await this.revertState(changeSet);
    const view = changeSetPage({
      changeSet,
      author: (await this.details.authors([id])).get(id) ?? null,
      affected: (await this.details.affected([id])).get(id) ?? null,
      series: await this.details.series(id),
      records: await this.details.records(id),
      openFindings: await this.openFindings(id),
      reverts,
      size: state === 'running' && reverts !== null ? await this.details.size(reverts) : null,
      revertState,
      isRevertible: await this.isRevertible(changeSet, revertState),
      rejectsOf: await this.uploadWithRejects(id),
    });
    return deskPage(view, session, state === 'running' ? { headers: REFRESH } : {});
  }

  /** What would be reverted. */
  @Get(':id/revert')
  @NoDeadline()
  async preview(@Param('id') text: string, @CurrentSession() session: DeskSession): Promise<Reply> {
    return this.showRevert(requireId(text), session, null);
  }

  /** Reverts a change set, once however often the form is sent. */
  @Post(':id/revert')
  @ShownAgain<DeskChangeSetsController>((desk, { params, form, session, error }) =>
    desk.showRevert(requireId(params.id!), session, { form, error }),
  )
  @NoDeadline()
  async revert(@Param('id') text: string, @Sent() { requireAuthor }: SentForm): Promise<Reply> {
    const id = requireId(text);
    const { caller, reason, requestId } = requireAuthor();
    const changeSet = await this.changeSets.read(id);
    const state = await this.revertState(changeSet);
    if (isDecided(state)) return redirectTo(`${CHANGE_SETS}/${changeSet.reverted_by}`);
    const author = { reason, dryRun: false, caller, requestId };
    return redirectTo(`${CHANGE_SETS}/${await this.reverts.revert(id, author, state !== null)}`);
  }

  private async showRevert(id: number, session: DeskSession, sent: SentRevert | null): Promise<Reply> {
    const changeSet = await this.changeSets.read(id);
    const state = await this.revertState(changeSet);
    if (isDecided(state)) return redirectTo(`${CHANGE_SETS}/${changeSet.reverted_by}`);
    const { counts } = await this.reverts.preview(id);
    const view = revertPage({ id, counts, goesOn: state !== null, session, sent });
    return deskPage(view, session, { status: sent?.error.status ?? 200 });
  }

  /** The state of the change set that reverts another one; null where there is none. */
  private async revertState({ reverted_by: by }: ChangeSetRecord): Promise<string | null> {
    return by === null ? null : (await this.changeSets.read(by)).state;
  }

  private async isRevertible({ id }: ChangeSetRecord, revertState: string | null): Promise<boolean> {
    if (isDecided(revertState)) return false;
    try {
      await requireRevertible(this.database, id);
      return true;
    } catch (error) {
      if (error instanceof NotRevertible) return false;
      throw error;
    }
  }

  private async openFindings(id: number): Promise<number> {
    const filters = { change_set_id: [id], state: ['open' as const] };
    return (await this.findings.page(filters, { page: 1, pageSize: 1 })).count;
  }

  /** The upload that was imported as a change set, where it has rejected rows. */
  private async uploadWithRejects(changeSetId: number): Promise<string | null> {
    const upload = (await this.uploads.list()).find((one) => one.changeSetId === changeSetId);
    if (upload === undefined) return null;
    const report = await this.uploads.report(upload.id);
    return report !== null && report.rejected > 0 ? upload.id : null;
  }
}

/** Whether a revert has been done or is running, so that none can begin or go on. */
const isDecided = (revertState: string | null) => revertState === 'done' || revertState === 'running';

/** @throws NotFound for text that is no id */
function requireId(text: string): number {
  const id = parseId(text);
  if (Number.isNaN(id)) throw changeSetNotFound();
  return id;
}
