import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { IncomingMessage } from 'node:http';
import { ACCESS, ROLES, type Access, requiresToken } from '../platform/http/routes/access-rules.js';
import { callerOf } from '../platform/http/request/caller.js';
import type { Role } from '../platform/http/routes/access-rules.js';
import { Forbidden, NotAuthenticated, TokenNotValid } from '../platform/errors/api-error.js';
import { contextOf } from '../platform/http/request/request-context.js';
import { JwtStrategy } from './jwt.strategy.js';
import { SecurityLog } from './security-log.js';

/**
 * Requires an access token for every method but the safe ones: `@Protected()` closes a read and
 * `@Public()` opens a write, so a forgotten decorator fails safely. On public routes the token is
 * not checked, so an expired one never fails a public read.
 */
@Injectable()
export class WriteGuard extends AuthGuard() {
  constructor(
    strategy: JwtStrategy,
    private readonly reflector: Reflector,
    private readonly log: SecurityLog,
  ) {
    super({ defaultStrategy: strategy.name });
  }

  /**
   * @throws NotAuthenticated, TokenNotValid, Forbidden
   * @throws the driver's error when the account cannot be queried
   */
  override async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = execution.switchToHttp().getRequest<IncomingMessage>();
    const roles = this.metadata<Role[]>(ROLES, execution);
    const access = this.metadata<Access>(ACCESS, execution);
    if (!requiresToken(request.method ?? 'GET', roles, access)) return true;
    if (request.headers.authorization === undefined) throw new NotAuthenticated();
    await super.canActivate(execution);
    if (roles && !roles.includes(callerOf(request)!.role)) throw new Forbidden();
    return true;
  }

  override handleRequest<T>(error: unknown, user: T | null, _info: unknown, execution: ExecutionContext): T {
    if (error) throw error as Error;
    if (user) return user;
    const { id, clientAddress } = contextOf(execution.switchToHttp().getRequest<object>());
    this.log.write('token_refused', { address: clientAddress, requestId: id });
    throw new TokenNotValid();
  }

  private metadata<T>(key: string, execution: ExecutionContext): T | undefined {
    return this.reflector.getAllAndOverride<T | undefined>(key, [
      execution.getHandler(),
      execution.getClass(),
    ]);
  }
}
