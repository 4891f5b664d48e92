import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Invitations, type OpenInvitation } from '../../auth/invitations/invitations.js';
import { loginClientOf } from '../../auth/login-client.js';
import { type ApiError, ValidationError } from '../../platform/errors/api-error.js';
import type { Reply } from '../../platform/http/reply.js';
import { addressOf } from '../../web/address.js';
import { shownError } from '../layout/desk-form.js';
import { deskPage, type DeskView, SECRET_PAGE_HEADERS } from '../layout/desk-page.js';
import { OpenDeskPages } from '../session/desk-pages.js';
import { redirectTo } from '../session/redirection.js';
import { LOGIN, PASSWORD_SET } from '../session/return-address.js';
import { FromOtherSites, FromPageWithoutReferrer } from '../session/site.guard.js';
import { invitationTexts as texts } from '../texts/accounts.js';
import { AGAIN, invitationPage, PASSWORD, notValidPage } from './invitation-page.js';

/**
 * The address of an invitation, at which somebody without a session sets a password. No cookie is
 * read: who has the address may set the password, and nobody else.
 */
@Controller('desk/invitation')
@OpenDeskPages()
export class InvitationsController {
  constructor(private readonly invitations: Invitations) {}

  /** Spends nothing: scanners of mails open every link. */
  @Get(':token')
  @FromOtherSites()
  async page(@Param('token') token: string, @Req() request: Request): Promise<Reply> {
    const invitation = await this.invitations.find(token, ...loginClientOf(request));
    return invitation === null ? notValid() : secretPage(invitationPage(token, invitation, null));
  }

  @Post(':token')
  @FromPageWithoutReferrer()
  async setPassword(
    @Param('token') token: string,
    @Body() form: URLSearchParams,
    @Req() request: Request,
  ): Promise<Reply> {
    const [client, limits] = loginClientOf(request);
    const invitation = await this.invitations.find(token, client, limits);
    if (invitation === null) return notValid();
    try {
      const password = passwordOf(form);
      if (!(await this.invitations.accept(token, invitation, password, client, limits))) return notValid();
      return redirectTo(addressOf(LOGIN, { [PASSWORD_SET]: 'true' }));
    } catch (thrown) {
      return rejected(token, invitation, shownError(thrown));
    }
  }
}

/** @throws ValidationError where the two fields differ */
function passwordOf(form: URLSearchParams): string {
  const password = form.get(PASSWORD) ?? '';
  if (form.get(AGAIN) === password) return password;
  throw new ValidationError([
    { in: 'body', name: AGAIN, pointer: `/${AGAIN}`, code: 'contradiction', detail: texts.differ },
  ]);
}

const secretPage = (view: DeskView, { status = 200, headers = {} }: Partial<ApiError> = {}): Reply =>
  deskPage(view, null, { status, headers: { ...headers, ...SECRET_PAGE_HEADERS } });

const rejected = (token: string, invitation: OpenInvitation, error: ApiError): Reply =>
  secretPage(invitationPage(token, invitation, error), error);

const notValid = (): Reply => secretPage(notValidPage(), { status: 404 });
