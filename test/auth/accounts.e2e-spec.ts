import { jest } from '@jest/globals';
import { Readable } from 'node:stream';
import { UsageError } from '../../src/platform/commands/run-command.js';
import { parseAccountCommand, runAccountCommand } from '../../src/auth/accounts/account-commands.js';
import { FirstAccount } from '../../src/auth/accounts/first-account.js';
import { readPassword } from '../../src/auth/accounts/new-password.js';
import { Environment, InvalidEnvironment, type Variables } from '../../src/config/environment.js';
import { onSqlite } from '../support/engines.js';
import { closeAuthApps, otherPassword, startAuthApp, type AuthApp } from './auth-app.js';

const noAdmin: Variables = { ADMIN_PASSWORD: undefined };
const production: Variables = { NODE_ENV: 'production', JWT_SECRET: 'kJ8#fw2Lq0zV!xNb7sR4tYp1uHc6mGd9' };

/** Starts the service and captures its standard output. */
async function startAndCapture(variables: Variables): Promise<{ service: AuthApp; printed: string }> {
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

  it('is an admin with the configured name and password, and nothing is printed', async () => {
    const { service, printed } = await startAndCapture({
      ADMIN_USERNAME: 'chief',
      ADMIN_PASSWORD: otherPassword,
    });
    expect([await names(service), printed]).toEqual([[['chief', 'admin']], '']);
    await service.login({ username: 'chief', password: otherPassword });
  });

  onSqlite.it('has a random password on an embedded database, which is printed once', async () => {
    const { service, printed } = await startAndCapture(noAdmin);
    expect(printed).toMatch(/First account: admin\n {2}Password: +[\w-]{24}\n/);
    const password = /Password: +(\S+)/.exec(printed)![1]!;
    expect(await names(service)).toEqual([['admin', 'admin']]);
    await service.login({ username: 'admin', password });
    const again = await startAndCapture({ ...noAdmin, DATABASE_URL: service.databaseUrl });
    expect([await names(again.service), again.printed]).toEqual([[['admin', 'admin']], '']);
  });

  it('is not created in production without a password', async () => {
    const { service, printed } = await startAndCapture({ ...noAdmin, ...production });
    expect([await names(service), printed]).toEqual([[], '']);
  });

  it('is created in production from the settings, only if there is no account', async () => {
    const { service } = await startAndCapture({ ...production, ADMIN_PASSWORD: otherPassword });
    expect(await names(service)).toEqual([['admin', 'admin']]);
    const again = await startAndCapture({
      ...production,
      ADMIN_USERNAME: 'another',
      ADMIN_PASSWORD: otherPassword,
      DATABASE_URL: service.databaseUrl,
    });
    expect(await names(again.service)).toEqual([['admin', 'admin']]);
  });

  it('is created once by two processes that start at the same time', async () => {
    const { service } = await startAndCapture({ ...noAdmin, ...production });
    const created = await Promise.all([1, 2].map(() => service.accounts.createFirst('admin', otherPassword)));
    expect(created.sort()).toEqual([false, true]);
    expect(await names(service)).toEqual([['admin', 'admin']]);
    expect(service.events).toEqual([['account_added', { username: 'admin' }]]);
    await expect(service.accounts.create('admin', otherPassword, 'maintainer')).rejects.toThrow(
      'Account admin already exists.',
    );
  });

  it.each([
    ['short', { ADMIN_PASSWORD: 'short-one' }],
    ['common', { ADMIN_PASSWORD: 'password123456' }],
    ['the user name', { ADMIN_USERNAME: 'chief', ADMIN_PASSWORD: 'the chief of all' }],
    ['a bad name', { ADMIN_USERNAME: 'the chief', ADMIN_PASSWORD: otherPassword }],
  ])('fails the start when it is invalid: %s', async (_, variables) => {
    const { service } = await startAndCapture({ ...noAdmin, ...production });
    const environment = new Environment({ ...production, ...variables, DATABASE_URL: service.databaseUrl });
    const attempt = new FirstAccount(environment, service.accounts).ensure();
    const error = await attempt.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(InvalidEnvironment);
    expect((error as Error).message).toContain('ADMIN_PASSWORD');
    expect((error as Error).message).not.toContain(variables.ADMIN_PASSWORD);
    expect(await names(service)).toEqual([]);
  });
});

