import { jest } from '@jest/globals';
import { Readable } from 'node:stream';
import { USAGE, runAccountCommand } from '../../src/auth/account-commands.js';
import { FirstAccount } from '../../src/auth/first-account.js';
import { readPiped } from '../../src/auth/new-password.js';
import { Environment, InvalidEnvironment, type Variables } from '../../src/config/environment.js';
import { testServerUrl } from '../support/test-database.js';
import { closeAuthApps, otherPassword, startAuthApp, type AuthApp } from './auth-app.js';

const noAdmin: Variables = { ADMIN_PASSWORD: undefined };
const production: Variables = { NODE_ENV: 'production', JWT_SECRET: 'kJ8#fw2Lq0zV!xNb7sR4tYp1uHc6mGd9' };

/** Starts the service and gives it with what it printed meanwhile. */
async function startAndListen(variables: Variables): Promise<{ service: AuthApp; printed: string }> {
  const write = jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
  try {
    const service = await startAuthApp(variables);
    return { service, printed: write.mock.calls.map(([text]) => String(text)).join('') };
  } finally {
    write.mockRestore();
  }
}

describe('A12: the first account', () => {
  afterEach(closeAuthApps);
  const names = async (service: AuthApp) =>
    (await service.accounts.list()).map(({ username, role }) => [username, role]);

  it('is an admin of the name and password that are set, and nothing is printed', async () => {
    const { service, printed } = await startAndListen({
      ADMIN_USERNAME: 'chief',
      ADMIN_PASSWORD: otherPassword,
    });
    expect([await names(service), printed]).toEqual([[['chief', 'admin']], '']);
    await service.login({ username: 'chief', password: otherPassword });
  });

  (testServerUrl === null ? it : it.skip)(
    'has a random password on an embedded database, which is printed once',
    async () => {
      const { service, printed } = await startAndListen(noAdmin);
      expect(printed).toMatch(/First account: admin\n {2}Password: +[\w-]{24}\n/);
      const password = /Password: +(\S+)/.exec(printed)![1]!;
      expect(await names(service)).toEqual([['admin', 'admin']]);
      await service.login({ username: 'admin', password });
      const again = await startAndListen({ ...noAdmin, DATABASE_URL: service.databaseUrl });
      expect([await names(again.service), again.printed]).toEqual([[['admin', 'admin']], '']);
    },
  );

  it('is not made in production without a password', async () => {
    const { service, printed } = await startAndListen({ ...noAdmin, ...production });
    expect([await names(service), printed]).toEqual([[], '']);
  });

  it('is made in production from the settings, and only where there is none', async () => {
    const { service } = await startAndListen({ ...production, ADMIN_PASSWORD: otherPassword });
    expect(await names(service)).toEqual([['admin', 'admin']]);
    const again = await startAndListen({
      ...production,
      ADMIN_USERNAME: 'another',
      ADMIN_PASSWORD: otherPassword,
      DATABASE_URL: service.databaseUrl,
    });
    expect(await names(again.service)).toEqual([['admin', 'admin']]);
  });

  it('is made once by two processes that start at the same time', async () => {
    const { service } = await startAndListen({ ...noAdmin, ...production });
    const made = await Promise.all([1, 2].map(() => service.accounts.addFirst('admin', otherPassword)));
    expect(made.sort()).toEqual([false, true]);
    expect(await names(service)).toEqual([['admin', 'admin']]);
    expect(service.events).toEqual([['account_added', { username: 'admin' }]]);
    await expect(service.accounts.add('admin', otherPassword, 'maintainer')).rejects.toThrow(
      'There is an account admin.',
    );
  });

  it.each([
    ['short', { ADMIN_PASSWORD: 'short-one' }],
    ['common', { ADMIN_PASSWORD: 'password123456' }],
    ['the user name', { ADMIN_USERNAME: 'chief', ADMIN_PASSWORD: 'the chief of all' }],
    ['a bad name', { ADMIN_USERNAME: 'the chief', ADMIN_PASSWORD: otherPassword }],
  ])('stops the start when it will not do: %s', async (_, variables) => {
    const { service } = await startAndListen({ ...noAdmin, ...production });
    const environment = new Environment({ ...production, ...variables, DATABASE_URL: service.databaseUrl });
    const made = new FirstAccount(environment, service.accounts).ensure();
    const error = await made.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(InvalidEnvironment);
    expect((error as Error).message).toContain('ADMIN_PASSWORD');
    expect((error as Error).message).not.toContain(variables.ADMIN_PASSWORD);
    expect(await names(service)).toEqual([]);
  });
});

