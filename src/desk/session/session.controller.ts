import { Body, Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AuthService } from '../../auth/auth.service.js';
import { LoginDto } from '../../auth/auth.dto.js';
import { CookieSessions } from '../../auth/sessions/cookie-sessions.js';
import { ProviderSignIn } from '../../auth/identity-provider/provider-sign-in.js';
import { contextOf } from '../../platform/http/request/request-context.js';
import { Reply } from '../../platform/http/response/reply.js';
import { validateBody } from '../../platform/validation/validate-body.js';
import { shownError } from '../layout/desk-form.js';
import { deskPage } from '../layout/desk-page.js';
import { clientOf } from './client-of.js';
import { DeskPages, OpenDeskPages } from './desk-pages.js';
import { loginPage } from './login-page.js';
import { redirectTo } from './redirection.js';
import { LOGIN, returnAddress } from './return-address.js';
import { clearSessionCookie, readSessionToken, setSessionCookie } from './session-cookie.js';

/** The login of the desk: its form, throttle, log and session are those of the API's login. */
@Controller('desk/login')
@OpenDeskPages()
export class LoginController {
  constructor(
    private readonly auth: AuthService,
    private readonly sessions: CookieSessions,
    private readonly provider: ProviderSignIn,
  ) {}

  @Get()
  async page(@Req() request: Request): Promise<Reply> {
    const next = returnAddress(contextOf(request).query.all('next')[0]);
    const token = readSessionToken(request);
    if (token !== null && (await this.sessions.find(token)) !== null) return redirectTo(next);
    return deskPage(loginPage({ username: '', next, error: null, hasProvider: this.provider.isOn }), null);
  }

  @Post()
  async login(@Body() form: URLSearchParams, @Req() request: Request): Promise<Reply> {
    const [username, password] = [form.get('username') ?? '', form.get('password') ?? ''];
    const next = returnAddress(form.get('next'));
    try {
      const login = validateBody(LoginDto, { username, password });
      const token = await this.auth.loginWithCookie(login, ...clientOf(request));
      setSessionCookie(request, token);
      return redirectTo(next);
    } catch (thrown) {
      const error = shownError(thrown);
      const { status, headers } = error;
      const form = { username, next, error, hasProvider: this.provider.isOn };
      return deskPage(loginPage(form), null, { status, headers });
    }
  }
}

/** Ends the session. */
@Controller('desk/logout')
@DeskPages()
export class LogoutController {
  constructor(private readonly auth: AuthService) {}

  @Post()
  async logout(@Req() request: Request): Promise<Reply> {
    await this.auth.logoutCookie(readSessionToken(request)!, ...clientOf(request));
    clearSessionCookie(request);
    return redirectTo(LOGIN);
  }
}
