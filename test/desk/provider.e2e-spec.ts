import { jest } from '@jest/globals';
import { closeAuthApps, DAY, MINUTE, startAuthApp, type AuthApp } from '../auth/auth-app.js';
import { createKey } from '../auth/identity-provider.js';
import { BROWSER_ACCEPT } from '../explorer/pages.js';
import { SigningKeys } from '../../src/auth/tokens/signing-keys.js';
import { DeskBrowser, expectDeskPage, formOf, tokenOf } from './desk.js';
import { SignInProvider } from './sign-in-provider.js';

const key = createKey('rsa-1');
const stranger = createKey('rsa-1');

describe('the sign-in by an identity provider', () => {
  let provider: SignInProvider;
  let service: AuthApp;
  beforeAll(async () => {
    provider = await SignInProvider.start(key);
    service = await startAuthApp({ ...provider.settings, PUBLIC_URL: 'https://prices.example.org' });
  });
  beforeEach(() => {
    provider.now = service.clock.milliseconds / 1000;
    provider.idClaims = { roles: ['maintainer'] };
    provider.accessClaims = null;
    provider.signer = key;
  });
  afterAll(async () => {
    await closeAuthApps();
    await provider.close();
  });

  /** Follows the link of the login to the provider. */
  const begin = async (next = '/desk/findings?rule=spike') => {
    const { status, headers } = await new DeskBrowser(service).open(
      `/desk/sign-in?next=${encodeURIComponent(next)}`,
    );
    expect(status).toBe(303);
    const [cookie] = headers['set-cookie'] as unknown as string[];
    return { address: headers.location!, cookie: cookie! };
  };
  /** Comes back from the provider. */
  const comeBack = (query: Record<string, string>, cookie: string | null) => {
    const request = service
      .http()
      .get('/desk/callback')
      .query(query)
      .set({ Accept: BROWSER_ACCEPT, 'Sec-Fetch-Site': 'cross-site' });
    return cookie === null ? request : request.set('Cookie', cookie.split(';')[0]!);
  };
  const signIn = async (next?: string) => {
    const { address, cookie } = await begin(next);
    return comeBack(provider.authorize(address), cookie);
  };
  /** A browser with the session of a response. */
  const browserOf = (headers: Record<string, unknown>) => {
    const browser = new DeskBrowser(service);
    const cookies = headers['set-cookie'] as string[];
    browser.cookie = cookies.find((cookie) => cookie.startsWith('__Host-desk_session='))!.split(';')[0]!;
    return browser;
  };

  it('is a link on the login, which goes to the provider with state, nonce and PKCE', async () => {
    const login = await new DeskBrowser(service).page('/desk/login?next=/desk/findings');
    expect(login).toContain('href="/desk/sign-in?next=%2Fdesk%2Ffindings"');
    const { address, cookie } = await begin();
    const { origin, pathname, searchParams } = new URL(address);
    expect(`${origin}${pathname}`).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(searchParams)).toEqual({
      tenant: '1',
      response_type: 'code',
      client_id: 'the desk',
      redirect_uri: 'https://prices.example.org/desk/callback',
      scope: 'openid',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(cookie).toMatch(
      /^desk_sign_in=[\w-]+; Max-Age=600; Path=\/desk\/callback; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('opens a session, by a page that opens the next one', async () => {
    const response = await signIn();
    expectDeskPage(response, 200);
    expect(response.text).toContain(
      '<meta http-equiv="refresh" content="0; url=/desk/findings?rule=spike" />',
    );
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(/^desk_sign_in=; Path=\/desk\/callback; Expires=Thu, 01 Jan 1970/),
      expect.stringMatching(/^__Host-desk_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    ]);
    const { authorization, form } = provider.exchanges.at(-1)!;
    expect(Buffer.from(authorization!.slice(6), 'base64').toString()).toBe('the+desk:a%3Asecret%25');
    expect([form.get('grant_type'), form.get('client_id')]).toEqual(['authorization_code', null]);
    const browser = browserOf(response.headers);
    const page = await browser.page('/desk/');
    expect(page).toContain('<bdi>anna|7</bdi>');
    expect(page).not.toContain('/desk/accounts');
    const rows = await service.database.rows('SELECT * FROM provider_session');
    expect(JSON.stringify(rows)).not.toContain(browser.cookie!.split('=')[1]);
    const out = await browser.post('/desk/logout', { form_token: tokenOf(page) });
    expect(out.status).toBe(303);
    expect((await browser.open('/desk/')).status).toBe(303);
    expect(service.events.slice(-2)).toMatchObject([
      ['login', { username: 'anna|7', sessionId: expect.any(String) }],
      ['logout', { sessionId: expect.any(String) }],
    ]);
  });

  it('gets a form back whose session has ended, by a sign-in in another tab', async () => {
    const typed = { name: 'Maize of July', reason: 'why' };
    const address = '/desk/tables/Commodity/new';
    const form = formOf(await browserOf((await signIn()).headers).page(address), address);
    const login = await new DeskBrowser(service).post(address, { ...form.fields, ...typed });
    expectDeskPage(login, 403);
    expect(login.text).toMatch(/href="\/desk\/sign-in[^"]*"\s+target="_blank"/);
    const { fields } = formOf(login.text, '/desk/login');
    expect(fields).toEqual({ kept: expect.any(String) });
    const again = await browserOf((await signIn()).headers).post('/desk/login', fields);
    expectDeskPage(again, 200);
    expect(formOf(again.text, address).fields).toMatchObject(typed);
  });

  it('ends where the service has another provider now', async () => {
    const { headers } = await signIn();
    const [browser, other] = [browserOf(headers), browserOf((await signIn()).headers)];
    const [row] = await service.database.rows<{ digest: string }>(
      'SELECT digest FROM provider_session WHERE digest = ?',
      [service.app.get(SigningKeys).sessionDigests(browser.cookie!.split('=')[1]!)[0]],
    );
    await service.unitOfWork.run((transaction) =>
      transaction.execute('UPDATE provider_session SET issuer = ? WHERE digest = ?', [
        'https://former.example',
        row!.digest,
      ]),
    );
    expect((await browser.open('/desk/')).status).toBe(303);
    expect((await other.open('/desk/')).status).toBe(200);
  });

  it('ends after the idle time, used or not', async () => {
    const browser = browserOf((await signIn()).headers);
    service.clock.milliseconds += DAY - MINUTE;
    expect((await browser.open('/desk/')).status).toBe(200);
    service.clock.milliseconds += 2 * MINUTE;
    expect((await browser.open('/desk/')).status).toBe(303);
  });

  it('takes the role of the ID token, else that of the access token of the same account', async () => {
    provider.idClaims = { roles: ['admin'] };
    expect(await browserOf((await signIn()).headers).page('/desk/')).toContain('/desk/accounts');
    provider.idClaims = {};
    provider.accessClaims = { roles: ['admin'] };
    expect(await browserOf((await signIn()).headers).page('/desk/')).toContain('/desk/accounts');
    for (const access of [
      null,
      { roles: ['reader'] },
      { roles: ['admin'], sub: 'berta' },
      { roles: ['admin'], aud: 'other' },
      { roles: ['admin'], exp: provider.now - 60 },
    ]) {
      provider.accessClaims = access;
      const response = await signIn();
      expectDeskPage(response, 403);
      expect(response.text).toContain('Your account has no role here');
      expect(JSON.stringify(response.headers['set-cookie'])).not.toContain('desk_session');
    }
  });

  it.each<[string, Record<string, unknown>]>([
    ['of another sign-in', { nonce: 'other' }],
    ['without a nonce', { nonce: undefined }],
    ['for another application', { aud: 'prices' }],
    ['for another party', { aud: ['the desk', 'other'], azp: 'other' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that has expired', { exp: 1 }],
    ['without a subject', { sub: undefined }],
  ])('rejects an ID token %s', async (_, claims) => {
    provider.idClaims = { roles: ['admin'], ...claims };
    const response = await signIn();
    expectDeskPage(response, 403);
    expect(JSON.stringify(response.headers['set-cookie'])).not.toContain('desk_session');
  });

  it('rejects an ID token of another key', async () => {
    provider.signer = stranger;
    expectDeskPage(await signIn(), 403);
  });

  it('rejects what was not begun in this browser, or comes back without a code', async () => {
    const { address, cookie } = await begin();
    const back = provider.authorize(address);
    const other = await begin();
    for (const [query, kept] of [
      [back, null],
      [back, other.cookie],
      [back, 'desk_sign_in=rubbish'],
      [back, `desk_sign_in=${Buffer.from('null').toString('base64url')}`],
      [{ code: back.code }, cookie],
      [{ ...back, state: 'x' }, cookie],
    ] as const)
      expectDeskPage(await comeBack(query, kept), 403);
    const denied = await comeBack({ state: back.state, error: 'access_denied' }, cookie);
    expectDeskPage(denied, 403);
    expect(denied.text).toContain('has not signed you in (access_denied).');
    const hostile = await comeBack({ state: back.state, error: '<script>alert(1)</script>' }, cookie);
    expect(hostile.text).toContain('has not signed you in.');
    expectDeskPage(await comeBack({ ...back, code: 'guessed' }, cookie), 403);
    expectDeskPage(await comeBack(back, cookie), 200);
    expectDeskPage(await comeBack(back, cookie), 403);
  });

  it('leads nowhere but to a page of the desk', async () => {
    for (const next of ['https://evil.example/', '//evil.example/', '/desk/callback?x', '/desk/sign-in'])
      expect((await signIn(next)).text).toContain('content="0; url=/desk/"');
  });

  it('is begun by the desk alone', async () => {
    const response = await new DeskBrowser(service).open('/desk/sign-in').set('Sec-Fetch-Site', 'cross-site');
    expectDeskPage(response, 403);
  });
});

describe('an identity provider that does not do as it should', () => {
  afterEach(closeAuthApps);

  it.each<[string, Record<string, unknown>]>([
    ['names another issuer', { issuer: 'https://evil.example' }],
    ['has no token endpoint', { token_endpoint: undefined }],
    ['has an endpoint without encryption', { authorization_endpoint: 'http://evil.example/' }],
  ])('gives 503 where it %s', async (_, discovery) => {
    const provider = await SignInProvider.start(key);
    provider.discovery = discovery;
    const service = await startAuthApp(provider.settings);
    const response = await new DeskBrowser(service).open('/desk/sign-in');
    await provider.close();
    expectDeskPage(response, 503);
    expect(response.headers['retry-after']).toBe('10');
  });

  it('gives 503 while it does not respond, and the login by password works', async () => {
    const provider = await SignInProvider.start(key);
    const service = await startAuthApp(provider.settings);
    await provider.close();
    expectDeskPage(await new DeskBrowser(service).open('/desk/sign-in'), 503);
    await new DeskBrowser(service).login();
  });

  it('is asked once in ten seconds, however many sign in', async () => {
    const provider = await SignInProvider.start(key);
    provider.discovery = { issuer: 'https://evil.example' };
    const service = await startAuthApp(provider.settings);
    const browser = new DeskBrowser(service);
    const visit = async () => (await browser.open('/desk/sign-in')).status;
    expect(await Promise.all([visit(), visit(), visit()])).toEqual([503, 503, 503]);
    provider.discovery = {};
    expect([await visit(), provider.discoveries]).toEqual([503, 1]);
    const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
    expect([await visit(), await visit(), provider.discoveries]).toEqual([303, 303, 2]);
    now.mockRestore();
    await provider.close();
  });

  it('gets the secret in the body where it says so', async () => {
    const provider = await SignInProvider.start(key);
    provider.discovery = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    const service = await startAuthApp(provider.settings);
    const { headers } = await new DeskBrowser(service).open('/desk/sign-in');
    const [cookie] = headers['set-cookie'] as unknown as string[];
    const back = provider.authorize(headers.location!);
    await service.http().get('/desk/callback').query(back).set('Cookie', cookie!.split(';')[0]!);
    await provider.close();
    const { authorization, form } = provider.exchanges[0]!;
    expect([authorization, form.get('client_id'), form.get('client_secret')]).toEqual([
      undefined,
      'the desk',
      'a:secret%',
    ]);
  });
});

it('the sign-in by an identity provider is not there without a client', async () => {
  const service = await startAuthApp();
  const browser = new DeskBrowser(service);
  expect(await browser.page('/desk/login')).not.toContain('/desk/sign-in');
  expectDeskPage(await browser.open('/desk/sign-in'), 404);
  expectDeskPage(await browser.open('/desk/callback?state=x&code=y'), 403);
  await closeAuthApps();
});
