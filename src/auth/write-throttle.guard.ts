import { type CanActivate, type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import { accountKey, callerOf } from '../platform/http/request/caller.js';
import { contextOf, isHttp } from '../platform/http/request/request-context.js';
import { applyThrottle, THROTTLE, type Throttle } from '../platform/http/routes/throttle.js';

/** Limits the writes of an account, which `WriteGuard` has authenticated. */
@Injectable()
export class WriteThrottleGuard implements CanActivate {
  constructor(@Optional() @Inject(THROTTLE) private readonly throttle?: Throttle | null) {}

  /** @throws Throttled */
  canActivate(execution: ExecutionContext): boolean {
    if (!isHttp(execution)) return true;
    const { request, response, isRead } = contextOf(execution.switchToHttp().getRequest<object>());
    const caller = callerOf(request);
    if (caller !== null && !isRead)
      applyThrottle(this.throttle, response, 'write', String(accountKey(caller)));
    return true;
  }
}
