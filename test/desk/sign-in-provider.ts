import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Variables } from '../../src/config/environment.js';
import { type ProviderKey, signToken } from '../auth/identity-provider.js';

type Claims = Record<string, unknown>;

/** An identity provider with the authorization code flow, on the loopback. */
export class SignInProvider {
  /** What changes the claims of the next tokens. */
  idClaims: Claims = {};
  accessClaims: Claims | null = null;
  /** Changes its discovery document. */
  discovery: Claims = {};
  /** The key that signs instead of the published one. */
  signer: ProviderKey;
  /** Requests for tokens so far, as it has received them. */
  readonly exchanges: { authorization: string | undefined; form: URLSearchParams }[] = [];
  /** Requests for its discovery document so far. */
  discoveries = 0;
  /** Seconds since 1970. */
  now = 0;
  private readonly codes = new Map<string, URLSearchParams>();
  private readonly server = createServer((request, response) => {
    void this.reply(request).then(({ status, body }) =>
      response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' }).end(body),
    );
  });

  private constructor(private readonly key: ProviderKey) {
    this.signer = key;
  }

  static async start(key: ProviderKey): Promise<SignInProvider> {
    const provider = new SignInProvider(key);
    await new Promise<void>((resolve) => provider.server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The settings of a service that is an application of it. */
  get settings(): Variables {
    return {
      AUTH_JWKS_URL: `${this.issuer}/keys`,
      AUTH_ISSUER: this.issuer,
      AUTH_AUDIENCE: 'prices',
      AUTH_CLIENT_ID: 'the desk',
      AUTH_CLIENT_SECRET: 'a:secret%',
    };
  }

  /** What the browser brings back when somebody has signed in on the page at the address. */
  authorize(address: string): { state: string; code: string } {
    const request = new URL(address).searchParams;
    const code = `code-${this.codes.size}`;
    this.codes.set(code, request);
    return { state: request.get('state')!, code };
  }

  close(): Promise<unknown> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }

  private async reply(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const ok = (body: unknown) => ({ status: 200, body: JSON.stringify(body) });
    if (request.url === '/.well-known/openid-configuration') {
      this.discoveries++;
      return ok({
        issuer: this.issuer,
        authorization_endpoint: `${this.issuer}/authorize?tenant=1`,
        token_endpoint: `${this.issuer}/token`,
        ...this.discovery,
      });
    }
    if (request.url === '/keys') {
      const { kid, alg, publicKey } = this.key;
      return ok({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' }] });
    }
    let text = '';
    for await (const chunk of request) text += String(chunk);
    return this.exchange(request.headers.authorization, new URLSearchParams(text));
  }

  private exchange(authorization: string | undefined, form: URLSearchParams) {
    this.exchanges.push({ authorization, form });
    const begun = this.codes.get(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      begun !== undefined &&
      begun.get('code_challenge') === challenge &&
      begun.get('redirect_uri') === form.get('redirect_uri');
    if (!isRight) return { status: 400, body: '{"error":"invalid_grant"}' };
    this.codes.delete(form.get('code')!);
    const times = { iss: this.issuer, sub: 'anna|7', iat: this.now, exp: this.now + 300 };
    const id = { ...times, aud: begun.get('client_id'), nonce: begun.get('nonce'), ...this.idClaims };
    const access = this.accessClaims && { ...times, aud: 'prices', ...this.accessClaims };
    const tokens = {
      token_type: 'Bearer',
      id_token: signToken(this.signer, id),
      access_token: access === null ? 'opaque' : signToken(this.signer, access),
    };
    return { status: 200, body: JSON.stringify(tokens) };
  }
}