/** Runs a command line as `npm run user` does, but for the process. */
async function runCommand(service: AuthApp, line: string, password: string) {
  const said: string[] = [];
  const complained: string[] = [];
  const code = await runAccountCommand(line.split(' '), service.accounts, {
    newPassword: async () => password,
    say: (text) => said.push(text),
    complain: (text) => complained.push(text),
  });
  return { code, said: said.join('\n'), complained: complained.join('\n') };
}

describe('A12: npm run user', () => {
  let service: AuthApp;
  beforeEach(async () => (service = await startAuthApp()));
  afterEach(closeAuthApps);

  const run = (line: string, password = otherPassword) => runCommand(service, line, password);
  const trail = () =>
    service.database.rows(
      "SELECT account_id, token_id, request_id, table_name, record_id, action, `before`, `after` FROM audit_log WHERE record_id = 2 AND table_name = 'account' ORDER BY id",
    );
  const now = '2026-11-21T12:00:00.000Z';

  it('makes accounts, maintainers unless said otherwise', async () => {
    expect(await run('add anna')).toEqual({
      code: 0,
      said: 'Account anna (maintainer) is made.',
      complained: '',
    });
    expect(await run('add berta --role admin')).toMatchObject({
      code: 0,
      said: 'Account berta (admin) is made.',
    });
    expect(await run('--role=maintainer add carla')).toMatchObject({ code: 0 });
    await service.login({ username: 'anna', password: otherPassword });
    expect((await run('list')).said).toBe(
      [
        'name   role        state    last login',
        'admin  admin       enabled  never',
        `anna   maintainer  enabled  ${now}`,
        'berta  admin       enabled  never',
        'carla  maintainer  enabled  never',
      ].join('\n'),
    );
  });

  it('disables, enables and gives passwords', async () => {
    await run('add anna');
    const anna = { username: 'anna', password: otherPassword };
    expect(await run('disable anna')).toEqual({
      code: 0,
      said: 'Account anna is disabled, and its logins are ended.',
      complained: '',
    });
    const attempt = (password: string) =>
      service
        .http()
        .post('/api/auth/login/')
        .send({ ...anna, password });
    expect((await attempt(otherPassword)).status).toBe(401);
    expect((await run('list')).said).toContain('anna   maintainer  disabled  never');
    expect(await run('enable anna')).toMatchObject({ code: 0, said: 'Account anna is enabled.' });
    expect((await attempt(otherPassword)).status).toBe(200);
    expect(await run('passwd anna', 'quarry 15 lantern fog')).toMatchObject({
      code: 0,
      said: 'Account anna has a new password, and its logins are ended.',
    });
    expect((await attempt(otherPassword)).status).toBe(401);
    expect((await attempt('quarry 15 lantern fog')).status).toBe(200);
  });

  it('W9, O3: leaves a row in the trail for each change, without a hash, and a security event', async () => {
    await run('add anna');
    await run('disable anna');
    await run('disable anna');
    await run('enable anna');
    service.clock.milliseconds += 1000;
    await run('passwd anna');
    const row = (action: string, before: object | null, after: object) => ({
      account_id: null,
      token_id: '',
      request_id: '',
      table_name: 'account',
      record_id: 2,
      action,
      before: before && JSON.stringify(before),
      after: JSON.stringify(after),
    });
    const account = { username: 'anna', role: 'maintainer', enabled: true, password_changed_at: now };
    expect(await trail()).toEqual([
      row('create', null, account),
      row('update', { enabled: true }, { enabled: false }),
      row('update', { enabled: false }, { enabled: true }),
      row('update', { password_changed_at: now }, { password_changed_at: '2026-11-21T12:00:01.000Z' }),
    ]);
    expect(service.events).toEqual([
      ['account_added', { username: 'anna' }],
      ['account_disabled', { username: 'anna' }],
      ['account_disabled', { username: 'anna' }],
      ['account_enabled', { username: 'anna' }],
      ['password_changed', { username: 'anna' }],
    ]);
  });
});

