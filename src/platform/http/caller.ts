import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Role } from './routes.js';

/**
 * The account behind an access token: of this service, as the database had it when the request
 * came, or of the identity provider, as the token has it.
 */
export interface Caller {
  /** Null for an account of the identity provider, which is not stored here. */
  accountId: number | null;
  username: string;
  /** Null if the identity provider gives the account no role here. */
  role: Role | null;
  /** `jti` of the access token. */
  tokenId: string;
  /** `iss` and `sub` of a token of the identity provider; empty for an account of this service. */
  issuer: string;
  subject: string;
}

/** Distinguishes an account from all others: its id, or its issuer and subject. */
export function accountKey({
  accountId,
  issuer,
  subject,
}: Pick<Caller, 'accountId' | 'issuer' | 'subject'>): number | string {
  return accountId ?? `${issuer} ${subject}`;
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
