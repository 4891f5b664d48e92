import { AccountRecords } from '../../src/auth/accounts/account-records.js';
import { closeAuthApps, startAuthApp, type AuthApp } from '../auth/auth-app.js';
import { tableRows } from '../explorer/pages.js';
import { storeSeries } from '../support/price-fixture.js';
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
      expect(response.text).toMatch(/Role must be one of|State must be/);
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

  it('names series and prices in words', async () => {
    const [white, other, gone] = [1, 2, 3].map((index) => `11111111-0000-4000-8000-00000000000${index}`);
    const source = { name: 'Statistics' };
    const points = { monthly: [['2024-01-01', 62] as const, ['2024-02-01', 64] as const] };
    await storeSeries(service.unitOfWork, [
      { uuid: white!, commodity: { name: 'Maize <white>' }, source, points },
      { uuid: other!, commodity: { name: 'Maize <white>' }, source: { name: 'Other' }, points },
      { uuid: gone!, commodity: { name: 'Beans' }, source },
    ]);
    const headers = await service.authHeader();
    const send = (path: string, body: object) =>
      service.http().post(`/api/v1/${path}`).set(headers).send(body).expect(200);
    const correct = (date: string, price_value: number | null, uuid = white) =>
      send('Correction/', [{ uuid, periodicity: 'monthly', date, price_value }]);
    for (const value of [5, null]) await correct('2024-04-01', value, gone);
    await correct('2024-01-01', 63);
    await correct('2024-02-01', null);
    await correct('2024-03-01', 65);
    await send(`PriceSerie/${other}/merge/`, { into: white });
    await service.http().delete(`/api/v1/PriceSerie/${gone}/`).set(headers).expect(204);

    const maize = 'Maize &lt;white&gt;, Nairobi, Kenya (retail)';
    const [price, joined, series] = ['price', 'joined series', 'series'].map(
      (name) => `All changes of this ${name}`,
    );
    const row = async (table: string, index = 0) => {
      const html = await admin.page(`/desk/audit-log?table=${table}`);
      expect(html).toContain(`<option value="${table}" selected>`);
      const cells = tableRows(html, ', newest first')[index]!.slice(2);
      return cells.map((cell) => cell.replace(/\s+/g, ' ').replace(/ ?Change set \d+$/, ''));
    };
    expect(await row('observation')).toEqual([
      'create',
      'price',
      `${maize}, monthly price of 2024-03-01 ${price}`,
      'price_value: 65 comment:',
    ]);
    expect(await row('observation', 1)).toEqual([
      'delete',
      'price',
      `${maize}, monthly price of 2024-02-01 ${price}`,
      'price_value: 64 comment:',
    ]);
    expect(await row('observation', 2)).toEqual([
      'update',
      'price',
      `${maize}, monthly price of 2024-01-01 ${price}`,
      'price_value: 62 → 63',
    ]);
    expect(await row('observation', 3)).toEqual([
      'delete',
      'price',
      `a series that has gone, monthly price of 2024-04-01 ${price}`,
      'price_value: 5 comment:',
    ]);
    // Since they were joined, both are the one that shows them.
    expect((await row('series_join')).slice(0, 3)).toEqual([
      'create',
      'joined series',
      `${maize} into ${maize} ${joined}`,
    ]);
    const removed = await row('price_serie');
    expect(removed.slice(0, 3)).toEqual(['delete', 'series', `Beans, Nairobi (RETAIL) ${series}`]);
    expect(removed[3]).toMatch(/commodity_id: Beans price_type_id: RETAIL market_id: Nairobi/);
    const html = await admin.page('/desk/audit-log?table=observation');
    const link = /<a href="(\/desk\/series\/[\w-]+\/points\/\d+)">monthly price of/.exec(html)![1]!;
    expect(await admin.page(link)).toContain('2024-03-01');
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
