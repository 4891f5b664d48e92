import { Logger } from '@nestjs/common';
import { createRemoteJWKSet, customFetch, errors } from 'jose';
import { KeyObject } from 'node:crypto';
import { Unavailable } from '../../platform/errors/api-error.js';
import { currentTrace } from '../../platform/logging/trace-context.js';

/** Milliseconds after which a key that the provider has withdrawn is no longer accepted. */
const REFRESH_INTERVAL = 10 * 60_000;
/** Milliseconds between two fetches for unknown keys, whatever tokens are sent. */
const MIN_FETCH_INTERVAL = 10_000;
const FETCH_TIMEOUT = 3000;

/**
 * The public keys of the identity provider: fetched for the first token, for the first one after
 * ten minutes, and for a token with an unknown key, as after a rotation. While the provider does
 * not respond, the known keys are used.
 */
export class IdentityProviderKeys {
  private readonly logger = new Logger('IdentityProvider');
  private readonly keySet;
  private refreshAt = -Infinity;
  private retryAt = -Infinity;

  constructor(url: string) {
    this.keySet = createRemoteJWKSet(new URL(url), {
      timeoutDuration: FETCH_TIMEOUT,
      cooldownDuration: MIN_FETCH_INTERVAL,
      // They do not expire: a failed refresh must leave the known ones.
      cacheMaxAge: Infinity,
      [customFetch]: (address, { headers, ...options }) =>
        performance.now() < this.retryAt
          ? Promise.reject(new Error('A request has just failed.'))
          : fetch(address, {
              ...options,
              headers: { ...Object.fromEntries(headers), ...currentTrace()?.headers },
            }),
    });
  }

  /**
   * @returns the key of a token's header, undefined if the provider has none
   * @throws Unavailable when the key is unknown and the provider does not respond
   */
  async find(header: { alg: 'RS256' | 'ES256'; kid: string }): Promise<KeyObject | undefined> {
    if (performance.now() >= this.refreshAt) {
      // Requests that come meanwhile use the known keys.
      this.refreshAt = performance.now() + REFRESH_INTERVAL;
      await this.keySet.reload().catch((error: Error) => this.fetchFailed(error));
    }
    try {
      return KeyObject.from(await this.keySet(header));
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        return undefined;
      this.fetchFailed(error as Error);
      throw new Unavailable(
        'The token cannot be verified, as the identity provider does not respond. Try again.',
        MIN_FETCH_INTERVAL / 1000,
        error,
      );
    }
  }

  private fetchFailed(error: Error): void {
    if (performance.now() < this.retryAt) return;
    this.retryAt = performance.now() + MIN_FETCH_INTERVAL;
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    this.logger.warn(`The keys of the identity provider cannot be fetched: ${error.message}${cause}`);
  }
}
