import { jest } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { closeAuthApps, startAuthApp, type AuthApp } from './auth-app.js';
import { createKey, ISSUER, KeyServer, signToken, unsigned, type ProviderKey } from './identity-provider.js';

const rsa = createKey('rsa-1');
const ec = createKey('ec-1', 'ES256');
const stranger = createKey('rsa-1');
const strangerEc = createKey('ec-1', 'ES256');

type Claims = Record<string, unknown>;

describe('A2, A3: tokens of the identity provider', () => {
  let provider: KeyServer;
  let service: AuthApp;
  let claims: Claims & { iat: number };
  beforeAll(async () => {
    provider = await KeyServer.start(rsa, ec);
    service = await startAuthApp(provider.settings);
    const now = service.clock.milliseconds / 1000;
    claims = {
      iss: ISSUER,
      aud: 'prices',
      sub: 'anna|7',
      jti: 'token-1',
      iat: now,
      exp: now + 3600,
      roles: ['maintainer'],
    };
  });
  afterAll(async () => {
    await closeAuthApps();
    await provider.close();
  });

  const token = (changes: Claims = {}, key: ProviderKey = rsa) => signToken(key, { ...claims, ...changes });
  const send = (method: string, path: string, access: string, body?: string) =>
    service.raw(
      method,
      path,
      [
        ['Authorization', `Bearer ${access}`],
        ['Content-Type', 'application/json'],
      ],
      body,
    );
  const me = (access: string) => send('GET', '/api/auth/me/', access);

  it('are not fetched keys for by a token of this service, valid or not', async () => {
    const { access, refresh } = await service.login();
    expect(await service.write(access)).toBe(200);
    expect(await service.write(refresh)).toBe(401);
    expect(await service.write(`${access.slice(0, -4)}AAAA`)).toBe(401);
    expect(provider.requests).toBe(0);
  });

  it.each([rsa, ec])('are accepted with $alg, and the keys fetched once', async (key) => {
    expect(await service.write(token({}, key))).toBe(200);
    expect((await me(token({ aud: ['other', 'prices'] }, key))).body).toEqual({
      id: null,
      username: 'anna|7',
      role: 'maintainer',
      issuer: ISSUER,
      subject: 'anna|7',
    });
    expect(provider.requests).toBe(1);
  });

  it('are not looked up among the accounts of this service', async () => {
    const findCaller = jest.spyOn(service.accounts, 'findCaller');
    expect(await service.write(token())).toBe(200);
    expect(findCaller).not.toHaveBeenCalled();
    findCaller.mockRestore();
  });

  it('W9: are recorded in the audit log by issuer and subject', async () => {
    const created = await send('POST', '/api/v1/Source/', token({ sub: 'berta' }), '{"name":"WFP"}');
    expect(created.status).toBe(201);
    const admin = token({ roles: ['reader', 'admin', 'maintainer'] });
    const { body } = await send('GET', '/api/v1/AuditLog/?subject=berta', admin);
    expect(body.results).toEqual([
      {
        id: expect.any(Number),
        change_set_id: expect.any(Number),
        at: '2026-11-21T12:00:00.000Z',
        account_id: null,
        token_id: 'token-1',
        request_id: created.headers['x-request-id'],
        table: 'source',
        record_id: created.body.id,
        action: 'create',
        before: null,
        after: { name: 'WFP', url: '', license: '' },
        issuer: ISSUER,
        subject: 'berta',
        username: null,
      },
    ]);
    const accounts = await send('GET', '/api/v1/AuditLog/?table=account', admin);
    expect(accounts.body).toMatchObject({ count: 1, results: [{ issuer: '', subject: '' }] });
  });

  it.each<[string, unknown, string | null]>([
    ['one of the roles', 'maintainer', 'maintainer'],
    ['the higher of two', ['maintainer', 'admin'], 'admin'],
    ['a list in a text', 'openid admin', 'admin'],
    ['another role', ['reader'], null],
    ['another letter case', ['Admin'], null],
    ['a part of a word', 'administrator', null],
    ['an object', { admin: true }, null],
    ['null', null, null],
    ['no claim', undefined, null],
  ])('have the role of the claim: %s', async (_, roles, role) => {
    const reply = await me(token({ roles }));
    if (role !== null) return expect(reply.body).toMatchObject({ role });
    for (const [method, path, body] of [
      ['GET', '/api/auth/me/', undefined],
      ['PATCH', '/api/v1/PriceType/11/', '{}'],
      ['POST', '/api/v1/Source/', 'not JSON'],
      ['GET', '/api/v1/AuditLog/', undefined],
    ] as const) {
      const { status, body: problem } = await send(method, path, token({ roles }), body);
      expect([method, status, problem.code]).toEqual([method, 403, 'forbidden']);
    }
  });

  it('do not make a maintainer an admin', async () => {
    const { status, body } = await send('GET', '/api/v1/AuditLog/', token());
    expect([status, body.code]).toEqual([403, 'forbidden']);
  });

  const pem = () => rsa.publicKey.export({ type: 'spki', format: 'pem' });
  const hmac = (text: string, key: string | Buffer) =>
    `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
  const without = (name: string) => {
    const rest: Claims = { ...claims };
    delete rest[name];
    return signToken(rsa, rest);
  };
  it.each<[string, () => string]>([
    [
      'HS256 with the public key as the secret',
      () => hmac(unsigned({ alg: 'HS256', kid: 'rsa-1' }, claims), pem()),
    ],
    ['RS256 in the header of an HMAC', () => hmac(unsigned({ alg: 'RS256', kid: 'rsa-1' }, claims), pem())],
    ['alg none', () => `${unsigned({ alg: 'none', kid: 'rsa-1' }, claims)}.`],
    ['alg RS512', () => signToken(rsa, claims, { alg: 'RS512' })],
    ['alg PS256', () => signToken(rsa, claims, { alg: 'PS256' })],
    ['RS256 with the kid of the EC key', () => signToken(rsa, claims, { kid: 'ec-1' })],
    ['ES256 with the kid of the RSA key', () => signToken(ec, claims, { kid: 'rsa-1' })],
    ['another RSA key', () => signToken(stranger, claims)],
    ['another EC key', () => signToken(strangerEc, claims)],
    [
      'its own key in the header',
      () => signToken(stranger, claims, { jwk: stranger.publicKey.export({ format: 'jwk' }) }),
    ],
    ['the address of its own keys', () => signToken(stranger, claims, { jku: 'http://127.0.0.1:9/' })],
    ['no kid', () => signToken(rsa, claims, { kid: undefined })],
    ['a kid that is not a text', () => signToken(rsa, claims, { kid: 1 })],
    [
      'a changed payload',
      () => token().replace(/\.[^.]+\./, `.${unsigned(0, { ...claims, sub: 'x' }).slice(3)}.`),
    ],
    ['another issuer', () => token({ iss: 'https://login.example.org/other' })],
    ['the issuer of this service', () => token({ iss: 'price-data-service', aud: 'price-data-service' })],
    ['no issuer', () => without('iss')],
    ['another audience', () => token({ aud: 'mail' })],
    ['no audience', () => without('aud')],
    ['expired', () => token({ exp: claims.iat - 5 })],
    ['not yet valid', () => token({ nbf: claims.iat + 6 })],
    ['issued in the future', () => token({ iat: claims.iat + 6 })],
    ['no expiry', () => without('exp')],
    ['an expiry that is a text', () => token({ exp: String(claims.exp) })],
    ['no time of issue', () => without('iat')],
    ['no subject', () => without('sub')],
    ['a subject that is a number', () => token({ sub: 1 })],
    ['an empty subject', () => token({ sub: '' })],
    ['a subject with a line break', () => token({ sub: 'anna\n"level":"info"' })],
    ['a subject of 256 characters', () => token({ sub: 'x'.repeat(256) })],
    ['a payload that is null', () => signToken(rsa, null)],
    ['a payload that is a text', () => signToken(rsa, 'text')],
    ['a payload that is a list', () => signToken(rsa, [])],
    ['truncated', () => token().slice(0, -2)],
    ['over 4 KiB', () => token({ filler: 'x'.repeat(4096) })],
  ])('are rejected: %s', async (_, make) => {
    const before = provider.requests;
    for (const [method, path, body] of [
      ['POST', '/api/v1/Source/', '{"name":"STOLEN"}'],
      ['GET', '/api/auth/me/', undefined],
    ] as const) {
      service.events.length = 0;
      const reply = await send(method, path, make(), body);
      expect([reply.status, reply.headers['www-authenticate'], reply.body.code]).toEqual([
        401,
        'Bearer error="invalid_token"',
        'token_not_valid',
      ]);
      expect(reply.body.detail).toBe('The token is not valid or has expired. Log in again.');
      expect(service.events.map(([event]) => event)).toEqual(['token_refused']);
    }
    expect(provider.requests).toBe(before);
  });

  it('are not accepted as refresh tokens', async () => {
    expect(await service.refresh(token())).toMatchObject({ status: 401, body: { code: 'token_not_valid' } });
  });

  it('do not make tokens of this service with their issuer valid', async () => {
    const { access } = await service.login();
    const header = JSON.parse(Buffer.from(access.split('.')[0]!, 'base64url').toString()) as object;
    const forged = hmac(unsigned(header, claims), 'a secret of the test suite, 0123456789');
    expect(await service.write(forged)).toBe(401);
  });

  it('are distinguished by subject for idempotency keys', async () => {
    const create = (sub: string) =>
      service
        .http()
        .post('/api/v1/Commodity/')
        .set({ Authorization: `Bearer ${token({ sub })}`, 'Idempotency-Key': 'k' })
        .send({ name: sub });
    const first = await create('carla').expect(201);
    expect((await create('carla').expect(201)).body).toEqual(first.body);
    expect((await create('dora').expect(201)).body).not.toEqual(first.body);
  });
});

describe('A14: the keys of the identity provider', () => {
  let provider: KeyServer;
  let service: AuthApp;
  let later = 0;
  beforeEach(async () => {
    provider = await KeyServer.start(rsa);
    service = await startAuthApp({ ...provider.settings, THROTTLE_UNAUTHENTICATED: '5' });
    later = 0;
    const now = Date.now.bind(Date);
    const monotonic = performance.now.bind(performance);
    jest.spyOn(Date, 'now').mockImplementation(() => now() + later);
    jest.spyOn(performance, 'now').mockImplementation(() => monotonic() + later);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await closeAuthApps();
    await provider.close();
  });

  const token = (key: ProviderKey, changes: Claims = {}) => {
    const iat = service.clock.milliseconds / 1000;
    const valid = { iss: ISSUER, aud: 'prices', sub: 'anna', iat, exp: iat + 3600, roles: ['admin'] };
    return signToken(key, { ...valid, ...changes });
  };
  const next = createKey('rsa-2');

  it('are fetched in the trace of the request', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const headers: [string, string][] = [
      ['Authorization', `Bearer ${token(rsa)}`],
      ['traceparent', traceparent],
    ];
    expect((await service.raw('GET', '/api/auth/me/', headers)).status).toBe(200);
    expect(provider.traceparent).toBe(traceparent);
  });

  it('are fetched again for an unknown one, at most every ten seconds', async () => {
    expect(await service.write(token(rsa))).toBe(200);
    provider.keys = [rsa, next];
    for (let i = 0; i < 2; i++) expect(await service.write(token(next))).toBe(401);
    expect(provider.requests).toBe(1);
    later += 10_001;
    expect(await service.write(token(next))).toBe(200);
    expect(await service.write(token(rsa))).toBe(200);
    expect(provider.requests).toBe(2);
    later += 10_001;
    const unknown = createKey('unknown');
    for (let i = 0; i < 2; i++) expect(await service.write(token(unknown))).toBe(401);
    expect(provider.requests).toBe(3);
  });

  it('are no longer accepted ten minutes after they were withdrawn', async () => {
    expect(await service.write(token(rsa))).toBe(200);
    provider.keys = [next];
    later += 10 * 60_000;
    expect(await service.write(token(rsa))).toBe(401);
    expect(await service.write(token(next))).toBe(200);
    expect(provider.requests).toBe(2);
  });

  const replies: [string, KeyServer['reply']][] = [
    ['closes connections', 'reset'],
    ['replies with 500', { status: 500, body: 'secret text of the provider' }],
    ['redirects', { status: 302, body: '' }],
    ['sends no JSON', { status: 200, body: '<html>secret text of the provider' }],
    ['sends no keys', { status: 200, body: '{"keys":"secret text of the provider"}' }],
  ];
  it.each(replies)('are used while the provider %s; a token with an unknown one is 503', async (_, reply) => {
    expect(await service.write(token(rsa))).toBe(200);
    provider.reply = reply;
    for (let i = 0; i < 3; i++) {
      later += 11 * 60_000;
      expect(await service.write(token(rsa))).toBe(200);
    }
    later += 10_001;
    const requests = provider.requests;
    const headers: [string, string][] = [['Authorization', `Bearer ${token(next)}`]];
    for (let i = 0; i < 3; i++) {
      const failed = await service.raw('GET', '/api/auth/me/', headers);
      expect([failed.status, failed.headers['retry-after'], failed.body.detail]).toEqual([
        503,
        '10',
        'The token cannot be verified, as the identity provider does not respond. Try again.',
      ]);
      expect(failed.body.code).toBe('unavailable');
      expect(JSON.stringify(failed)).not.toMatch(/secret|127\.0\.0\.1|jose|fetch/i);
    }
    expect(provider.requests).toBe(requests + 1);
    provider.reply = null;
    provider.keys = [rsa, next];
    later += 10_001;
    expect(await service.write(token(next))).toBe(200);
  });

  it('are waited for a few seconds only', async () => {
    provider.reply = 'none';
    expect(await service.write(token(rsa))).toBe(503);
  }, 20_000);

  it('are not there at first: 503, counted as unauthenticated writes, while own tokens work', async () => {
    provider.reply = 'reset';
    const { access } = await service.login();
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) statuses.push(await service.write(token(rsa)));
    expect(statuses).toEqual([503, 503, 503, 503, 503, 429, 429]);
    expect(provider.requests).toBe(1);
    expect(await service.write(access)).toBe(200);
  });
});

describe('R3: writes of accounts of the identity provider', () => {
  it('are throttled by issuer and subject, and the role claim may be a path', async () => {
    const provider = await KeyServer.start(rsa);
    const service = await startAuthApp({
      ...provider.settings,
      AUTH_ROLE_CLAIM: 'realm_access.roles',
      THROTTLE_WRITES: '2',
    });
    const iat = service.clock.milliseconds / 1000;
    const write = (sub: string) =>
      service.write(
        signToken(rsa, {
          iss: ISSUER,
          aud: 'prices',
          sub,
          iat,
          exp: iat + 60,
          realm_access: { roles: ['maintainer'] },
        }),
      );
    expect([await write('1'), await write('1'), await write('1')]).toEqual([200, 200, 429]);
    expect(await write('2')).toBe(200);
    // The account of this service with the id 1 is another.
    expect(await service.write((await service.login()).access)).toBe(200);
    await closeAuthApps();
    await provider.close();
  });

  it('are 401 without an identity provider', async () => {
    const service = await startAuthApp();
    const iat = service.clock.milliseconds / 1000;
    const claims = { iss: ISSUER, aud: 'prices', sub: '1', iat, exp: iat + 60, roles: ['admin'] };
    expect(await service.write(signToken(rsa, claims))).toBe(401);
    await closeAuthApps();
  });
});
