import { jest } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { PasswordHasher } from '../../src/auth/accounts/password-hasher.js';
import { SigningKeys } from '../../src/auth/tokens/signing-keys.js';
import { Environment } from '../../src/config/environment.js';
import { testAdmin } from '../support/test-app.js';
import { MINUTE, otherPassword, closeAuthApps, startAuthApp, type AuthApp } from './auth-app.js';

describe('login', () => {
  let service: AuthApp;
  beforeEach(async () => (service = await startAuthApp({ TRUST_PROXY: 'loopback' })));
  afterEach(closeAuthApps);

  const attempt = (username: string, password: string, address = '192.0.2.1') =>
    service.http().post('/api/auth/login/').set('X-Forwarded-For', address).send({ username, password });
  const hasher = () => service.app.get(PasswordHasher, { strict: false });
  const storedHash = async () => (await service.accounts.findByUsername('admin'))!.password_hash;

  it('returns a pair of tokens that must not be cached', async () => {
    const response = await attempt(testAdmin.username, testAdmin.password);
    expect(response.status).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.body).toEqual({ refresh: expect.any(String), access: expect.any(String) });
    const me = await service
      .http()
      .get('/api/auth/me')
      .set('Authorization', `Bearer ${response.body.access}`);
    expect([me.status, me.headers['cache-control'], me.body]).toEqual([
      200,
      'no-store',
      { id: 1, username: 'admin', role: 'admin' },
    ]);
  });

  describe('A9: failures', () => {
    it('get the same response and the same work for an unknown name, a wrong password and a disabled account', async () => {
      await service.addAccount('anna');
      await service.addAccount('berta');
      await service.accounts.setEnabled('berta', false);
      const verify = jest.spyOn(hasher(), 'verify');
      const responses = [
        await attempt('nobody', otherPassword),
        await attempt('anna', 'a wrong password of mine'),
        await attempt('berta', otherPassword),
        await attempt('Anna', otherPassword),
        await attempt('anna ', otherPassword),
      ].map(({ status, headers, text }) => {
        const id = headers['x-request-id'] as string;
        const same: Record<string, string> = { ...headers, 'x-request-id': '', date: '' };
        return { status, headers: same, text: text.replace(id, '') };
      });
      expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
      expect(responses[0]!.status).toBe(401);
      expect(responses[0]!.headers['www-authenticate']).toBe('Bearer');
      expect(JSON.parse(responses[0]!.text)).toEqual({
        type: '/problems/authentication_failed',
        title: 'Authentication failed',
        status: 401,
        code: 'authentication_failed',
        detail: 'No active account has this user name and password.',
        instance: 'urn:uuid:',
      });
      expect(verify).toHaveBeenCalledTimes(5);
      expect(verify.mock.calls.map(([passwordHash]) => passwordHash === null)).toEqual([
        true,
        false,
        false,
        true,
        true,
      ]);
    });

    it('O3: are logged with the full address and the HMAC of the name, logins with the account', async () => {
      const digest = service.app.get(SigningKeys, { strict: false }).nameDigest('my password by mistake');
      await attempt('my password by mistake', otherPassword, '203.0.113.77');
      await attempt(testAdmin.username, testAdmin.password, '203.0.113.78');
      expect(service.events).toEqual([
        ['login_failed', { address: '203.0.113.77', requestId: expect.any(String), nameDigest: digest }],
        [
          'login',
          {
            address: '203.0.113.78',
            requestId: expect.any(String),
            accountId: 1,
            username: 'admin',
            sessionId: expect.any(String),
          },
        ],
      ]);
      expect(digest).toMatch(/^[\w-]{43}$/);
    });
  });

  describe('A10: throttle', () => {
    beforeEach(() => {
      jest
        .spyOn(hasher(), 'verify')
        .mockImplementation(async (_, password) => password === testAdmin.password);
    });

    const fail = async (times: number, username: string, address?: string) => {
      const statuses: number[] = [];
      for (let time = 0; time < times; time++) {
        statuses.push((await attempt(username, 'wrong', address)).status);
      }
      return statuses;
    };
    const times = (count: number, status: number) => Array<number>(count).fill(status);

    it('rejects a name from an address after 10 failures in 15 minutes, even with the right password', async () => {
      expect(await fail(10, 'admin')).toEqual(times(10, 401));
      const rejected = await attempt('admin', testAdmin.password);
      expect([rejected.status, rejected.body.code, rejected.headers['retry-after']]).toEqual([
        429,
        'throttled',
        '900',
      ]);
      expect(service.events.at(-1)).toEqual([
        'login_throttled',
        { address: '192.0.2.1', requestId: expect.any(String), nameDigest: expect.any(String) },
      ]);
      // Other names and other addresses are not throttled, so nobody can lock a colleague out.
      expect((await attempt('anna', 'wrong')).status).toBe(401);
      expect((await attempt('admin', testAdmin.password, '192.0.2.2')).status).toBe(200);

      service.clock.milliseconds += 15 * MINUTE - 1000;
      const still = await attempt('admin', testAdmin.password);
      expect([still.status, still.headers['retry-after']]).toEqual([429, '1']);
      service.clock.milliseconds += 1000;
      expect((await attempt('admin', testAdmin.password)).status).toBe(200);
    });

    it('also applies to unknown names', async () => {
      expect(await fail(11, 'nobody')).toEqual([...times(10, 401), 429]);
    });

    it('uses a sliding window, and does not count rejected attempts', async () => {
      expect(await fail(5, 'admin')).toEqual(times(5, 401));
      service.clock.milliseconds += 14 * MINUTE;
      expect(await fail(7, 'admin')).toEqual([...times(5, 401), 429, 429]);
      service.clock.milliseconds += MINUTE;
      expect(await fail(7, 'admin')).toEqual([...times(5, 401), 429, 429]);
    });

    it('does not count successful logins', async () => {
      expect(await fail(9, 'admin')).toEqual(times(9, 401));
      for (let time = 0; time < 3; time++)
        expect((await attempt('admin', testAdmin.password)).status).toBe(200);
      expect(await fail(2, 'admin')).toEqual([401, 429]);
    });

    it('rejects an address after 100 failures on any names', async () => {
      for (let name = 0; name < 10; name++) {
        expect(await fail(10, `name${name}`)).toEqual(times(10, 401));
      }
      expect(await fail(1, 'another')).toEqual([429]);
      expect((await attempt('admin', testAdmin.password)).status).toBe(429);
      expect((await attempt('admin', testAdmin.password, '192.0.2.2')).status).toBe(200);
    });

    it('counts the /64 of an IPv6 address, and the IPv4 address in IPv6 form', async () => {
      expect(await fail(5, 'admin', '2001:db8:0:1::1')).toEqual(times(5, 401));
      expect(await fail(6, 'admin', '2001:0db8::1:ffff:ffff:ffff:ffff')).toEqual([...times(5, 401), 429]);
      expect(await fail(1, 'admin', '2001:db8:0:2::1')).toEqual([401]);
      expect(await fail(5, 'anna', '::ffff:198.51.100.7')).toEqual(times(5, 401));
      expect(await fail(6, 'anna', '198.51.100.7')).toEqual([...times(5, 401), 429]);
    });

    it('G4: comes after 406 and all that is wrong with the body, because it needs the name', async () => {
      expect(await fail(10, 'admin')).toEqual(times(10, 401));
      const login = () => service.http().post('/api/auth/login/').set('X-Forwarded-For', '192.0.2.1');
      const codes: unknown[] = [];
      for (const sent of [
        login().set('Accept', 'text/html').send(testAdmin),
        login().type('text/plain').send('{'),
        login().send({ ...testAdmin, padding: 'x'.repeat(200_000) }),
        login().type('json').send('{"username":"admin"'),
        login().send({ username: 'admin' }),
        login().send(testAdmin),
      ])
        codes.push((await sent).body.code);
      expect(codes).toEqual([
        'not_acceptable',
        'unsupported_media_type',
        'too_large',
        'parse_error',
        'invalid',
        'throttled',
      ]);
    });

    it('holds for concurrent attempts', async () => {
      const responses = await Promise.all(Array.from({ length: 30 }, () => attempt('admin', 'wrong')));
      const statuses = responses.map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      expect(statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
    });

    it('ignores attempts from before the clock was set back', async () => {
      expect(await fail(11, 'admin')).toEqual([...times(10, 401), 429]);
      service.clock.milliseconds -= 60 * MINUTE;
      expect(await fail(1, 'admin')).toEqual([401]);
    });

    it('counts those of an instance whose clock is ahead by up to a minute', async () => {
      service.clock.milliseconds += MINUTE;
      expect(await fail(5, 'admin')).toEqual(times(5, 401));
      service.clock.milliseconds -= MINUTE;
      expect(await fail(6, 'admin')).toEqual([...times(5, 401), 429]);
    });

    it('stores only the newest 50,000 attempts', async () => {
      const insert = 'INSERT INTO auth_attempt (id, kind, network, name_digest, at) VALUES (?, ?, ?, ?, ?)';
      await service.unitOfWork.run(async (transaction) => {
        for (const id of [7, 10_001, 10_002, 60_000])
          await transaction.execute(insert, [id, 'login', 'x', 'y', 'z']);
      });
      expect(await fail(1, 'admin')).toEqual([401]);
      const rows = await service.database.rows<{ id: number }>('SELECT id FROM auth_attempt ORDER BY id');
      expect(rows.map(({ id }) => id)).toEqual([10_002, 60_000, 60_001]);
    });

    it('is shared by all processes on the same database', async () => {
      const second = await startAuthApp({ DATABASE_URL: service.databaseUrl, TRUST_PROXY: 'loopback' });
      expect(await fail(10, 'admin')).toEqual(times(10, 401));
      const response = await second
        .http()
        .post('/api/auth/login/')
        .set('X-Forwarded-For', '192.0.2.1')
        .send(testAdmin);
      expect(response.status).toBe(429);
    });
  });

  describe('A11: hashes', () => {
    it('are Argon2id of at least 19 MiB, 2 passes, 1 lane and 16 bytes of salt', async () => {
      const [, kind, version, cost, salt, value] = (await storedHash()).split('$');
      expect([kind, version, cost]).toEqual(['argon2id', 'v=19', 'm=19456,t=2,p=1']);
      expect([Buffer.from(salt!, 'base64').length, Buffer.from(value!, 'base64').length]).toEqual([16, 32]);
    });

    it('that are weaker are replaced by the next login, but not by a failed one', async () => {
      const weak = await hash(testAdmin.password, { memoryCost: 8192, timeCost: 2, parallelism: 1 });
      await service.unitOfWork.run((transaction) =>
        transaction.execute('UPDATE account SET password_hash = ?', [weak]),
      );
      await attempt('admin', 'wrong');
      expect(await storedHash()).toBe(weak);
      await attempt('admin', testAdmin.password).expect(200);
      const rehashed = await storedHash();
      expect(rehashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      await attempt('admin', testAdmin.password).expect(200);
      expect(await storedHash()).toBe(rehashed);
    });

    it('are computed by few logins at once, while 16 wait and the rest get 503', async () => {
      const atOnce = Math.min(4, Math.max(1, availableParallelism() - 1));
      let hashing = 0;
      let release!: () => void;
      const released = new Promise<void>((resolve) => (release = resolve));
      jest.spyOn(hasher(), 'verify').mockImplementation(async () => {
        hashing++;
        await released;
        return false;
      });
      const statuses: number[] = [];
      const logins = Array.from({ length: 30 }, async (_, index) => {
        const response = await attempt(`name${index}`, 'wrong', `192.0.2.${index}`);
        statuses.push(response.status);
        return response;
      });
      while (hashing < atOnce || statuses.length < 30 - atOnce - 16) await sleep(5);
      expect(hashing).toBe(atOnce);
      expect(new Set(statuses)).toEqual(new Set([503]));
      release();
      const responses = await Promise.all(logins);
      expect(statuses.filter((status) => status === 401)).toHaveLength(atOnce + 16);
      const rejected = responses.find(({ status }) => status === 503)!;
      expect([rejected.body.code, rejected.headers['retry-after']]).toEqual(['unavailable', '1']);
    });

    it('F13: are not computed for clients that have disconnected while waiting', async () => {
      const queued = new PasswordHasher(new Environment({ WORKERS: '64' }));
      let finish!: () => void;
      const first = queued.runQueued(
        new AbortController().signal,
        () => new Promise<void>((end) => (finish = end)),
      );
      const client = new AbortController();
      const second = queued.runQueued(client.signal, () => Promise.resolve('second'));
      const third = queued.runQueued(new AbortController().signal, () => Promise.resolve('third'));
      client.abort();
      finish();
      await first;
      await expect(second).rejects.toThrow('aborted');
      expect(await third).toBe('third');
    });
  });
});

describe('login bodies', () => {
  let service: AuthApp;
  beforeAll(async () => (service = await startAuthApp()));
  afterAll(closeAuthApps);

  const good = { username: 'admin', password: otherPassword };
  it.each([
    ['an empty body', {}, ['username required', 'password required']],
    ['no password', { username: 'admin' }, ['password required']],
    ['an empty name', { ...good, username: '' }, ['username blank']],
    ['a blank name', { ...good, username: '  ' }, ['username blank']],
    ['an empty password', { ...good, password: '' }, ['password blank']],
    ['null', { ...good, password: null }, ['password null']],
    ['a number', { ...good, username: 5 }, ['username invalid_type']],
    ['an array', { ...good, password: ['x'] }, ['password invalid_type']],
    ['a name of 151 bytes', { ...good, username: 'x'.repeat(151) }, ['username too_long']],
    ['a name of 152 bytes in 76 letters', { ...good, username: 'é'.repeat(76) }, ['username too_long']],
    ['a password of 1025 bytes', { ...good, password: 'x'.repeat(1025) }, ['password too_long']],
    ['one of 1026 bytes in 513 letters', { ...good, password: 'é'.repeat(513) }, ['password too_long']],
    ['half a surrogate pair', { ...good, password: 'half \ud800 a pair' }, ['password invalid_text']],
    ['an unknown field', { ...good, email: 'x' }, ['email unknown_field']],
  ])('B19: %s is rejected before anything is hashed', async (_, body, expected) => {
    const verify = jest.spyOn(service.app.get(PasswordHasher, { strict: false }), 'verify').mockClear();
    const response = await service.http().post('/api/auth/login/').send(body);
    const { errors } = response.body as { errors: { name: string; code: string }[] };
    expect(response.status).toBe(400);
    expect(errors.map(({ name, code }) => `${name} ${code}`)).toEqual(expected);
    expect(verify).not.toHaveBeenCalled();
    expect(response.text).not.toContain(otherPassword);
  });

  it('G3: malformed JSON is not quoted in the response', async () => {
    const response = await service
      .http()
      .post('/api/auth/login/')
      .set('Content-Type', 'application/json')
      .send(`{"username":"admin","password":"${otherPassword}`);
    expect([response.status, response.body.code]).toEqual([400, 'parse_error']);
    expect(response.text).not.toContain('granite');
  });
});
