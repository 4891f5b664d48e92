import { expectProblem, queryViolation } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const PATH = '/api/v1/ChangeSet/';
const WFP = `date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice
2024-01-15,Coast,Mombasa,Mombasa,-4.05,39.67,cereals and tubers,Maize,90 KG,actual,Wholesale,KES,4000,26
2024-02-15,Coast,Mombasa,Mombasa,-4.05,39.67,cereals and tubers,Maize,90 KG,actual,Wholesale,KES,4100,27
`;

interface ChangeSet {
  id: number;
  kind: string;
  [field: string]: unknown;
}

describe('H1: change sets', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    service.clock.milliseconds = Date.parse('2030-01-01T00:00:00Z');
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const list = async (query = '') =>
    (
      (
        await service
          .http()
          .get(PATH + query)
          .expect(200)
      ).body as { results: ChangeSet[] }
    ).results;
  const send = (method: 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) =>
    service.http()[method](`/api/v1/${path}`).set(admin).send(body);
  const upload = (query = '') =>
    service
      .http()
      .post(`/api/v1/Import/?format=wfp&country=KEN${query}`)
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send(WFP);
  const audited = async () =>
    ((await service.http().get('/api/v1/AuditLog/').set(admin).expect(200)).body as { results: ChangeSet[] })
      .results;
  const empty = { input: '', format: '', digest: '', source: '', counts: null, reverted_by: null };

  it('begin with one of what was there before', async () => {
    expect(await list()).toEqual([
      {
        ...empty,
        id: 1,
        kind: 'migration',
        state: 'done',
        started_at: expect.any(String),
        ended_at: expect.any(String),
        first_revision: 1,
        last_revision: 1,
        reason: '',
      },
    ]);
  });

  it('say what changed a record, when and why, in the order of the commits', async () => {
    const at = '2030-01-01T00:00:00.000Z';
    const { body } = await send('post', 'Source/?reason=New%20source', { name: 'A' }).expect(201);
    const { id } = body as { id: number };
    await send('patch', `Source/${id}/?reason=Wrong%20licence`, { license: 'CC0' }).expect(200);
    await send('put', `Source/${id}/`, { name: 'B' }).expect(200);
    await send('delete', `Source/${id}/?reason=Not%20used`).expect(204);
    const record = { ...empty, kind: 'record', state: 'done', started_at: at, ended_at: at };
    const revision = (number: number) => ({ first_revision: number, last_revision: number });
    expect((await list()).slice(0, -1)).toEqual([
      { ...record, id: 5, ...revision(5), reason: 'Not used' },
      { ...record, id: 4, ...revision(4), reason: '' },
      { ...record, id: 3, ...revision(3), reason: 'Wrong licence' },
      { ...record, id: 2, ...revision(2), reason: 'New source' },
    ]);
    expect((await audited()).slice(0, 4).map(({ change_set_id }) => change_set_id)).toEqual([5, 4, 3, 2]);
  });

  it('are not made by a write that changes nothing, by a login, or by one that is rejected', async () => {
    const { body } = await send('post', 'Source/', { name: 'A' }).expect(201);
    const { id } = body as { id: number };
    const before = await list();
    const [{ revision }] = (await service.database.rows('SELECT revision FROM data_revision')) as [
      { revision: number },
    ];
    await send('patch', `Source/${id}/`, {}).expect(200);
    await send('patch', `Source/${id}/`, { name: 'A' }).expect(200);
    await send('post', 'Source/', { name: 'A' }).expect(409);
    await service.authHeader();
    expect(await list()).toEqual(before);
    expect(await service.database.rows('SELECT revision FROM data_revision')).toEqual([{ revision }]);
  });

  it('list imports and corrections', async () => {
    const { body } = await upload('&input=wfp_ken.csv&reason=January%20and%20February&source=WFP').expect(
      200,
    );
    const report = body as { change_set_id: number; digest: string };
    expect(report.change_set_id).toBe(2);
    const at = '2030-01-01T00:00:00.000Z';
    const imported = {
      id: 2,
      kind: 'import',
      state: 'done',
      started_at: at,
      ended_at: at,
      first_revision: 2,
      last_revision: 2,
      input: 'wfp_ken.csv',
      format: 'wfp',
      digest: report.digest,
      source: 'WFP',
      reason: 'January and February',
      counts: {
        read: 2,
        new: 2,
        changed: 0,
        unchanged: 0,
        skipped: {},
        rejected: 0,
        series: 1,
        records: { Market: 1, Commodity: 1, Source: 1, MeasureUnit: 1 },
        filled: 0,
        attribute_conflicts: 0,
        corrections_kept: 0,
        corrections_confirmed: 0,
        corrections_superseded: 0,
        findings: {},
      },
      reverted_by: null,
    };
    expect((await service.http().get(`${PATH}2/`).expect(200)).body).toEqual(imported);
    const prices = await service.http().get('/api/v1/PriceSeriePrice/').expect(200);
    const [{ uuid, datapoints }] = (
      prices.body as { results: [{ uuid: string; datapoints: { id: number }[] }] }
    ).results;
    const point = `PriceSeriePrice/${uuid}/${datapoints[0]!.id}/`;
    await send('patch', `${point}?reason=Typing%20error`, { price_value: 4200 }).expect(200);
    await send('delete', point).expect(204);
    expect((await list('?kind=correction')).map(({ id, reason }) => ({ id, reason }))).toEqual([
      { id: 4, reason: '' },
      { id: 3, reason: 'Typing error' },
    ]);
    expect(await list('?kind=import')).toEqual([imported]);
    expect((await audited())[0]).toMatchObject({ table: 'observation', action: 'delete', change_set_id: 4 });
  });

  it('are not made by a dry run', async () => {
    const { body } = await upload('&dry_run=true').expect(200);
    expect(body).toMatchObject({ new: 2, change_set_id: null });
    expect((await list()).map(({ kind }) => kind)).toEqual(['migration']);
  });

  it('say which import failed', async () => {
    await service
      .http()
      .post('/api/v1/Import/?format=prices')
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send('no,such,columns\n1,2,3\n')
      .expect(400);
    expect(await list('?state=failed')).toMatchObject([
      { kind: 'import', first_revision: null, last_revision: null, counts: { read: 0, new: 0 } },
    ]);
  });

  it('are filtered and paged', async () => {
    for (const name of ['A', 'B', 'C']) await send('post', 'Source/', { name }).expect(201);
    const ids = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await ids('?kind=record,correction')).toEqual([4, 3, 2]);
    expect(await ids('?from=2030-01-01&to=2030-01-01')).toEqual([4, 3, 2]);
    expect(await ids('?to=2029-12-31')).toEqual([1]);
    expect(await ids('?source=WFP')).toEqual([]);
    expect(await ids('?state=running')).toEqual([]);
    expect((await service.http().get(`${PATH}?page_size=2&page=2`).expect(200)).body).toMatchObject({
      count: 4,
      next: null,
      results: [{ id: 2 }, { id: 1 }],
    });
    const csv = await service.http().get(`${PATH}?format=csv&kind=record`).expect(200);
    expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
      'id,kind,state,started_at,ended_at,first_revision,last_revision,input,format,digest,source,reason,counts,reverted_by',
      '4,record,done,2030-01-01T00:00:00.000Z,2030-01-01T00:00:00.000Z,4,4,,,,,,,',
    ]);
  });

  it('reject what is not a change set or no parameter', async () => {
    for (const id of ['99', '0', 'x', '99999999999'])
      expectProblem(await service.http().get(`${PATH}${id}/`), { status: 404, code: 'not_found' });
    expectProblem(await service.http().get(`${PATH}?page=2`), {
      status: 404,
      code: 'not_found',
      extra: { last_page: 1 },
    });
    expectProblem(await service.http().get(`${PATH}?kind=x`), {
      status: 400,
      code: 'invalid',
      errors: [queryViolation('kind', 'invalid_choice', { index: 0 })],
    });
  });

  it('report a reason that is too long together with what is wrong with the body', async () => {
    const reason = 'x'.repeat(501);
    const response = await send('post', `Source/?reason=${reason}&reasons=1`, { name: 5 });
    expect(response.status).toBe(400);
    expect(
      (response.body as { errors: { in: string; name: string; code: string }[] }).errors.map(
        ({ in: where, name, code }) => `${where} ${name} ${code}`,
      ),
    ).toEqual(['query reasons unknown_parameter', 'query reason too_long', 'body name invalid_type']);
    expect((await send('delete', `Source/1/?reason=${reason}`)).body).toMatchObject({
      code: 'invalid',
      errors: [{ in: 'query', name: 'reason', code: 'too_long', max: 500 }],
    });
  });
});
