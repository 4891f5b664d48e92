import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Record {
  id: number;
  [field: string]: unknown;
}

describe('H4: aliases', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const send = (method: 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) =>
    service.http()[method](`/api/v1/${path}`).set(admin).send(body);
  const create = async (path: string, body: object) =>
    (await send('post', path, body).expect(201)).body as Record;
  const list = async (query = '') =>
    ((await service.http().get(`/api/v1/Alias/${query}`).expect(200)).body as { results: Record[] }).results;
  const none = { iso3_country_code: '', admin_unit: '', admin_unit2: '' };

  it('are none at first', async () => {
    const { body } = await service.http().get('/api/v1/Alias/').expect(200);
    expect(body).toEqual({ count: 0, next: null, previous: null, results: [] });
    const { text } = await service.http().get('/api/v1/Alias/?format=csv').expect(200);
    expect(text).toBe('id,table,record_id,name,iso3_country_code,admin_unit,admin_unit2\r\n');
  });

  it('are created, read, listed and removed', async () => {
    const { id: unit } = await create('MeasureUnit/', { name: 'kg' });
    const { id: market } = await create('Market/', { name: 'Wakulima', iso3_country_code: 'KEN' });
    const created = await send('post', 'Alias/?reason=Other%20spelling', {
      table: 'MeasureUnit',
      record_id: unit,
      name: ' Kilo ',
    }).expect(201);
    const kilo = { id: 1, table: 'MeasureUnit', record_id: unit, name: 'Kilo', ...none };
    expect(created.body).toEqual(kilo);
    expect(created.headers).toMatchObject({
      etag: '"1"',
      location: expect.stringMatching(/\/api\/v1\/Alias\/1\/$/),
    });
    const place = { iso3_country_code: 'KEN', admin_unit: 'Nairobi', admin_unit2: '' };
    const body = { table: 'Market', record_id: market, name: 'Gikomba', ...place, iso3_country_code: 'ken' };
    const gikomba = { id: 2, table: 'Market', record_id: market, name: 'Gikomba', ...place };
    expect((await send('post', 'Alias/', body).expect(201)).body).toEqual(gikomba);
    expect(await list()).toEqual([gikomba, kilo]);
    expect(await list('?table=MeasureUnit')).toEqual([kilo]);
    expect(await list(`?record_id=${market}&table=Market`)).toEqual([gikomba]);
    expect((await service.http().get('/api/v1/Alias/2/').expect(200)).body).toEqual(gikomba);
    await send('delete', 'Alias/1/').set('If-Match', '"2"').expect(412);
    await send('delete', 'Alias/1/').expect(204);
    expect(await list()).toEqual([gikomba]);
    expectProblem(await send('delete', 'Alias/1/'), { status: 404, code: 'not_found' });
    const { body: log } = await service.http().get('/api/v1/AuditLog/?table=alias').set(admin).expect(200);
    const stored = { table_name: 'measure_unit', record_id: unit, name: 'Kilo', ...none };
    expect((log as { results: Record[] }).results).toMatchObject([
      { action: 'delete', before: stored, after: null },
      { action: 'create', before: null, after: { table_name: 'market', name: 'Gikomba', ...place } },
      { action: 'create', before: null, after: stored },
    ]);
    expect(
      await service.database.rows("SELECT record_id, action FROM record_change WHERE table_name = 'alias'"),
    ).toEqual([
      { record_id: 1, action: 'created' },
      { record_id: 2, action: 'created' },
      { record_id: 1, action: 'removed' },
    ]);
  });

  it('belong to a record and are unique in its table', async () => {
    const { id } = await create('Commodity/', { name: 'Maize' });
    const { id: other } = await create('Commodity/', { name: 'Wheat' });
    const { id: source } = await create('Source/', { name: 'WFP' });
    const body = { table: 'Commodity', record_id: id, name: 'Corn' };
    await create('Alias/', body);
    await create('Alias/', { table: 'Source', record_id: source, name: 'Corn' });
    for (const record_id of [id, other]) {
      const again = await send('post', 'Alias/', { ...body, record_id });
      expect(again.body).toMatchObject({
        status: 409,
        code: 'duplicate',
        existing: expect.stringMatching(/\/api\/v1\/Alias\/1\/$/),
      });
    }
    const taken = await send('post', 'Alias/', { ...body, name: 'Wheat' });
    expect(taken.body).toMatchObject({
      code: 'duplicate',
      existing: expect.stringMatching(new RegExp(`/api/v1/Commodity/${other}/$`)),
    });
    const missing = await send('post', 'Alias/', { ...body, record_id: 4711, name: 'Mealie' });
    expect(missing.body).toMatchObject({ status: 409, code: 'reference_missing' });
  });

  it('have the fields of the key of their table', async () => {
    const codes = async (body: object) => {
      const { body: problem } = await send('post', 'Alias/', body).expect(400);
      return (problem as { errors: { name: string; code: string }[] }).errors.map(
        ({ name, code }) => `${name} ${code}`,
      );
    };
    expect(await codes({})).toEqual(['table required', 'record_id required', 'name required']);
    expect(await codes({ table: 'FxRate', record_id: 1, name: 'x' })).toEqual(['table invalid_choice']);
    expect(await codes({ table: 'Market', record_id: 1, name: 'x' })).toEqual(['iso3_country_code required']);
    expect(await codes({ table: 'Source', record_id: 1, name: 'x', admin_unit: 'y' })).toEqual([
      'admin_unit unknown_field',
    ]);
    expect(await codes({ table: 'Source', record_id: 1, name: ' ' })).toEqual(['name blank']);
  });

  it('need a token for writes, and accept no unknown parameter', async () => {
    await service.http().post('/api/v1/Alias/').send({}).expect(401);
    await service.http().delete('/api/v1/Alias/1/').expect(401);
    await service.http().get('/api/v1/Alias/?name=x').expect(400);
    await send('put', 'Alias/1/', {}).expect(405);
  });

  it('keep the former key of a record', async () => {
    const { id } = await create('Market/', { name: 'A', iso3_country_code: 'KEN', admin_unit: 'X' });
    await send('patch', `Market/${id}/`, { code: '7' }).expect(200);
    expect(await list()).toEqual([]);
    await send('patch', `Market/${id}/`, { name: 'B' }).expect(200);
    const former = {
      table: 'Market',
      record_id: id,
      iso3_country_code: 'KEN',
      admin_unit: 'X',
      admin_unit2: '',
    };
    expect(await list()).toEqual([{ id: 1, ...former, name: 'A' }]);
    await send('put', `Market/${id}/`, { name: 'B', iso3_country_code: 'KEN' }).expect(200);
    expect(await list()).toEqual([
      { id: 2, ...former, name: 'B' },
      { id: 1, ...former, name: 'A' },
    ]);
    // The first name again: it is the key, so no alias any more.
    await send('patch', `Market/${id}/`, { name: 'A', admin_unit: 'X' }).expect(200);
    expect(await list()).toEqual([
      { id: 3, ...former, name: 'B', admin_unit: '' },
      { id: 2, ...former, name: 'B' },
    ]);
  });

  it('lead to the last record that had the key', async () => {
    const { id: first } = await create('Source/', { name: 'A' });
    await send('patch', `Source/${first}/`, { name: 'B' }).expect(200);
    const { id: second } = await create('Source/', { name: 'A' });
    await send('patch', `Source/${second}/`, { name: 'C' }).expect(200);
    expect(await list()).toEqual([{ id: 2, table: 'Source', record_id: second, name: 'A', ...none }]);
  });

  it('go with their record', async () => {
    const { id } = await create('Commodity/', { name: 'A' });
    const { id: other } = await create('Source/', { name: 'A' });
    await send('patch', `Commodity/${id}/`, { name: 'B' }).expect(200);
    await send('patch', `Source/${other}/`, { name: 'B' }).expect(200);
    await send('delete', `Commodity/${id}/`).expect(204);
    expect(await list()).toEqual([{ id: 2, table: 'Source', record_id: other, name: 'A', ...none }]);
  });

  it('are none of rates, which have no name', async () => {
    const { id } = await create('FxRate/', { currency: 'KES', date: '2026-01-01', rate: 130 });
    await send('patch', `FxRate/${id}/`, { date: '2026-02-01' }).expect(200);
    expect(await list()).toEqual([]);
  });

  it('cannot be made of the names of the built-in price types, which are fixed', async () => {
    for (const id of [11, 12, 13, 17]) {
      const answer = await send('patch', `PriceType/${id}/`, { name: 'OTHER' });
      expect(answer.body).toMatchObject({
        status: 409,
        code: 'built_in',
        detail: `The name of price type ${id} is fixed.`,
        errors: [{ in: 'path', name: 'id', code: 'built_in' }],
      });
    }
    await send('patch', 'PriceType/12/', { name: 'RETAIL', description: 'Shops' }).expect(200);
    const { id } = await create('PriceType/', { name: 'FARM GATE' });
    await send('patch', `PriceType/${id}/`, { name: 'FARM' }).expect(200);
    await create('Alias/', { table: 'PriceType', record_id: id, name: 'Field' });
    expect((await list()).map(({ name }) => name)).toEqual(['FIELD', 'FARM GATE']);
  });
});
