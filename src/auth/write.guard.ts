import { type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { NotAuthenticated, TokenNotValid } from '../platform/errors/api-error.js';
import { clientNetwork } from '../platform/http/request/client-network.js';
import { contextOf } from '../platform/http/request/request-context.js';
import { applyThrottle, THROTTLE, type Throttle } from '../platform/http/routes/throttle.js';
import { JwtStrategy } from './jwt.strategy.js';
import { SecurityLog } from './security-log.js';

/**
 * Requires an access token for every method but GET and HEAD: `@Protected()` closes a read and
 * `@Public()` opens a write, so a forgotten decorator fails safely. On public routes the token is
 * not checked, so an expired one never fails a public read.
 */
@Injectable()
export class WriteGuard extends AuthGuard() {
  constructor(
    strategy: JwtStrategy,
    private readonly log: SecurityLog,
    @Optional() @Inject(THROTTLE) private readonly throttle?: Throttle | null,
  ) {
    super({ defaultStrategy: strategy.name });
  }

  /**
   * @throws NotAuthenticated, TokenNotValid
   * @throws Throttled instead, when the address has sent too many such writes
   * @throws the driver's error when the account cannot be queried
   */
  override canActivate(execution: ExecutionContext) {
    const { route } = contextOf(execution.switchToHttp().getRequest<object>());
    return route?.requiresToken === false || super.canActivate(execution);
  }

  override handleRequest<T>(error: unknown, user: T | null, _info: unknown, execution: ExecutionContext): T {
    if (error) throw error as Error;
    if (user) return user;
    const context = contextOf(execution.switchToHttp().getRequest<object>());
    const { id, clientAddress, request, response } = context;
    // Counted by address, never for an account: nobody can use up the limit of another.
    if (!context.isRead)
      applyThrottle(this.throttle, response, 'unauthenticated', clientNetwork(clientAddress));
    if (request.headers.authorization === undefined) throw new NotAuthenticated();
    this.log.write('token_refused', { address: clientAddress, requestId: id });
    throw new TokenNotValid();
  }
}
