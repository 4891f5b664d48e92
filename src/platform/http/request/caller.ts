import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Role } from '../routes/access-rules.js';

/** The account behind an access token, as the database had it when the request came. */
export interface Caller {
  accountId: number;
  username: string;
  role: Role;
  /** The login session that the token belongs to. */
  sessionId: string;
  /** `jti` of the access token. */
  tokenId: string;
}

/** A request that has passed the guard of writes and protected reads. */
export interface CallerRequest {
  user?: Caller;
}

/** The caller of a request; null on routes that ask for no token. */
export function callerOf(request: object): Caller | null {
  return (request as CallerRequest).user ?? null;
}

/** The caller, for writes and protected reads only: elsewhere no token is read. */
export const CurrentCaller = createParamDecorator((_: unknown, execution: ExecutionContext): Caller => {
  const caller = callerOf(execution.switchToHttp().getRequest<object>());
  if (caller === null) throw new Error('@CurrentCaller() needs a write or a @Protected() read.');
  return caller;
});
