import type { JwtVerifyOptions } from '@nestjs/jwt';

/** This service is both the issuer and the audience of its tokens. */
export const ISSUER = 'price-data-service';
export const AUDIENCE = 'price-data-service';
/** Pinned: a token whose header names another algorithm is rejected. */
export const ALGORITHM = 'HS256';
/**
 * How tokens are verified. Their times are checked in `validateClaims`: the library would use the
 * system clock, not the injected one.
 */
export const VERIFICATION = {
  algorithms: [ALGORITHM],
  issuer: ISSUER,
  audience: AUDIENCE,
  ignoreExpiration: true,
  ignoreNotBefore: true,
} satisfies JwtVerifyOptions;
/** Longer tokens are rejected without parsing. */
export const MAX_TOKEN_LENGTH = 4096;
/** Seconds by which the clocks of two processes may differ. */
const CLOCK_TOLERANCE = 5;

export type TokenType = 'access' | 'refresh';

/**
 * Claims of a token: account (`sub`), session (`sid`), token id (`jti`), times in seconds since
 * 1970.
 */
export interface TokenClaims {
  sub: string;
  sid: string;
  jti: string;
  iat: number;
  exp: number;
  token_type: TokenType;
}

/**
 * Validates the claims of a token whose signature, issuer and audience have been verified.
 * @param now milliseconds since 1970
 * @returns null if a claim is missing, the type differs, or the token is expired or not yet valid
 */
export function validateClaims(payload: unknown, type: TokenType, now: number): TokenClaims | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const { sub, sid, jti, iat, exp, token_type } = payload as Record<string, unknown>;
  if (typeof sub !== 'string' || !/^[1-9]\d{0,9}$/.test(sub)) return null;
  if (typeof sid !== 'string' || typeof jti !== 'string' || token_type !== type) return null;
  if (!isCurrent(payload, now)) return null;
  return { sub, sid, jti, iat: iat as number, exp: exp as number, token_type: type };
}

/**
 * Whether a token has its times and they include now.
 * @param now milliseconds since 1970
 */
export function isCurrent(payload: object, now: number): boolean {
  const { iat, exp, nbf = iat } = payload as Record<string, unknown>;
  if (!isTime(iat) || !isTime(exp) || !isTime(nbf)) return false;
  const seconds = now / 1000;
  return seconds < exp + CLOCK_TOLERANCE && Math.max(iat, nbf) <= seconds + CLOCK_TOLERANCE;
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
