import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SealedSecrets } from '../../src/harvests/records/sealed-secrets.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const HARVEST = {
  name: 'mali-oma',
  address: 'https://prices.example.org/monthly.csv',
  format: 'prices',
  schedule: '30 6 * * 1-5',
};
/** The record of `HARVEST`; the clock of the test says Saturday, 2026-11-21T12:00Z. */
const RECORD = {
  id: 1,
  ...HARVEST,
  header: '',
  has_secret: false,
  options: {},
  source: '',
  time_zone: 'UTC',
  shrink_limit: 20,
  reject_limit: 2,
  change_limit: 10,
  expected_interval: '',
  expected_lag: '',
  owner: '',
  enabled: true,
  next_run_at: '2026-11-23T06:30:00.000Z',
};

interface AuditRow {
  action: string;
  before: unknown;
  after: unknown;
}

describe('harvests', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'harvest-records-'));
    service = await startTestApp({
      SECRETS_KEY: 'a key of the test suite, 0123456789',
      HARVEST_FILES_DIR: folder,
    });
    admin = await service.authHeader();
  });
  afterEach(async () => {
    await service?.close();
    rmSync(folder, { recursive: true });
  });

  const send = (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path = '', body?: object) =>
    service.http()[method](`/api/v1/Harvest/${path}`).set(admin).send(body);
  const revision = () => service.database.rows('SELECT revision FROM data_revision');

  it('are readable with a token only', async () => {
    for (const path of ['', '1/', '1/run/', '1/run/1/'])
      expectProblem(await service.http().get(`/api/v1/Harvest/${path}`), {
        status: 401,
        code: 'not_authenticated',
      });
    expect((await send('get').expect(200)).body).toEqual({
      count: 0,
      next: null,
      previous: null,
      results: [],
    });
    expectProblem(await send('get', '1/'), { status: 404, code: 'not_found' });
    expectProblem(await send('get', 'mali/'), { status: 404, code: 'not_found' });
  });

  it('are created, read, changed and deleted, without a revision of the data', async () => {
    const before = await revision();
    const created = await send('post', '?reason=New%20source', HARVEST).expect(201);
    expect(created.body).toEqual(RECORD);
    expect(created.headers).toMatchObject({
      etag: '"1"',
      location: expect.stringMatching(/\/api\/v1\/Harvest\/1\/$/),
    });
    for (const path of ['1/', 'mali-oma/'])
      expect((await send('get', path).expect(200)).body).toEqual(RECORD);
    expect((await send('get').expect(200)).body).toMatchObject({ count: 1, results: [RECORD] });

    expectProblem(await send('patch', '1/', { owner: 'Awa' }).set('If-Match', '"2"'), {
      status: 412,
      code: 'precondition_failed',
    });
    const options = { period: 'monthly', decimal: 'comma' };
    const changes = { owner: ' Awa ', options, enabled: false, shrink_limit: 12.5 };
    const changed = await send('patch', 'mali-oma/', changes).set('If-Match', '"1"').expect(200);
    const off = { ...RECORD, owner: 'Awa', options, enabled: false, shrink_limit: 12.5, next_run_at: null };
    expect([changed.body, changed.headers.etag]).toEqual([off, '"2"']);
    // Options that are not named stay, and null removes one.
    const merged = await send('patch', '1/', { options: { decimal: null, country: 'mli' } }).expect(200);
    expect(merged.body).toEqual({ ...off, options: { period: 'monthly', country: 'MLI' } });
    const same = await send('patch', '1/', {}).expect(200);
    expect([same.body, same.headers.etag]).toEqual([merged.body, '"3"']);

    const other = { ...HARVEST, id: 1, time_zone: 'Asia/Kathmandu', schedule: '0 6 1 * *' };
    expect((await send('put', '1/', other).expect(200)).body).toEqual({
      ...RECORD,
      ...other,
      next_run_at: '2026-12-01T00:15:00.000Z',
    });
    await send('delete', '1/').expect(204);
    expectProblem(await send('delete', '1/'), { status: 404, code: 'not_found' });
    expect(await revision()).toEqual(before);
    const { body: log } = await service.http().get('/api/v1/AuditLog/?table=harvest').set(admin).expect(200);
    expect((log as { results: AuditRow[] }).results.map(({ action }) => action)).toEqual([
      'delete',
      'update',
      'update',
      'update',
      'create',
    ]);
    const { body: sets } = await service.http().get('/api/v1/ChangeSet/?kind=record').expect(200);
    expect((sets as { results: { reason: string }[] }).results.at(-1)).toMatchObject({
      reason: 'New source',
    });
  });

  it('have names of their own', async () => {
    await send('post', '', HARVEST).expect(201);
    const second = { ...HARVEST, name: 'niger-sima' };
    await send('post', '', second).expect(201);
    const existing = expect.stringMatching(/\/api\/v1\/Harvest\/1\/$/);
    expectProblem(await send('post', '', HARVEST), { status: 409, code: 'duplicate', extra: { existing } });
    expectProblem(await send('patch', '2/', { name: 'mali-oma' }), {
      status: 409,
      code: 'duplicate',
      extra: { existing },
    });
    const names = await Promise.all([1, 2].map(() => send('post', '', { ...HARVEST, name: 'kenya' })));
    expect(names.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('are created once with an idempotency key', async () => {
    const post = () => send('post', '', HARVEST).set('Idempotency-Key', 'one');
    expect((await post().expect(201)).body).toEqual((await post().expect(201)).body);
    expect((await send('get').expect(200)).body).toMatchObject({ count: 1 });
  });

  it('are rejected with all that is wrong with them', async () => {
    const wrong = {
      id: 5,
      has_secret: true,
      adress: 'x',
      name: 'Mali OMA',
      address: 'ftp://example.org/x',
      format: 'prices',
      schedule: '* * * * *',
      options: { decimal: 'dot', unit: 1 },
      shrink_limit: 101,
      reject_limit: -1,
      change_limit: '10',
    };
    const at = (pointer: string, code: string) => ({ in: 'body', pointer, code });
    expectProblem(await send('post', '?reasn=x', wrong), {
      status: 400,
      code: 'invalid',
      errors: [
        { in: 'query', name: 'reasn', code: 'unknown_parameter' },
        at('/id', 'read_only'),
        at('/has_secret', 'read_only'),
        at('/adress', 'unknown_field'),
        at('/options/decimal', 'invalid_choice'),
        at('/options/unit', 'unknown_field'),
        at('/shrink_limit', 'out_of_range'),
        at('/reject_limit', 'out_of_range'),
        at('/change_limit', 'invalid_type'),
      ],
    });
    expectProblem(await send('post', '', {}), {
      status: 400,
      code: 'invalid',
      errors: ['/name', '/address', '/format', '/schedule'].map((pointer) => at(pointer, 'required')),
    });
    const fields = {
      ...HARVEST,
      name: 'Mali OMA',
      address: 'ftp://example.org/x',
      header: 'Authorization: Bearer abc',
      format: 'xls',
      schedule: '* * * * *',
      time_zone: 'Mali',
      expected_interval: '1M',
      expected_lag: 'P0D',
      options: { encoding: 'utf-32', overrule_corrections: true, fill_only: true },
    };
    expectProblem(await send('post', '', fields), {
      status: 400,
      code: 'invalid',
      errors: [
        at('/name', 'invalid_format'),
        at('/address', 'invalid_format'),
        at('/header', 'invalid_format'),
        at('/format', 'invalid_choice'),
        at('/schedule', 'out_of_range'),
        at('/time_zone', 'invalid_choice'),
        at('/expected_interval', 'invalid_format'),
        at('/expected_lag', 'invalid_format'),
        at('/options/encoding', 'invalid_choice'),
        at('/options/overrule_corrections', 'conflicting_fields'),
        at('/options/fill_only', 'conflicting_fields'),
        at('/secret', 'required'),
      ],
    });
    expect((await send('get').expect(200)).body).toMatchObject({ count: 0 });
    await send('post', '', HARVEST).expect(201);
    expectProblem(await send('put', '1/', { ...HARVEST, id: 2 }), {
      status: 400,
      code: 'invalid',
      errors: [at('/id', 'id_mismatch')],
    });
  });

  it.each([
    'https://user:word@example.org/x.csv',
    'https://user@example.org/x.csv',
    'https://{secret}.example.org/x.csv',
    'https://{secret}@example.org/x.csv',
    'https://example.org/x.csv#part',
    'file:///etc/../etc/',
    'file://server/share/x.csv',
    'file:a%2f..%2fb.csv',
    'file:{secret}.csv',
    'x.csv',
    '',
  ])('have no address %s', async (address) => {
    expectProblem(await send('post', '', { ...HARVEST, address, secret: 'abc' }), {
      status: 400,
      code: 'invalid',
    });
  });

  it('read files only where there is a folder for them', async () => {
    await send('post', '', { ...HARVEST, address: 'file:mali/prices.csv' }).expect(201);
    const without = await startTestApp();
    try {
      const response = await without
        .http()
        .post('/api/v1/Harvest/')
        .set(await without.authHeader())
        .send({ ...HARVEST, address: 'file:mali/prices.csv' });
      expectProblem(response, {
        status: 400,
        code: 'invalid',
        errors: [{ in: 'body', pointer: '/address', code: 'invalid_choice' }],
      });
    } finally {
      await without.close();
    }
  });

  describe('with a secret', () => {
    const SECRET = 'Xk2-very-secret';
    const address = 'https://example.org/{secret}/prices.csv';
    const stored = async () => {
      const [row] = await service.database.rows<{ secret: string }>('SELECT secret FROM harvest');
      return row!.secret;
    };
    const open = async (origin = 'https://example.org') =>
      service.app.get(SealedSecrets).open(await stored(), origin);

    it('never show it, and keep it sealed for its origin', async () => {
      const created = await send('post', '', { ...HARVEST, address, secret: SECRET }).expect(201);
      expect(created.body).toEqual({ ...RECORD, address, has_secret: true });
      expect([await open(), await open('https://example.com')]).toEqual([SECRET, null]);
      // Written again and again, it is sealed in another way each time.
      const first = await stored();
      await send('patch', '1/', { secret: SECRET }).expect(200);
      expect(first).not.toBe(await stored());
      await send('put', '1/', { ...HARVEST, address: `${address}?page=1` }).expect(200);
      expect(await open()).toBe(SECRET);
      const dump = JSON.stringify([
        await service.database.rows('SELECT * FROM harvest'),
        await service.database.rows('SELECT * FROM audit_log'),
        await service.database.rows('SELECT * FROM idempotency_key'),
        (await send('get').expect(200)).body,
      ]);
      expect(dump).not.toContain(SECRET);
    });

    it('lose it with the origin of the address, or with its place', async () => {
      await send('post', '', { ...HARVEST, address, secret: SECRET }).expect(201);
      expectProblem(await send('patch', '1/', { address: 'https://example.com/{secret}/prices.csv' }), {
        status: 400,
        code: 'invalid',
        errors: [{ in: 'body', pointer: '/secret', code: 'required' }],
      });
      expect(await open()).toBe(SECRET);
      const other = { address: HARVEST.address };
      expect((await send('patch', '1/', other).expect(200)).body).toMatchObject({ has_secret: false });
      expect(await stored()).toBe('');
      const header = 'Authorization: Bearer {secret}';
      await send('patch', '1/', { header, secret: SECRET }).expect(200);
      expect(await open('https://prices.example.org')).toBe(SECRET);
      expectProblem(await send('patch', '1/', { secret: null }), { status: 400, code: 'invalid' });
      expect((await send('patch', '1/', { secret: null, header: '' }).expect(200)).body).toEqual(RECORD);
    });

    it.each([
      ['without a place', { secret: SECRET }],
      ['with a line break', { secret: 'a\nb', address }],
      ['in a header of every request', { secret: SECRET, header: 'Host: {secret}' }],
      ['in a header of two lines', { secret: SECRET, header: 'X-Key: {secret}\r\nX: y' }],
    ])('are rejected %s', async (_, fields) => {
      expectProblem(await send('post', '', { ...HARVEST, ...fields }), { status: 400, code: 'invalid' });
    });
  });

  it('are run when somebody asks for it, once for all who ask', async () => {
    await send('post', '', { ...HARVEST, enabled: false }).expect(201);
    const asked = await send('post', 'mali-oma/run/').expect(202);
    const run = {
      id: 1,
      state: 'waiting',
      attempt: 1,
      due_at: '2026-11-21T12:00:00.000Z',
      not_before: '2026-11-21T12:00:00.000Z',
      started_at: null,
      ended_at: null,
      bytes: null,
      counts: null,
      change_set_id: null,
      error: '',
      held: [],
      decided_by: '',
      reason: '',
    };
    expect([asked.body, asked.headers.location]).toEqual([
      run,
      expect.stringMatching(/\/Harvest\/1\/run\/1\/$/),
    ]);
    expect((await send('post', '1/run/').expect(202)).body).toEqual(run);
    expect((await send('get', '1/run/').expect(200)).body).toMatchObject({ count: 1, results: [run] });
    expect((await send('get', '1/run/1/').expect(200)).body).toEqual(run);
    expectProblem(await send('get', '1/run/2/'), { status: 404, code: 'not_found' });
    expectProblem(await send('post', '2/run/'), { status: 404, code: 'not_found' });
    expectProblem(await service.http().post('/api/v1/Harvest/1/run/'), {
      status: 401,
      code: 'not_authenticated',
    });
    await send('delete', '1/').expect(204);
    expect(await service.database.rows('SELECT * FROM harvest_run')).toEqual([]);
  });
});
