/** Who made the tokens and whom they are for: this service, both times. */
export const ISSUER = 'price-data-service';
export const AUDIENCE = 'price-data-service';
/** The one way to sign. What a token says of its own algorithm must agree with it and never chooses. */
export const ALGORITHM = 'HS256';
/** Tokens longer than this are refused unread. */
export const LONGEST_TOKEN = 4096;
/** Seconds by which the clocks of two processes may differ. */
const CLOCK_TOLERANCE = 5;

export type TokenType = 'access' | 'refresh';

/** What a token says: whose it is, which login it came of, which it is of all tokens, and from when (s) until when. */
export interface TokenClaims {
  sub: string;
  sid: string;
  jti: string;
  iat: number;
  exp: number;
  token_type: TokenType;
}

/**
 * The claims of a token whose signature, issuer and audience are right, if it is of this type and its time is now.
 * @param now milliseconds since 1970
 * @returns null when the token is of no use
 */
export function checkedClaims(payload: unknown, type: TokenType, now: number): TokenClaims | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const { sub, sid, jti, iat, exp, nbf, token_type } = payload as Record<string, unknown>;
  if (typeof sub !== 'string' || !/^[1-9]\d{0,9}$/.test(sub)) return null;
  if (typeof sid !== 'string' || typeof jti !== 'string' || token_type !== type) return null;
  if (!isTime(iat) || !isTime(exp) || !(nbf === undefined || isTime(nbf))) return null;
  const seconds = now / 1000;
  if (seconds >= exp + CLOCK_TOLERANCE) return null;
  if (Math.max(iat, nbf ?? iat) > seconds + CLOCK_TOLERANCE) return null;
  return { sub, sid, jti, iat, exp, token_type: type };
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
