import { seriesVersions } from '../../src/price-series/series-attributes.js';
import { expectProblem, fieldViolation } from '../support/problems.js';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const B = 'bbbbbbbb-0000-4000-8000-000000000002';

interface NamedRecord {
  id: number;
  name: string;
}

describe('H4: merging records', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const get = async <T>(path: string) => (await service.http().get(`/api/v1/${path}`).expect(200)).body as T;
  const send = (method: 'post' | 'patch' | 'delete', path: string, body: object = {}) =>
    service.http()[method](`/api/v1/${path}`).set(admin).send(body);
  const create = async (table: string, body: object) =>
    ((await send('post', `${table}/`, body).expect(201)).body as NamedRecord).id;
  const idOf = async (table: string, name: string) =>
    (await get<NamedRecord[]>(`${table}/`)).find((record) => record.name === name)!.id;
  const rows = <T>(sql: string) => service.database.rows<T>(sql);

  it('lets its series, aliases and key lead to the other one, and removes it', async () => {
    const market = { iso3_country_code: 'KEN', country_name: 'Kenya' };
    await storeSeries(service.unitOfWork, [
      { uuid: A, market: { name: 'Wakulima', admin_unit: 'Nairobi', ...market } },
      { uuid: B, market: { name: 'Wakulima Market', ...market } },
    ]);
    const [from, into] = [await idOf('Market', 'Wakulima'), await idOf('Market', 'Wakulima Market')];
    await send('patch', `Market/${from}/`, { name: 'Wakulima (Nairobi)' }).expect(200);
    const first = await get<object>(`PriceSerie/${A}/`);
    const other = await get<Record<string, unknown>>(`PriceSerie/${B}/`);
    const counts = { series: 1, aliases: 2 };
    const dry = await send('post', `Market/${from}/merge/?dry_run=true`, { into }).expect(200);
    expect(dry.body).toEqual({ change_set: null, counts });
    expect(await get(`PriceSerie/${A}/`)).toEqual(first);

    const { body } = await send('post', `Market/${from}/merge/?reason=The%20same`, { into }).expect(200);
    expect(body).toEqual({ change_set: expect.any(Number), counts });
    const { change_set } = body as { change_set: number };
    const changeSet = await get<{ first_revision: number }>(`ChangeSet/${change_set}/`);
    expect(changeSet).toMatchObject({ kind: 'merge', reason: 'The same' });
    expect(await get(`PriceSerie/${A}/`)).toEqual({ ...other, uuid: A });
    expectProblem(await service.http().get(`/api/v1/Market/${from}/`), { status: 404, code: 'not_found' });
    const aliases = await get<{ results: Record<string, unknown>[] }>(`Alias/?record_id=${into}`);
    expect(aliases.results.map(({ name, admin_unit, table }) => [table, name, admin_unit])).toEqual([
      ['Market', 'Wakulima (Nairobi)', 'Nairobi'],
      ['Market', 'Wakulima', 'Nairobi'],
    ]);
    // What it was before is kept, for reads as of a revision and for reverting the merge.
    const revision = changeSet.first_revision;
    expect(await rows(`SELECT v.uuid, v.market_id, v.until FROM ${seriesVersions.past} v`)).toEqual([
      { uuid: A, market_id: from, until: revision },
    ]);
    expect(
      await rows(
        `SELECT record_id, until FROM record_version WHERE table_name = 'market' AND until = ${revision}`,
      ),
    ).toEqual([{ record_id: from, until: revision }]);
    const log = await service.http().get('/api/v1/AuditLog/?page_size=1').set(admin).expect(200);
    expect(log.body).toMatchObject({
      results: [
        {
          table: 'market',
          record_id: from,
          action: 'delete',
          before: { merged_into: into },
          change_set_id: change_set,
        },
      ],
    });
  });

  it('is reverted: the record, its aliases and its series are as before', async () => {
    await storeSeries(service.unitOfWork, [{ uuid: A, source: { name: 'One' } }, { uuid: B }]);
    const [from, into] = [await idOf('Source', 'One'), await idOf('Source', 'Ministry')];
    await send('post', 'Alias/', { table: 'Source', record_id: from, name: 'Uno' }).expect(201);
    const state = async () => [await get('PriceSerie/'), await get('Source/'), await get('Alias/')];
    const before = await state();
    const { body } = await send('post', `Source/${from}/merge/`, { into }).expect(200);
    const { change_set } = body as { change_set: number };
    await send('post', `ChangeSet/${change_set}/revert/`).expect(200);
    expect(await state()).toEqual(before);
  });

  it('works for records that nothing refers to, in every table that series refer to', async () => {
    const unit = { dimension: 'mass', conversion_factor: 2 };
    for (const [table, more] of [
      ['Market', { iso3_country_code: 'KEN' }],
      ['Commodity', {}],
      ['Source', {}],
      ['MeasureUnit', unit],
      ['PriceType', {}],
    ] as const) {
      const from = await create(table, { name: 'One', ...more });
      const into = await create(table, { name: 'Other', ...more });
      const { body } = await send('post', `${table}/${from}/merge/`, { into }).expect(200);
      expect(body).toMatchObject({ counts: { series: 0, aliases: 1 } });
      expect((await get<NamedRecord[]>(`${table}/?id=${from},${into}`)).map(({ id }) => id)).toEqual([into]);
      expectProblem(await send('post', `${table}/${from}/merge/`, { into }), {
        status: 404,
        code: 'not_found',
      });
    }
    for (const table of ['FxRate', 'Cpi']) await send('post', `${table}/1/merge/`, { into: 2 }).expect(404);
  });

  it('needs units of the same quantity, and price types that are not built in', async () => {
    const kilogram = await create('MeasureUnit', { name: 'Kilo', dimension: 'mass', conversion_factor: 1 });
    const litre = await create('MeasureUnit', { name: 'Litre', dimension: 'volume', conversion_factor: 1 });
    const sack = await create('MeasureUnit', { name: 'Sack', dimension: 'mass', conversion_factor: 0.02 });
    for (const into of [litre, sack])
      expectProblem(await send('post', `MeasureUnit/${kilogram}/merge/`, { into }), {
        status: 409,
        code: 'not_comparable',
        errors: [fieldViolation('into', 'not_comparable')],
      });
    const own = await create('PriceType', { name: 'Street' });
    expectProblem(await send('post', 'PriceType/12/merge/', { into: own }), {
      status: 409,
      code: 'built_in',
    });
    await send('post', `PriceType/${own}/merge/`, { into: 12 }).expect(200);
    expect((await get<{ results: object[] }>('Alias/?table=PriceType')).results).toMatchObject([
      { name: 'Street', record_id: 12 },
    ]);
  });

  it('must be of two records that exist', async () => {
    const id = await create('Source', { name: 'One' });
    for (const unknown of ['99', '0', 'x'])
      expectProblem(await send('post', `Source/${unknown}/merge/`, { into: id }), {
        status: 404,
        code: 'not_found',
      });
    expectProblem(await send('post', `Source/${id}/merge/`, { into: 99 }), {
      status: 409,
      code: 'reference_missing',
      errors: [fieldViolation('into', 'reference_missing')],
    });
    expectProblem(await send('post', `Source/${id}/merge/`, { into: id }), {
      status: 400,
      code: 'invalid',
      errors: [fieldViolation('into', 'same_record')],
    });
    expectProblem(await send('post', `Source/${id}/merge/?dry=1`, {}), {
      status: 400,
      code: 'invalid',
      errors: [{ in: 'query', name: 'dry', code: 'unknown_parameter' }, fieldViolation('into', 'required')],
    });
    await service.http().post(`/api/v1/Source/${id}/merge/`).send({ into: 1 }).expect(401);
    expect(await rows(`SELECT kind FROM change_set WHERE kind = 'merge'`)).toEqual([]);
  });
});
