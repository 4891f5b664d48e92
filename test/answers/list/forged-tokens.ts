import { createHmac } from 'node:crypto';
import { SIGNING_KEY } from '../service/service.js';

interface Parts {
  header: unknown;
  payload: unknown;
  /** Left out: no signature at all. */
  key?: string;
  hash?: string;
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function partOf(token: string, index: number): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString()) as Record<
      string,
      unknown
    >;
  } catch {
    return {};
  }
}

function forge({ header, payload, key, hash = 'sha256' }: Parts): string {
  const signed = `${base64(header)}.${base64(payload)}`;
  return `${signed}.${key === undefined ? '' : createHmac(hash, key).update(signed).digest('base64url')}`;
}

/** Forged and malformed `Authorization` headers, by their fault. */
export function forgedTokens(access: string, refresh: string): Record<string, string> {
  const header = partOf(access, 0);
  const payload = partOf(access, 1);
  const iat = Number(payload.iat);
  const signed = (changes: object, ...without: string[]) => {
    const claims: Record<string, unknown> = { ...payload, ...changes };
    for (const name of without) delete claims[name];
    return forge({ header, payload: claims, key: SIGNING_KEY });
  };
  const headed = (changes: object, more: Partial<Parts> = {}) =>
    forge({ header: { ...header, ...changes }, payload, key: SIGNING_KEY, ...more });
  const [head, , signature] = access.split('.');
  const tokens = {
    'made by hand and right': forge({ header, payload, key: SIGNING_KEY }),
    'alg none': forge({ header: { ...header, alg: 'none' }, payload }),
    'alg none with a signature': `${base64({ ...header, alg: 'none' })}.${access.split('.').slice(1).join('.')}`,
    'alg HS512': headed({ alg: 'HS512' }, { hash: 'sha512' }),
    'alg RS256': headed({ alg: 'RS256' }),
    'a changed payload': [head, base64({ ...payload, sub: '2' }), signature].join('.'),
    'another key': forge({ header, payload, key: 'another secret, 0123456789 abcdefgh' }),
    'a key in the header': headed({ jwk: { kty: 'oct', k: 'YWJj' } }, { key: 'abc' }),
    'an unknown kid': headed({ kid: 'unknown' }),
    'no kid': headed({ kid: undefined }),
    expired: signed({ iat: iat - 1000, exp: iat - 100 }),
    'not yet valid': signed({ nbf: iat + 3600 }),
    'made in the future': signed({ iat: iat + 3600 }),
    'the wrong issuer': signed({ iss: 'https://example.org' }),
    'no audience': signed({}, 'aud'),
    'no expiry': signed({}, 'exp'),
    'an expiry that is text': signed({ exp: String(payload.exp) }),
    'no type': signed({}, 'token_type'),
    'no login': signed({}, 'sid'),
    'an unknown login': signed({ sid: '00000000-0000-4000-8000-000000000000' }),
    'another account': signed({ sub: '2' }),
    'an account that is no number': signed({ sub: '1 OR 1=1' }),
    'a payload that is null': forge({ header, payload: null, key: SIGNING_KEY }),
    'a header that is null': forge({ header: null, payload, key: SIGNING_KEY }),
    cut: access.slice(0, -1),
    'cut to two parts': access.split('.', 2).join('.'),
    'one part more': `${access}.x`,
    'over 4 KiB': signed({ filler: 'x'.repeat(4096) }),
    'no JSON': 'a.b.c',
    'a refresh token': refresh,
  };
  return {
    ...Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, `Bearer ${token}`])),
    'scheme in small letters': `bearer ${access}`,
    'two blanks': `Bearer  ${access}`,
    'two tokens': `Bearer ${access}, Bearer ${access}`,
    'another scheme': `Basic ${Buffer.from('admin:x').toString('base64')}`,
    'another scheme for the token': `JWT ${access}`,
    'no scheme': access,
    'a scheme alone': 'Bearer',
    'a scheme and a blank': 'Bearer ',
    empty: '',
  };
}

/** Their names; the values need a login. */
export const forgedTokenNames: readonly string[] = Object.keys(forgedTokens('', ''));
