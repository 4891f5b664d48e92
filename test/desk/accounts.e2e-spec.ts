import { AccountRecords } from '../../src/auth/accounts/account-records.js';
import { closeAuthApps, startAuthApp, type AuthApp } from '../auth/auth-app.js';
import { tableRows } from '../explorer/pages.js';
import { DeskBrowser, expectDeskPage, hiddenFields } from './desk.js';

const AT = '2026-11-21 12:00';

describe('accounts at the desk', () => {
  let service: AuthApp;
  let admin: DeskBrowser;
  beforeAll(async () => {
    service = await startAuthApp();
    admin = await new DeskBrowser(service).login();
  });
  afterAll(closeAuthApps);

  /** Adds a maintainer. @returns the login, and the id of the account */
  const add = async (username: string) => {
    const login = await service.addAccount(username);
    const { id } = (await service.app.get(AccountRecords).list()).find((one) => one.username === username)!;
    return { login, id };
  };

  const form = async (id: number) => hiddenFields(await admin.page(`/desk/accounts/${id}`), `accounts/${id}`);
  const save = async (id: number, fields: Record<string, string>) =>
    admin.post(`/desk/accounts/${id}`, { ...(await form(id)), ...fields });

  it('are listed with their roles, and never with a password', async () => {
    await add('anna');
    const html = await admin.page('/desk/accounts');
    expect(tableRows(html, 'Accounts: 2')).toEqual([
      ['admin', 'admin', 'enabled', 'none', AT, AT, AT],
      ['anna', 'maintainer', 'enabled', 'none', AT, AT, 'never'],
    ]);
    expect(html).not.toContain('argon2');
    for (const id of ['3', 'x', '0']) expectDeskPage(await admin.open(`/desk/accounts/${id}`), 404);
  });

  it('are for admins', async () => {
    const { login, id } = await add('ben');
    const maintainer = await new DeskBrowser(service).login(login);
    for (const address of ['/desk/accounts', '/desk/accounts/1', '/desk/audit-log']) {
      const response = await maintainer.open(address);
      expectDeskPage(response, 403);
      expect(response.text).toContain('Your account does not have permission to do this.');
      expect(response.text).not.toContain('href="/desk/audit-log"');
      expect((await new DeskBrowser(service).open(address)).headers.location).toBe(
        `/desk/login?next=${encodeURIComponent(address)}`,
      );
    }
    expectDeskPage(await maintainer.submit(`/desk/accounts/${id}`, { role: 'admin', enabled: 'true' }), 403);
  });

  it('get roles and are disabled, which ends their sessions', async () => {
    const { login, id } = await add('carla');
    const maintainer = await new DeskBrowser(service).login(login);
    const { status, headers } = await save(id, { role: 'admin', enabled: 'true' });
    expect([status, headers.location]).toEqual([303, `/desk/accounts?saved=${id}`]);
    expect(await admin.page(headers.location!)).toContain('carla is saved.');
    expect(await maintainer.page('/desk/accounts')).toContain('carla');
    expect((await save(id, { role: 'admin', enabled: 'false' })).status).toBe(303);
    expect((await maintainer.open('/desk/')).status).toBe(303);
    expect(service.events.slice(-2).map(([event]) => event)).toEqual(['role_changed', 'account_disabled']);
  });

  it('keep one enabled admin', async () => {
    for (const fields of [
      { role: 'admin', enabled: 'false' },
      { role: 'maintainer', enabled: 'true' },
    ]) {
      const response = await save(1, fields);
      expectDeskPage(response, 409);
      expect(response.text).toContain(
        'The account is the last enabled admin. Make or enable another one first.',
      );
      expect(response.text).toContain('This is your own account.');
    }
  });

  it('are not changed over the head of another admin, nor by values that do not exist', async () => {
    const { id } = await add('dora');
    const fields = await form(id);
    expect((await save(id, { role: 'admin', enabled: 'true' })).status).toBe(303);
    const stale = await admin.post(`/desk/accounts/${id}`, {
      ...fields,
      role: 'maintainer',
      enabled: 'true',
    });
    expectDeskPage(stale, 412);
    expect(stale.text).toContain('The record has changed since you read it.');
    for (const wrong of [
      { role: 'owner', enabled: 'true' },
      { role: 'admin', enabled: 'x' },
    ]) {
      const response = await save(id, wrong);
      expectDeskPage(response, 400);
      expect(response.text).toMatch(/role must be one of|enabled must be/);
    }
    // The other tests have one enabled admin.
    await service.accounts.setEnabled('dora', false);
    expectDeskPage(await admin.submit('/desk/accounts/99', { role: 'admin', enabled: 'true' }), 404);
  });
});

describe('the audit log at the desk', () => {
  let service: AuthApp;
  let admin: DeskBrowser;
  beforeAll(async () => {
    service = await startAuthApp();
    admin = await new DeskBrowser(service).login();
    const headers = await service.authHeader();
    const create = (name: string) => service.http().post('/api/v1/Source/').set(headers).send({ name });
    await create('<b>Hostile</b>').expect(201);
    for (let index = 0; index < 50; index++) await create(`Source ${index}`).expect(201);
    await service.http().patch('/api/v1/Source/1/').set(headers).send({ name: 'Ministry' }).expect(200);
  });
  afterAll(closeAuthApps);

  it('shows who has changed what, in pages', async () => {
    const html = await admin.page('/desk/audit-log?table=source');
    const rows = tableRows(html, 'Changes: 52, newest first');
    expect(rows).toHaveLength(50);
    expect(rows[0]!.slice(0, 5)).toEqual([AT, 'admin', 'update', 'source', '1']);
    expect(rows[0]![5]).toMatch(/^name:\s&lt;b&gt;Hostile&lt;\/b&gt; → Ministry\s/);
    expect(html).toContain('href="/desk/audit-log?table=source&amp;page=2"');
    expect(tableRows(await admin.page('/desk/audit-log?table=source&page=2'), 'Changes: 52')).toHaveLength(2);
    expectDeskPage(await admin.open('/desk/audit-log?table=source&page=3'), 404);
  });

  it('shows the many fields of an import when they are asked for', async () => {
    const headers = await service.authHeader();
    const file = 'date,rate,currency\n2024-01-01,129.5,KES\n';
    const imported = service.http().post('/api/v1/Import/?format=fx').set(headers);
    await imported.set('Content-Type', 'text/csv').send(file).expect(200);
    const html = await admin.page('/desk/audit-log?action=import');
    const [, count, list] = /<details>\s*<summary>(\d+) fields<\/summary>([\s\S]*?)<\/details>/.exec(html)!;
    expect(list!.match(/<li>/g)).toHaveLength(Number(count));
    expect(await admin.page('/desk/audit-log?table=source')).not.toContain('<details>');
  });

  it('is filtered as that of the API, and says what is wrong with a filter', async () => {
    const html = await admin.page('/desk/audit-log?account_id=1&action=update&from=2026-11-21&record_id=1');
    expect(tableRows(html, 'Changes: 1, newest first')).toHaveLength(1);
    expect(html).toContain('<option value="1" selected>admin</option>');
    expect(await admin.page('/desk/audit-log?action=revert')).toContain('There are no such changes.');
    const wrong = await admin.open('/desk/audit-log?from=2023-02-30&record_id=x');
    expectDeskPage(wrong, 400);
    expect(wrong.text).toContain('2023-02-30');
  });
});
