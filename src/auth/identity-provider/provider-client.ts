import { type Environment, type IdentityProvider, isSecureUrl } from '../../config/environment.js';
import { ApiError, Forbidden, Unavailable } from '../../platform/errors/api-error.js';
import { currentTrace } from '../../platform/logging/trace-context.js';

/** Milliseconds for which the provider's addresses are kept, and a failure to get them. */
const DISCOVERY_TTL = 10 * 60_000;
const FAILURE_TTL = 10_000;
const TIMEOUT = 5000;

/** The application of the service at the provider, and the provider. */
export type ProviderClientSettings = IdentityProvider & {
  client: NonNullable<IdentityProvider['client']>;
};

/** What the provider says of itself, as far as a sign-in needs it. */
interface Discovery {
  authorizationEndpoint: string;
  tokenEndpoint: string;
  /** Its token endpoint takes the secret in the body only. */
  secretInBody: boolean;
}

/** The tokens of a sign-in. */
interface ProviderTokens {
  idToken: string;
  /** Null where it has none. */
  accessToken: string | null;
}

/** The settings of the client; null without one. */
export function clientSettings({ identityProvider }: Environment): ProviderClientSettings | null {
  return identityProvider?.client ? (identityProvider as ProviderClientSettings) : null;
}

/** Requests of a sign-in to the identity provider (OpenID Connect Discovery 1.0, RFC 6749). */
export class ProviderClient {
  private discovered: { value: Promise<Discovery>; until: number } | null = null;

  constructor(private readonly settings: ProviderClientSettings) {}

  /**
   * The provider's endpoints, by its discovery document: one request for all who ask meanwhile,
   * also where it fails.
   * @throws Unavailable
   */
  async discover(): Promise<Discovery> {
    if (this.discovered !== null && performance.now() < this.discovered.until) return this.discovered.value;
    const value = this.readDiscovery();
    this.discovered = { value, until: performance.now() + DISCOVERY_TTL };
    value.catch(() => (this.discovered = { value, until: performance.now() + FAILURE_TTL }));
    return value;
  }

  private async readDiscovery(): Promise<Discovery> {
    const { issuer } = this.settings;
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const document = await this.request(address, {});
    const { authorization_endpoint, token_endpoint, token_endpoint_auth_methods_supported } = document.body;
    const methods: unknown = token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    if (!document.ok || document.body.issuer !== issuer) throw unavailable();
    return {
      authorizationEndpoint: endpoint(authorization_endpoint),
      tokenEndpoint: endpoint(token_endpoint),
      secretInBody: !Array.isArray(methods) || !methods.includes('client_secret_basic'),
    };
  }

  /**
   * Exchanges the code of a sign-in for its tokens.
   * @throws Forbidden where the provider rejects it, Unavailable
   */
  async exchange(code: string, verifier: string, redirectUri: string): Promise<ProviderTokens> {
    const { id, secret } = this.settings.client;
    const { tokenEndpoint, secretInBody } = await this.discover();
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    const inHeader = secret !== null && !secretInBody;
    if (!inHeader) body.set('client_id', id);
    if (secret !== null && secretInBody) body.set('client_secret', secret);
    const reply = await this.request(tokenEndpoint, {
      method: 'POST',
      body,
      headers: inHeader ? { Authorization: basic(id, secret) } : {},
    });
    const { id_token: idToken, access_token: accessToken } = reply.body;
    if (!reply.ok || typeof idToken !== 'string') throw rejected();
    return { idToken, accessToken: typeof accessToken === 'string' ? accessToken : null };
  }

  private async request(address: string, init: RequestInit) {
    const headers = { Accept: 'application/json', ...currentTrace()?.headers, ...init.headers };
    try {
      // Credentials are sent nowhere else.
      const options = { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT) } as const;
      const response = await fetch(address, { ...init, ...options, headers });
      if (response.status >= 500) throw new Error(`Status ${response.status}`);
      return { ok: response.ok, body: (await response.json()) as Record<string, unknown> };
    } catch (error) {
      throw unavailable(error);
    }
  }
}

/** RFC 6749, 2.3.1: both parts are encoded as in forms. */
function basic(id: string, secret: string): string {
  const encoded = [id, secret].map((part) => new URLSearchParams({ part }).toString().slice(5));
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}

function endpoint(value: unknown): string {
  if (typeof value !== 'string' || !isSecureUrl(value)) throw unavailable();
  return value;
}

const unavailable = (cause?: unknown): ApiError =>
  new Unavailable(
    'The identity provider does not respond as it should. Try again.',
    FAILURE_TTL / 1000,
    cause,
  );

const rejected = () => new Forbidden('The identity provider has not confirmed the sign-in. Begin again.');
