import { driverStatements } from '../support/driver-statements.js';
import { storeIndices, storePoints, storeRates, storeSeries } from '../support/price-fixture.js';
import { expectProblem, fieldViolation } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const DAILY_SERIES = '11111111-0000-4000-8000-000000000001';
const MARKED_SERIES = '22222222-0000-4000-8000-000000000002';

interface Datapoint {
  id: number;
  date: string;
  periodicity: string;
  price_value: number;
  comment: string;
}

interface AuditRow {
  table: string;
  record_id: number;
  action: string;
  before: object | null;
  after: object | null;
}

describe('single prices', () => {
  let service: TestApp;
  let bearer: { Authorization: string };
  let ids: Map<string, number>;
  beforeEach(async () => {
    service = await startTestApp();
    bearer = await service.authHeader();
    ids = await storeSeries(service.unitOfWork, [
      {
        uuid: DAILY_SERIES,
        points: {
          daily: [
            ['2024-01-01', 10, 'seen'],
            ['2024-01-05', 20],
            ['2024-02-07', 30],
          ],
          // Hidden by the month that is derived from the days.
          monthly: [['2024-01-01', 99, null, true]],
        },
      },
      { uuid: MARKED_SERIES, points: { monthly: [['2024-01-01', 7, null, true]] } },
    ]);
  });
  afterEach(() => service.close());

  const idOf = (uuid: string, code: number, day: number) => (ids.get(uuid)! * 4 + code) * 4194304 + day;
  const path = (uuid: string, id: number | string) => `/api/v1/PriceSeriePrice/${uuid}/${id}/`;
  const first = () => path(DAILY_SERIES, idOf(DAILY_SERIES, 1, 738886));
  const patch = (to: string, body: object, headers: Record<string, string> = {}) =>
    service.http().patch(to).set(bearer).set(headers).send(body);
  const remove = (to: string, headers: Record<string, string> = {}) =>
    service.http().delete(to).set(bearer).set(headers);
  const series = async (uuid = DAILY_SERIES) => {
    const { body } = await service.http().get(`/api/v1/PriceSeriePrice/${uuid}/`).expect(200);
    const { series: entry, datapoints } = body as {
      series: { periodicity: object[] };
      datapoints: Datapoint[];
    };
    return {
      items: entry.periodicity,
      points: datapoints.map((point) => `${point.date} ${point.periodicity} ${point.price_value}`),
    };
  };
  const auditRows = async () => {
    const { body } = await service.http().get('/api/v1/AuditLog/?table=observation').set(bearer).expect(200);
    return (body as { results: AuditRow[] }).results.map(({ record_id, action, before, after }) => ({
      record_id,
      action,
      before,
      after,
    }));
  };

  it('are read by series and id, including derived ones', async () => {
    const shared = { price_value_real: null, price_value_dollar: null, conversion_factor: 1 };
    const stored = await service.http().get(first()).expect(200);
    expect(stored.body).toEqual({
      id: idOf(DAILY_SERIES, 1, 738886),
      price_value: 10,
      ...shared,
      date: '2024-01-01',
      periodicity: 'daily',
      comment: 'seen',
    });
    expect(stored.headers.etag).toMatch(/^"[^"]+"$/);
    const derived = await service.http().get(path(DAILY_SERIES, idOf(DAILY_SERIES, 3, 738886)));
    expect(derived.body).toEqual({
      id: idOf(DAILY_SERIES, 3, 738886),
      price_value: 15,
      ...shared,
      date: '2024-01-01',
      periodicity: 'monthly',
      comment: '',
      calculated: true,
    });
  });

  it('W1: a committed change is answered as done, even if the database goes away right after it', async () => {
    const { database, unitOfWork } = service;
    await storeRates(unitOfWork, [['KES', '2024-01-01', 157.3]]);
    await storeIndices(unitOfWork, [['KEN', '2024-01-01', 241.7]]);
    const { run } = unitOfWork;
    const gone = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
    const reads = ['rows', 'arrays', 'readSnapshot', 'revisions'] as const;
    unitOfWork.run = async (work) => {
      const result = await run.call(unitOfWork, work);
      for (const name of reads) database[name] = gone;
      return result as never;
    };
    const response = await patch(first(), { price_value: 12.25 });
    unitOfWork.run = run;
    for (const name of reads) delete (database as Partial<typeof database>)[name];
    expect(response.status).toBe(200);
    const read = await service.http().get(first()).expect(200);
    expect(response.text).toBe(read.text);
    expect(response.headers.etag).toBe(read.headers.etag);
    expect(read.body).toMatchObject({
      price_value: 12.25,
      price_value_real: 5.06826644600745,
      price_value_dollar: 0.0778766687857597,
      comment: 'seen',
    });
  });

  it('are changed, with everything derived from them, and with an audit entry', async () => {
    const before = await series();
    expect(before.points).toEqual([
      '2024-02-07 daily 30',
      '2024-02-01 monthly 30',
      '2024-01-05 daily 20',
      '2024-01-05 weekly 15',
      '2024-01-01 daily 10',
      '2024-01-01 monthly 15',
    ]);
    const { body } = await patch(first(), { price_value: 12.5, comment: ' corrected ' }).expect(200);
    expect(body).toMatchObject({ price_value: 12.5, comment: 'corrected', date: '2024-01-01' });
    expect((await series()).points.slice(3)).toEqual([
      '2024-01-05 weekly 16.25',
      '2024-01-01 daily 12.5',
      '2024-01-01 monthly 16.25',
    ]);
    expect(await auditRows()).toEqual([
      {
        record_id: idOf(DAILY_SERIES, 1, 738886),
        action: 'update',
        before: { price_value: 10, comment: 'seen' },
        after: { price_value: 12.5, comment: 'corrected' },
      },
    ]);
  });

  it('are changed without reading the catalogue or the periodicity of the series', async () => {
    await patch(first(), { price_value: 11 }).expect(200);
    // What findings cost is counted with them.
    service.unitOfWork.followers = [];
    const statements = await driverStatements(service.database, () =>
      patch(first(), { price_value: 12 }).expect(200),
    );
    const tables = statements.map((sql) => /\b(?:FROM|INTO|UPDATE) (\w+)/.exec(sql)![1]);
    expect(tables).toEqual([
      'login_session',
      'price_serie',
      'data_revision',
      'series_join',
      'observation',
      'correction',
      'observation_version',
      'observation',
      'change_set',
      'audit_log',
      'correction',
      'correction',
      'price_serie',
      'series_change',
      'revision',
      'data_revision',
    ]);
  });

  it('stay as they are if the values are equal', async () => {
    const { headers } = await service.http().get(first());
    for (const body of [{}, { price_value: 10 }, { comment: 'seen', id: idOf(DAILY_SERIES, 1, 738886) }]) {
      const reply = await patch(first(), body).expect(200);
      expect([reply.headers.etag, reply.body]).toMatchObject([
        headers.etag,
        { price_value: 10, comment: 'seen' },
      ]);
    }
    expect(await auditRows()).toEqual([]);
    expect((await patch(first(), { comment: '' }).expect(200)).body).toMatchObject({
      price_value: 10,
      comment: '',
    });
  });

  it('are removed, and the periodicity is updated at once', async () => {
    const last = path(DAILY_SERIES, idOf(DAILY_SERIES, 1, 738923));
    await remove(last).expect(204, '');
    expect(await series()).toEqual({
      items: [
        { period: 'daily', start_date: '2024-01-01', end_date: '2024-01-05' },
        { period: 'weekly', start_date: '2024-01-05', end_date: '2024-01-05', calculated: true },
        { period: 'monthly', start_date: '2024-01-01', end_date: '2024-01-01', calculated: true },
      ],
      points: ['2024-01-05 daily 20', '2024-01-05 weekly 15', '2024-01-01 daily 10', '2024-01-01 monthly 15'],
    });
    expectProblem(await remove(last), { status: 404, code: 'not_found' });
    expectProblem(await patch(last, { price_value: 1 }), { status: 404, code: 'not_found' });
    expect(await auditRows()).toEqual([
      {
        record_id: idOf(DAILY_SERIES, 1, 738923),
        action: 'delete',
        before: {
          series: DAILY_SERIES,
          periodicity: 'daily',
          date: '2024-02-07',
          price_value: 30,
          comment: '',
        },
        after: null,
      },
    ]);
    // Without daily prices nothing is derived, so that the points marked by the source are served
    // again.
    for (const day of [738886, 738890])
      await remove(path(DAILY_SERIES, idOf(DAILY_SERIES, 1, day))).expect(204);
    expect(await series()).toEqual({
      items: [{ period: 'monthly', start_date: '2024-01-01', end_date: '2024-01-01', calculated: true }],
      points: ['2024-01-01 monthly 99'],
    });
  });

  it('cannot be changed if they are derived by the service', async () => {
    for (const [code, day] of [
      [2, 738890],
      [3, 738886],
    ] as const) {
      const point = path(DAILY_SERIES, idOf(DAILY_SERIES, code, day));
      const errors = [{ in: 'path', name: 'id', code: 'calculated' }];
      expectProblem(await patch(point, { price_value: 1 }), { status: 409, code: 'calculated', errors });
      expectProblem(await remove(point), { status: 409, code: 'calculated', errors });
    }
  });

  it('can be changed if their source has calculated them, and stay marked', async () => {
    const point = path(MARKED_SERIES, idOf(MARKED_SERIES, 3, 738886));
    expect((await patch(point, { price_value: 8 }).expect(200)).body).toMatchObject({
      price_value: 8,
      calculated: true,
    });
    expect((await series(MARKED_SERIES)).items).toEqual([
      { period: 'monthly', start_date: '2024-01-01', end_date: '2024-01-01', calculated: true },
    ]);
    await remove(point).expect(204);
    expect(await series(MARKED_SERIES)).toEqual({ items: [], points: [] });
  });

  it('are not found where original ones of their frequency hide them', async () => {
    const uuid = '33333333-0000-4000-8000-000000000003';
    const points = {
      monthly: [
        ['2024-01-01', 7],
        ['2024-02-01', 8, null, true],
      ] as const,
    };
    const created = await storeSeries(service.unitOfWork, [{ uuid, points }]);
    const hidden = path(uuid, (created.get(uuid)! * 4 + 3) * 4194304 + 738917);
    expectProblem(await service.http().get(hidden), { status: 404, code: 'not_found' });
    expectProblem(await patch(hidden, { price_value: 1 }), { status: 404, code: 'not_found' });
    expectProblem(await remove(hidden), { status: 404, code: 'not_found' });
  });

  it('are not found under another series, or by an invalid id', async () => {
    for (const to of [
      path(MARKED_SERIES, idOf(DAILY_SERIES, 1, 738886)),
      path(DAILY_SERIES, idOf(DAILY_SERIES, 1, 738887)),
      ...['0', '-1', '01', '1.0', '1e3', 'abc', '9007199254740993', '99999999999999999999'].map((id) =>
        path(DAILY_SERIES, id),
      ),
      path('abc', idOf(DAILY_SERIES, 1, 738886)),
    ]) {
      expectProblem(await service.http().get(to), { status: 404, code: 'not_found' });
      expectProblem(await patch(to, { price_value: 1 }), { status: 404, code: 'not_found' });
      expectProblem(await remove(to), { status: 404, code: 'not_found' });
    }
  });

  it.each([
    [{ price_value: 0 }, [fieldViolation('price_value', 'out_of_range')]],
    [{ price_value: -1 }, [fieldViolation('price_value', 'out_of_range')]],
    [{ price_value: 1.7e308 }, [fieldViolation('price_value', 'out_of_range')]],
    [{ price_value: 1e-101 }, [fieldViolation('price_value', 'out_of_range')]],
    [{ price_value: '5' }, [fieldViolation('price_value', 'invalid_type')]],
    [{ price_value: null }, [fieldViolation('price_value', 'null')]],
    [{ comment: null }, [fieldViolation('comment', 'null')]],
    [{ comment: 'x'.repeat(501) }, [fieldViolation('comment', 'too_long')]],
    [{ comment: 'a\u0000b' }, [fieldViolation('comment', 'invalid_text')]],
    [{ id: 5 }, [fieldViolation('id', 'id_mismatch')]],
    [
      { date: '2024-01-01', calculated: true, price: 1, price_value: 'x' },
      [
        fieldViolation('date', 'read_only'),
        fieldViolation('calculated', 'read_only'),
        fieldViolation('price', 'unknown_field'),
        fieldViolation('price_value', 'invalid_type'),
      ],
    ],
    [[1], [{ in: 'body', pointer: '', code: 'invalid_type' }]],
  ])('reject %j', async (body, errors) => {
    expectProblem(await patch(first(), body), { status: 400, code: 'invalid', errors });
    // The body is validated before the record is read.
    expectProblem(await patch(path(DAILY_SERIES, 7), body), { status: 400, code: 'invalid' });
  });

  it('reject numbers of more than 15 digits', async () => {
    const reply = await service
      .http()
      .patch(first())
      .set(bearer)
      .set('Content-Type', 'application/json')
      .send('{"price_value": 1.2345678901234567}');
    expectProblem(reply, {
      status: 400,
      code: 'invalid',
      errors: [fieldViolation('price_value', 'out_of_range')],
    });
  });

  it('cannot be written without a token', async () => {
    expectProblem(await service.http().patch(first()).send({ price_value: 'x' }), {
      status: 401,
      code: 'not_authenticated',
    });
    expectProblem(await service.http().delete(first()), { status: 401, code: 'not_authenticated' });
    const put = await service.http().put(first()).set(bearer).send({});
    expectProblem(put, { status: 405, code: 'method_not_allowed' });
    expect(put.headers.allow).toBe('DELETE, GET, HEAD, OPTIONS, PATCH');
  });

  it('W3: are changed by only one of several clients that have read the same state', async () => {
    const tag = (await service.http().get(first())).headers.etag as string;
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        patch(first(), { price_value: 100 + index }, { 'If-Match': tag }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(412)]);
    const winner = replies.find(({ status }) => status === 200)!;
    expect((await service.http().get(first())).body).toEqual(winner.body);
    expect(winner.headers.etag).toBe((await service.http().get(first())).headers.etag);
    expectProblem(await remove(first(), { 'If-Match': tag }), { status: 412, code: 'precondition_failed' });
    expect(await auditRows()).toHaveLength(1);
    await remove(first(), { 'If-Match': `"x", ${winner.headers.etag as string}` }).expect(204);
  });

  it('W1: stay as they were when the audit log cannot be written', async () => {
    await service.unitOfWork.run((transaction) =>
      transaction.execute('ALTER TABLE audit_log RENAME TO audit_log_away'),
    );
    expect((await patch(first(), { price_value: 77 })).status).toBeGreaterThanOrEqual(500);
    expect((await remove(first())).status).toBeGreaterThanOrEqual(500);
    expect((await series()).points).toContain('2024-01-01 daily 10');
  });

  it('can be written only with If-Match in strict mode', async () => {
    const strict = await startTestApp({ STRICT_WRITES: 'on' });
    try {
      const created = await storeSeries(strict.unitOfWork, [
        { uuid: DAILY_SERIES, points: { monthly: [['2024-01-01', 1]] } },
      ]);
      const to = path(DAILY_SERIES, (created.get(DAILY_SERIES)! * 4 + 3) * 4194304 + 738886);
      const authorization = await strict.authHeader();
      const without = await strict.http().patch(to).set(authorization).send({ price_value: 2 });
      expectProblem(without, { status: 428, code: 'precondition_required' });
      await strict
        .http()
        .patch(to)
        .set(authorization)
        .set('If-Match', '*')
        .send({ price_value: 2 })
        .expect(200);
    } finally {
      await strict.close();
    }
  });

  it('added by others meanwhile are not lost', async () => {
    await Promise.all([
      patch(first(), { price_value: 11 }).expect(200),
      storePoints(service.unitOfWork, ids.get(DAILY_SERIES)!, { daily: [['2024-03-01', 40]] }),
    ]);
    expect((await series()).points).toEqual(
      expect.arrayContaining(['2024-03-01 daily 40', '2024-01-01 daily 11', '2024-01-01 monthly 15.5']),
    );
  });
});
