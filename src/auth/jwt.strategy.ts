import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../platform/http/request/caller.js';
import { Clock } from '../platform/clock/clock.js';
import { Accounts } from './accounts/accounts.js';
import { BearerStrategy } from './bearer.strategy.js';
import { extractBearerToken } from './tokens/bearer-token.js';
import { SigningKeys } from './tokens/signing-keys.js';
import { validateClaims, VERIFICATION } from './tokens/token-claims.js';

/** Access tokens that are verified once; they expire within an hour. */
const MAX_VERIFIED = 1000;

/**
 * Authenticates a request by an access token of this service. Checks that need no database come
 * first; the last one queries whether the session is still open and the account enabled.
 */
@Injectable()
export class JwtStrategy extends BearerStrategy {
  /**
   * The payloads of tokens whose signature, issuer and audience have been verified: these never
   * change, as the keys are those of the process.
   */
  private readonly verified = new LRUCache<string, object>({ max: MAX_VERIFIED });

  constructor(
    keys: SigningKeys,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
  ) {
    super(async (token) => keys.findByToken(token), VERIFICATION);
  }

  /** Verifies the signature of a token once; all else of it is checked every time. */
  override authenticate(request: Request, options?: object): void {
    const payload = this.verified.get(extractBearerToken(request) ?? '');
    if (payload === undefined) return super.authenticate(request, options);
    this.validate(request, payload).then(
      (caller) => (caller === null ? this.fail(401) : this.success(caller)),
      (error: Error) => this.error(error),
    );
  }

  /** @returns null when the token is not a current access token of an open session */
  async validate(request: IncomingMessage, payload: object): Promise<Caller | null> {
    const claims = validateClaims(payload, 'access', this.clock.now());
    const caller = claims && (await this.accounts.findCaller(claims));
    if (caller !== null) this.verified.set(extractBearerToken(request)!, payload);
    return caller;
  }
}
