import { PassportStrategy } from '@nestjs/passport';
import { randomUUID, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import { MAX_TOKEN_LENGTH, NO_KEY, TokenRejected } from './tokens/token-claims.js';

const TOKEN = '[A-Za-z0-9._~+/-]+=*';
const BEARER = new RegExp(`^bearer +(${TOKEN}) *$`, 'i');
const CREDENTIALS = new RegExp(`^${TOKEN} *$`);

/** Whether what follows `Bearer` is one token, valid or not. */
export const isToken = (credentials: string): boolean => CREDENTIALS.test(credentials);

/**
 * The token of a request's `Authorization: Bearer` header, whose scheme ignores case; null for any
 * other value, and for repeated headers: proxies differ in which of them they read.
 */
export function extractBearerToken(request: IncomingMessage): string | null {
  const [authorization = '', ...more] = request.headersDistinct.authorization ?? [];
  const token = BEARER.exec(authorization)?.[1];
  return token !== undefined && token.length <= MAX_TOKEN_LENGTH && more.length === 0 ? token : null;
}

/** What a strategy's `validate` gives to Passport: a caller, or null and why there is none. */
export function orRejection<T>(validate: () => T): [T | null, TokenRejected?] {
  try {
    return [validate()];
  } catch (error) {
    if (error instanceof TokenRejected) return [null, error];
    throw error;
  }
}

interface Verification {
  algorithms: ('HS256' | 'RS256' | 'ES256')[];
  issuer: string;
  audience: string;
  ignoreExpiration: boolean;
  ignoreNotBefore: boolean;
}

/** Base of the strategies: takes the token from the request and verifies its signature. */
export abstract class BearerStrategy extends PassportStrategy(Strategy) {
  /**
   * @param keyOf the key for a token, undefined if it is not of this issuer; its errors, and those
   * on which the library throws, such as a payload that is `null`, fail the authentication
   */
  constructor(keyOf: (token: string) => Promise<KeyObject | undefined>, verification: Verification) {
    super({
      jwtFromRequest: (request: IncomingMessage) => extractBearerToken(request),
      secretOrKeyProvider: (_request, token: string, done) => {
        keyOf(token)
          .then((key) => done(key === undefined ? NO_KEY : null, key as unknown as Buffer))
          .catch(done);
      },
      ...verification,
      jsonWebTokenOptions: verification,
      passReqToCallback: true,
    });
    // Passport registers strategies per process, and a test process runs several applications.
    this.name = `bearer ${randomUUID()}`;
    passport.use(this);
  }
}
