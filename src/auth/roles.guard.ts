import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Role, ROLES } from '../platform/http/routes/access-rules.js';
import { callerOf } from '../platform/http/request/caller.js';
import { Forbidden } from '../platform/errors/api-error.js';

/** Applies `@Roles()` to the account that `WriteGuard` has authenticated. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @throws Forbidden */
  canActivate(execution: ExecutionContext): boolean {
    const targets = [execution.getHandler(), execution.getClass()];
    const roles = this.reflector.getAllAndOverride<Role[] | undefined>(ROLES, targets);
    const caller = callerOf(execution.switchToHttp().getRequest<object>());
    if (roles && !(caller && roles.includes(caller.role))) throw new Forbidden();
    return true;
  }
}
