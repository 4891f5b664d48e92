import { expectProblem, fieldViolation, queryViolation } from '../support/problems.js';
import { closeAuthApps, startAuthApp, type AuthApp } from './auth-app.js';

const NOW = '2026-11-21T12:00:00.000Z';
const account = (id: number, username: string, role: string, more: object = {}) => ({
  id,
  username,
  role,
  enabled: true,
  created_at: NOW,
  password_changed_at: NOW,
  last_login_at: null,
  ...more,
});
const ADMIN = account(1, 'admin', 'admin', { last_login_at: NOW });

describe('Account/', () => {
  let service: AuthApp;
  let admin: { Authorization: string };
  let anna: { username: string; password: string };
  beforeEach(async () => {
    service = await startAuthApp();
    admin = await service.authHeader();
    anna = await service.addAccount('anna');
  });
  afterEach(closeAuthApps);

  const get = (path = '', headers: Record<string, string> = admin) =>
    service.http().get(`/api/v1/Account/${path}`).set(headers);
  const patch = (id: number | string, body: object, headers: Record<string, string> = admin) =>
    service.http().patch(`/api/v1/Account/${id}/`).set(headers).send(body);
  const trail = async () => {
    const { body } = await service.http().get('/api/v1/AuditLog/?table=account&action=update').set(admin);
    return (body as { results: Record<string, unknown>[] }).results.map(
      ({ account_id, record_id, before, after }) => ({ account_id, record_id, before, after }),
    );
  };

  it('lists accounts without their passwords, in pages and formats', async () => {
    const results = [ADMIN, account(2, 'anna', 'maintainer')];
    expect((await get().expect(200).expect('Cache-Control', 'no-store')).body).toEqual({
      count: 2,
      next: null,
      previous: null,
      results,
    });
    expect((await get('?page=2&page_size=1').expect(200)).body).toMatchObject({ results: [results[1]] });
    expect((await get('?format=csv&page_size=1').expect(200)).text).toBe(
      'id,username,role,enabled,created_at,password_changed_at,last_login_at\r\n' +
        `1,admin,admin,true,${NOW},${NOW},${NOW}\r\n`,
    );
    expect((await get('2/').expect(200)).body).toEqual(results[1]);
    expectProblem(await get('?page=2'), { status: 404, code: 'not_found', extra: { last_page: 1 } });
    for (const id of ['3', '0', 'x', '2147483648'])
      expectProblem(await get(`${id}/`), { status: 404, code: 'not_found' });
    expectProblem(await get('?role=admin'), {
      status: 400,
      code: 'invalid',
      errors: [queryViolation('role', 'unknown_parameter')],
    });
  });

  it('is for admins alone', async () => {
    const maintainer = await service.authHeader(anna);
    for (const [headers, status, code] of [
      [{}, 401, 'not_authenticated'],
      [maintainer, 403, 'forbidden'],
    ] as const) {
      expectProblem(await get('', headers), { status, code });
      expectProblem(await get('2/', headers), { status, code });
      expectProblem(await patch(2, { role: 'admin' }, headers), { status, code });
    }
    expect(await trail()).toEqual([]);
  });

  it('A7: ends the sessions of an account that is disabled, for good', async () => {
    const { access, refresh } = await service.login(anna);
    expect(await service.write(access)).toBe(200);
    const disabled = account(2, 'anna', 'maintainer', { enabled: false, last_login_at: NOW });
    expect((await patch(2, { enabled: false }).expect(200)).body).toEqual(disabled);
    expect(await service.write(access)).toBe(401);
    expect((await service.refresh(refresh)).status).toBe(401);
    await service.http().post('/api/auth/login/').send(anna).expect(401);
    expect((await patch(2, { enabled: true }).expect(200)).body).toEqual({ ...disabled, enabled: true });
    expect(await service.write(access)).toBe(401);
    expect((await service.refresh(refresh)).status).toBe(401);
    expect(await service.write((await service.login(anna)).access)).toBe(200);
    expect(await trail()).toEqual([
      { account_id: 1, record_id: 2, before: { enabled: false }, after: { enabled: true } },
      { account_id: 1, record_id: 2, before: { enabled: true }, after: { enabled: false } },
    ]);
  });

  it('changes a role from the next request on, and keeps the sessions', async () => {
    const maintainer = await service.authHeader(anna);
    expectProblem(await get('', maintainer), { status: 403, code: 'forbidden' });
    await patch(2, { role: 'admin' }).expect(200);
    await get('', maintainer).expect(200);
    await patch(1, { role: 'maintainer', enabled: true }, maintainer).expect(200);
    expectProblem(await get(), { status: 403, code: 'forbidden' });
    const changes = service.events.filter(([event]) => event === 'role_changed');
    expect(changes).toEqual([
      ['role_changed', { username: 'anna', requestId: expect.any(String) }],
      ['role_changed', { username: 'admin', requestId: expect.any(String) }],
    ]);
  });

  it('never leaves the service without an enabled admin', async () => {
    const lastAdmin = {
      status: 409,
      code: 'last_admin',
      errors: [{ in: 'path', name: 'id', code: 'last_admin' }],
    };
    for (const body of [{ role: 'maintainer' }, { enabled: false }, { role: 'maintainer', enabled: false }])
      expectProblem(await patch(1, body), lastAdmin);
    await patch(2, { role: 'admin', enabled: false }).expect(200);
    expectProblem(await patch(1, { enabled: false }), lastAdmin);
    await patch(2, { enabled: true }).expect(200);
    await patch(1, { role: 'admin', enabled: true }).expect(200);
    // Of two admins who disable each other at once, one remains.
    const second = await service.authHeader(anna);
    const statuses = await Promise.all([
      patch(2, { enabled: false }).then(({ status }) => status),
      patch(1, { enabled: false }, second).then(({ status }) => status),
    ]);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const left = (await service.accounts.list()).filter(({ enabled }) => Boolean(enabled));
    expect(left).toHaveLength(1);
  });

  it('changes nothing for a body without changes, and rejects other fields', async () => {
    expect((await patch(2, {}).expect(200)).body).toEqual(account(2, 'anna', 'maintainer'));
    await patch(2, { role: 'maintainer', enabled: true }).expect(200);
    for (const [body, name, code] of [
      [{ password: 'granite 93 harbour owl' }, 'password', 'unknown_field'],
      [{ username: 'berta' }, 'username', 'unknown_field'],
      [{ role: 'owner' }, 'role', 'invalid_choice'],
      [{ enabled: 'no' }, 'enabled', 'invalid_type'],
    ] as const)
      expectProblem(await patch(2, body), {
        status: 400,
        code: 'invalid',
        errors: [fieldViolation(name, code)],
      });
    expectProblem(await patch(9, { enabled: false }), { status: 404, code: 'not_found' });
    expectProblem(await service.http().post('/api/v1/Account/').set(admin).send({}), {
      status: 405,
      code: 'method_not_allowed',
    });
    expect(await trail()).toEqual([]);
  });

  it('W3: takes the ETag of what was read', async () => {
    const { headers } = await get('2/').expect(200);
    await patch(2, { role: 'admin' }, { ...admin, 'If-Match': headers.etag! }).expect(200);
    expectProblem(await patch(2, { role: 'maintainer' }, { ...admin, 'If-Match': headers.etag! }), {
      status: 412,
      code: 'precondition_failed',
    });
  });
});
