import { Body, Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AuthService } from '../../auth/auth.service.js';
import { loginClientOf } from '../../auth/login-client.js';
import { LoginDto } from '../../auth/auth.dto.js';
import { CookieSessions } from '../../auth/sessions/cookie-sessions.js';
import { ProviderSignIn } from '../../auth/identity-provider/provider-sign-in.js';
import { infoOf } from '../../platform/http/request.js';
import { Reply } from '../../platform/http/reply.js';
import { validateBody } from '../../platform/validation/validate-body.js';
import { html } from '../../web/html.js';
import { shownError } from '../layout/desk-form.js';
import { deskPage } from '../layout/desk-page.js';
import { deskTexts } from '../texts.js';
import { DeskPages, OpenDeskPages } from './desk-pages.js';
import { KEPT, loginPage } from './login-page.js';
import { redirectTo } from './redirection.js';
import { LOGIN, PASSWORD_SET, returnAddress } from './return-address.js';
import { clearSessionCookie, readSessionToken, setSessionCookie } from './session-cookie.js';
import { UnsavedForms } from './unsaved-forms.js';

const texts = deskTexts.session;

/** The login of the desk: its form, throttle, log and session are those of the API's login. */
@Controller('desk/login')
@OpenDeskPages()
export class LoginController {
  constructor(
    private readonly auth: AuthService,
    private readonly sessions: CookieSessions,
    private readonly provider: ProviderSignIn,
    private readonly unsaved: UnsavedForms,
  ) {}

  @Get()
  async page(@Req() request: Request): Promise<Reply> {
    const next = returnAddress(infoOf(request).query.all('next')[0]);
    const token = readSessionToken(request);
    if (token !== null && (await this.sessions.find(token)) !== null) return redirectTo(next);
    const note = infoOf(request).query.all(PASSWORD_SET).length > 0 ? texts.passwordSet : null;
    const form = { username: '', next, error: null, hasProvider: this.provider.isOn, note };
    return deskPage(loginPage(form), null);
  }

  @Post()
  async login(@Body() form: URLSearchParams, @Req() request: Request): Promise<Reply> {
    const [username, password] = [form.get('username') ?? '', form.get('password') ?? ''];
    const next = returnAddress(form.get('next'));
    const kept = form.get(KEPT);
    let token = readSessionToken(request);
    // Signed in by another tab.
    if (kept !== null && username === '' && token !== null && (await this.sessions.find(token)) !== null)
      return this.showKept(kept, next, request, token);
    try {
      const login = validateBody(LoginDto, { username, password });
      const former = token;
      token = await this.auth.loginWithCookie(login, ...loginClientOf(request));
      if (former !== null) await this.auth.logoutCookie(former, ...loginClientOf(request));
      setSessionCookie(request, token);
    } catch (thrown) {
      const error = shownError(thrown);
      const { status, headers } = error;
      const form = { username, next, error, hasProvider: this.provider.isOn, kept: kept ?? undefined };
      return deskPage(loginPage(form), null, { status, headers });
    }
    return kept === null ? redirectTo(next) : this.showKept(kept, next, request, token);
  }

  /** The page of a form that was sent without a session, as it was typed. */
  private async showKept(sealed: string, next: string, request: Request, token: string): Promise<Reply> {
    const kept = this.unsaved.open(sealed);
    if (kept === null) return notShown(texts.keptTooLong, next);
    const session = (await this.sessions.find(token))!;
    return (
      (await this.unsaved.showKept(kept, request, { session, token })) ?? notShown(texts.keptOfOther, next)
    );
  }
}

const notShown = (text: string, next: string): Reply =>
  deskPage(
    {
      title: texts.signedIn,
      main: html`<h1>${texts.signedIn}</h1>
        <p class="error" role="alert">${text}</p>
        <p><a href="${next}">${texts.goOn}</a></p>`,
    },
    null,
  );

/** Ends the session. */
@Controller('desk/logout')
@DeskPages()
export class LogoutController {
  constructor(private readonly auth: AuthService) {}

  @Post()
  async logout(@Req() request: Request): Promise<Reply> {
    await this.auth.logoutCookie(readSessionToken(request)!, ...loginClientOf(request));
    clearSessionCookie(request);
    return redirectTo(LOGIN);
  }
}