/** Runs a command line as `npm run user` does, within this process. */
async function runCommand(service: AuthApp, line: string, password: string) {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const code = await runAccountCommand(parseAccountCommand(line.split(' ')), service.accounts, {
    readNewPassword: async () => password,
    print: (text) => stdout.push(text),
    printError: (text) => stderr.push(text),
  });
  return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
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

  it('creates accounts, with the role maintainer by default', async () => {
    expect(await run('add anna')).toEqual({
      code: 0,
      stdout: 'Created account anna (maintainer).',
      stderr: '',
    });
    expect(await run('add berta --role admin')).toMatchObject({
      code: 0,
      stdout: 'Created account berta (admin).',
    });
    expect(await run('--role=maintainer add carla')).toMatchObject({ code: 0 });
    await service.login({ username: 'anna', password: otherPassword });
    expect((await run('list')).stdout).toBe(
      [
        'id  name   role        state    last login',
        '1   admin  admin       enabled  never',
        `2   anna   maintainer  enabled  ${now}`,
        '3   berta  admin       enabled  never',
        '4   carla  maintainer  enabled  never',
      ].join('\n'),
    );
  });

  it('disables, enables and changes passwords', async () => {
    await run('add anna');
    const anna = { username: 'anna', password: otherPassword };
    expect(await run('disable anna')).toEqual({
      code: 0,
      stdout: 'Account anna is disabled and its sessions have ended.',
      stderr: '',
    });
    const attempt = (password: string) =>
      service
        .http()
        .post('/api/auth/login/')
        .send({ ...anna, password });
    expect((await attempt(otherPassword)).status).toBe(401);
    expect((await run('list')).stdout).toContain('anna   maintainer  disabled  never');
    expect(await run('enable anna')).toMatchObject({ code: 0, stdout: 'Account anna is enabled.' });
    expect((await attempt(otherPassword)).status).toBe(200);
    expect(await run('passwd anna', 'quarry 15 lantern fog')).toMatchObject({
      code: 0,
      stdout: 'Account anna has a new password and its sessions have ended.',
    });
    expect((await attempt(otherPassword)).status).toBe(401);
    expect((await attempt('quarry 15 lantern fog')).status).toBe(200);
  });

  it('W9, O3: records each change in the audit log, without the hash, and as a security event', async () => {
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

describe('A12: npm run user, names and passwords', () => {
  let service: AuthApp;
  beforeAll(async () => (service = await startAuthApp()));
  afterAll(closeAuthApps);

  const run = (line: string, password = otherPassword) => runCommand(service, line, password);

  it.each([
    ['add admin', otherPassword, 'Account admin already exists.'],
    [
      'add ab',
      otherPassword,
      'The user name must be 3 to 150 characters long: letters, digits and @ . + - _ only.',
    ],
    ['add anna', 'eleven byte', 'The password must be at least 12 characters long.'],
    ['add anna', 'x'.repeat(1025), 'The password must be at most 1024 bytes long.'],
    ['add anna', 'my name is Anna', 'The password must not contain the user name.'],
    [
      'add anna',
      'password1234',
      'The password is too common: it is among the first that an attacker would try.',
    ],
    [
      'passwd admin',
      'password1234',
      'The password is too common: it is among the first that an attacker would try.',
    ],
    ['passwd anna', otherPassword, 'There is no account anna.'],
    ['enable Admin', otherPassword, 'There is no account Admin.'],
    ['disable nobody', otherPassword, 'There is no account nobody.'],
  ])('%s is rejected with a reason (%#)', async (line, password, reason) => {
    expect(await run(line, password)).toEqual({ code: 1, stdout: '', stderr: reason });
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
  ])('"%s" is rejected', (line) => {
    expect(() => parseAccountCommand(line.split(' '))).toThrow(UsageError);
  });

  it.each([
    ['blanks around', '  seven lamps  ', 'seven lamps'],
    ['a decomposed letter', 'cafe\u0301 au lait', 'caf\u00e9 au lait'],
    ['control characters', 'tab\tand\u0000null!', 'tab and null!'],
    ['capitals', 'Seven Lamps 12', 'seven lamps 12'],
    ['1024 bytes', `${'жёлудь 7 '.repeat(68)}1234`, `${'жёлудь 7 '.repeat(68)}123`],
  ])('does not normalize passwords: %s', async (label, password, altered) => {
    const username = label.replaceAll(' ', '-');
    const attempt = (text: string) =>
      service.http().post('/api/auth/login/').send({ username, password: text });
    expect(await run(`add ${username}`, password)).toMatchObject({ code: 0 });
    expect((await attempt(altered)).status).toBe(401);
    expect((await attempt(password)).status).toBe(200);
  });
});

describe('A12: passwords from standard input', () => {
  const read = (...chunks: Uint8Array[]) => readPassword(Readable.from(chunks, { objectMode: true }));

  it.each([
    ['tundra lamp', 'tundra lamp'],
    ['tundra lamp\n', 'tundra lamp'],
    ['tundra lamp\r\n', 'tundra lamp'],
    [' two\nlines \n\n', ' two\nlines \n'],
    ['\ufeffwith a mark', '\ufeffwith a mark'],
  ])('%j is %j', async (input, password) => {
    expect(await read(Buffer.from(input))).toBe(password);
  });

  it('may arrive in several chunks', async () => {
    expect(await read(Buffer.from('за').subarray(0, 3), Buffer.from('за').subarray(3))).toBe('за');
  });

  it('are rejected when they are not UTF-8', async () => {
    await expect(read(Buffer.from([0x61, 0xff]))).rejects.toThrow('The password must be valid UTF-8 text.');
  });
});
