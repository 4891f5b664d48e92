import { correctionConditions, correctionList } from '../../src/prices/corrections/correction-list.js';
import { storeSeries } from '../support/price-fixture.js';
import { expectProblem, fieldViolation } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const UUID = '11111111-0000-4000-8000-000000000001';
const OTHER = '22222222-0000-4000-8000-000000000002';
const PATH = '/api/v1/Correction/';

interface Item {
  id: number;
  [field: string]: unknown;
}

describe('H3: corrections', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  let ids: Map<string, number>;
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
    ids = await storeSeries(service.unitOfWork, [
      {
        uuid: UUID,
        points: {
          daily: [
            ['2024-01-01', 10, 'seen'],
            ['2024-01-05', 20],
          ],
        },
      },
      { uuid: OTHER, currency: 'UGX', points: { monthly: [['2024-01-01', 7, null, true]] } },
    ]);
  });
  afterEach(() => service?.close());

  const post = (body: unknown, query = '') =>
    service
      .http()
      .post(PATH + query)
      .set(admin)
      .send(body as object);
  const list = async (query = '') =>
    (
      (
        await service
          .http()
          .get(PATH + query)
          .expect(200)
      ).body as { results: Item[] }
    ).results;
  const stored = async (uuid = UUID) => {
    const { body } = await service
      .http()
      .get(`/api/v1/PriceSeriePrice/${uuid}/?periodicity=daily,monthly`)
      .expect(200);
    return (body as { datapoints: Record<string, string>[] }).datapoints
      .filter(({ periodicity, calculated }) => periodicity === 'daily' || uuid === OTHER || !calculated)
      .map(({ date, price_value, comment }) => `${date} ${price_value} ${comment}`.trim())
      .reverse();
  };
  const item = (date: string, price_value: number | null, more: object = {}) => ({
    uuid: UUID,
    periodicity: 'daily',
    date,
    price_value,
    ...more,
  });
  const audited = async () =>
    (await service.database.rows<{ action: string }>('SELECT action FROM audit_log ORDER BY id')).map(
      ({ action }) => action,
    );

  it('set, add and remove points as one change set', async () => {
    const { body } = await post(
      [
        item('2024-01-01', 12, { comment: 'checked' }),
        item('2024-01-05', null),
        item('2024-01-06', 30),
        item('2024-01-07', null),
        { uuid: OTHER.toUpperCase(), periodicity: 'monthly', date: '2024-02-01', price_value: 8 },
      ],
      '?reason=Bulletin%205',
    ).expect(200);
    const counts = { added: 2, changed: 1, removed: 1, unchanged: 1, withdrawn: 0 };
    const change_set = (body as { change_set: number }).change_set;
    expect(body).toEqual({ change_set, counts });
    expect((await service.http().get(`/api/v1/ChangeSet/${change_set}/`).expect(200)).body).toMatchObject({
      kind: 'correction',
      reason: 'Bulletin 5',
    });
    expect(await stored()).toEqual(['2024-01-01 12 checked', '2024-01-06 30']);
    // Where the source marks its points as calculated, an added one is marked, too, and hides none.
    expect(await stored(OTHER)).toEqual(['2024-01-01 7', '2024-02-01 8']);
    const shared = { state: 'standing', table: null, record_id: null, reason: 'Bulletin 5' };
    const daily = { ...shared, uuid: UUID, periodicity: 'daily', change_set_id: change_set };
    expect(await list()).toEqual([
      {
        ...daily,
        id: 4,
        uuid: OTHER,
        periodicity: 'monthly',
        date: '2024-02-01',
        value: 8,
        base: null,
        comment: '',
      },
      { ...daily, id: 3, date: '2024-01-06', value: 30, base: null, comment: '' },
      { ...daily, id: 2, date: '2024-01-05', value: null, base: 20, comment: '' },
      { ...daily, id: 1, date: '2024-01-01', value: 12, base: 10, comment: 'checked' },
    ]);
    expect((await audited()).slice(-4)).toEqual(['update', 'delete', 'create', 'create']);
    // The same again changes nothing, and the source's values withdraw.
    expect((await post([item('2024-01-06', 30)]).expect(200)).body).toEqual({
      change_set: null,
      counts: { added: 0, changed: 0, removed: 0, unchanged: 1, withdrawn: 0 },
    });
    const back = await post([item('2024-01-01', 10), item('2024-01-05', 20), item('2024-01-06', null)]);
    expect((back.body as { counts: object }).counts).toEqual({
      added: 1,
      changed: 1,
      removed: 1,
      unchanged: 0,
      withdrawn: 3,
    });
    expect(await stored()).toEqual(['2024-01-01 10 seen', '2024-01-05 20']);
    expect((await list('?state=standing')).map(({ id }) => id)).toEqual([4]);
  });

  it('are reported and not made in a dry run', async () => {
    const before = await service.database.rows('SELECT revision FROM data_revision');
    expect((await post([item('2024-01-01', 12)], '?dry_run=true').expect(200)).body).toEqual({
      change_set: null,
      counts: { added: 0, changed: 1, removed: 0, unchanged: 0, withdrawn: 0 },
    });
    expect(await list()).toEqual([]);
    expect(await stored()).toEqual(['2024-01-01 10 seen', '2024-01-05 20']);
    expect(await service.database.rows('SELECT revision FROM data_revision')).toEqual(before);
  });

  it('are read from CSV', async () => {
    const csv = `uuid,periodicity,date,price_value,comment\r\n${UUID},daily,2024-01-01,12.5,'=checked\r\n${UUID},daily,2024-01-05,,\r\n`;
    const response = await service
      .http()
      .post(PATH)
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send(csv)
      .expect(200);
    expect((response.body as { counts: object }).counts).toMatchObject({ changed: 1, removed: 1 });
    expect(await stored()).toEqual(['2024-01-01 12.5 =checked']);
  });

  it('are made all or not at all', async () => {
    expectProblem(
      await post([
        item('2024-01-01', 12),
        item('2024-01-01', 0),
        { ...item('2024-01-02', 1), uuid: 'x' },
        { ...item('2024-01-02', 1), periodicity: 'monthly' },
        { uuid: UUID, periodicity: 'daily', date: '2024-01-03', price: 1 },
        5,
        item('2024-01-01', 13),
      ]),
      {
        status: 400,
        code: 'invalid',
        errors: [
          { ...fieldViolation('price_value', 'out_of_range'), pointer: '/1/price_value' },
          { ...fieldViolation('uuid', 'invalid_format'), pointer: '/2/uuid' },
          { ...fieldViolation('date', 'invalid_date'), pointer: '/3/date' },
          { ...fieldViolation('price', 'unknown_field'), pointer: '/4/price' },
          { ...fieldViolation('price_value', 'required'), pointer: '/4/price_value' },
          { in: 'body', pointer: '/5', code: 'invalid_type' },
          { ...fieldViolation('date', 'duplicate'), pointer: '/6/date' },
        ],
      },
    );
    const missing = '33333333-0000-4000-8000-000000000003';
    expectProblem(await post([item('2024-01-01', 12), { ...item('2024-01-02', 1), uuid: missing }]), {
      status: 400,
      code: 'invalid',
      errors: [{ ...fieldViolation('uuid', 'reference_missing'), pointer: '/1/uuid' }],
    });
    expectProblem(
      await post([item('2024-01-01', 12), { ...item('2024-01-01', 1), periodicity: 'monthly' }]),
      {
        status: 409,
        code: 'calculated',
        errors: [{ ...fieldViolation('periodicity', 'calculated'), pointer: '/1/periodicity' }],
      },
    );
    for (const body of [{}, [], Array(1001).fill(item('2024-01-01', 12))])
      expectProblem(await post(body), { status: 400, code: 'invalid' });
    expectProblem(await service.http().post(PATH).send([]), { status: 401, code: 'not_authenticated' });
    const large = [item('2024-01-01', 12, { comment: 'x'.repeat(1024 * 1024) })];
    expectProblem(await post(large), { status: 413, code: 'too_large', extra: { max: 1024 * 1024 } });
    expect(await list()).toEqual([]);
    expect(await stored()).toEqual(['2024-01-01 10 seen', '2024-01-05 20']);
  });

  it('are withdrawn by their id', async () => {
    await post([item('2024-01-01', 12), item('2024-01-05', null), item('2024-01-06', 30)]).expect(200);
    const remove = (id: number | string) => service.http().delete(`${PATH}${id}/`).set(admin);
    for (const id of [1, 2, 3]) await remove(id).expect(204);
    expect(await stored()).toEqual(['2024-01-01 10 seen', '2024-01-05 20']);
    expect((await list()).map(({ state }) => state)).toEqual(['withdrawn', 'withdrawn', 'withdrawn']);
    for (const id of [1, 99, 0, 'x']) expectProblem(await remove(id), { status: 404, code: 'not_found' });
    expectProblem(await service.http().delete(`${PATH}1/`), { status: 401, code: 'not_authenticated' });
  });

  it('are filtered and paged', async () => {
    await post([item('2024-01-01', 12), item('2024-01-05', null)]).expect(200);
    await post([{ uuid: OTHER, periodicity: 'monthly', date: '2024-01-01', price_value: 9 }]).expect(200);
    const found = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await found('?currencies=UGX')).toEqual([3]);
    expect(await found(`?uuid__in=${UUID}`)).toEqual([2, 1]);
    expect(await found('?currencies=EUR')).toEqual([]);
    expect(await found('?state=confirmed')).toEqual([]);
    expect(await found('?page_size=2&page=2')).toEqual([1]);
    const csv = await service.http().get(`${PATH}?format=csv&currencies=UGX`).expect(200);
    expect(csv.text.split('\r\n')[0]).toBe(
      'id,state,uuid,periodicity,date,table,record_id,value,base,comment,reason,change_set_id',
    );
    expectProblem(await service.http().get(`${PATH}?stat=standing`), { status: 400, code: 'invalid' });
  });

  it('are found among those of more series than a statement binds', async () => {
    await post([item('2024-01-01', 12)]).expect(200);
    const series = Array.from({ length: 40_000 }, (_, index) => ids.get(UUID)! + index);
    const { count, items } = await correctionList(service.database).page(correctionConditions({}, series), {
      page: 1,
      pageSize: 10,
    });
    expect([count, items.map(({ id }) => id)]).toEqual([1, [1]]);
  });

  it('add one point to a series', async () => {
    const to = `/api/v1/PriceSeriePrice/${UUID}/`;
    const add = (body: object, headers = {}, path = to) =>
      service.http().post(path).set(admin).set(headers).send(body);
    const body = { date: '2024-01-06', periodicity: 'daily', price_value: 30, comment: 'by phone' };
    const created = await add(body, { 'Idempotency-Key': 'a' }).expect(201);
    const id = (ids.get(UUID)! * 4 + 1) * 4194304 + 738891;
    expect(created.body).toEqual({
      id,
      price_value: 30,
      price_value_real: null,
      price_value_dollar: null,
      conversion_factor: 1,
      date: '2024-01-06',
      periodicity: 'daily',
      comment: 'by phone',
    });
    expect(created.headers.location).toMatch(new RegExp(`${to}${id}/$`));
    const read = await service.http().get(`${to}${id}/`).expect(200);
    expect([read.text, read.headers.etag]).toEqual([created.text, created.headers.etag]);
    expect((await add(body, { 'Idempotency-Key': 'a' }).expect(201)).text).toBe(created.text);
    expectProblem(await add(body), {
      status: 409,
      code: 'duplicate',
      errors: [fieldViolation('periodicity', 'duplicate'), fieldViolation('date', 'duplicate')],
    });
    expectProblem(await add({ ...body, date: '2024-02-01', periodicity: 'monthly' }), {
      status: 409,
      code: 'calculated',
      errors: [fieldViolation('periodicity', 'calculated')],
    });
    expectProblem(await add({ ...body, date: '2024-02-03', periodicity: 'monthly', price: 1 }), {
      status: 400,
      code: 'invalid',
    });
    expectProblem(await add(body, {}, '/api/v1/PriceSeriePrice/abc/'), { status: 404, code: 'not_found' });
    expect(await list()).toMatchObject([{ value: 30, base: null, comment: 'by phone' }]);
    // Removed again, nothing is left to correct.
    await service.http().delete(`${to}${id}/`).set(admin).expect(204);
    expect((await list()).map(({ state }) => state)).toEqual(['withdrawn']);
    // A removed point that is added again with its own price is the source's.
    await post([item('2024-01-05', null)]).expect(200);
    await add({ date: '2024-01-05', periodicity: 'daily', price_value: 20 }).expect(201);
    expect((await list('?state=standing')).map(({ state }) => state)).toEqual([]);
  });
});
