import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AccountPatchDto } from '../../auth/accounts/account.dto.js';
import { AccountRecords } from '../../auth/accounts/account-records.js';
import type { ApiError } from '../../platform/errors/api-error.js';
import { infoOf } from '../../platform/http/request.js';
import type { Reply } from '../../platform/http/reply.js';
import { parseId } from '../../platform/validation/parsers.js';
import { validateBody } from '../../platform/validation/validate-body.js';
import { addressOf } from '../../web/address.js';
import { shownError } from '../layout/desk-form.js';
import { deskPage } from '../layout/desk-page.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { DeskPages } from '../session/desk-pages.js';
import { redirectTo } from '../session/redirection.js';
import { ShownAgain } from '../session/unsaved-forms.js';
import { accountPage, ACCOUNTS, accountsPage } from './accounts-page.js';

/** The accounts, for admins: roles, and who may sign in. */
@Controller('desk/accounts')
@DeskPages('admin')
export class DeskAccountsController {
  constructor(private readonly accounts: AccountRecords) {}

  @Get()
  async list(@CurrentSession() session: DeskSession, @Req() request: Request): Promise<Reply> {
    const accounts = await this.accounts.list();
    const savedId = parseId(infoOf(request).query.all('saved')[0] ?? '');
    const saved = accounts.find(({ id }) => id === savedId)?.username ?? null;
    return deskPage(accountsPage(accounts, saved), session);
  }

  @Get(':id')
  async page(@Param('id') id: string, @CurrentSession() session: DeskSession): Promise<Reply> {
    return deskPage(accountPage(await this.accounts.read(parseId(id)), session, null), session);
  }

  @Post(':id')
  @ShownAgain<DeskAccountsController>((desk, { params, form, session, error }) =>
    desk.showSent(parseId(params.id!), form, session, error),
  )
  async save(
    @Param('id') text: string,
    @Body() form: URLSearchParams,
    @CurrentSession() session: DeskSession,
    @Req() request: Request,
  ): Promise<Reply> {
    const id = parseId(text);
    const { id: requestId, commitDeadline: deadline } = infoOf(request);
    const conditions = { ifMatch: form.getAll('version'), ifNoneMatch: null };
    try {
      const changes = validateBody(AccountPatchDto, bodyOf(form), { partial: true });
      await this.accounts.update(id, changes, conditions, { caller: session.caller, requestId, deadline });
      return redirectTo(addressOf(ACCOUNTS, { saved: id }));
    } catch (thrown) {
      return this.showSent(id, form, session, shownError(thrown));
    }
  }

  private async showSent(
    id: number,
    form: URLSearchParams,
    session: DeskSession,
    error: ApiError,
  ): Promise<Reply> {
    const view = accountPage(await this.accounts.read(id), session, { form, error });
    return deskPage(view, session, { status: error.status });
  }
}

/** What the form has sent, as the API has it. */
function bodyOf(form: URLSearchParams): object {
  const [role, enabled] = [form.get('role'), form.get('enabled')];
  const isFlag = enabled === 'true' || enabled === 'false';
  return { role: role ?? '', enabled: isFlag ? enabled === 'true' : (enabled ?? '') };
}
