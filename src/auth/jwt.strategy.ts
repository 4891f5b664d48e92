import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../platform/http/caller.js';
import { Clock } from '../platform/clock/clock.js';
import { Accounts } from './accounts/accounts.js';
import { BearerStrategy, extractBearerToken, orRejection } from './bearer.strategy.js';
import { ClockWarning } from './tokens/clock-warning.js';
import { SigningKeys } from './tokens/signing-keys.js';
import { TokenRejected, validateClaims, VERIFICATION } from './tokens/token-claims.js';

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
    private readonly clockWarning: ClockWarning,
  ) {
    super(async (token) => keys.findByToken(token), VERIFICATION);
  }

  /** Verifies the signature of a token once; all else of it is checked every time. */
  override authenticate(request: Request, options?: object): void {
    const payload = this.verified.get(extractBearerToken(request) ?? '');
    if (payload === undefined) return super.authenticate(request, options);
    this.validate(request, payload).then(
      ([caller, rejection]) => (caller === null ? this.fail(rejection as never, 401) : this.success(caller)),
      (error: Error) => this.error(error),
    );
  }

  /** @returns the caller; null, and why, unless it is a current access token of an open session */
  async validate(request: IncomingMessage, payload: object): Promise<[Caller | null, TokenRejected?]> {
    const [claims, rejection] = orRejection(() => validateClaims(payload, 'access', this.clock.now()));
    if (claims === null) return [null, rejection];
    const caller = await this.accounts.findCaller(claims);
    if (caller === null) return [null, new TokenRejected('session ended or account disabled')];
    this.verified.set(extractBearerToken(request)!, payload);
    this.clockWarning.check(claims);
    return [caller];
  }
}
