import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import type { Caller } from '../platform/http/request/caller.js';
import { Clock } from '../platform/clock/clock.js';
import { Accounts } from './accounts/accounts.js';
import { extractBearerToken } from './tokens/bearer-token.js';
import { SigningKeys } from './tokens/signing-keys.js';
import { validateClaims, VERIFICATION } from './tokens/token-claims.js';

/**
 * Authenticates a request by its access token. Checks that need no database come first; the last
 * one queries whether the session is still open and the account enabled.
 */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(
    keys: SigningKeys,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
  ) {
    super({
      jwtFromRequest: (request: IncomingMessage) => extractBearerToken(request),
      secretOrKeyProvider: (_request, token: string, done) => {
        const key = keys.findByToken(token);
        done(
          key === undefined ? 'The token was not signed with a key of this service.' : null,
          key as unknown as Buffer,
        );
      },
      ...VERIFICATION,
      jsonWebTokenOptions: VERIFICATION,
    });
    // Passport registers strategies per process, and a test process runs several applications.
    this.name = `jwt ${randomUUID()}`;
    passport.use(this);
  }

  /** Answers 401 to a token on which the library throws, such as one whose payload is `null`. */
  override authenticate(...request: Parameters<Strategy['authenticate']>): void {
    try {
      super.authenticate(...request);
    } catch {
      this.fail(401);
    }
  }

  /** @returns null when the token is not a current access token of an open session */
  async validate(payload: unknown): Promise<Caller | null> {
    const claims = validateClaims(payload, 'access', this.clock.now());
    return claims === null ? null : this.accounts.findCaller(claims);
  }
}
