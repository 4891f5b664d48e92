import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AuthService } from '../../auth/auth.service.js';
import { loginClientOf } from '../../auth/login-client.js';
import { ProviderSignIn } from '../../auth/identity-provider/provider-sign-in.js';
import { html } from '../../web/html.js';
import { Forbidden } from '../../platform/errors/api-error.js';
import { infoOf } from '../../platform/http/request.js';
import type { Reply } from '../../platform/http/reply.js';
import { deskPage } from '../layout/desk-page.js';
import { deskTexts } from '../texts.js';
import { OpenDeskPages } from './desk-pages.js';
import { clearPendingSignIn, readPendingSignIn, setPendingSignIn } from './pending-sign-in.js';
import { redirectTo } from './redirection.js';
import { CALLBACK, returnAddress, SIGN_IN } from './return-address.js';
import { readSessionToken, setSessionCookie } from './session-cookie.js';
import { FromOtherSites } from './site.guard.js';

const texts = deskTexts.session;

/** The sign-in by the identity provider of a company. */
@Controller()
@OpenDeskPages()
export class ProviderController {
  constructor(
    private readonly signIn: ProviderSignIn,
    private readonly auth: AuthService,
  ) {}

  /** Sends the browser to the provider. By a link: a form could not lead to another site. */
  @Get(SIGN_IN)
  async begin(@Req() request: Request): Promise<Reply> {
    const { query } = infoOf(request);
    // When the provider sends the browser back, the cookie of this session is not sent along.
    const former = readSessionToken(request);
    if (former !== null) await this.auth.logoutCookie(former, ...loginClientOf(request));
    const { address, pending } = await this.signIn.begin(callbackOf(request));
    setPendingSignIn(request, { ...pending, next: returnAddress(query.all('next')[0]) });
    return redirectTo(address);
  }

  /**
   * Receives the browser from the provider. The cookie of the session is not sent by a request that
   * another site has caused, so the reply is a page of this site, which opens the next one.
   */
  @Get(CALLBACK)
  @FromOtherSites()
  async finish(@Req() request: Request): Promise<Reply> {
    const { query } = infoOf(request);
    const [state, code, error] = ['state', 'code', 'error'].map((name) => query.all(name)[0]);
    const pending = readPendingSignIn(request);
    clearPendingSignIn(request);
    if (pending === null || state !== pending.state) throw new Forbidden(texts.notBegun);
    if (code === undefined) throw new Forbidden(texts.rejected(error));
    const account = await this.signIn.finish(code, pending, callbackOf(request));
    const token = await this.auth.loginOfProvider(account, ...loginClientOf(request));
    setSessionCookie(request, token);
    const next = returnAddress(pending.next);
    return deskPage(
      {
        title: texts.signIn,
        head: html`<meta http-equiv="refresh" content="0; url=${next}" />`,
        main: html`<h1>${texts.signedIn}</h1>
          <p><a href="${next}">${texts.goOn}</a></p>`,
      },
      null,
    );
  }
}

const callbackOf = (request: Request) => infoOf(request).origin + CALLBACK;
