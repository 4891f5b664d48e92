import type { IdentityProvider } from '../../config/environment.js';
import type { Caller } from '../../platform/http/caller.js';
import { type Role, roles } from '../../platform/http/routes.js';
import { assertCurrent, TokenRejected } from '../tokens/token-claims.js';

/** The limit of OpenID Connect for `sub`, and that of the columns of the audit log. */
const MAX_SUBJECT_LENGTH = 255;
const MAX_TOKEN_ID_LENGTH = 64;

/**
 * The account of a token whose signature, issuer and audience have been verified.
 * @param now milliseconds since 1970
 * @throws TokenRejected if the token is not current or has no valid subject
 */
export function callerOfClaims(
  payload: unknown,
  { issuer, roleClaim }: IdentityProvider,
  now: number,
): Caller {
  if (typeof payload !== 'object' || payload === null) throw new TokenRejected('claims missing');
  assertCurrent(payload, now);
  const { sub, jti } = payload as Record<string, unknown>;
  if (typeof sub !== 'string' || !isPrintable(sub) || sub.length > MAX_SUBJECT_LENGTH)
    throw new TokenRejected('no valid subject');
  return {
    accountId: null,
    username: sub,
    role: roleOf(claimAt(payload, roleClaim)),
    // Not every provider sets it.
    tokenId: typeof jti === 'string' && isPrintable(jti) ? jti.slice(0, MAX_TOKEN_ID_LENGTH) : '',
    issuer,
    subject: sub,
  };
}

/** ASCII, as OpenID Connect requires of `sub`: it is logged, and compared by its bytes. */
const isPrintable = (text: string) => /^[ -~]+$/.test(text);

/** The value of a claim by its name, or by the path of names that dots separate. */
function claimAt(payload: object, claim: string): unknown {
  const member = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? (value as Record<string, unknown>)[name]
      : undefined;
  return member(payload, claim) ?? claim.split('.').reduce(member, payload as unknown);
}

/** The higher of the roles in a list, or in a text that separates them by spaces like `scope`. */
function roleOf(value: unknown): Role | null {
  const found: unknown[] = typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : [];
  return roles.findLast((role) => found.includes(role)) ?? null;
}
