import { type CanActivate, type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { CookieSessions } from '../../auth/sessions/cookie-sessions.js';
import { Forbidden } from '../../platform/errors/api-error.js';
import { accountKey, type CallerRequest } from '../../platform/http/request/caller.js';
import { contextOf } from '../../platform/http/request/request-context.js';
import type { Role } from '../../platform/http/routes/access-rules.js';
import { applyThrottle, THROTTLE, type Throttle } from '../../platform/http/routes/throttle.js';
import { attachSession } from './desk-session.js';
import { Redirection } from './redirection.js';
import { HOME, loginAddress } from './return-address.js';
import { readSessionToken } from './session-cookie.js';

/** Metadata of a controller: the roles that may open its pages; all that write without it. */
export const DESK_ROLES = 'pds:desk-roles';

/**
 * Requires a session of the desk, whose account is looked up on every request, and sends everyone
 * else to the login. The account is then the `@CurrentCaller()`.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly sessions: CookieSessions,
    private readonly reflector: Reflector,
    @Optional() @Inject(THROTTLE) private readonly throttle?: Throttle | null,
  ) {}

  /**
   * @throws Redirection to the login
   * @throws Forbidden when the account has not the role
   * @throws Throttled when the account has sent too many forms
   */
  async canActivate(execution: ExecutionContext): Promise<true> {
    const request = execution.switchToHttp().getRequest<Request & CallerRequest>();
    const { isRead, path, response } = contextOf(request);
    // Browsers send the cookie below /desk/ only.
    if (isRead && path === '/desk') throw new Redirection(HOME);
    const token = readSessionToken(request);
    const session = token === null ? null : await this.sessions.find(token);
    if (session === null) throw new Redirection(loginAddress(request));
    const { caller } = attachSession(request, session, token!);
    request.user = caller;
    if (!isRead) applyThrottle(this.throttle, response, 'write', String(accountKey(caller)));
    const roles = this.reflector.getAllAndOverride<Role[] | undefined>(DESK_ROLES, [
      execution.getHandler(),
      execution.getClass(),
    ]);
    if (caller.role === null || roles?.includes(caller.role) === false) throw new Forbidden();
    return true;
  }
}
