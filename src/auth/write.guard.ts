import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { IncomingMessage } from 'node:http';
import { ACCESS, ROLES, type Access } from '../common/access/access-rules.js';
import { callerOf, type Role } from '../common/access/caller.js';
import { Forbidden, NotAuthenticated, TokenNotValid } from '../common/errors/api-error.js';
import { contextOf } from '../common/http/request-context.js';
import { JwtStrategy } from './jwt.strategy.js';
import { SecurityLog } from './security-log.js';

/** Methods that change nothing. */
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Lets reads pass, unless they are closed, and asks every other method for an access token, unless it is opened: a forgotten
 * decorator fails safely. What passes unasked is not looked at, so a stale token never spoils a public read.
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
   * @throws the database's error when it cannot say whether the account is live
   */
  override async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = execution.switchToHttp().getRequest<IncomingMessage>();
    const roles = this.rule<Role[]>(ROLES, execution);
    if (!this.isClosed(request.method, roles, this.rule<Access>(ACCESS, execution))) return true;
    if (request.headers.authorization === undefined) throw new NotAuthenticated();
    await super.canActivate(execution);
    if (roles && !roles.includes(callerOf(request)!.role)) throw new Forbidden();
    return true;
  }

  override handleRequest<T>(error: unknown, user: T | null, _info: unknown, execution: ExecutionContext): T {
    if (error) throw error;
    if (user) return user;
    const { id, clientAddress } = contextOf(execution.switchToHttp().getRequest<object>());
    this.log.write('token_refused', { address: clientAddress, requestId: id });
    throw new TokenNotValid();
  }

  private isClosed(method = 'GET', roles: Role[] | undefined, access: Access | undefined): boolean {
    if (READS.has(method)) return access === 'protected' || roles !== undefined;
    return access !== 'public';
  }

  private rule<T>(key: string, execution: ExecutionContext): T | undefined {
    return this.reflector.getAllAndOverride<T | undefined>(key, [
      execution.getHandler(),
      execution.getClass(),
    ]);
  }
}
