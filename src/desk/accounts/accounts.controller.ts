import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AccountPatchDto } from '../../auth/accounts/account.dto.js';
import { AccountRecords } from '../../auth/accounts/account-records.js';
import { InvitationDto } from '../../auth/invitations/invitation.dto.js';
import { Invitations, type IssuedInvitation } from '../../auth/invitations/invitations.js';
import type { ApiError } from '../../platform/errors/api-error.js';
import { infoOf, type RequestInfo } from '../../platform/http/request.js';
import type { Reply } from '../../platform/http/reply.js';
import { parseId } from '../../platform/validation/parsers.js';
import { validateBody } from '../../platform/validation/validate-body.js';
import { addressOf } from '../../web/address.js';
import { shownError } from '../layout/desk-form.js';
import { deskPage } from '../layout/desk-page.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { DeskPages } from '../session/desk-pages.js';
import { redirectTo } from '../session/redirection.js';
import { Sent, type SentForm } from '../session/sent-form.js';
import { INVITATION } from '../session/return-address.js';
import { ShownAgain } from '../session/unsaved-forms.js';
import { accountTexts as texts } from '../texts/accounts.js';
import {
  accountPage,
  ACCOUNTS,
  accountsPage,
  type AccountWithInvitation,
  issuedPage,
} from './accounts-page.js';

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** The accounts, for admins: roles, who may sign in, and invitations. */
@Controller('desk/accounts')
@DeskPages('admin')
export class DeskAccountsController {
  constructor(
    private readonly accounts: AccountRecords,
    private readonly invitations: Invitations,
  ) {}

  @Get()
  async list(@CurrentSession() session: DeskSession, @Req() request: Request): Promise<Reply> {
    const accounts = await this.accountsWithInvitations();
    const { query } = infoOf(request);
    const usernameIn = (parameter: string) => {
      const id = parseId(query.all(parameter)[0] ?? '');
      return accounts.find(({ account }) => account.id === id)?.account.username ?? null;
    };
    const lastAction = { saved: usernameIn('saved'), withdrawn: usernameIn('withdrawn') };
    return deskPage(accountsPage(accounts, lastAction, session, null), session);
  }

  /**
   * Invites a colleague. Replies with a page instead of a redirection: no address could lead to it,
   * since the token is not stored.
   */
  @Post()
  @ShownAgain<DeskAccountsController>((desk, { form, session, error }) =>
    desk.showSentInvitation(form, session, error),
  )
  async invite(@Sent() { form, session, info, sender }: SentForm): Promise<Reply> {
    const [username, role] = [form.get('username')?.trim() ?? '', form.get('role') ?? ''];
    try {
      const invited = validateBody(InvitationDto, { username, role });
      return issuedReply(await this.invitations.invite(invited, sender), session, info);
    } catch (thrown) {
      return this.showSentInvitation(form, session, shownError(thrown, texts.labels));
    }
  }

  @Get(':id')
  async page(@Param('id') id: string, @CurrentSession() session: DeskSession): Promise<Reply> {
    return deskPage(accountPage(await this.accountWithInvitation(parseId(id)), session, null), session);
  }

  @Post(':id')
  @ShownAgain<DeskAccountsController>((desk, { params, form, session, error }) =>
    desk.showSent(parseId(params.id!), form, session, error),
  )
  async save(@Param('id') text: string, @Sent() { form, session, sender }: SentForm): Promise<Reply> {
    const id = parseId(text);
    const conditions = { ifMatch: form.getAll('version'), ifNoneMatch: null };
    try {
      const changes = validateBody(AccountPatchDto, bodyOf(form), { partial: true });
      await this.accounts.update(id, changes, conditions, sender);
      return redirectTo(addressOf(ACCOUNTS, { saved: id }));
    } catch (thrown) {
      return this.showSent(id, form, session, shownError(thrown, texts.labels));
    }
  }

  /** Makes an invitation for an existing account, such as one whose password is forgotten. */
  @Post(':id/invitation')
  async reinvite(@Param('id') id: string, @Sent() { session, info, sender }: SentForm): Promise<Reply> {
    return issuedReply(await this.invitations.reinvite(parseId(id), sender), session, info);
  }

  @Post(':id/invitation/withdraw')
  async withdraw(@Param('id') id: string, @Sent() { sender }: SentForm): Promise<Reply> {
    await this.invitations.withdraw(parseId(id), sender);
    return redirectTo(addressOf(ACCOUNTS, { withdrawn: parseId(id) }));
  }

  private async showSent(
    id: number,
    form: URLSearchParams,
    session: DeskSession,
    error: ApiError,
  ): Promise<Reply> {
    const view = accountPage(await this.accountWithInvitation(id), session, { form, error });
    return deskPage(view, session, { status: error.status });
  }

  private async showSentInvitation(
    form: URLSearchParams,
    session: DeskSession,
    error: ApiError,
  ): Promise<Reply> {
    const lastAction = { saved: null, withdrawn: null };
    const view = accountsPage(await this.accountsWithInvitations(), lastAction, session, { form, error });
    return deskPage(view, session, { status: error.status });
  }

  private async accountsWithInvitations(): Promise<AccountWithInvitation[]> {
    const accounts = await this.accounts.list();
    const states = await this.invitations.states();
    return accounts.map((account) => ({ account, invitation: states.get(account.id)! }));
  }

  private async accountWithInvitation(id: number): Promise<AccountWithInvitation> {
    const account = await this.accounts.read(id);
    const states = await this.invitations.states();
    return { account, invitation: states.get(id)! };
  }
}

const issuedReply = (invitation: IssuedInvitation, session: DeskSession, { origin }: RequestInfo): Reply =>
  deskPage(issuedPage(invitation, `${origin}${INVITATION}/${invitation.token}`), session);

/** The form as a body of the API. What is no boolean stays text, which its checks reject. */
function bodyOf(form: URLSearchParams): object {
  const enabled = form.get('enabled') ?? '';
  return { role: form.get('role') ?? '', enabled: BOOLEANS.get(enabled) ?? enabled };
}
