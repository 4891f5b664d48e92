import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import type { Caller } from '../common/access/caller.js';
import { Clock } from '../common/dates/clock.js';
import { Accounts } from './accounts.js';
import { tokenOf } from './bearer-token.js';
import { SigningKeys } from './signing-keys.js';
import { ALGORITHM, AUDIENCE, ISSUER, checkedClaims } from './token-claims.js';

/**
 * Turns the access token of a request into its caller. First come the checks that need no database; the last asks it whether
 * the login is still open and the account enabled.
 */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(
    keys: SigningKeys,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
  ) {
    super({
      jwtFromRequest: (request: IncomingMessage) => tokenOf(request),
      secretOrKeyProvider: (_request, token: string, done) => {
        const key = keys.ofToken(token);
        done(key === undefined ? 'The token names no key of ours.' : null, key as unknown as Buffer);
      },
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      // Time is checked with the other claims, by our own clock.
      ignoreExpiration: true,
      jsonWebTokenOptions: { ignoreNotBefore: true },
    });
    // Passport finds strategies by name in the whole process, which may hold several applications.
    this.name = `jwt ${randomUUID()}`;
    passport.use(this);
  }

  /** A token over which the library stumbles, such as one that says nothing but `null`, is refused as any other. */
  override authenticate(...request: Parameters<Strategy['authenticate']>): void {
    try {
      super.authenticate(...request);
    } catch {
      this.fail(401);
    }
  }

  /** @returns null when the token is no access token, not of this time, or its login or account is no more */
  async validate(payload: unknown): Promise<Caller | null> {
    const claims = checkedClaims(payload, 'access', this.clock.now());
    return claims === null ? null : this.accounts.callerOf(claims);
  }
}
