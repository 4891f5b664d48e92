import { Environment } from '../../src/config/environment.js';
import {
  closeAuthApps,
  DAY,
  HOUR,
  MINUTE,
  otherPassword,
  startAuthApp,
  type AuthApp,
} from '../auth/auth-app.js';
import { startTestApp, testAdmin } from '../support/test-app.js';
import { cookieOf, DeskBrowser, expectDeskPage, tokenOf } from './desk.js';

const HOSTILE = '"><script>alert(1)</script>';

afterAll(closeAuthApps);

describe('the login of the desk', () => {
  let service: AuthApp;
  beforeAll(async () => (service = await startAuthApp()));
  const browser = () => new DeskBrowser(service);

  it('is asked of every visitor, who returns to the page', async () => {
    for (const [address, location] of [
      ['/desk/', '/desk/login'],
      ['/desk/?a=1', '/desk/login?next=%2Fdesk%2F%3Fa%3D1'],
    ]) {
      for (const method of ['get', 'head'] as const) {
        const { status, headers, text } = await service.http()[method](address!).set('Accept', 'text/html');
        expect([status, headers.location, text ?? '', headers['cache-control']]).toEqual([
          303,
          location,
          '',
          'no-store',
        ]);
      }
    }
    const { status, headers } = await browser().open('/desk');
    expect([status, headers.location]).toEqual([303, '/desk/']);
  });

  it('opens a session in a cookie for the desk alone', async () => {
    const response = await browser().post('/desk/login', { ...testAdmin, next: '/desk/?page=2' });
    expect([response.status, response.headers.location]).toEqual([303, '/desk/?page=2']);
    expect(cookieOf(response.headers)).toMatch(
      /^desk_session=[\w-]{43}; Path=\/desk\/; HttpOnly; SameSite=Strict$/,
    );
    expect(service.events.at(-1)).toMatchObject(['login', { username: 'admin', accountId: 1 }]);
    const signedIn = await browser().login();
    const html = await signedIn.page('/desk/');
    expect(html).toContain('<a href="/desk/accounts"');
    expect(html).toContain('<bdi>admin</bdi>');
    const again = await signedIn.open('/desk/login?next=/desk/?page=2');
    expect([again.status, again.headers.location]).toEqual([303, '/desk/?page=2']);
  });

  it('marks the cookie as secure behind TLS', async () => {
    const secure = await startTestApp({ PUBLIC_URL: 'https://prices.example.org' });
    const response = await new DeskBrowser(secure).post('/desk/login', testAdmin);
    expect(cookieOf(response.headers)).toMatch(
      /^__Host-desk_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const signedIn = await new DeskBrowser(secure).login();
    await signedIn.page('/desk/');
    await secure.close();
  });

  it('marks the cookie as secure behind TLS below a path, and keeps it there', async () => {
    const below = await startTestApp({ PUBLIC_URL: 'https://example.org/prices' });
    const response = await new DeskBrowser(below).post('/desk/login', { ...testAdmin, next: '/desk/tables' });
    expect(response.headers.location).toBe('/prices/desk/tables');
    expect(cookieOf(response.headers)).toMatch(
      /^__Secure-desk_session=[\w-]{43}; Path=\/prices\/desk\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    await below.close();
  });

  it('ends the session before it in the same browser', async () => {
    const first = await browser().login();
    const second = browser();
    second.cookie = first.cookie;
    await second.login();
    expect(second.cookie).not.toBe(first.cookie);
    expect((await first.open('/desk/')).headers.location).toBe('/desk/login');
    await second.page('/desk/');
  });

  it('counts forms without a session by address, and those of a session for its account', async () => {
    const limited = await startAuthApp({ THROTTLE_WRITES: '4', THROTTLE_UNAUTHENTICATED: '2' });
    const stranger = new DeskBrowser(limited);
    const statuses = async (from: DeskBrowser, times: number) => {
      const found = [];
      for (let time = 0; time < times; time++)
        found.push((await from.post('/desk/logout', { form_token: 'x' })).status);
      return found;
    };
    expect(await statuses(stranger, 3)).toEqual([303, 303, 429]);
    const signedIn = await new DeskBrowser(limited).login();
    expect(await statuses(signedIn, 5)).toEqual([403, 403, 403, 403, 429]);
  });

  it('stores digests only', async () => {
    const { cookie } = await browser().login();
    const rows = await service.database.rows<object>('SELECT * FROM refresh_token');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(cookie!.split('=')[1]);
  });

  it.each([
    'https://evil.example/desk/',
    'https://evil.example/desk/tables?a=1',
    '//evil.example/desk/tables',
    'http://[',
    '//evil.example/desk/',
    '/\\evil.example/desk/',
    '\\\\evil.example/desk/',
    '/desk/../data',
    '/desk/%2e%2e/data',
    '/desk',
    '/data',
    '/desk/login',
    '/desk/logout',
    '/desk/login/',
    '/desk/logout/x',
    '/desk/callback',
    '/desk/sign-in?next=%2Fdesk%2F',
    '/desk/invitation/aToken',
    'javascript:alert(1)//desk/',
    'http://desk.invalid/other',
    '',
  ])('returns nowhere but to a page of the desk: %j', async (next) => {
    const response = await browser().post('/desk/login', { ...testAdmin, next });
    expect([response.status, response.headers.location]).toEqual([303, '/desk/']);
  });

  it.each(['/desk/logins', '/desk/tables/login', '/desk/sign-ins?a=1'])(
    'returns to a page whose address only begins like that of the login: %j',
    async (next) => {
      const { headers } = await browser().post('/desk/login', { ...testAdmin, next });
      expect(headers.location).toBe(next);
    },
  );

  it('rejects a wrong password, an unknown name and a disabled account alike', async () => {
    await service.addAccount('carla');
    await service.accounts.setEnabled('carla', false);
    const texts = [];
    for (const login of [
      { username: 'admin', password: 'wrong' },
      { username: 'nobody', password: 'wrong' },
      { username: 'carla', password: otherPassword },
    ]) {
      const response = await browser().post('/desk/login', { ...login, next: '/desk/?a' });
      expectDeskPage(response, 401);
      expect(response.headers['set-cookie']).toBeUndefined();
      expect(response.text).toContain('name="next" value="/desk/?a"');
      expect(response.text).not.toContain(login.password);
      expect(service.events.at(-1)![0]).toBe('login_failed');
      texts.push(response.text.replace(login.username, ''));
    }
    expect(new Set(texts).size).toBe(1);
  });

  it('names the field that is missing or too long, and escapes what was sent', async () => {
    const response = await browser().post('/desk/login', { username: HOSTILE, next: HOSTILE });
    expectDeskPage(response, 400);
    expect(response.text).toContain('value="&quot;&gt;&lt;script&gt;');
    expect(response.text).toMatch(/id="password-error">password [^<]+\.<\/strong>/);
    const long = await browser().post('/desk/login', { username: 'a'.repeat(151), password: 'x' });
    expect(long.status).toBe(400);
    expect(long.text).toMatch(/id="username-error">username [^<]*150/);
  });

  it('takes forms alone, and no more than any body', async () => {
    const json = await service.http().post('/desk/login').set('Accept', 'text/html').send(testAdmin);
    expectDeskPage(json, 415);
    const large = await browser().post('/desk/login', { ...testAdmin, next: 'x'.repeat(110_000) });
    expectDeskPage(large, 413);
    const form = await service.http().post('/api/auth/login').type('form').send(testAdmin);
    expect(form.status).toBe(415);
  });

  it('is throttled with the logins of the API', async () => {
    const throttled = await startAuthApp();
    const browser = new DeskBrowser(throttled);
    for (let attempt = 0; attempt < 10; attempt++)
      expect((await browser.post('/desk/login', { username: 'admin', password: 'wrong' })).status).toBe(401);
    const response = await browser.post('/desk/login', testAdmin);
    expectDeskPage(response, 429);
    expect(response.headers['retry-after']).toBe('900');
    expect((await throttled.http().post('/api/auth/login/').send(testAdmin)).status).toBe(429);
  });
});

describe('a session of the desk', () => {
  let service: AuthApp;
  beforeAll(async () => (service = await startAuthApp()));
  const browser = () => new DeskBrowser(service);
  const isOpen = async (one: DeskBrowser) => (await one.open('/desk/')).status === 200;

  it('ends by the sign out, and only by the form', async () => {
    const one = await browser().login();
    const other = await browser().login();
    expect((await one.open('/desk/logout')).status).toBe(405);
    const response = await one.submit('/desk/logout');
    expect([response.status, response.headers.location]).toEqual([303, '/desk/login']);
    expect(cookieOf(response.headers)).toMatch(/^desk_session=; Path=\/desk\/; Expires=Thu, 01 Jan 1970/);
    expect(service.events.at(-1)![0]).toBe('logout');
    expect([await isOpen(one), await isOpen(other)]).toEqual([false, true]);
  });

  it('ends when it is not used for a day, and after a week in any case', async () => {
    const idle = await browser().login();
    service.clock.milliseconds += DAY - HOUR;
    const used = await browser().login();
    expect(await isOpen(idle)).toBe(true);
    service.clock.milliseconds += DAY - MINUTE;
    expect(await isOpen(idle)).toBe(true);
    service.clock.milliseconds += DAY;
    expect([await isOpen(idle), await isOpen(used)]).toEqual([false, false]);
    const busy = await browser().login();
    for (let hour = 0; hour < 7 * 24; hour += 12) {
      expect([hour, await isOpen(busy)]).toEqual([hour, true]);
      service.clock.milliseconds += DAY / 2;
    }
    expect(await isOpen(busy)).toBe(false);
  });

  it('ends when the account is disabled or its password changed, and follows its role', async () => {
    const account = await service.addAccount('dora');
    const one = await browser().login(account);
    expect(await one.page('/desk/')).not.toContain('/desk/accounts');
    await service.accounts.setPassword('dora', 'quarry 58 violet tin');
    expect(await isOpen(one)).toBe(false);
    await service.accounts.setPassword('dora', otherPassword);
    const other = await browser().login(account);
    await service.accounts.setEnabled('dora', false);
    expect(await isOpen(other)).toBe(false);
    await service.accounts.setEnabled('dora', true);
    expect(await isOpen(other)).toBe(false);
  });

  it('stays open after a key rotation while the previous key is configured, and ends without it', async () => {
    const { databaseUrl: DATABASE_URL } = service;
    const JWT_SECRET = 'the next secret of the suite, 9876543210';
    const JWT_SECRET_PREVIOUS = service.app.get(Environment).jwtSecret!;
    const { cookie } = await browser().login();
    const { cookie: ended } = await browser().login();
    const at = (app: AuthApp, of: string | null) => Object.assign(new DeskBrowser(app), { cookie: of });

    const rotated = await startAuthApp({ DATABASE_URL, JWT_SECRET, JWT_SECRET_PREVIOUS });
    expect(await isOpen(at(rotated, cookie))).toBe(true);
    expect((await at(rotated, ended).submit('/desk/logout')).status).toBe(303);
    expect(await isOpen(at(rotated, ended))).toBe(false);
    const { cookie: opened } = await new DeskBrowser(rotated).login();

    const changed = await startAuthApp({ DATABASE_URL, JWT_SECRET });
    expect(await isOpen(at(changed, cookie))).toBe(false);
    expect(await isOpen(at(changed, opened))).toBe(true);
    expect(await isOpen(at(service, cookie))).toBe(true);
  });

  it('is no token of the API, and tokens of the API are no cookies', async () => {
    const { cookie } = await browser().login();
    const token = cookie!.split('=')[1]!;
    expect(await service.write(token)).toBe(401);
    expect((await service.refresh(token)).status).toBe(401);
    const { access, refresh } = await service.login();
    for (const value of [access, refresh, 'x', '', 'a'.repeat(43), `${token}x`]) {
      const one = browser();
      one.cookie = `desk_session=${value}`;
      expect(await isOpen(one)).toBe(false);
    }
    const write = await service.http().patch('/api/v1/PriceType/11/').set('Cookie', cookie!).send({});
    expect(write.status).toBe(401);
  });
});

describe('what other sites send to the desk', () => {
  let service: AuthApp;
  let browser: DeskBrowser;
  beforeAll(async () => {
    service = await startAuthApp();
    browser = await new DeskBrowser(service).login();
  });

  it.each(['cross-site', 'same-site', 'none', 'other'])('is rejected as a form: %s', async (site) => {
    const token = tokenOf(await browser.page('/desk/'));
    for (const [address, fields] of [
      ['/desk/logout', { form_token: token }],
      ['/desk/login', testAdmin],
    ] as const) {
      const response = await browser.post(address, fields).set('Sec-Fetch-Site', site);
      expectDeskPage(response, 403);
      expect(response.headers['set-cookie']).toBeUndefined();
    }
  });

  it.each(['cross-site', 'same-site', 'other'])('is rejected as a link, with a way on: %s', async (site) => {
    const response = await browser.open('/desk/?a=<b>').set('Sec-Fetch-Site', site);
    expectDeskPage(response, 403);
    expect(response.text).toContain('<a href="/desk/?a=%3Cb%3E">Open the page</a>');
    expect((await browser.open('/desk/').set('Sec-Fetch-Site', 'none')).status).toBe(200);
  });

  it('is rejected by its origin where there is no Sec-Fetch-Site', async () => {
    const { port } = new URL(await service.app.getUrl());
    const send = async (origin: string | null) => {
      const test = service.http().post('/desk/login').type('form').set('Accept', 'text/html');
      return (await (origin === null ? test : test.set('Origin', origin)).send(testAdmin)).status;
    };
    expect(await send(null)).toBe(303);
    expect(await send(`http://127.0.0.1:${port}`)).toBe(303);
    for (const origin of ['null', 'http://evil.example', `http://127.0.0.1:${port}1`])
      expect([origin, await send(origin)]).toEqual([origin, 403]);
  });

  it('is rejected without the token of the session, and changes nothing', async () => {
    const other = await new DeskBrowser(service).login();
    const token = tokenOf(await browser.page('/desk/'));
    const foreign = tokenOf(await other.page('/desk/'));
    for (const fields of [null, '', foreign, `${token}x`]) {
      const response = await browser.post('/desk/logout', fields === null ? {} : { form_token: fields });
      expectDeskPage(response, 403);
      expect(response.text).toContain('The form does not belong to your session');
    }
    const twice = browser.post('/desk/logout', {}).send(`form_token=${token}&form_token=${token}`);
    expect((await twice).status).toBe(403);
    expect(await browser.page('/desk/')).toContain('<bdi>admin</bdi>');
  });

  it('is sent to the login without a session, back to the page of the form', async () => {
    const visitor = new DeskBrowser(service);
    const { port } = new URL(await service.app.getUrl());
    for (const [referer, location] of [
      [`http://127.0.0.1:${port}/desk/x?page=2`, '/desk/login?next=%2Fdesk%2Fx%3Fpage%3D2'],
      [`https://127.0.0.1:${port}/desk/x`, '/desk/login?next=%2Fdesk%2Fx'],
      ['http://evil.example/desk/x', '/desk/login'],
      [`http://127.0.0.1:${port}/data`, '/desk/login'],
      ['rubbish', '/desk/login'],
      [null, '/desk/login'],
    ] as const) {
      const form = visitor.post('/desk/logout', {});
      const response = await (referer === null ? form : form.set('Referer', referer));
      expect([response.status, response.headers.location]).toEqual([303, location]);
    }
  });

  it('is sent back to the page of the form below a path, too', async () => {
    const below = await startTestApp({ PUBLIC_URL: 'https://example.org/prices' });
    const { headers } = await new DeskBrowser(below)
      .post('/desk/logout', {})
      .set('Referer', 'https://example.org/prices/desk/x?page=2');
    expect(headers.location).toBe('/prices/desk/login?next=%2Fdesk%2Fx%3Fpage%3D2');
    await below.close();
  });
});

it('EXPLORER=off removes the desk', async () => {
  const service = await startTestApp({ EXPLORER: 'off' });
  for (const address of ['/desk', '/desk/', '/desk/login'])
    expect([address, (await service.http().get(address)).status]).toEqual([address, 404]);
  expect((await service.http().post('/desk/login').type('form').send(testAdmin)).status).toBe(404);
  await service.close();
});

it('errors are pages of the desk', async () => {
  const service = await startAuthApp();
  const browser = new DeskBrowser(service);
  const missing = await browser.open('/desk/nothing');
  expectDeskPage(missing, 404);
  expect(missing.text).not.toContain('<nav');
  expectDeskPage(await browser.post('/desk/nothing', {}), 404);
  expect((await service.http().get('/desk/').set('Accept', 'application/json')).status).toBe(406);
});
