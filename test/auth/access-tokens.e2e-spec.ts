import { createHmac, randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { SigningKeys } from '../../src/auth/tokens/signing-keys.js';
import { closeAuthApps, MINUTE, startAuthApp, type AuthApp } from './auth-app.js';

const SECRET = 'a secret of the test suite, 0123456789';

interface TokenParts {
  header: Record<string, unknown>;
  payload: Record<string, unknown>;
  /** No signature if omitted. */
  key?: string;
  hash?: string;
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decodePart = (token: string, index: number) =>
  JSON.parse(Buffer.from(token.split('.')[index]!, 'base64url').toString()) as Record<string, unknown>;

/** Builds a token by hand, valid or not. */
function forge({ header, payload, key, hash = 'sha256' }: TokenParts): string {
  const signed = `${base64(header)}.${base64(payload)}`;
  return `${signed}.${key === undefined ? '' : createHmac(hash, key).update(signed).digest('base64url')}`;
}

describe('access tokens', () => {
  let service: AuthApp;
  let access: string;
  let refresh: string;
  let header: Record<string, unknown>;
  let payload: Record<string, unknown> & { iat: number; exp: number };
  beforeAll(async () => {
    service = await startAuthApp();
    ({ access, refresh } = await service.login());
    header = decodePart(access, 0);
    payload = decodePart(access, 1) as typeof payload;
  });
  afterAll(closeAuthApps);

  it('A2: have exactly the specified claims', () => {
    const uuid = expect.stringMatching(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    const now = service.clock.milliseconds / 1000;
    const claims = (type: string, seconds: number) => ({
      iss: 'price-data-service',
      aud: 'price-data-service',
      sub: '1',
      jti: uuid,
      sid: uuid,
      iat: now,
      exp: now + seconds,
      token_type: type,
    });
    expect(header).toEqual({ alg: 'HS256', typ: 'JWT', kid: expect.stringMatching(/^[\w-]{16}$/) });
    expect(payload).toEqual(claims('access', 15 * 60));
    expect(decodePart(refresh, 0)).toEqual(header);
    expect(decodePart(refresh, 1)).toEqual({ ...claims('refresh', 24 * 3600), sid: payload.sid });
    expect(decodePart(refresh, 1).jti).not.toBe(payload.jti);
  });

  it('A2: are accepted when forged with the right key and claims, so the ones below fail for the stated reason', async () => {
    expect(await service.write(forge({ header, payload, key: SECRET }))).toBe(200);
    expect(
      await service.write(forge({ header, payload: { ...payload, iat: payload.iat + 120 }, key: SECRET })),
    ).toBe(200);
    const withUrls = { ...header, jku: 'https://example.org/keys', x5u: 'https://example.org/x5u' };
    expect(await service.write(forge({ header: withUrls, payload, key: SECRET }))).toBe(200);
  });

  describe('A3: invalid tokens', () => {
    const withClaims = (changes: object, ...without: string[]) => {
      const claims: Record<string, unknown> = { ...payload, ...changes };
      for (const name of without) delete claims[name];
      return forge({ header, payload: claims, key: SECRET });
    };
    const withHeader = (changes: object, more: Partial<TokenParts> = {}) =>
      forge({ header: { ...header, ...changes }, payload, key: SECRET, ...more });
    const bearer = (token: string): [string, string][] => [['Authorization', `Bearer ${token}`]];

    const invalid: [string, () => [string, string][]][] = [
      ['alg none without a signature', () => bearer(forge({ header: { ...header, alg: 'none' }, payload }))],
      ['alg NONE in another case', () => bearer(forge({ header: { ...header, alg: 'nOnE' }, payload }))],
      [
        'alg none with the signature',
        () => bearer(`${base64({ ...header, alg: 'none' })}.${access.split('.', 3).slice(1).join('.')}`),
      ],
      ['alg swapped for HS512', () => bearer(withHeader({ alg: 'HS512' }, { hash: 'sha512' }))],
      ['alg swapped for HS384 of the same bytes', () => bearer(withHeader({ alg: 'HS384' }))],
      ['alg swapped for RS256', () => bearer(withHeader({ alg: 'RS256' }))],
      [
        'a changed payload',
        () =>
          bearer([access.split('.')[0], base64({ ...payload, sub: '2' }), access.split('.')[2]].join('.')),
      ],
      ['another key', () => bearer(forge({ header, payload, key: 'another secret, 0123456789 abcdefgh' }))],
      [
        'its own key in the header',
        () => bearer(withHeader({ jwk: { kty: 'oct', k: 'YWJj' } }, { key: 'abc' })),
      ],
      ['an unknown kid', () => bearer(withHeader({ kid: 'unknown' }))],
      ['a kid that is a path', () => bearer(withHeader({ kid: '../../../dev/null' }, { key: '' }))],
      ['a kid that is not a string', () => bearer(withHeader({ kid: { toString: 1 } }))],
      ['critical extensions', () => bearer(withHeader({ crit: ['b64'], b64: true }))],
      ['no kid', () => bearer(withHeader({ kid: undefined }))],
      ['expired', () => bearer(withClaims({ iat: payload.iat - 1000, exp: payload.iat - 5 }))],
      ['not yet valid by nbf', () => bearer(withClaims({ nbf: payload.iat + 121 }))],
      ['not yet valid by iat', () => bearer(withClaims({ iat: payload.iat + 121 }))],
      ['an nbf that is not a number', () => bearer(withClaims({ nbf: 'now' }))],
      ['the wrong issuer', () => bearer(withClaims({ iss: 'https://example.org' }))],
      ['no issuer', () => bearer(withClaims({}, 'iss'))],
      ['the wrong audience', () => bearer(withClaims({ aud: 'another-service' }))],
      ['no audience', () => bearer(withClaims({}, 'aud'))],
      ['no expiry', () => bearer(withClaims({}, 'exp'))],
      ['an expiry that is a string', () => bearer(withClaims({ exp: String(payload.exp) }))],
      ['an expiry that is null', () => bearer(withClaims({ exp: null }))],
      ['no time of issue', () => bearer(withClaims({}, 'iat'))],
      ['no token id', () => bearer(withClaims({}, 'jti'))],
      ['no type', () => bearer(withClaims({}, 'token_type'))],
      ['a refresh token', () => bearer(refresh)],
      ['no session', () => bearer(withClaims({}, 'sid'))],
      ['an unknown session', () => bearer(withClaims({ sid: randomUUID() }))],
      ['another account than the session', () => bearer(withClaims({ sub: '2' }))],
      ['an account id that is not a number', () => bearer(withClaims({ sub: '1 OR 1=1' }))],
      ['a payload that is null', () => bearer(forge({ header, payload: null as never, key: SECRET }))],
      ['a payload that is a string', () => bearer(forge({ header, payload: 'text' as never, key: SECRET }))],
      ['a payload that is an array', () => bearer(forge({ header, payload: [] as never, key: SECRET }))],
      ['a header that is null', () => bearer(forge({ header: null as never, payload, key: SECRET }))],
      ['truncated', () => bearer(access.slice(0, -1))],
      ['only two parts', () => bearer(access.split('.', 2).join('.'))],
      ['four parts', () => bearer(`${access}.x`)],
      ['over 4 KiB', () => bearer(withClaims({ filler: 'x'.repeat(4096) }))],
      ['not JSON', () => bearer('a.b.c')],
      ['two headers', () => [...bearer(access), ...bearer(access)]],
      ['two tokens', () => bearer(`${access}, Bearer ${access}`)],
      ['another scheme', () => [['Authorization', `Basic ${Buffer.from('admin:x').toString('base64')}`]]],
      ['another scheme for the token', () => [['Authorization', `JWT ${access}`]]],
      ['no scheme', () => [['Authorization', access]]],
      ['a scheme alone', () => [['Authorization', 'Bearer']]],
      ['the scheme twice', () => bearer(`Bearer ${access}`)],
      ['quotes about the token', () => bearer(`"${access}"`)],
      ['an empty header', () => [['Authorization', '']]],
    ];

    const detailOf = (headers: [string, string][]) => {
      const [[, value], ...more] = headers as [[string, string], ...[string, string][]];
      const scheme = /^(Basic|JWT) /.exec(value)?.[1];
      const fault =
        more.length > 0
          ? 'The request has several Authorization headers.'
          : scheme !== undefined
            ? `The request has the scheme ${scheme}.`
            : !value.startsWith('Bearer')
              ? 'The request does not name the scheme.'
              : /^Bearer [^ ,"]+$/.test(value)
                ? null
                : 'What follows Bearer is not one token.';
      return fault === null
        ? 'The token is not valid or has expired. Log in again.'
        : `Send an access token: Authorization: Bearer <ACCESS_TOKEN>. ${fault}`;
    };

    it('are logged with the reason, of which the client is told nothing', async () => {
      const reasonFor = async (...headers: [string, string][]) => {
        service.events.length = 0;
        await service.raw('GET', '/api/auth/me/', headers);
        return service.events.map(([, { reason }]) => reason);
      };
      const late = { iat: payload.iat + 121, exp: payload.exp + 600 };
      expect(
        await reasonFor(...bearer(withClaims({ iat: payload.iat - 1000, exp: payload.iat - 5 }))),
      ).toEqual(['expired']);
      expect(await reasonFor(...bearer(withClaims(late)))).toEqual(['issued in the future']);
      expect(await reasonFor(...bearer(withClaims({ nbf: late.iat })))).toEqual(['not yet valid']);
      expect(await reasonFor(...bearer(refresh))).toEqual(['not a token for access']);
      expect(await reasonFor(...bearer(withClaims({ sid: randomUUID() })))).toEqual([
        'session ended or account disabled',
      ]);
      const otherKey = forge({ header, payload, key: 'another secret, 0123456789 abcdefgh' });
      expect(await reasonFor(...bearer(otherKey))).toEqual(['invalid signature']);
      expect(await reasonFor(...bearer(withHeader({ kid: 'unknown' })))).toEqual(['no key for the token']);
      expect(await reasonFor(['Authorization', `Token ${access}`])).toEqual(['No auth token']);
      service.events.length = 0;
      await service.refresh(withClaims({ ...decodePart(refresh, 1), ...late }));
      expect(service.events.map(([, { reason }]) => reason)).toEqual(['issued in the future']);
    });

    const methods = [
      ['POST', '/api/v1/PriceType/', '{"price_type_name":"STOLEN"}'],
      ['PUT', '/api/v1/PriceType/11/', '{"price_type_name":"STOLEN"}'],
      ['PATCH', '/api/v1/PriceType/11/', '{"price_type_name":"STOLEN"}'],
      ['DELETE', '/api/v1/PriceType/11/', undefined],
      ['GET', '/api/auth/me/', undefined],
    ] as const;

    it.each(invalid)('%s', async (_, headers) => {
      for (const [method, path, body] of methods) {
        service.events.length = 0;
        const response = await service.raw(
          method,
          path,
          [...headers(), ['Content-Type', 'application/json']],
          body,
        );
        expect([method, response.status, response.headers['www-authenticate']]).toEqual([
          method,
          401,
          'Bearer error="invalid_token"',
        ]);
        expect(response.body).toEqual({
          type: '/problems/token_not_valid',
          title: 'Token not valid',
          status: 401,
          code: 'token_not_valid',
          detail: detailOf(headers()),
          instance: `urn:uuid:${String(response.headers['x-request-id'])}`,
        });
        expect(service.events).toEqual([
          [
            'token_refused',
            {
              address: '127.0.0.1',
              requestId: response.headers['x-request-id'],
              reason: expect.stringMatching(/^[ -~]{4,80}$/),
            },
          ],
        ]);
      }
    });

    it.each(invalid)('A4: %s: a public read ignores it', async (_, headers) => {
      const { status } = await service.raw('GET', '/api/v1/PriceType/11/', headers());
      expect(status).toBe(200);
    });

    it('change nothing', async () => {
      expect(await service.database.rows('SELECT id, name, version FROM price_type ORDER BY id')).toEqual(
        [
          [11, 'EXPORT'],
          [12, 'RETAIL'],
          [13, 'WHOLESALE'],
          [17, 'IMPORT'],
        ].map(([id, name]) => ({ id, name, version: 1 })),
      );
      expect(await service.database.rows("SELECT id FROM audit_log WHERE table_name <> 'account'")).toEqual(
        [],
      );
    });

    it('include an access token as a refresh token', async () => {
      const response = await service.refresh(access);
      expect([response.status, response.body.code]).toEqual([401, 'token_not_valid']);
    });

    it.each([
      [
        'another key',
        () => forge({ header, payload: decodePart(refresh, 1), key: 'another secret, 0123456789 abcdefgh' }),
      ],
      ['alg none', () => forge({ header: { ...header, alg: 'none' }, payload: decodePart(refresh, 1) })],
      [
        'never issued',
        () => forge({ header, payload: { ...decodePart(refresh, 1), jti: randomUUID() }, key: SECRET }),
      ],
      [
        'over 4 KiB',
        () =>
          forge({ header, payload: { ...decodePart(refresh, 1), filler: 'x'.repeat(4096) }, key: SECRET }),
      ],
    ])('include a refresh token with %s', async (_, token) => {
      const response = await service.refresh(token());
      expect([response.status, response.body.code]).toEqual([401, 'token_not_valid']);
      expect(await service.write(access)).toBe(200);
    });
  });

  it.each([
    'POST /api/v1/PriceType/',
    'PUT /api/v1/PriceType/11',
    'PATCH /api/v1/PriceType/11',
    'DELETE /api/v1/PriceType/11',
    'GET /api/auth/me',
    'GET /api/v1/AuditLog/',
    'GET /api/v1/Account/',
    'GET /api/v1/Account/1/',
    'PATCH /api/v1/Account/1/',
  ])('A3: are required: %s', async (line) => {
    const [method, path] = line.split(' ') as [string, string];
    const response = await service.raw(method, path, []);
    expect([response.status, response.headers['www-authenticate'], response.body.code]).toEqual([
      401,
      'Bearer',
      'not_authenticated',
    ]);
  });

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('A3: the scheme may be written %s', async (scheme) => {
    const { status } = await service.raw('GET', '/api/auth/me', [['Authorization', `${scheme} ${access}`]]);
    expect(status).toBe(200);
  });

  it('roles: a maintainer writes and does not read the audit log, an admin does both', async () => {
    const maintainer = await service.login(await service.addAccount('anna'));
    const read = async (token: string) => {
      const response = await service.raw('GET', '/api/v1/AuditLog/', [['Authorization', `Bearer ${token}`]]);
      return [response.status, response.body.code];
    };
    expect(await service.write(maintainer.access)).toBe(200);
    expect(await read(maintainer.access)).toEqual([403, 'forbidden']);
    expect(await read(access)).toEqual([200, undefined]);
  });

  it('roles: the current role counts, not the one at login', async () => {
    const { access: token } = await service.login(await service.addAccount('berta', 'admin'));
    await service.unitOfWork.run((transaction) =>
      transaction.execute("UPDATE account SET role = 'maintainer' WHERE username = 'berta'"),
    );
    const response = await service.raw('GET', '/api/v1/AuditLog/', [['Authorization', `Bearer ${token}`]]);
    expect(response.status).toBe(403);
  });

  it('are answered with 503 while their accounts cannot be queried', async () => {
    const { findCaller: callerOf } = service.accounts;
    const unreachable = Object.assign(new Error('unreachable'), { code: 'ECONNREFUSED' });
    service.accounts.findCaller = () => Promise.reject(unreachable);
    const events = service.events.length;
    expect(await service.write(access)).toBe(503);
    service.accounts.findCaller = callerOf;
    expect(await service.write(access)).toBe(200);
    expect(service.events.slice(events)).toEqual([]);
  });

  it('are rejected when they expire or their account is disabled, although verified before', async () => {
    const { access: token } = await service.login(await service.addAccount('carla'));
    const verify = jest.spyOn(service.app.get(SigningKeys, { strict: false }), 'findByToken');
    for (let times = 0; times < 3; times++) expect(await service.write(token)).toBe(200);
    expect(verify).toHaveBeenCalledTimes(1);
    service.clock.milliseconds += 16 * MINUTE;
    expect(await service.write(token)).toBe(401);
    service.clock.milliseconds -= 16 * MINUTE;
    expect(await service.write(token)).toBe(200);
    expect(await service.write(`${token}x`)).toBe(401);
    await service.accounts.setEnabled('carla', false);
    expect(await service.write(token)).toBe(401);
  });

  it('A14: stay valid after a key rotation while the previous key is configured', async () => {
    const { databaseUrl: DATABASE_URL } = service;
    const NEW = 'the next secret of the suite, 9876543210';
    const changed = await startAuthApp({ DATABASE_URL, JWT_SECRET: NEW, JWT_SECRET_PREVIOUS: SECRET });
    expect(await changed.write(access)).toBe(200);
    const renewed = await changed.refresh((await service.login()).refresh);
    expect(renewed.status).toBe(200);
    expect(decodePart(renewed.body.access, 0).kid).not.toBe(header.kid);
    expect(await changed.write(renewed.body.access)).toBe(200);
    // A process without the new key rejects its tokens.
    expect(await service.write(renewed.body.access)).toBe(401);

    const later = await startAuthApp({ DATABASE_URL, JWT_SECRET: NEW });
    expect(await later.write(access)).toBe(401);
    expect(await later.write(renewed.body.access)).toBe(200);
  });
});
