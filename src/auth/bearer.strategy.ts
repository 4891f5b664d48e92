import { PassportStrategy } from '@nestjs/passport';
import { randomUUID, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import { extractBearerToken } from './tokens/bearer-token.js';
import { NO_KEY, TokenRejected } from './tokens/token-claims.js';

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
