import { type CanActivate, type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { CookieSessions } from '../../auth/sessions/cookie-sessions.js';
import { accountKey, type CallerRequest } from '../../platform/http/caller.js';
import { infoOf } from '../../platform/http/request.js';
import { applyThrottle, THROTTLE, type Throttle } from '../../platform/http/overload/throttle.js';
import { requireDeskRole } from './desk-roles.js';
import { attachSession } from './desk-session.js';
import { FormTokens } from './form-tokens.js';
import { Redirection } from './redirection.js';
import { HOME, loginAddress } from './return-address.js';
import { readSessionToken } from './session-cookie.js';
import { UnsavedForms } from './unsaved-forms.js';

/**
 * Requires a session of the desk, whose account is looked up on every request, and sends everyone
 * else to the login. The account is then the `@CurrentCaller()`.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly sessions: CookieSessions,
    private readonly reflector: Reflector,
    private readonly tokens: FormTokens,
    private readonly unsaved: UnsavedForms,
    @Optional() @Inject(THROTTLE) private readonly throttle?: Throttle | null,
  ) {}

  /**
   * @throws Redirection to the login
   * @throws Forbidden when the account has not the role
   * @throws Throttled when the account has sent too many forms
   */
  async canActivate(execution: ExecutionContext): Promise<true> {
    const request = execution.switchToHttp().getRequest<Request & CallerRequest>();
    const { isRead, path, response, client } = infoOf(request);
    // Browsers send the cookie below /desk/ only.
    if (isRead && path === '/desk') throw new Redirection(HOME);
    const token = readSessionToken(request);
    const session = token === null ? null : await this.sessions.find(token);
    if (session === null) {
      if (!isRead) applyThrottle(this.throttle, response, 'unauthenticated', client.network);
      // The interceptor of form tokens has what was typed kept in the login, and runs no handler.
      if (!isRead && this.unsaved.isShownAgain(execution, request)) return true;
      throw new Redirection(loginAddress(request));
    }
    const { caller } = attachSession(request, session, this.tokens.tokenOf(token!, session.caller));
    request.user = caller;
    if (!isRead) applyThrottle(this.throttle, response, 'write', String(accountKey(caller)));
    requireDeskRole(this.reflector, [execution.getHandler(), execution.getClass()], caller);
    return true;
  }
}
