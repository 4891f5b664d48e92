import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Variables } from '../../src/config/environment.js';

/** A key of the provider; RS256 or ES256. */
export interface ProviderKey {
  kid: string;
  alg: 'RS256' | 'ES256';
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export function createKey(kid: string, alg: ProviderKey['alg'] = 'RS256'): ProviderKey {
  const pair =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid, alg, ...pair };
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The part of a token before its signature. */
export const unsigned = (header: unknown, payload: unknown) => `${base64(header)}.${base64(payload)}`;

/** A token with any header and payload, signed with the key. */
export function signToken(
  { alg, kid, privateKey }: ProviderKey,
  payload: unknown,
  header: Record<string, unknown> = {},
): string {
  const text = unsigned({ alg, kid, typ: 'at+jwt', ...header }, payload);
  const signature = createSign('sha256')
    .update(text)
    .sign({ key: privateKey, dsaEncoding: 'ieee-p1363' }, 'base64url');
  return `${text}.${signature}`;
}

/** The key server of an identity provider, on the loopback. */
export class KeyServer {
  keys: ProviderKey[] = [];
  /** Requests so far. */
  requests = 0;
  /** `traceparent` of the last request. */
  traceparent: unknown;
  /** What it sends instead of the keys. */
  reply: { status: number; body: string } | 'reset' | 'none' | null = null;
  private readonly server = createServer((request, response) => {
    this.requests++;
    this.traceparent = request.headers.traceparent;
    if (this.reply === 'none') return;
    if (this.reply === 'reset') return void request.socket.destroy();
    const { status, body } = this.reply ?? { status: 200, body: JSON.stringify({ keys: this.published() }) };
    response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' }).end(body);
  });

  static async start(...keys: ProviderKey[]): Promise<KeyServer> {
    const provider = new KeyServer();
    provider.keys = keys;
    await new Promise<void>((resolve) => provider.server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  /** The settings of a service that accepts its tokens. */
  get settings(): Variables {
    const { port } = this.server.address() as AddressInfo;
    return {
      AUTH_JWKS_URL: `http://127.0.0.1:${port}/keys`,
      AUTH_ISSUER: ISSUER,
      AUTH_AUDIENCE: 'prices',
    };
  }

  close(): Promise<unknown> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }

  private published() {
    return this.keys.map(({ kid, alg, publicKey }) => ({
      ...publicKey.export({ format: 'jwk' }),
      kid,
      alg,
      use: 'sig',
    }));
  }
}

export const ISSUER = 'https://login.example.org/company';
