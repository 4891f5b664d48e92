import { jest } from '@jest/globals';
import { AccountRecords } from '../../src/auth/accounts/account-records.js';
import { Invitations } from '../../src/auth/invitations/invitations.js';
import { CookieSessions } from '../../src/auth/sessions/cookie-sessions.js';
import { SigningKeys } from '../../src/auth/tokens/signing-keys.js';
import { tokenDigest } from '../../src/auth/tokens/tokens.js';
import { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { ServiceLog } from '../../src/platform/logging/service-log.js';
import { closeAuthApps, HOUR, MINUTE, otherPassword, startAuthApp, type AuthApp } from '../auth/auth-app.js';
import { createKey } from '../auth/identity-provider.js';
import { BROWSER_ACCEPT, expectSafe, PAGE_POLICY, tableRows } from '../explorer/pages.js';
import { testAdmin } from '../support/test-app.js';
import { DeskBrowser, expectDeskPage, hiddenFields } from './desk.js';
import { SignInProvider } from './sign-in-provider.js';

const NOW = '2026-11-21T12:00:00.000Z';
const AT = '2026-11-21 12:00';
/** 72 hours later. */
const END = '2026-11-24T12:00:00.000Z';
const UNTIL = '2026-11-24 12:00';
const PASSWORD = 'nine slow rivers to the coast';
const UNKNOWN = 'A'.repeat(43);
const HOW =
  'Choose the password with which you sign in here. This address works once; after that you sign in with the new password.';
const HINT =
  'At least 12 characters, without your user name, and none that is easy to guess. A few words that belong together only for you are good.';
const NOT_VALID = 'This address is not valid';

/** The texts of a page between `<main>` and `</main>`, one for each element that has some. */
const textsOf = (html: string): string[] =>
  /<main id="main">([\s\S]*)<\/main>/
    .exec(html)![1]!
    .split(/<[^>]+>/)
    .map((text) => text.trim())
    .filter((text) => text !== '');

/** The address on the page that shows it. */
const addressIn = (html: string): string => /<pre [^>]*>([^<]+)<\/pre>/.exec(html)![1]!;
const tokenIn = (html: string): string => addressIn(html).split('/').at(-1)!;

/** Asserts what all pages at the addresses of invitations have in common. */
function expectSecretPage(
  { status, headers, text }: { status: number; headers: Record<string, unknown>; text: string },
  expected: number,
): string {
  expect({ status, ...headers }).toMatchObject({
    status: expected,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': PAGE_POLICY,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  expect([headers.etag, headers['set-cookie']]).toEqual([undefined, undefined]);
  expect(text).toContain('<meta name="robots" content="noindex" />');
  expect(text).not.toContain('action="/desk/logout"');
  expectSafe(text);
  return text;
}

let service: AuthApp;
let admin: DeskBrowser;
afterAll(closeAuthApps);

/** Somebody who follows a link of a mail, from an address of their own. */
const visit = (token: string, headers: Record<string, string> = {}, at = service) =>
  at
    .http()
    .get(`/desk/invitation/${token}`)
    .set({ Accept: BROWSER_ACCEPT, 'Sec-Fetch-Site': 'cross-site', ...headers });

/** Sends the form of an invitation as browsers do from a page that sends no referrer. */
const send = (token: string, password: string, { again = password, at = service, headers = {} } = {}) =>
  at
    .http()
    .post(`/desk/invitation/${token}`)
    .set({ Accept: BROWSER_ACCEPT, 'Sec-Fetch-Site': 'same-origin', Origin: 'null', ...headers })
    .type('form')
    .send({ username: 'ignored', password, again });

const invite = async (username: string, role = 'maintainer', browser = admin) => {
  const response = await browser.submit('/desk/accounts', { username, role });
  expectDeskPage(response, 200);
  return response.text;
};
const idOf = async (username: string) =>
  (await service.app.get(AccountRecords).list()).find((one) => one.username === username)!.id;
const login = async (username: string, password: string) =>
  (await service.http().post('/api/auth/login/').send({ username, password })).status;
const accounts = async () =>
  tableRows(await admin.page('/desk/accounts'), 'Accounts: ').map((row) =>
    row.map((cell) => cell.replace(/\s+/g, ' ')),
  );
const accountRow = async (username: string) => (await accounts()).find(([name]) => name === username);
const eventNames = () => service.events.map(([event]) => event);
const trailOf = async (username: string) =>
  service.database.rows(
    'SELECT account_id, token_id, request_id, subject, action, `before`, `after` FROM audit_log' +
      " WHERE table_name = 'account' AND record_id = ? ORDER BY id",
    [await idOf(username)],
  );

async function setEnabledTwice(name: string): Promise<void> {
  await service.accounts.setEnabled(name, false);
  await service.accounts.setEnabled(name, true);
}

async function patchEnabledTwice(): Promise<void> {
  const headers = await service.authHeader();
  for (const enabled of [false, true])
    await service.http().patch('/api/v1/Account/2/').set(headers).send({ enabled }).expect(200);
}

describe('an invitation', () => {
  beforeEach(async () => {
    service = await startAuthApp();
    admin = await new DeskBrowser(service).login();
    service.events.length = 0;
  });
  afterEach(closeAuthApps);

  it('is shown once as an address, which sets the password of a new account', async () => {
    const shown = await invite(' anna ', 'admin');
    const token = tokenIn(shown);
    expect(addressIn(shown)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/desk\/invitation\/[\w-]{43}$/);
    expect(textsOf(shown)).toEqual([
      'Accounts',
      'Invitation of anna',
      'Send this address to anna, and to nobody else: whoever opens it sets the password of the account. It is shown here only now.',
      addressIn(shown),
      'It works once, until',
      UNTIL,
      'UTC.',
      'This account',
      '·',
      'All accounts',
    ]);
    expect(await accounts()).toEqual([
      ['admin', 'admin', 'enabled', 'none', AT, AT, AT],
      ['anna', 'admin', 'no password yet', `${UNTIL} Withdraw`, AT, 'never', 'never'],
    ]);
    expect(await admin.page('/desk/accounts/2')).not.toContain(token);

    const page = expectSecretPage(await visit(token), 200);
    expect(textsOf(page)).toEqual([
      'Set your password',
      HOW,
      'User name',
      'New password',
      HINT,
      'The same password again',
      'Set the password',
    ]);
    expect(page).toContain(`<form method="post" action="/desk/invitation/${token}"`);
    expect(page).toMatch(/name="username"\s+value="anna"\s+autocomplete="username"\s+readonly/);
    service.clock.milliseconds += MINUTE;
    const set = await send(token, PASSWORD);
    expect([set.status, set.headers.location, set.headers['set-cookie'], set.text]).toEqual([
      303,
      '/desk/login?password_set=true',
      undefined,
      '',
    ]);
    const loginPage = await new DeskBrowser(service).page(set.headers.location!);
    expect(textsOf(loginPage).slice(0, 2)).toEqual(['Sign in', 'Your password is set. Sign in with it.']);
    const anna = await new DeskBrowser(service).login({ username: 'anna', password: PASSWORD });
    expect(await anna.page('/desk/accounts')).toContain('anna');
    expect((await accounts())[1]).toEqual([
      'anna',
      'admin',
      'enabled',
      'none',
      AT,
      '2026-11-21 12:01',
      '2026-11-21 12:01',
    ]);
  });

  it('stores the digest of its token alone', async () => {
    const token = tokenIn(await invite('anna'));
    const rows = await service.database.rows('SELECT * FROM invitation');
    expect(rows).toEqual([{ digest: tokenDigest(token), account_id: 2, expires_at: END, ended_at: null }]);
    await send(token, PASSWORD);
    const later = await service.database.rows('SELECT * FROM invitation');
    expect(later).toEqual([{ digest: tokenDigest(token), account_id: 2, expires_at: END, ended_at: NOW }]);
  });

  it('lets nobody log in before its password is set, as a wrong password does not', async () => {
    const token = tokenIn(await invite('anna'));
    const attempts = await Promise.all(
      [
        { username: 'anna', password: '' },
        { username: 'anna', password: PASSWORD },
        { username: 'anna', password: token },
        { username: 'admin', password: 'wrong' },
      ].map((body) => service.http().post('/api/auth/login/').send(body)),
    );
    expect(attempts.map(({ status, body }) => [status, (body as { code: string }).code])).toEqual([
      [400, 'invalid'],
      [401, 'authentication_failed'],
      [401, 'authentication_failed'],
      [401, 'authentication_failed'],
    ]);
  });

  it('A7: is also for a forgotten password: the old one is valid until then, and all sessions end', async () => {
    const anna = await service.addAccount('anna');
    const { access, refresh } = await service.login(anna);
    const browser = await new DeskBrowser(service).login(anna);
    const page = await admin.page('/desk/accounts/2');
    expect(page).toContain('Where the password is forgotten, an invitation leads to a page');
    const issued = await admin.submit('/desk/accounts/2/invitation', {}, '/desk/accounts/2');
    expectDeskPage(issued, 200);
    const token = tokenIn(issued.text);
    expect(await service.write(access)).toBe(200);
    expect(await accountRow('anna')).toEqual([
      'anna',
      'maintainer',
      'enabled',
      `${UNTIL} Withdraw`,
      AT,
      AT,
      AT,
    ]);
    expect((await send(token, PASSWORD)).status).toBe(303);
    expect(await service.write(access)).toBe(401);
    expect((await service.refresh(refresh)).status).toBe(401);
    expect((await browser.open('/desk/')).headers.location).toBe('/desk/login');
    expect([await login('anna', otherPassword), await login('anna', PASSWORD)]).toEqual([401, 200]);
    await admin.page('/desk/');
  });

  it('spends nothing by GET or HEAD, which may come from any site and read no cookie', async () => {
    const token = tokenIn(await invite('anna'));
    const find = jest.spyOn(service.app.get(CookieSessions, { strict: false }), 'find');
    const signedIn = { Cookie: admin.cookie! };
    const sent: Record<string, string>[] = [{}, { 'Sec-Fetch-Site': 'none' }, signedIn, { Accept: '*/*' }];
    for (const headers of sent) expectSecretPage(await visit(token, headers), 200);
    for (let time = 0; time < 30; time++) expect((await visit(token)).status).toBe(200);
    expect((await visit(`${token}/`)).status).toBe(200);
    const head = await service.http().head(`/desk/invitation/${token}`).set('Sec-Fetch-Site', 'cross-site');
    expect([head.status, head.headers['referrer-policy']]).toEqual([200, 'no-referrer']);
    expect((await send(token, PASSWORD, { headers: signedIn })).headers.location).toBe(
      '/desk/login?password_set=true',
    );
    expect(find).not.toHaveBeenCalled();
    expect(await service.database.rows('SELECT id FROM auth_attempt')).toEqual([]);
  });

  it('A10: lets no other site make failed tries unseen, which would keep colleagues from signing in', async () => {
    const token = tokenIn(await invite('anna'));
    const unseen: Record<string, string>[] = [
      { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
      { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' },
      { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' },
      { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document', 'Sec-Purpose': 'prefetch' },
    ];
    for (const headers of unseen)
      for (const each of [token, UNKNOWN]) expectSecretPage(await visit(each, headers), 403);
    expect(await service.database.rows('SELECT id FROM auth_attempt')).toEqual([]);
    const followed = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
    expect((await visit(token, followed)).status).toBe(200);
    expect((await visit(UNKNOWN, followed)).status).toBe(404);
    expect(await service.database.rows('SELECT id FROM auth_attempt')).toHaveLength(1);
  });

  it('takes its form from its own page alone', async () => {
    const token = tokenIn(await invite('anna'));
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' },
      { 'Sec-Fetch-Site': 'same-site', Origin: 'null' },
      { 'Sec-Fetch-Site': 'none', Origin: 'null' },
    ]) {
      const response = await send(token, PASSWORD, { headers });
      expect(expectSecretPage(response, 403)).toContain('Another site has sent you here');
    }
    // Over plain HTTP browsers say nothing but the origin, which the page withholds.
    const plain = (origin: string) =>
      service
        .http()
        .post(`/desk/invitation/${token}`)
        .set({ Accept: BROWSER_ACCEPT, Origin: origin })
        .type('form')
        .send({ password: PASSWORD, again: PASSWORD });
    expectSecretPage(await plain('http://evil.example'), 403);
    expect((await plain('null')).status).toBe(303);
    // No other form may withhold it, whatever else it has.
    for (const address of [
      '/desk/login',
      '/desk/logout',
      '/desk/accounts',
      '/desk/accounts/2',
      '/desk/accounts/2/invitation',
      '/desk/accounts/2/invitation/withdraw',
      '/desk/tables/Commodity/new',
      '/desk/findings/1/dismiss',
    ]) {
      const formToken = hiddenFields(await admin.page('/desk/accounts/2'), 'logout');
      const response = await admin.post(address, { ...testAdmin, ...formToken }).set('Origin', 'null');
      expectDeskPage(response, 403);
      expect(response.text).toContain('Another site has sent you here');
    }
  });

  it.each([
    ['short', 'eleven byte', undefined, 'The password must be at least 12 characters long.'],
    ['long', 'x'.repeat(1025), undefined, 'The password must be at most 1024 bytes long.'],
    ['blank', ' '.repeat(12), undefined, 'The password must not be blank.'],
    ['the name', 'my name is Anna', undefined, 'The password must not contain the user name.'],
    [
      'common',
      'password1234',
      undefined,
      'The password is too common: it is among the first that an attacker would try.',
    ],
    ['another', PASSWORD, `${PASSWORD} `, 'The two passwords differ: type the new password twice.'],
  ])('A12: shows the form again, empty and with the reason, for %s', async (_, password, again, reason) => {
    const token = tokenIn(await invite('anna'));
    // As often as nobody may guess: who has the address guesses nothing.
    for (let time = 0; time < 12; time++) {
      const page = expectSecretPage(await send(token, password, { again }), 400);
      expect(textsOf(page)).toEqual([
        'Set your password',
        HOW,
        '1 field is not valid.',
        'User name',
        'New password',
        HINT,
        ...(again === undefined ? [reason] : []),
        'The same password again',
        ...(again === undefined ? [] : [reason]),
        'Set the password',
      ]);
      expect(page.match(/type="password"[^>]*value=""/g)).toHaveLength(2);
      expect(page).not.toContain(password);
    }
    expect((await send(token, PASSWORD)).status).toBe(303);
  });

  it.each([
    ['disabled and enabled', (name: string) => setEnabledTwice(name)],
    ['disabled and enabled by an admin', () => patchEnabledTwice()],
    ['given a password', (name: string) => service.accounts.setPassword(name, otherPassword)],
  ])('has ended where an earlier release has its account %s', async (_, change) => {
    const token = tokenIn(await invite('anna'));
    service.clock.milliseconds += MINUTE;
    await change('anna');
    // Earlier releases know no invitations.
    await service.app
      .get(UnitOfWork, { strict: false })
      .run((transaction) => transaction.execute('UPDATE invitation SET ended_at = NULL'));
    expectSecretPage(await visit(token), 404);
    const find = jest.spyOn(service.app.get(Invitations, { strict: false }), 'find');
    find.mockResolvedValue({ accountId: 2, username: 'anna' });
    expectSecretPage(await send(token, PASSWORD), 404);
    find.mockRestore();
    expect(await login('anna', PASSWORD)).toBe(401);
    expect((await accountRow('anna'))![3]).toBe('none');
    const newest = tokenIn((await admin.submit('/desk/accounts/2/invitation')).text);
    expect((await send(newest, PASSWORD)).status).toBe(303);
    expect(await login('anna', PASSWORD)).toBe(200);
  });

  it('is not ended by another role, and not by those of others', async () => {
    const token = tokenIn(await invite('anna'));
    await invite('berta');
    await setEnabledTwice('berta');
    const patch = service.http().patch('/api/v1/Account/2/').send({ role: 'admin' });
    expect((await patch.set(await service.authHeader())).status).toBe(200);
    expect((await accountRow('anna'))![3]).toBe(`${UNTIL} Withdraw`);
    expect((await send(token, PASSWORD)).status).toBe(303);
  });

  it('gives one and the same page where it is spent, withdrawn, replaced, expired or unknown', async () => {
    const spent = tokenIn(await invite('anna'));
    await send(spent, PASSWORD);
    const withdrawn = tokenIn(await invite('berta'));
    const back = await admin.submit('/desk/accounts/3/invitation/withdraw', {}, '/desk/accounts');
    expect([back.status, back.headers.location]).toEqual([303, '/desk/accounts?withdrawn=3']);
    expect(await admin.page(back.headers.location!)).toContain('The invitation of berta is withdrawn.');
    const replaced = tokenIn(await invite('carla'));
    const newest = await invite('carla');
    expect(textsOf(newest)).toContain('The invitation that was open before has ended.');
    const disabled = tokenIn(await invite('dora'));
    await service.accounts.setEnabled('dora', false);
    await service.accounts.setEnabled('dora', true);
    const overtaken = tokenIn(await invite('emma'));
    await service.accounts.setPassword('emma', otherPassword);
    const expired = tokenIn(await invite('fanny'));
    service.clock.milliseconds += 72 * HOUR - 1;
    expect([(await visit(tokenIn(newest))).status, (await visit(expired)).status]).toEqual([200, 200]);
    service.clock.milliseconds += 1;
    const pages = new Set<string>();
    for (const token of [spent, withdrawn, replaced, disabled, overtaken, expired, UNKNOWN, 'x', 'a%20b'])
      for (const response of [await visit(token), await send(token, PASSWORD)])
        pages.add(expectSecretPage(response, 404));
    expect(pages.size).toBe(1);
    expect(textsOf([...pages][0]!)).toEqual([
      NOT_VALID,
      'It has been used, withdrawn or replaced, it is older than 72 hours, or it is not complete. Nothing has been changed.',
      'Ask whoever has sent it to you for a new one. An admin of this service can make it at any time, also where you have forgotten your password.',
      'I have a password: sign in',
    ]);
    expect(await login('emma', otherPassword)).toBe(200);
  });

  it('is spent by one of several that are sent at once', async () => {
    const token = tokenIn(await invite('anna'));
    const passwords = ['quarry 15 lantern fog', 'granite 93 harbour owl', 'seven brown hats in a row'];
    const replies = await Promise.all(passwords.map((password) => send(token, password)));
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 404, 404]);
    const winner = replies.findIndex(({ status }) => status === 303);
    const logins = [];
    for (const password of passwords) logins.push(await login('anna', password));
    expect(logins).toEqual(passwords.map((_, index) => (index === winner ? 200 : 401)));
  });

  it('sets no password where its account is disabled between the two', async () => {
    const token = tokenIn(await invite('anna'));
    const invitations = service.app.get(Invitations, { strict: false });
    const find = invitations.find.bind(invitations);
    jest.spyOn(invitations, 'find').mockImplementation(async (...parameters) => {
      const found = await find(...parameters);
      await service.accounts.setEnabled('anna', false);
      return found;
    });
    expect(expectSecretPage(await send(token, PASSWORD), 404)).toContain(NOT_VALID);
    expect(await service.database.rows('SELECT password_changed_at AS at FROM account WHERE id = 2')).toEqual(
      [{ at: NOW }],
    );
  });

  it('is not valid for an account that somebody has removed from the database', async () => {
    const token = tokenIn(await invite('anna'));
    await service.unitOfWork.run(async (transaction) => {
      await transaction.execute('DELETE FROM invitation WHERE account_id = 2');
      await transaction.execute('DELETE FROM account WHERE id = 2');
    });
    expect((await visit(token)).status).toBe(404);
    expect((await send(token, PASSWORD)).status).toBe(404);
    for (const operation of ['invitation', 'invitation/withdraw'])
      expectDeskPage(await admin.submit(`/desk/accounts/2/${operation}`), 404);
  });

  it('A10: counts tries with other tokens as failed logins, by token and by address', async () => {
    const token = tokenIn(await invite('anna'));
    const statuses = [];
    for (let time = 0; time < 11; time++) statuses.push((await visit(UNKNOWN)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(404), 429]);
    const throttled = await send(UNKNOWN, PASSWORD);
    expect(expectSecretPage(throttled, 429)).not.toContain(UNKNOWN);
    expect(throttled.headers['retry-after']).toBe('900');
    expect((await visit(token)).status).toBe(200);
    for (let time = 0; time < 90; time++)
      expect((await visit(`${String(time).padStart(2, '0')}${'B'.repeat(41)}`)).status).toBe(404);
    expect([(await visit(token)).status, (await send(token, PASSWORD)).status]).toEqual([429, 429]);
    // Logins from the address count too, and a right password is throttled as well.
    expect(await login('admin', testAdmin.password)).toBe(429);
    service.clock.milliseconds += 15 * MINUTE;
    expect((await send(token, PASSWORD)).status).toBe(303);
  });

  it('A10: gives no more than ten replies to tries at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => visit(UNKNOWN)));
    expect(replies.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(10).fill(404),
      ...Array<number>(10).fill(429),
    ]);
  });

  it('O2: is in no log: not its token, only the pattern of its route', async () => {
    const finished = jest.spyOn(service.app.get(ServiceLog, { strict: false }), 'finished');
    const shown = await invite('anna');
    const token = tokenIn(shown);
    await visit(token);
    await send(token, 'short');
    await send(token, PASSWORD);
    await visit(token);
    await visit(`${token}/more`);
    const logged = finished.mock.calls.map(([request]) => request);
    expect(logged.slice(1).map(({ method, route, status }) => [method, route, status])).toEqual([
      ['POST', '/desk/accounts', 200],
      ['GET', '/desk/invitation/:token', 200],
      ['POST', '/desk/invitation/:token', 400],
      ['POST', '/desk/invitation/:token', 303],
      ['GET', '/desk/invitation/:token', 404],
      ['GET', null, 404],
    ]);
    const everything = JSON.stringify([logged, service.events]);
    for (const secret of [token, tokenDigest(token), PASSWORD]) expect(everything).not.toContain(secret);
  });

  it('O3, W9: is among the security events and in the audit log, each operation with its account', async () => {
    const first = tokenIn(await invite('anna'));
    service.clock.milliseconds += HOUR;
    await admin.submit('/desk/accounts/2/invitation', {}, '/desk/accounts/2');
    await admin.submit('/desk/accounts/2/invitation/withdraw', {}, '/desk/accounts/2');
    await admin.submit('/desk/accounts/2/invitation/withdraw', {}, '/desk/accounts/2');
    await visit(first);
    const token = tokenIn(await invite('anna'));
    await send(token, PASSWORD);

    const requestId = expect.any(String);
    const named = { username: 'anna', requestId };
    const address = '127.0.0.1';
    const nameDigest = service.app.get(SigningKeys, { strict: false }).nameDigest(first);
    expect(service.events).toEqual([
      ['account_added', named],
      ['invitation_issued', named],
      ['invitation_issued', named],
      ['invitation_withdrawn', named],
      ['invitation_refused', { address, requestId, nameDigest }],
      ['invitation_issued', named],
      ['password_changed', { address, ...named }],
    ]);
    const by = (accountId: number, change: object) => ({
      account_id: accountId,
      token_id: accountId === 1 ? expect.stringMatching(/^[\w-]{36}$/) : '',
      request_id: expect.stringMatching(/./),
      subject: '',
      action: 'update',
      ...change,
    });
    const later = '2026-11-24T13:00:00.000Z';
    const until = (invited_until: string | null) => JSON.stringify({ invited_until });
    const created = {
      username: 'anna',
      role: 'maintainer',
      enabled: true,
      password_changed_at: NOW,
      invited_until: END,
    };
    expect(await trailOf('anna')).toEqual([
      by(1, { action: 'create', before: null, after: JSON.stringify(created) }),
      by(1, { before: until(END), after: until(later) }),
      by(1, { before: until(later), after: until(null) }),
      by(1, { before: until(null), after: until(later) }),
      by(2, {
        before: JSON.stringify({ password_changed_at: NOW, invited_until: later }),
        after: JSON.stringify({ password_changed_at: '2026-11-21T13:00:00.000Z', invited_until: null }),
      }),
    ]);
    const log = tableRows(await admin.page('/desk/audit-log?table=account&record_id=2'), 'Changes: 5');
    expect(log.map(([, who]) => who)).toEqual(['anna', 'admin', 'admin', 'admin', 'admin']);
  });

  it('is not made for a name that is taken or invalid: the form comes back as it was typed', async () => {
    await service.addAccount('anna');
    await invite('berta');
    const taken = (name: string) => `Account ${name} already exists.`;
    const invalid = 'The user name must be 3 to 150 characters long: letters, digits and @ . + - _ only.';
    for (const [username, role, reason] of [
      ['anna', 'maintainer', taken('anna')],
      ['berta', 'admin', taken('berta')],
      ['two words', 'admin', invalid],
      ['ab', 'maintainer', invalid],
      ['x'.repeat(151), 'maintainer', 'Name must be at most 150 bytes long.'],
      ['', 'maintainer', 'Name must not be blank.'],
    ] as const) {
      const response = await admin.submit('/desk/accounts', { username, role });
      expectDeskPage(response, 400);
      expect(response.text).toContain(`<strong class="error" id="username-error">${reason}</strong>`);
      expect(response.text).toMatch(new RegExp(`name="username"\\s+value="${username}"`));
      expect(response.text).toContain(`<option value="${role}" selected>`);
    }
    const response = await admin.submit('/desk/accounts', { username: 'carla', role: 'owner' });
    expectDeskPage(response, 400);
    expect(response.text).toContain('Role must be one of');
    expect((await accounts()).map(([name]) => name)).toEqual(['admin', 'anna', 'berta']);
    expect(eventNames()).toEqual(['account_added', 'account_added', 'invitation_issued']);
  });

  it('is open once for each account, also where two admins make it at the same time', async () => {
    const other = await new DeskBrowser(service).login();
    const pages = await Promise.all([admin, other].map((browser) => invite('anna', 'maintainer', browser)));
    const statuses = [];
    for (const page of pages) statuses.push((await visit(tokenIn(page))).status);
    expect(statuses.sort()).toEqual([200, 404]);
    expect(pages.map((page) => page.includes('was open before has ended')).sort()).toEqual([false, true]);
    expect((await accounts()).map(([name]) => name)).toEqual(['admin', 'anna']);
    const again = await Promise.all(
      [admin, other].map((browser) => browser.submit('/desk/accounts/2/invitation', {}, '/desk/accounts/2')),
    );
    expect(again.map(({ status }) => status)).toEqual([200, 200]);
    const open = await service.database.rows('SELECT account_id FROM invitation WHERE ended_at IS NULL');
    expect(open).toEqual([{ account_id: 2 }]);
  });

  it('is not made for a disabled account', async () => {
    await service.addAccount('anna');
    const page = await admin.page('/desk/accounts/2');
    await service.accounts.setEnabled('anna', false);
    const disabled = await admin.page('/desk/accounts/2');
    expect(page).toContain('action="/desk/accounts/2/invitation"');
    expect(disabled).not.toContain('action="/desk/accounts/2/invitation"');
    expect(disabled).toContain('A disabled account gets no invitation.');
    const response = await admin.submit('/desk/accounts/2/invitation');
    expectDeskPage(response, 412);
    expect(response.text).toContain('The account is disabled: enable it before you make an invitation.');
    expectDeskPage(await admin.submit('/desk/accounts', { username: 'anna', role: 'maintainer' }), 400);
    expect(await service.database.rows('SELECT digest FROM invitation')).toEqual([]);
  });

  it('makes no admin who counts before the password is set', async () => {
    const token = tokenIn(await invite('anna', 'admin'));
    const disable = () => service.http().patch('/api/v1/Account/1/').send({ enabled: false });
    const headers = await service.authHeader();
    expect((await disable().set(headers)).body).toMatchObject({ status: 409, code: 'last_admin' });
    await expect(service.accounts.setEnabled('admin', false)).rejects.toThrow('is the last enabled admin');
    await service.accounts.setEnabled('anna', false);
    await service.accounts.setEnabled('anna', true);
    expect((await visit(token)).status).toBe(404);
    await send(tokenIn(await invite('anna', 'admin')), PASSWORD);
    expect((await disable().set(headers)).status).toBe(200);
    await expect(service.accounts.setEnabled('anna', false)).rejects.toThrow('is the last enabled admin');
  });

  it('is for admins to make and to withdraw', async () => {
    await invite('anna');
    const maintainer = await new DeskBrowser(service).login(await service.addAccount('berta'));
    const before = await service.database.rows('SELECT * FROM invitation');
    for (const address of [
      '/desk/accounts',
      '/desk/accounts/2/invitation',
      '/desk/accounts/2/invitation/withdraw',
    ]) {
      const fields = { username: 'carla', role: 'admin' };
      expectDeskPage(await maintainer.submit(address, fields), 403);
      expect((await new DeskBrowser(service).post(address, fields)).headers.location).toMatch(
        /^\/desk\/login/,
      );
    }
    expect(await service.database.rows('SELECT * FROM invitation')).toEqual(before);
    expectDeskPage(await admin.submit('/desk/accounts/99/invitation'), 404);
  });

  it('is kept by a restart, and is the same for all processes', async () => {
    const token = tokenIn(await invite('anna'));
    const other = await startAuthApp({ DATABASE_URL: service.databaseUrl });
    expectSecretPage(await visit(token, {}, other), 200);
    expect((await send(token, PASSWORD, { at: other })).status).toBe(303);
    expect((await visit(token)).status).toBe(404);
  });

  it('is removed when it has expired', async () => {
    await invite('anna');
    const purge = () => service.app.get(Invitations, { strict: false }).purge();
    service.clock.milliseconds += 72 * HOUR;
    await purge();
    expect(await service.database.rows('SELECT digest FROM invitation')).toHaveLength(1);
    service.clock.milliseconds += 1;
    // A service that starts does the same.
    await startAuthApp({ DATABASE_URL: service.databaseUrl });
    await purge();
    expect(await service.database.rows('SELECT digest FROM invitation')).toEqual([]);
    admin = await new DeskBrowser(service).login();
    expect(await accountRow('anna')).toEqual([
      'anna',
      'maintainer',
      'no password yet',
      'none',
      AT,
      'never',
      'never',
    ]);
    const page = await admin.page('/desk/accounts/2');
    expect(page).toContain('This account has no password yet, so nobody can sign in with it.');
  });
});

it('the address of an invitation is below PUBLIC_URL, also below a path of it', async () => {
  service = await startAuthApp({ PUBLIC_URL: 'https://example.org/prices' });
  // The login is below the path.
  const browser = new DeskBrowser(service);
  const { headers } = await browser.post('/desk/login', testAdmin);
  browser.cookie = (headers['set-cookie'] as unknown as string[])[0]!.split(';')[0]!;
  const shown = await browser.submit('/desk/accounts', { username: 'anna', role: 'maintainer' });
  const address = addressIn(shown.text);
  expect(address).toMatch(/^https:\/\/example\.org\/prices\/desk\/invitation\/[\w-]{43}$/);
  const token = tokenIn(shown.text);
  const page = await service.http().get(new URL(address).pathname).set('Accept', BROWSER_ACCEPT);
  expect(expectSecretPage(page, 200)).toContain(`action="/prices/desk/invitation/${token}"`);
  const set = await service
    .http()
    .post(`/prices/desk/invitation/${token}`)
    .set({ Accept: BROWSER_ACCEPT, 'Sec-Fetch-Site': 'same-origin', Origin: 'null' })
    .type('form')
    .send({ password: PASSWORD, again: PASSWORD });
  expect([set.status, set.headers.location]).toEqual([303, '/prices/desk/login?password_set=true']);
  await closeAuthApps();
});

it('an admin of an identity provider invites to this service, and is invited by none', async () => {
  const provider = await SignInProvider.start(createKey('rsa-1'));
  service = await startAuthApp({ ...provider.settings, PUBLIC_URL: 'https://prices.example.org' });
  provider.now = service.clock.milliseconds / 1000;
  provider.idClaims = { roles: ['admin'] };
  const begun = await new DeskBrowser(service).open('/desk/sign-in');
  const [pending] = begun.headers['set-cookie'] as unknown as string[];
  const back = await service
    .http()
    .get('/desk/callback')
    .query(provider.authorize(begun.headers.location!))
    .set({ Accept: BROWSER_ACCEPT, 'Sec-Fetch-Site': 'cross-site', Cookie: pending!.split(';')[0]! });
  admin = new DeskBrowser(service);
  admin.cookie = (back.headers['set-cookie'] as unknown as string[])
    .find((cookie) => cookie.startsWith('__Host-desk_session='))!
    .split(';')[0]!;
  const token = tokenIn(await invite('anna'));
  expect((await send(token, PASSWORD)).status).toBe(303);
  const [created] = await trailOf('anna');
  expect(created).toMatchObject({ account_id: null, subject: expect.stringMatching(/./), action: 'create' });
  expect((await accounts()).map(([name]) => name)).toEqual(['admin', 'anna']);
  await closeAuthApps();
  await provider.close();
});

it('pages of invitations are gone with the other pages', async () => {
  service = await startAuthApp({ EXPLORER: 'off' });
  expect((await visit(UNKNOWN)).status).toBe(404);
  expect(eventNames()).toEqual([]);
  await closeAuthApps();
});