describe('A12: npm run user, on names and passwords of every kind', () => {
  let service: AuthApp;
  beforeAll(async () => (service = await startAuthApp()));
  afterAll(closeAuthApps);

  const run = (line: string, password = otherPassword) => runCommand(service, line, password);

  it.each([
    ['add admin', otherPassword, 'There is an account admin.'],
    ['add ab', otherPassword, 'A user name has 3 to 150 letters, digits and @ . + - _ and nothing else.'],
    ['add anna', 'eleven byte', 'The password must have at least 12 bytes.'],
    ['add anna', 'x'.repeat(1025), 'The password may have at most 1024 bytes.'],
    ['add anna', 'my name is Anna', 'The password may not hold the user name.'],
    ['add anna', 'password1234', 'The password is too common: it is among the first that others would try.'],
    [
      'passwd admin',
      'password1234',
      'The password is too common: it is among the first that others would try.',
    ],
    ['passwd anna', otherPassword, 'There is no account anna.'],
    ['enable Admin', otherPassword, 'There is no account Admin.'],
    ['disable nobody', otherPassword, 'There is no account nobody.'],
  ])('%s is refused with a reason (%#)', async (line, password, reason) => {
    expect(await run(line, password)).toEqual({ code: 1, said: '', complained: reason });
    expect(await service.database.rows('SELECT id FROM audit_log WHERE id > 1')).toEqual([]);
    expect((await service.accounts.list()).map(({ enabled }) => Boolean(enabled))).toEqual([true]);
  });

  it.each([
    '',
    'add',
    'list all',
    'remove admin',
    'add anna berta',
    'add anna --role chief',
    'disable admin --role admin',
    'list --verbose',
  ])('"%s" is answered with how it is used', async (line) => {
    expect(await run(line)).toEqual({ code: 2, said: '', complained: USAGE });
  });

  it.each([
    ['blanks around', '  seven lamps  ', 'seven lamps'],
    ['a decomposed letter', 'cafe\u0301 au lait', 'caf\u00e9 au lait'],
    ['control characters', 'tab\tand\u0000null!', 'tab and null!'],
    ['capitals', 'Seven Lamps 12', 'seven lamps 12'],
    ['1024 bytes', `${'жёлудь 7 '.repeat(68)}1234`, `${'жёлудь 7 '.repeat(68)}123`],
  ])('takes a password as it is: %s', async (label, password, altered) => {
    const username = label.replaceAll(' ', '-');
    const attempt = (text: string) =>
      service.http().post('/api/auth/login/').send({ username, password: text });
    expect(await run(`add ${username}`, password)).toMatchObject({ code: 0 });
    expect((await attempt(altered)).status).toBe(401);
    expect((await attempt(password)).status).toBe(200);
  });
});

describe('A12: passwords from standard input', () => {
  const read = (...parts: Uint8Array[]) => readPiped(Readable.from(parts, { objectMode: true }));

  it.each([
    ['tundra lamp', 'tundra lamp'],
    ['tundra lamp\n', 'tundra lamp'],
    ['tundra lamp\r\n', 'tundra lamp'],
    [' two\nlines \n\n', ' two\nlines \n'],
    ['\ufeffwith a mark', '\ufeffwith a mark'],
  ])('%j is %j', async (input, password) => {
    expect(await read(Buffer.from(input))).toBe(password);
  });

  it('may come in pieces', async () => {
    expect(await read(Buffer.from('за').subarray(0, 3), Buffer.from('за').subarray(3))).toBe('за');
  });

  it('that are not UTF-8 are refused', async () => {
    await expect(read(Buffer.from([0x61, 0xff]))).rejects.toThrow('The password must be text in UTF-8.');
  });
});
