import { type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { IncomingMessage } from 'node:http';
import {
  Forbidden,
  NotAuthenticated,
  SEND_TOKEN,
  TokenNotValid,
  Unavailable,
} from '../platform/errors/api-error.js';
import { accountKey, callerOf } from '../platform/http/caller.js';
import { infoOf, isHttp, type RequestInfo } from '../platform/http/request.js';
import { applyThrottle, THROTTLE, type Throttle } from '../platform/http/overload/throttle.js';
import { IdentityProviderStrategy } from './identity-provider/identity-provider.strategy.js';
import { JwtStrategy } from './jwt.strategy.js';
import { SecurityLog } from './security-log.js';
import { isToken } from './bearer.strategy.js';
import { NO_KEY } from './tokens/token-claims.js';

/** Why no strategy has accepted the token: that of the one that had a key for it. */
function reasonOf(info: unknown): string {
  const reasons = [info]
    .flat()
    .map((failure) => (failure instanceof Error ? failure.message : String(failure)));
  return reasons.find((reason) => reason !== NO_KEY) ?? NO_KEY;
}

/**
 * What is wrong with `Authorization` before any token is looked at, so that another login would not
 * help; null where it is `Bearer` and a token. Nothing that may be a token is repeated.
 */
function malformation(request: IncomingMessage): string | null {
  const [authorization = '', ...more] = request.headersDistinct.authorization ?? [];
  if (more.length > 0) return 'The request has several Authorization headers.';
  const [, scheme, credentials = ''] =
    /^([A-Za-z][A-Za-z0-9-]{0,19})(?: +([^ ].*))?$/.exec(authorization) ?? [];
  if (scheme?.toLowerCase() === 'bearer')
    return isToken(credentials) ? null : 'What follows Bearer is not one token.';
  return scheme === undefined || credentials === ''
    ? 'The request does not name the scheme.'
    : `The request has the scheme ${scheme}.`;
}

/**
 * What a route asks of its caller, in the order of rule G4: the access token, the writes that the
 * account has left, and its role. A token is required for every method but GET and HEAD:
 * `@Protected()` and `@Roles()` close a read and `@Public()` opens a write, so a forgotten
 * decorator fails safely. On public routes the token is not checked, so an expired one never fails
 * a public read.
 */
@Injectable()
export class AccessGuard extends AuthGuard() {
  constructor(
    strategy: JwtStrategy,
    @Inject(IdentityProviderStrategy) provider: IdentityProviderStrategy | null,
    private readonly log: SecurityLog,
    @Optional() @Inject(THROTTLE) private readonly throttle?: Throttle | null,
  ) {
    // The first that accepts the token decides.
    super({ defaultStrategy: [strategy, ...(provider ? [provider] : [])].map(({ name }) => name) });
  }

  /**
   * @throws NotAuthenticated, TokenNotValid, Forbidden
   * @throws Unavailable when the identity provider does not respond
   * @throws Throttled for too many writes of an account, or of an address without a valid token
   * @throws the driver's error when the account cannot be queried
   */
  override canActivate(execution: ExecutionContext): true | Promise<true> {
    if (!isHttp(execution)) return true;
    const info = infoOf(execution.switchToHttp().getRequest<object>());
    return info.route?.requiresToken === false ? true : this.authorize(execution, info);
  }

  private async authorize(execution: ExecutionContext, info: RequestInfo): Promise<true> {
    await super.canActivate(execution);
    const { request, response, isRead, route } = info;
    const caller = callerOf(request)!;
    if (!isRead) applyThrottle(this.throttle, response, 'write', String(accountKey(caller)));
    // An account of the identity provider may have no role.
    if (caller.role === null || route?.roles?.includes(caller.role) === false) throw new Forbidden();
    return true;
  }

  override handleRequest<T>(
    error: unknown,
    user: T | null,
    failure: unknown,
    execution: ExecutionContext,
  ): T {
    if (error) throw error as Error;
    if (user) return user;
    const info = infoOf(execution.switchToHttp().getRequest<object>());
    const { id, client, request, response } = info;
    // Counted by address, never for an account: nobody can use up the limit of another.
    if (!info.isRead) applyThrottle(this.throttle, response, 'unauthenticated', client.network);
    const unavailable = [failure].flat().find((each) => each instanceof Unavailable);
    if (unavailable) throw unavailable;
    if (request.headers.authorization === undefined) throw new NotAuthenticated();
    this.log.write('token_refused', { address: client.address, requestId: id, reason: reasonOf(failure) });
    const fault = malformation(request);
    throw fault === null ? new TokenNotValid() : new TokenNotValid(`${SEND_TOKEN} ${fault}`);
  }
}
