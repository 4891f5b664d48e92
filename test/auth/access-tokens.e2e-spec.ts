import { createHmac, randomUUID } from 'node:crypto';
import { ACCOUNT_OF_TOKEN, type AccountOfToken } from '../../src/common/access/account-of-token.js';
import { closeAuthApps, startAuthApp, type AuthApp } from './auth-app.js';

const SECRET = 'a secret of the test suite, 0123456789';

interface Parts {
  header: Record<string, unknown>;
  payload: Record<string, unknown>;
  /** Left out: no signature at all. */
  key?: string;
  hash?: string;
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const part = (token: string, index: number) =>
  JSON.parse(Buffer.from(token.split('.')[index]!, 'base64url').toString()) as Record<string, unknown>;

/** A token made by hand, so that nothing in it has to be right. */
function forge({ header, payload, key, hash = 'sha256' }: Parts): string {
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
    header = part(access, 0);
    payload = part(access, 1) as typeof payload;
  });
  afterAll(closeAuthApps);

  it('A2: say what they have to and nothing else', () => {
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
    expect(part(refresh, 0)).toEqual(header);
    expect(part(refresh, 1)).toEqual({ ...claims('refresh', 24 * 3600), sid: payload.sid });
    expect(part(refresh, 1).jti).not.toBe(payload.jti);
  });

  it('A2: made by hand with the right key and claims are as good, so the hostile ones fail for their fault', async () => {
    expect(await service.write(forge({ header, payload, key: SECRET }))).toBe(200);
    expect(
      await service.write(forge({ header, payload: { ...payload, iat: payload.iat + 5 }, key: SECRET })),
    ).toBe(200);
    const own = { ...header, jku: 'https://example.org/keys', x5u: 'https://example.org/x5u' };
    expect(await service.write(forge({ header: own, payload, key: SECRET }))).toBe(200);
  });

  describe('A3: hostile ones', () => {
    const signed = (changes: object, ...without: string[]) => {
      const claims: Record<string, unknown> = { ...payload, ...changes };
      for (const name of without) delete claims[name];
      return forge({ header, payload: claims, key: SECRET });
    };
    const headed = (changes: object, more: Partial<Parts> = {}) =>
      forge({ header: { ...header, ...changes }, payload, key: SECRET, ...more });
    const bearer = (token: string): [string, string][] => [['Authorization', `Bearer ${token}`]];

    const hostile: [string, () => [string, string][]][] = [
      ['alg none without a signature', () => bearer(forge({ header: { ...header, alg: 'none' }, payload }))],
      ['alg NONE in another case', () => bearer(forge({ header: { ...header, alg: 'nOnE' }, payload }))],
      [
        'alg none with the signature',
        () => bearer(`${base64({ ...header, alg: 'none' })}.${access.split('.', 3).slice(1).join('.')}`),
      ],
      ['alg swapped for HS512', () => bearer(headed({ alg: 'HS512' }, { hash: 'sha512' }))],
      ['alg swapped for HS384 of the same bytes', () => bearer(headed({ alg: 'HS384' }))],
      ['alg swapped for RS256', () => bearer(headed({ alg: 'RS256' }))],
      [
        'a changed payload',
        () =>
          bearer([access.split('.')[0], base64({ ...payload, sub: '2' }), access.split('.')[2]].join('.')),
      ],
      ['another key', () => bearer(forge({ header, payload, key: 'another secret, 0123456789 abcdefgh' }))],
      [
        'a key of its own in the header',
        () => bearer(headed({ jwk: { kty: 'oct', k: 'YWJj' } }, { key: 'abc' })),
      ],
      ['an unknown kid', () => bearer(headed({ kid: 'unknown' }))],
      ['a kid that is a path', () => bearer(headed({ kid: '../../../dev/null' }, { key: '' }))],
      ['a kid that is no text', () => bearer(headed({ kid: { toString: 1 } }))],
      ['no kid', () => bearer(headed({ kid: undefined }))],
      ['expired', () => bearer(signed({ iat: payload.iat - 1000, exp: payload.iat - 5 }))],
      ['not yet valid by nbf', () => bearer(signed({ nbf: payload.iat + 6 }))],
      ['not yet valid by iat', () => bearer(signed({ iat: payload.iat + 6 }))],
      ['an nbf that is no number', () => bearer(signed({ nbf: 'now' }))],
      ['the wrong issuer', () => bearer(signed({ iss: 'https://example.org' }))],
      ['no issuer', () => bearer(signed({}, 'iss'))],
      ['the wrong audience', () => bearer(signed({ aud: 'another-service' }))],
      ['no audience', () => bearer(signed({}, 'aud'))],
      ['no expiry', () => bearer(signed({}, 'exp'))],
      ['an expiry that is text', () => bearer(signed({ exp: String(payload.exp) }))],
      ['an expiry that is null', () => bearer(signed({ exp: null }))],
      ['no time of issue', () => bearer(signed({}, 'iat'))],
      ['no token id', () => bearer(signed({}, 'jti'))],
      ['no type', () => bearer(signed({}, 'token_type'))],
      ['a refresh token', () => bearer(refresh)],
      ['no login', () => bearer(signed({}, 'sid'))],
      ['an unknown login', () => bearer(signed({ sid: randomUUID() }))],
      ['another account than the login', () => bearer(signed({ sub: '2' }))],
      ['an account that is no number', () => bearer(signed({ sub: '1 OR 1=1' }))],
      ['a payload that is null', () => bearer(forge({ header, payload: null as never, key: SECRET }))],
      ['a payload that is text', () => bearer(forge({ header, payload: 'text' as never, key: SECRET }))],
      ['a payload that is an array', () => bearer(forge({ header, payload: [] as never, key: SECRET }))],
      ['a header that is null', () => bearer(forge({ header: null as never, payload, key: SECRET }))],
      ['cut', () => bearer(access.slice(0, -1))],
      ['cut to two parts', () => bearer(access.split('.', 2).join('.'))],
      ['one part more', () => bearer(`${access}.x`)],
      ['over 4 KiB', () => bearer(signed({ filler: 'x'.repeat(4096) }))],
      ['no JSON at all', () => bearer('a.b.c')],
      ['two headers', () => [...bearer(access), ...bearer(access)]],
      ['two tokens', () => bearer(`${access}, Bearer ${access}`)],
      ['another scheme', () => [['Authorization', `Basic ${Buffer.from('admin:x').toString('base64')}`]]],
      ['another scheme for the token', () => [['Authorization', `JWT ${access}`]]],
      ['no scheme', () => [['Authorization', access]]],
      ['a scheme alone', () => [['Authorization', 'Bearer']]],
      ['an empty header', () => [['Authorization', '']]],
    ];

    const methods = [
      ['POST', '/api/v1/PriceType/', '{"price_type_name":"STOLEN"}'],
      ['PUT', '/api/v1/PriceType/11/', '{"price_type_name":"STOLEN"}'],
      ['PATCH', '/api/v1/PriceType/11/', '{"price_type_name":"STOLEN"}'],
      ['DELETE', '/api/v1/PriceType/11/', undefined],
      ['GET', '/api/auth/me/', undefined],
    ] as const;

    it.each(hostile)('%s', async (_, headers) => {
      for (const [method, path, body] of methods) {
        service.events.length = 0;
        const answer = await service.raw(
          method,
          path,
          [...headers(), ['Content-Type', 'application/json']],
          body,
        );
        expect([method, answer.status, answer.headers['www-authenticate']]).toEqual([
          method,
          401,
          'Bearer error="invalid_token"',
        ]);
        expect(answer.body).toEqual({
          type: '/problems/token_not_valid',
          title: 'Token not valid',
          status: 401,
          code: 'token_not_valid',
          detail: 'The token is not valid or has expired. Log in again.',
          instance: `urn:uuid:${String(answer.headers['x-request-id'])}`,
        });
        expect(service.events).toEqual([
          ['token_refused', { address: '127.0.0.1', requestId: answer.headers['x-request-id'] }],
        ]);
      }
    });

    it.each(hostile)('A4: %s: a public read does not look', async (_, headers) => {
      const { status } = await service.raw('GET', '/api/v1/PriceType/11/', headers());
      expect(status).toBe(200);
    });

    it('have changed nothing', async () => {
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

    it('an access token does not refresh', async () => {
      const answer = await service.refresh(access);
      expect([answer.status, answer.body.code]).toEqual([401, 'token_not_valid']);
    });

    it.each([
      [
        'another key',
        () => forge({ header, payload: part(refresh, 1), key: 'another secret, 0123456789 abcdefgh' }),
      ],
      ['alg none', () => forge({ header: { ...header, alg: 'none' }, payload: part(refresh, 1) })],
      [
        'never given out',
        () => forge({ header, payload: { ...part(refresh, 1), jti: randomUUID() }, key: SECRET }),
      ],
      [
        'over 4 KiB',
        () => forge({ header, payload: { ...part(refresh, 1), filler: 'x'.repeat(4096) }, key: SECRET }),
      ],
    ])('nor does a refresh token: %s', async (_, token) => {
      const answer = await service.refresh(token());
      expect([answer.status, answer.body.code]).toEqual([401, 'token_not_valid']);
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
  ])('A3: none at all: %s', async (line) => {
    const [method, path] = line.split(' ') as [string, string];
    const answer = await service.raw(method, path, []);
    expect([answer.status, answer.headers['www-authenticate'], answer.body.code]).toEqual([
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
      const answer = await service.raw('GET', '/api/v1/AuditLog/', [['Authorization', `Bearer ${token}`]]);
      return [answer.status, answer.body.code];
    };
    expect(await service.write(maintainer.access)).toBe(200);
    expect(await read(maintainer.access)).toEqual([403, 'forbidden']);
    expect(await read(access)).toEqual([200, undefined]);
  });

  it('roles: count as they are now, not as they were when the token was made', async () => {
    const { access: token } = await service.login(await service.addAccount('berta', 'admin'));
    await service.unitOfWork.run((tx) =>
      tx.execute("UPDATE account SET role = 'maintainer' WHERE username = 'berta'"),
    );
    const answer = await service.raw('GET', '/api/v1/AuditLog/', [['Authorization', `Bearer ${token}`]]);
    expect(answer.status).toBe(403);
  });

  it('are neither good nor bad while nobody can say whether their accounts are live', async () => {
    const { callerOf } = service.accounts;
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    service.accounts.callerOf = () => Promise.reject(away);
    const events = service.events.length;
    expect(await service.write(access)).toBe(503);
    service.accounts.callerOf = callerOf;
    expect(await service.write(access)).toBe(200);
    expect(service.events.slice(events)).toEqual([]);
  });

  it('R3: tell the throttle of writes whose they are, without asking the database', async () => {
    const accountOf = service.app.get<AccountOfToken>(ACCOUNT_OF_TOKEN, { strict: false });
    const account = await service.addAccount('dora');
    const { access: token } = await service.login(account);
    await service.accounts.setEnabled('dora', false);
    const [admin, ended] = [access, token].map((each) => accountOf(`bearer ${each}`));
    expect([admin, ended]).toEqual([1, (await service.accounts.named('dora'))!.id]);
    const others = [
      undefined,
      '',
      'Bearer',
      access,
      `Bearer ${refresh}`,
      `Bearer ${access}x`,
      'Bearer a.b.c',
    ];
    expect(others.map((header) => accountOf(header))).toEqual(others.map(() => null));
  });

  it('A14: a key change logs nobody out while the previous key is kept', async () => {
    const { databaseUrl: DATABASE_URL } = service;
    const NEW = 'the next secret of the suite, 9876543210';
    const changed = await startAuthApp({ DATABASE_URL, JWT_SECRET: NEW, JWT_SECRET_PREVIOUS: SECRET });
    expect(await changed.write(access)).toBe(200);
    const renewed = await changed.refresh((await service.login()).refresh);
    expect(renewed.status).toBe(200);
    expect(part(renewed.body.access, 0).kid).not.toBe(header.kid);
    expect(await changed.write(renewed.body.access)).toBe(200);
    // A process that has not heard of the new key yet refuses its tokens.
    expect(await service.write(renewed.body.access)).toBe(401);

    const later = await startAuthApp({ DATABASE_URL, JWT_SECRET: NEW });
    expect(await later.write(access)).toBe(401);
    expect(await later.write(renewed.body.access)).toBe(200);
  });
});
