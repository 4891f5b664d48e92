import { Injectable } from '@nestjs/common';
import type { Caller } from '../platform/http/request/caller.js';
import { Clock } from '../platform/clock/clock.js';
import { Accounts } from './accounts/accounts.js';
import { BearerStrategy } from './bearer.strategy.js';
import { SigningKeys } from './tokens/signing-keys.js';
import { validateClaims, VERIFICATION } from './tokens/token-claims.js';

/**
 * Authenticates a request by an access token of this service. Checks that need no database come
 * first; the last one queries whether the session is still open and the account enabled.
 */
@Injectable()
export class JwtStrategy extends BearerStrategy {
  constructor(
    keys: SigningKeys,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
  ) {
    super(async (token) => keys.findByToken(token), VERIFICATION);
  }

  /** @returns null when the token is not a current access token of an open session */
  async validate(payload: unknown): Promise<Caller | null> {
    const claims = validateClaims(payload, 'access', this.clock.now());
    return claims === null ? null : this.accounts.findCaller(claims);
  }
}
