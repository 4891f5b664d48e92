import { Injectable } from '@nestjs/common';
import { jwtVerify } from 'jose';
import { createHash, randomBytes } from 'node:crypto';
import { Environment } from '../../config/environment.js';
import { Clock } from '../../platform/clock/clock.js';
import { Forbidden, NotFound, Unavailable } from '../../platform/errors/api-error.js';
import type { Caller } from '../../platform/http/caller.js';
import type { ProviderAccount } from '../sessions/provider-sessions.js';
import { callerOfClaims } from './identity-provider-claims.js';
import { IdentityProviderKeys } from './identity-provider-keys.js';
import { clientSettings, ProviderClient, type ProviderClientSettings } from './provider-client.js';

/** Seconds by which the clocks may differ. */
const CLOCK_TOLERANCE = 5;

/** What a sign-in must come back with, kept by the browser meanwhile. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  /** PKCE (RFC 7636). */
  verifier: string;
}

const random = () => randomBytes(32).toString('base64url');

/** Signs people in at the identity provider, by its authorization code flow with PKCE. */
@Injectable()
export class ProviderSignIn {
  private readonly settings: ProviderClientSettings | null;
  private readonly client: ProviderClient | null;
  private readonly keys: IdentityProviderKeys | null;

  constructor(
    environment: Environment,
    private readonly clock: Clock,
  ) {
    this.settings = clientSettings(environment);
    this.client = this.settings && new ProviderClient(this.settings);
    this.keys = this.settings && new IdentityProviderKeys(this.settings.jwksUrl);
  }

  /** Whether the service is an application of the provider. */
  get isOn(): boolean {
    return this.client !== null;
  }

  /**
   * Begins a sign-in.
   * @param redirectUri where the provider sends the browser back
   * @returns the provider's page, and what the browser has to keep
   * @throws NotFound where there is no provider, Unavailable
   */
  async begin(redirectUri: string): Promise<{ address: string; pending: PendingSignIn }> {
    const { settings, client } = this.required();
    const { authorizationEndpoint } = await client.discover();
    const pending = { state: random(), nonce: random(), verifier: random() };
    const address = new URL(authorizationEndpoint);
    for (const [name, value] of Object.entries({
      response_type: 'code',
      client_id: settings.client.id,
      redirect_uri: redirectUri,
      scope: 'openid',
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: createHash('sha256').update(pending.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }))
      address.searchParams.set(name, value);
    return { address: address.href, pending };
  }

  /**
   * The account that has signed in.
   * @throws Forbidden where the sign-in cannot be confirmed, or the account has no role here
   * @throws Unavailable
   */
  async finish(code: string, pending: PendingSignIn, redirectUri: string): Promise<ProviderAccount> {
    const { settings, client } = this.required();
    const { idToken, accessToken } = await client.exchange(code, pending.verifier, redirectUri);
    const identity = await this.verified(idToken, settings.client.id, pending.nonce);
    if (identity === null) throw new Forbidden('The sign-in could not be confirmed. Begin again.');
    // Some providers name roles in access tokens only.
    const other =
      identity.role === null && accessToken !== null
        ? await this.verified(accessToken, settings.audience, null)
        : null;
    const role = identity.role ?? (other?.subject === identity.subject ? other.role : null);
    if (role === null)
      throw new Forbidden('Your account has no role here: ask who manages the accounts of your company.');
    return { issuer: identity.issuer, subject: identity.subject, role };
  }

  /** The account of a token for an audience; null where it is not valid. */
  private async verified(token: string, audience: string, nonce: string | null): Promise<Caller | null> {
    const { settings, keys } = this.required();
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ alg, kid }) => {
          const key = await keys.find({ alg: alg as 'RS256', kid: kid ?? '' });
          if (key === undefined) throw new Error('The provider has no such key.');
          return key;
        },
        {
          issuer: settings.issuer,
          audience,
          algorithms: ['RS256', 'ES256'],
          requiredClaims: ['exp', 'iat', 'sub'],
          currentDate: new Date(this.clock.now()),
          clockTolerance: CLOCK_TOLERANCE,
        },
      );
      if (nonce !== null && (payload.nonce !== nonce || (payload.azp ?? audience) !== audience)) return null;
      return callerOfClaims(payload, settings, this.clock.now());
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      return null;
    }
  }

  private required() {
    const { settings, client, keys } = this;
    if (settings === null || client === null || keys === null) throw new NotFound();
    return { settings, client, keys };
  }
}
