import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** What an account may do: maintainers write, admins also read the audit log. */
export const roles = ['maintainer', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Who sent a request with an access token. The account was looked up for this request, so it is live and the role is its present one. */
export interface Caller {
  accountId: number;
  username: string;
  role: Role;
  /** The login that the token belongs to. */
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

/** Hands a handler its caller. For writes and protected reads alone: elsewhere nobody has looked at a token. */
export const CurrentCaller = createParamDecorator((_: unknown, execution: ExecutionContext): Caller => {
  const caller = callerOf(execution.switchToHttp().getRequest<object>());
  if (caller === null) throw new Error('@CurrentCaller() belongs on a write or on a @Protected() read.');
  return caller;
});
