import { jest } from '@jest/globals';
import { createHash } from 'node:crypto';
import { LoginSessions } from '../../src/auth/sessions/login-sessions.js';
import { PasswordHasher } from '../../src/auth/accounts/password-hasher.js';
import { driverStatements } from '../support/driver-statements.js';
import { testAdmin } from '../support/test-app.js';
import { DAY, HOUR, MINUTE, otherPassword, closeAuthApps, startAuthApp, type AuthApp } from './auth-app.js';

/** The claims of a token, unverified. */
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown> & {
    exp: number;
    sid: string;
    jti: string;
  };

describe('sessions and refresh tokens', () => {
  let service: AuthApp;
  beforeEach(async () => (service = await startAuthApp()));
  afterEach(closeAuthApps);

  const logout = (refresh: string) => service.http().post('/api/auth/logout/').send({ refresh });
  const rejected = { status: 401, body: expect.objectContaining({ code: 'token_not_valid' }) };
  const eventNames = () => service.events.map(([event]) => event);

  describe('A1: lifetimes', () => {
    it('15 minutes for an access token, with 5 seconds of tolerance', async () => {
      const { access } = await service.login();
      service.clock.milliseconds += 15 * MINUTE + 4999;
      expect(await service.write(access)).toBe(200);
      service.clock.milliseconds += 1;
      expect(await service.write(access)).toBe(401);
    });

    it('24 hours unused for a refresh token', async () => {
      const [one, other] = [await service.login(), await service.login()];
      service.clock.milliseconds += DAY;
      expect((await service.refresh(one.refresh)).status).toBe(200);
      service.clock.milliseconds += 5000;
      expect(await service.refresh(other.refresh)).toMatchObject(rejected);
    });

    it('7 days from the login however often it is refreshed', async () => {
      const start = service.clock.milliseconds / 1000;
      let { refresh } = await service.login();
      const expiries: number[] = [];
      for (let day = 0; day < 8; day++) {
        expiries.push((claimsOf(refresh).exp - start) / 3600);
        service.clock.milliseconds += 23 * HOUR;
        const response = await service.refresh(refresh);
        if (response.status !== 200) break;
        refresh = response.body.refresh;
      }
      expect(expiries).toEqual([24, 47, 70, 93, 116, 139, 162, 168]);
      expect(await service.refresh(refresh)).toMatchObject(rejected);
    });

    it('and not by the seconds that clocks may differ by', async () => {
      const other = await startAuthApp({ REFRESH_TOKEN_TTL: '1h', REFRESH_TOKEN_IDLE_TTL: '1h' });
      const { refresh } = await other.login();
      other.clock.milliseconds += HOUR + 2000;
      expect(await other.refresh(refresh)).toMatchObject(rejected);
    });

    it('as configured', async () => {
      const other = await startAuthApp({
        ACCESS_TOKEN_TTL: '1m',
        REFRESH_TOKEN_TTL: '2h',
        REFRESH_TOKEN_IDLE_TTL: '3h',
      });
      const { access, refresh } = await other.login();
      const now = other.clock.milliseconds / 1000;
      expect([claimsOf(access).exp - now, claimsOf(refresh).exp - now]).toEqual([60, 7200]);
    });
  });

  describe('A5: refresh', () => {
    it('returns a new pair of the same session, and spends the old refresh token', async () => {
      const first = await service.login();
      service.clock.milliseconds += MINUTE;
      const { status, body: second } = await service.refresh(first.refresh);
      expect([status, Object.keys(second).sort()]).toEqual([200, ['access', 'refresh']]);
      expect(claimsOf(second.refresh).sid).toBe(claimsOf(first.refresh).sid);
      expect(new Set([first, second].flatMap(Object.values).map((token) => claimsOf(token).jti)).size).toBe(
        4,
      );
      expect(await service.write(second.access)).toBe(200);
      expect((await service.refresh(second.refresh)).status).toBe(200);
    });

    it('succeeds for one of 20 concurrent requests', async () => {
      const { refresh } = await service.login();
      const responses = await Promise.all(Array.from({ length: 20 }, () => service.refresh(refresh)));
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array<number>(19).fill(401)]);
    });
  });

  it('A6: reuse of a refresh token ends its session with the newest tokens, and is logged; other sessions go on', async () => {
    const [first, other] = [await service.login(), await service.login()];
    const { body: second } = await service.refresh(first.refresh);
    const { body: third } = await service.refresh(second.refresh);
    service.events.length = 0;
    expect(await service.refresh(first.refresh)).toMatchObject(rejected);
    const { sid, jti } = claimsOf(first.refresh);
    expect(service.events).toEqual([
      [
        'refresh_token_reused',
        {
          address: '127.0.0.1',
          requestId: expect.any(String),
          accountId: 1,
          sessionId: sid,
          tokenId: jti,
        },
      ],
    ]);
    expect(await service.refresh(third.refresh)).toMatchObject(rejected);
    expect(await service.write(third.access)).toBe(401);
    expect(await service.write(other.access)).toBe(200);
    expect((await service.refresh(other.refresh)).status).toBe(200);
  });

  describe('A7: sessions end', () => {
    it('by logout: the whole session, and no other', async () => {
      const [first, other] = [await service.login(), await service.login()];
      const { body: second } = await service.refresh(first.refresh);
      const response = await logout(second.refresh);
      expect([response.status, response.text, response.headers['cache-control']]).toEqual([
        204,
        '',
        'no-store',
      ]);
      expect(eventNames().at(-1)).toBe('logout');
      expect(await service.refresh(second.refresh)).toMatchObject(rejected);
      expect(await service.write(second.access)).toBe(401);
      expect(await service.write(first.access)).toBe(401);
      expect(await service.write(other.access)).toBe(200);
    });

    it('by logout with a spent token, which is logged as reuse', async () => {
      const first = await service.login();
      const { body: second } = await service.refresh(first.refresh);
      expect((await logout(first.refresh)).status).toBe(204);
      expect(eventNames().at(-1)).toBe('refresh_token_reused');
      expect(await service.write(second.access)).toBe(401);
    });

    it.each([
      ['nonsense', 'nonsense'],
      ['of three parts', 'a.b.c'],
      ['too long', 'x'.repeat(5000)],
    ])('not by logout with an invalid token: %s', async (_, token) => {
      const { access } = await service.login();
      const response = await logout(token);
      expect([response.status, response.text]).toEqual([204, '']);
      expect((await logout(access)).status).toBe(204);
      expect(await service.write(access)).toBe(200);
    });

    it('not by tokens that the service has not signed, which never reach the database', async () => {
      const forged = `${(await service.login()).refresh.slice(0, -6)}forged`;
      const other = await startAuthApp({ JWT_SECRET: 'the secret of another service, 123456' });
      const foreign = (await other.login()).refresh;
      const statements = await driverStatements(service.database, async () => {
        for (const token of ['nonsense', forged, foreign]) {
          expect((await logout(token)).status).toBe(204);
          expect(await service.refresh(token)).toMatchObject(rejected);
        }
      });
      expect(statements).toEqual([]);
    });

    it.each([
      ['disabling', () => service.accounts.setEnabled('anna', false)],
      ['a new password', () => service.accounts.setPassword('anna', 'quarry 15 lantern fog')],
    ])('by %s: all sessions, from the next request on', async (_, change) => {
      const account = await service.addAccount('anna');
      const [one, two, admin] = [
        await service.login(account),
        await service.login(account),
        await service.login(),
      ];
      expect(await service.write(one.access)).toBe(200);
      await change();
      expect(await service.write(one.access)).toBe(401);
      expect(await service.write(two.access)).toBe(401);
      const me = service.http().get('/api/auth/me/').set('Authorization', `Bearer ${one.access}`);
      expect((await me).body.code).toBe('token_not_valid');
      expect(await service.refresh(one.refresh)).toMatchObject(rejected);
      expect(await service.write(admin.access)).toBe(200);
      // Ended sessions stay ended.
      await service.accounts.setEnabled('anna', true);
      expect(await service.write(two.access)).toBe(401);
      expect(await service.refresh(two.refresh)).toMatchObject(rejected);
    });

    it('even when the account is disabled while the password is being verified', async () => {
      const account = await service.addAccount('anna');
      const hasher = service.app.get(PasswordHasher, { strict: false });
      jest.spyOn(hasher, 'verify').mockImplementation(async () => {
        await service.accounts.setEnabled('anna', false);
        return true;
      });
      const response = await service.http().post('/api/auth/login/').send(account);
      expect([response.status, response.body.code]).toEqual([401, 'authentication_failed']);
      expect(await service.database.rows('SELECT id FROM login_session')).toEqual([]);
    });
  });

  describe('A8: storage', () => {
    it('contains digests and no tokens in any table', async () => {
      const first = await service.login();
      const { body: second } = await service.refresh(first.refresh);
      const digest = (token: string) => createHash('sha256').update(token).digest('base64url');
      const stored = await service.database.rows<{ digest: string; spent: number }>(
        'SELECT digest, spent_at IS NOT NULL AS spent FROM refresh_token ORDER BY spent DESC',
      );
      expect(stored).toEqual([
        { digest: digest(first.refresh), spent: 1 },
        { digest: digest(second.refresh), spent: 0 },
      ]);
      const tables = ['account', 'login_session', 'refresh_token', 'auth_attempt', 'audit_log'];
      for (const table of tables) {
        const dump = JSON.stringify(await service.database.rows(`SELECT * FROM ${table}`));
        for (const token of [...Object.values(first), ...Object.values(second)]) {
          expect(dump).not.toContain(token);
          expect(dump).not.toContain(token.split('.')[2]);
        }
        expect(dump).not.toContain(testAdmin.password);
      }
    });

    it('limits an account to 20 open sessions; the oldest is ended', async () => {
      const account = await service.addAccount('anna');
      const admin = await service.login();
      const logins = [];
      for (let count = 0; count < 21; count++) {
        logins.push(await service.login(account));
        service.clock.milliseconds += 1000;
      }
      const statuses = [];
      for (const { access } of logins) statuses.push(await service.write(access));
      expect(statuses).toEqual([401, ...Array<number>(20).fill(200)]);
      expect(await service.refresh(logins[0]!.refresh)).toMatchObject(rejected);
      expect((await service.refresh(logins[1]!.refresh)).status).toBe(200);
      expect(await service.write(admin.access)).toBe(200);
    });

    it('does not count expired sessions towards the limit', async () => {
      const oldest = await service.login();
      service.clock.milliseconds += HOUR;
      for (let count = 0; count < 19; count++) await service.login();
      service.clock.milliseconds += 22 * HOUR;
      const { body: renewed } = await service.refresh(oldest.refresh);
      // The other nineteen have been idle for a day and have expired.
      service.clock.milliseconds += 3 * HOUR;
      await service.login();
      expect((await service.refresh(renewed.refresh)).status).toBe(200);
    });

    it('is purged of expired rows at the start and hourly', async () => {
      const count = async () =>
        (
          await service.database.arrays<[number, number]>(
            'SELECT (SELECT COUNT(*) FROM refresh_token), (SELECT COUNT(*) FROM login_session)',
          )
        )[0]!.map(Number);
      const old = await service.login();
      await service.refresh(old.refresh);
      service.clock.milliseconds += 20 * HOUR;
      await service.login();
      expect(await count()).toEqual([3, 2]);

      const intervals = jest.spyOn(global, 'setInterval');
      const second = await startAuthApp({ DATABASE_URL: service.databaseUrl });
      const hourly = intervals.mock.calls.filter(([, delay]) => delay === HOUR);
      intervals.mockRestore();
      second.clock.milliseconds = service.clock.milliseconds + 7 * HOUR;
      for (const [work] of hourly) work();
      for (let tries = 0; tries < 100 && (await count())[1] === 2; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(await count()).toEqual([1, 1]);

      service.clock.milliseconds += 3 * DAY;
      await service.app.get(LoginSessions, { strict: false }).purge();
      expect(await count()).toEqual([0, 0]);
    });
  });

  it('A8: a failed purge does not stop the service', async () => {
    const purge = jest.spyOn(LoginSessions.prototype, 'purge').mockRejectedValue(new Error('no database'));
    const other = await startAuthApp({ DATABASE_URL: service.databaseUrl });
    expect(purge).toHaveBeenCalledTimes(1);
    purge.mockRestore();
    expect(await other.write((await other.login()).access)).toBe(200);
  });

  it('R3: refreshes and logouts are unauthenticated writes of an address, whatever their tokens', async () => {
    const limited = await startAuthApp({ THROTTLE_UNAUTHENTICATED: '3' });
    const post = (path: string) => limited.http().post(`/api/auth/${path}/`).send({ refresh: 'nonsense' });
    const statuses = [];
    for (const path of ['logout', 'refresh', 'logout', 'logout', 'refresh'])
      statuses.push((await post(path)).status);
    expect(statuses).toEqual([204, 401, 204, 429, 429]);
    expect((await post('logout')).body.code).toBe('throttled');
    await limited.login();
  });

  describe('R3: refreshes', () => {
    it('are limited per minute and address, across all processes', async () => {
      const one = await startAuthApp({ THROTTLE_REFRESHES: '3', DATABASE_URL: service.databaseUrl });
      const two = await startAuthApp({ THROTTLE_REFRESHES: '3', DATABASE_URL: service.databaseUrl });
      let { refresh } = await one.login();
      for (const process of [one, two]) {
        const response = await process.refresh(refresh);
        expect(response.status).toBe(200);
        refresh = response.body.refresh;
      }
      await one.refresh((await two.login()).refresh);
      const response = await two.http().post('/api/auth/refresh/').send({ refresh });
      expect([response.status, response.body.code, response.headers['retry-after']]).toEqual([
        429,
        'throttled',
        '60',
      ]);
      expect(two.events.at(-1)![0]).toBe('refresh_throttled');
      two.clock.milliseconds += MINUTE;
      expect((await two.refresh(refresh)).status).toBe(200);
    });
  });

  it.each([
    ['an empty body', {}, 'required'],
    ['null', { refresh: null }, 'null'],
    ['a number', { refresh: 1 }, 'invalid_type'],
    ['blanks', { refresh: ' ' }, 'blank'],
  ])('B12, B13: a refresh or logout with %s is 400', async (_, body, code) => {
    for (const path of ['/api/auth/refresh/', '/api/auth/logout']) {
      const response = await service.http().post(path).send(body);
      expect([response.status, response.body.errors[0].code]).toEqual([400, code]);
    }
  });

  it('a changed password logs in, the old one does not', async () => {
    await service.addAccount('anna');
    await service.accounts.setPassword('anna', 'quarry 15 lantern fog');
    const attempt = (password: string) =>
      service.http().post('/api/auth/login/').send({ username: 'anna', password });
    expect((await attempt(otherPassword)).status).toBe(401);
    expect((await attempt('quarry 15 lantern fog')).status).toBe(200);
  });
});
