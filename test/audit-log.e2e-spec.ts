import { Accounts } from '../src/auth/accounts/accounts.js';
import { storedRecord } from './reference/reference-tables.js';
import { expectProblem, queryViolation } from './support/problems.js';
import { startTestApp, type TestApp } from './support/test-app.js';

const PATH = '/api/v1/AuditLog/';
const maintainer = { username: 'maintainer', password: 'granite 93 harbour owl' };

type Headers = Record<string, string>;
interface Change {
  id: number;
  [field: string]: unknown;
}

describe('the audit log', () => {
  let service: TestApp;
  let admin: Headers;
  let other: Headers;
  /** All changes, newest first. */
  let changes: Change[];
  let commodity: number;

  beforeAll(async () => {
    service = await startTestApp();
    await service.app
      .get(Accounts, { strict: false })
      .create(maintainer.username, maintainer.password, 'maintainer');
    const day = (date: string) => (service.clock.milliseconds = Date.parse(`${date}T23:59:59.999Z`));
    const send = (method: 'post' | 'patch' | 'delete', path: string, id: string, body?: object) =>
      service
        .http()
        [method](`/api/v1/${path}`)
        .set({ ...admin, 'X-Request-Id': id })
        .send(body);

    day('2026-11-22');
    admin = await service.authHeader();
    const created = await send('post', 'Commodity/', 'first', { name: 'Maize', hs_code: '1005' }).expect(201);
    commodity = (created.body as { id: number }).id;
    day('2026-11-23');
    admin = await service.authHeader();
    await send('patch', `Commodity/${commodity}/`, 'second', { category: 'Cereals, "=whole"' }).expect(200);
    await send('post', 'Source/', 'third', { name: 'WFP' }).expect(201);
    day('2026-11-24');
    admin = await service.authHeader();
    await send('delete', `Commodity/${commodity}/`, 'fourth').expect(204);
    other = await service.authHeader(maintainer);
    changes = ((await get('?page_size=100')).body as { results: Change[] }).results;
  });
  afterAll(() => service?.close());

  const get = (query = '', headers: Headers = admin) =>
    service
      .http()
      .get(PATH + query)
      .set(headers);
  const found = async (query: string) =>
    ((await get(query).expect(200)).body as { results: Change[] }).results;

  it('shows each change whole, newest first', () => {
    const row = {
      account_id: 1,
      username: 'admin',
      token_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      issuer: '',
      subject: '',
    };
    expect(changes.slice(0, 4)).toEqual([
      {
        ...row,
        id: expect.any(Number),
        at: '2026-11-24T23:59:59.999Z',
        request_id: 'fourth',
        change_set_id: 5,
        table: 'commodity',
        record_id: commodity,
        action: 'delete',
        before: storedRecord('Commodity', { name: 'Maize', hs_code: '1005', category: 'Cereals, "=whole"' }),
        after: null,
      },
      {
        ...row,
        id: expect.any(Number),
        at: '2026-11-23T23:59:59.999Z',
        request_id: 'third',
        change_set_id: 4,
        table: 'source',
        record_id: expect.any(Number),
        action: 'create',
        before: null,
        after: storedRecord('Source', { name: 'WFP' }),
      },
      {
        ...row,
        id: expect.any(Number),
        at: '2026-11-23T23:59:59.999Z',
        request_id: 'second',
        change_set_id: 3,
        table: 'commodity',
        record_id: commodity,
        action: 'update',
        before: { category: '' },
        after: { category: 'Cereals, "=whole"' },
      },
      {
        ...row,
        id: expect.any(Number),
        at: '2026-11-22T23:59:59.999Z',
        request_id: 'first',
        change_set_id: 2,
        table: 'commodity',
        record_id: commodity,
        action: 'create',
        before: null,
        after: storedRecord('Commodity', { name: 'Maize', hs_code: '1005' }),
      },
    ]);
    expect(Object.keys(changes[0]!)).toEqual([
      ...['id', 'at', 'account_id', 'username', 'token_id', 'request_id'],
      ...['table', 'record_id', 'action', 'before', 'after', 'issuer', 'subject', 'change_set_id'],
    ]);
    // Changes to accounts are logged as well, without their secrets.
    expect(JSON.stringify(changes)).not.toMatch(/argon2|password_hash/);
  });

  it('is paged', async () => {
    const paged: Change[] = [];
    for (let page = 1; paged.length < changes.length; page++) {
      const { body } = await get(`?page_size=2&page=${page}`).expect(200);
      const { count, results } = body as { count: number; results: Change[] };
      expect(count).toBe(changes.length);
      paged.push(...results);
    }
    expect(paged).toEqual(changes);
    const { body } = await get('?page_size=1').expect(200);
    expect(body).toEqual({
      count: changes.length,
      next: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/AuditLog\/\?page_size=1&page=2$/),
      previous: null,
      results: changes.slice(0, 1),
    });
    expectProblem(await get('?page=1000'), { status: 404, code: 'not_found', extra: { last_page: 1 } });
    expect((await get('?record_id=2147483647')).body).toEqual({
      count: 0,
      next: null,
      previous: null,
      results: [],
    });
  });

  it('is filtered', async () => {
    const matching = (test: (change: Change) => boolean) => changes.filter(test);
    expect(await found('?table=commodity')).toEqual(matching(({ table }) => table === 'commodity'));
    expect(await found('?table=commodity,source&action=create')).toEqual(
      matching(({ table, action }) => table !== 'account' && action === 'create'),
    );
    expect(await found(`?record_id=${commodity}&table=commodity&action=Update,DELETE`)).toEqual(
      matching(({ table, action }) => table === 'commodity' && action !== 'create'),
    );
    expect(await found('?account_id=1')).toEqual(matching(({ account_id }) => account_id === 1));
    expect(await found('?account_id=77')).toEqual([]);
    expect(await found('?change_set_id=3,5')).toEqual([changes[0], changes[2]]);
    expect(await found('?from=2026-11-23&to=2026-11-23')).toEqual(changes.slice(1, 3));
    expect(await found('?from=2026-11-24')).toEqual(changes.slice(0, 1));
    expect(await found('?to=2026-11-22&table=commodity')).toEqual(changes.slice(3, 4));
    expectProblem(await get('?from=2026-11-24&to=2026-11-23&action=drop&record_id=0&user=1'), {
      status: 400,
      code: 'invalid',
      errors: [
        queryViolation('from', 'reversed_range'),
        queryViolation('to', 'reversed_range'),
        queryViolation('action', 'invalid_choice', { index: 0 }),
        queryViolation('record_id', 'invalid_item', { index: 0 }),
        queryViolation('user', 'unknown_parameter'),
      ],
    });
  });

  it('supports CSV and NDJSON, whole or one page', async () => {
    const ndjson = await get('?format=ndjson').responseType('text').expect(200);
    expect(String(ndjson.body)).toBe(changes.map((change) => `${JSON.stringify(change)}\n`).join(''));
    const { token_id, id } = changes[2]!;
    const csv = await get('?format=csv&page_size=1&page=3').buffer(true).expect(200);
    expect(csv.text.split('\r\n')).toEqual([
      'id,at,account_id,username,token_id,request_id,table,record_id,action,before,after,issuer,subject,change_set_id',
      `${id},2026-11-23T23:59:59.999Z,1,admin,${String(token_id)},second,commodity,${commodity},update,"{""category"":""""}","{""category"":""Cereals, \\""=whole\\""""}",,,3`,
      '',
    ]);
  });

  it('is only for admins, and not cached', async () => {
    expectProblem(await get('', {}), { status: 401, code: 'not_authenticated' });
    expectProblem(await get('', { Authorization: 'Bearer nonsense' }), {
      status: 401,
      code: 'token_not_valid',
    });
    expectProblem(await get('', other), { status: 403, code: 'forbidden' });
    expectProblem(await get('?action=drop', other), { status: 403, code: 'forbidden' });
    expect((await get()).headers['cache-control']).toBe('no-store');
    const head = await service.http().head(PATH).set(admin);
    expect([head.status, head.text ?? '']).toEqual([200, '']);
  });

  it('W9: cannot be changed by any route', async () => {
    for (const method of ['post', 'put', 'patch', 'delete'] as const) {
      const response = await service.http()[method](PATH).set(admin).send({});
      expectProblem(response, { status: 405, code: 'method_not_allowed' });
      expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
      const one = await service.http()[method](`${PATH}${changes[0]!.id}/`).set(admin).send({});
      expectProblem(one, { status: 404, code: 'not_found' });
    }
    expect((await get('?page_size=100')).body).toMatchObject({ results: changes });
  });
});
