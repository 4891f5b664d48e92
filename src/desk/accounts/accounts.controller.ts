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
import { accountPage, ACCOUNTS, accountsPage, type InvitedAccount, issuedPage } from './accounts-page.js';

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
    const accounts = await this.invitedAccounts();
    const { query } = infoOf(request);
    const named = (parameter: string) => {
      const id = parseId(query.all(parameter)[0] ?? '');
      return accounts.find(({ account }) => account.id === id)?.account.username ?? null;
    };
    const note = { saved: named('saved'), withdrawn: named('withdrawn') };
    return deskPage(accountsPage(accounts, note, session, null), session);
  }

  /** Invites a colleague. The reply is the only page with the address, so it is no redirection. */
  @Post()
  @ShownAgain<DeskAccountsController>((desk, { form, session, error }) =>
    desk.showInvited(form, session, error),
  )
  async invite(@Sent() { form, session, info, sender }: SentForm): Promise<Reply> {
    const [username, role] = [form.get('username')?.trim() ?? '', form.get('role') ?? ''];
    try {
      const invited = validateBody(InvitationDto, { username, role });
      return issued(await this.invitations.invite(invited, sender), session, info);
    } catch (thrown) {
      return this.showInvited(form, session, shownError(thrown, texts.labels));
    }
  }

  @Get(':id')
  async page(@Param('id') id: string, @CurrentSession() session: DeskSession): Promise<Reply> {
    return deskPage(accountPage(await this.invitedAccount(parseId(id)), session, null), session);
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

  /** Makes an invitation for an account, as for a forgotten password. */
  @Post(':id/invitation')
  async reinvite(@Param('id') id: string, @Sent() { session, info, sender }: SentForm): Promise<Reply> {
    return issued(await this.invitations.reinvite(parseId(id), sender), session, info);
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
    const view = accountPage(await this.invitedAccount(id), session, { form, error });
    return deskPage(view, session, { status: error.status });
  }

  private async showInvited(form: URLSearchParams, session: DeskSession, error: ApiError): Promise<Reply> {
    const note = { saved: null, withdrawn: null };
    const view = accountsPage(await this.invitedAccounts(), note, session, { form, error });
    return deskPage(view, session, { status: error.status });
  }

  private async invitedAccounts(): Promise<InvitedAccount[]> {
    const accounts = await this.accounts.list();
    const states = await this.invitations.states();
    return accounts.map((account) => ({ account, state: states.get(account.id)! }));
  }

  private async invitedAccount(id: number): Promise<InvitedAccount> {
    const account = await this.accounts.read(id);
    return { account, state: (await this.invitations.states()).get(id)! };
  }
}

const issued = (invitation: IssuedInvitation, session: DeskSession, { origin }: RequestInfo): Reply =>
  deskPage(issuedPage(invitation, `${origin}${INVITATION}/${invitation.token}`), session);

/** What the form has sent, as the API has it. */
function bodyOf(form: URLSearchParams): object {
  const [role, enabled] = [form.get('role'), form.get('enabled')];
  const isFlag = enabled === 'true' || enabled === 'false';
  return { role: role ?? '', enabled: isFlag ? enabled === 'true' : (enabled ?? '') };
}
