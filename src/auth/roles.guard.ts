import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Role, ROLES } from '../platform/http/routes/access-rules.js';
import { callerOf } from '../platform/http/request/caller.js';
import { isHttp } from '../platform/http/request/request-context.js';
import { Forbidden } from '../platform/errors/api-error.js';

/**
 * Applies `@Roles()` to the account that `WriteGuard` has authenticated, and rejects accounts
 * without a role.
 */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @throws Forbidden */
  canActivate(execution: ExecutionContext): boolean {
    if (!isHttp(execution)) return true;
    const targets = [execution.getHandler(), execution.getClass()];
    const roles = this.reflector.getAllAndOverride<Role[] | undefined>(ROLES, targets);
    const caller = callerOf(execution.switchToHttp().getRequest<object>());
    if (caller === null && roles === undefined) return true;
    // An account of the identity provider may have no role.
    const role = caller?.role ?? null;
    if (role === null || roles?.includes(role) === false) throw new Forbidden();
    return true;
  }
}
