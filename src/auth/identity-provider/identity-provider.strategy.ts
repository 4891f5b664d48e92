import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { IncomingMessage } from 'node:http';
import type { Environment, IdentityProvider } from '../../config/environment.js';
import type { Clock } from '../../platform/clock/clock.js';
import type { Caller } from '../../platform/http/caller.js';
import { BearerStrategy, orRejection } from '../bearer.strategy.js';
import type { TokenRejected } from '../tokens/token-claims.js';
import { IdentityProviderKeys } from './identity-provider-keys.js';
import { callerOfClaims } from './identity-provider-claims.js';

/** Public-key algorithms only: a public key must never serve as the secret of an HMAC. */
const ALGORITHMS = ['RS256' as const, 'ES256' as const];

/**
 * Authenticates a request by an access token of the identity provider. The token alone decides: it
 * is accepted until it expires, whatever happens to the account meanwhile.
 */
export class IdentityProviderStrategy extends BearerStrategy {
  /** The strategy, or null without an identity provider. */
  static create(
    this: void,
    { identityProvider }: Environment,
    clock: Clock,
  ): IdentityProviderStrategy | null {
    return identityProvider && new IdentityProviderStrategy(identityProvider, clock);
  }

  private constructor(
    private readonly provider: IdentityProvider,
    private readonly clock: Clock,
  ) {
    const keys = new IdentityProviderKeys(provider.jwksUrl);
    const { issuer, audience } = provider;
    super(
      async (token) => {
        const { alg, kid, crit } = decodeProtectedHeader(token);
        // It names extensions that must be known, and none is (RFC 7515, 4.1.11).
        if (crit !== undefined) return undefined;
        // Only a token that could be valid is worth a request to the provider.
        const algorithm = ALGORITHMS.find((each) => each === alg);
        if (algorithm === undefined || typeof kid !== 'string') return undefined;
        return decodeJwt(token).iss === issuer ? keys.find({ alg: algorithm, kid }) : undefined;
      },
      { algorithms: ALGORITHMS, issuer, audience, ignoreExpiration: true, ignoreNotBefore: true },
    );
  }

  /** @returns the caller; null, and why, when the token is not current or has no valid subject */
  validate(_request: IncomingMessage, payload: unknown): [Caller | null, TokenRejected?] {
    return orRejection(() => callerOfClaims(payload, this.provider, this.clock.now()));
  }
}
