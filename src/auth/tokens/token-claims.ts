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
/** Seconds by which the clocks of the service and of an issuer of tokens may differ. */
const CLOCK_TOLERANCE = 5;
/**
 * The same for when a token of this service begins to hold: another instance has issued it, and its
 * signature and session say more than its clock.
 */
const OWN_START_TOLERANCE = 120;

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

/** Why a token was rejected that was not signed with a key of the issuer. */
export const NO_KEY = 'no key for the token';

/** A token is not accepted. The message is for the security log; no client gets it. */
export class TokenRejected extends Error {}

/**
 * Validates the claims of a token whose signature, issuer and audience have been verified.
 * @param now milliseconds since 1970
 * @throws TokenRejected if a claim is missing, the type differs, or the token is expired or not yet
 * valid
 */
export function validateClaims(payload: unknown, type: TokenType, now: number): TokenClaims {
  const claims = (typeof payload === 'object' ? payload : null) ?? {};
  const { sub, sid, jti, iat, exp, token_type } = claims as Record<string, unknown>;
  const isComplete =
    typeof sub === 'string' &&
    /^[1-9]\d{0,9}$/.test(sub) &&
    typeof sid === 'string' &&
    typeof jti === 'string';
  if (!isComplete) throw new TokenRejected('claims missing');
  if (token_type !== type) throw new TokenRejected(`not a token for ${type}`);
  assertCurrent(claims, now, OWN_START_TOLERANCE);
  return { sub, sid, jti, iat: iat as number, exp: exp as number, token_type: type };
}

/**
 * Asserts that a token has its times and they include now.
 * @param now milliseconds since 1970
 * @param startTolerance seconds by which the token may begin later than now
 * @throws TokenRejected
 */
export function assertCurrent(payload: object, now: number, startTolerance = CLOCK_TOLERANCE): void {
  const { iat, exp, nbf = iat } = payload as Record<string, unknown>;
  if (!isTime(iat) || !isTime(exp) || !isTime(nbf)) throw new TokenRejected('times missing');
  const seconds = now / 1000;
  if (seconds >= exp + CLOCK_TOLERANCE) throw new TokenRejected('expired');
  if (iat > seconds + startTolerance) throw new TokenRejected('issued in the future');
  if (nbf > seconds + startTolerance) throw new TokenRejected('not yet valid');
}

/** Seconds by which the clock of a token's issuer is ahead; 0 where it may be as good as ours. */
export function secondsAhead({ iat }: TokenClaims, now: number): number {
  const ahead = iat - now / 1000;
  return ahead > CLOCK_TOLERANCE ? Math.round(ahead) : 0;
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
