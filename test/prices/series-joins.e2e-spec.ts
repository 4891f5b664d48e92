import { removeSeries } from '../../src/price-series/series-versions.js';
import { expectProblem, fieldViolation } from '../support/problems.js';
import { storePoints, storeSeries, type SeriesSpec } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const B = 'bbbbbbbb-0000-4000-8000-000000000002';
const C = 'cccccccc-0000-4000-8000-000000000003';

interface Entry {
  uuid: string;
  last_price_date: string | null;
  periodicity: object[];
}

interface Datapoint {
  id: number;
  date: string;
  periodicity: string;
  price_value: number;
  comment: string;
  calculated?: true;
}

describe('H4: joined series', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  let ids: Map<string, number>;
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const store = async (...specs: SeriesSpec[]) => (ids = await storeSeries(service.unitOfWork, specs));
  const get = async <T>(path: string) => (await service.http().get(`/api/v1/${path}`).expect(200)).body as T;
  const send = (method: 'post' | 'patch' | 'delete', path: string, body?: object) =>
    service.http()[method](`/api/v1/${path}`).set(admin).send(body);
  const merge = (from: string, into: string, more: object = {}, query = '') =>
    send('post', `PriceSerie/${from}/merge/${query}`, { into, ...more });
  const listed = async (query = '') =>
    (await get<{ results: Entry[] }>(`PriceSerie/${query}`)).results.map(({ uuid }) => uuid);
  const datapoints = async (uuid: string, query = '') =>
    (await get<{ datapoints: Datapoint[] }>(`PriceSeriePrice/${uuid}/${query}`)).datapoints;
  /** Oldest first. */
  const prices = async (uuid: string, query = '?periodicity=monthly') =>
    (await datapoints(uuid, query)).map(({ date, price_value }) => [date, price_value]).reverse();
  const monthly = (uuid: string, points: Record<string, number>, more: Partial<SeriesSpec> = {}) => ({
    uuid,
    ...more,
    points: { monthly: Object.entries(points).map(([date, value]) => [date, value] as const) },
  });

  it('are one: the second shows the points of both, and the first is no longer listed', async () => {
    await store(
      monthly(
        A,
        { '2023-01-01': 9000, '2023-02-01': 9900 },
        { unit: { name: '90 kg', conversion_factor: 0.0111111111111111 } },
      ),
      monthly(B, { '2023-02-01': 120, '2023-03-01': 130 }),
    );
    const before = await get<Entry>(`PriceSerie/${B}/`);
    const { body } = await merge(A, B, {}, '?reason=The%20unit%20was%20changed').expect(200);
    expect(body).toEqual({
      change_set: expect.any(Number),
      counts: { added: 1, changed: 0, unchanged: 1 },
    });
    const { change_set } = body as { change_set: number };
    expect(await get(`ChangeSet/${change_set}/`)).toMatchObject({
      kind: 'merge',
      state: 'done',
      reason: 'The unit was changed',
    });
    expect(await listed()).toEqual([B]);
    const entry = await get<Entry>(`PriceSerie/${B}/`);
    expect(entry).toEqual({
      ...before,
      periodicity: [{ period: 'monthly', start_date: '2023-01-01', end_date: '2023-03-01' }],
    });
    const shown = [
      ['2023-01-01', 99.9999999999999],
      ['2023-02-01', 120],
      ['2023-03-01', 130],
    ];
    expect(await prices(B)).toEqual(shown);
    // Under its old uuid as well, with the ids of the second series, and once in lists.
    expect(await get(`PriceSerie/${A}/`)).toEqual(entry);
    expect(await datapoints(A)).toEqual(await datapoints(B));
    expect(await listed(`?uuids=${A},${B}`)).toEqual([B]);
    const both = await get<{ results: { uuid: string }[] }>(`PriceSeriePrice/?uuid__in=${A},${B}`);
    expect(both.results.map(({ uuid }) => uuid)).toEqual([B]);
    const fpma = await get<{ uuid: string; datapoints: object[] }>(`FpmaSeriePrice/${A.toUpperCase()}/`);
    expect([fpma.uuid, fpma.datapoints.length]).toEqual([B, 3]);
    const [newest] = await datapoints(A);
    expect(await get(`PriceSeriePrice/${A}/${newest!.id}/`)).toEqual(newest);
    const oldest = (await datapoints(A)).at(-1)!;
    expect(Math.floor(oldest.id / 4194304 / 4)).toBe(ids.get(B));
    expect(await get(`PriceSeriePrice/${B}/${oldest.id}/`)).toEqual(oldest);
    const log = await service.http().get('/api/v1/AuditLog/?page_size=1').set(admin).expect(200);
    expect(log.body).toMatchObject({
      results: [
        {
          table: 'series_join',
          action: 'create',
          change_set_id: change_set,
          after: { from: A, into: B, factor: 0.0111111111111111, prefer: 'into', start_date: null },
        },
      ],
    });
  });

  it('show the points of the preferred one, between the dates, multiplied by the factor', async () => {
    await store(
      monthly(A, { '2023-01-01': 1, '2023-02-01': 2, '2023-03-01': 3, '2023-04-01': 4 }),
      monthly(B, { '2023-02-01': 120, '2023-03-01': 130 }),
    );
    const more = { factor: 10, prefer: 'from', start_date: '2023-02-01', end_date: '2023-03-31' };
    const expected = { added: 0, changed: 2, unchanged: 0 };
    expect((await merge(A, B, more, '?dry_run=true').expect(200)).body).toEqual({
      change_set: null,
      counts: expected,
    });
    expect(await listed()).toEqual([A, B]);
    expect((await merge(A, B, more).expect(200)).body).toMatchObject({ counts: expected });
    expect(await prices(B)).toEqual([
      ['2023-02-01', 20],
      ['2023-03-01', 30],
    ]);
  });

  it('keep their points: imports go on writing to both, and what is shown follows', async () => {
    await store(monthly(A, { '2023-01-01': 1 }), monthly(B, { '2023-02-01': 2 }));
    await merge(A, B, { prefer: 'from' }).expect(200);
    await storePoints(service.unitOfWork, ids.get(A)!, {
      monthly: [
        ['2023-01-01', 5],
        ['2023-06-01', 6],
      ],
    });
    expect(await prices(B)).toEqual([
      ['2023-01-01', 5],
      ['2023-02-01', 2],
      ['2023-06-01', 6],
    ]);
    expect((await get<Entry>(`PriceSerie/${B}/`)).last_price_date).toBe('2023-06-01');
    await storePoints(service.unitOfWork, ids.get(B)!, {
      monthly: [
        ['2023-06-01', 60],
        ['2023-07-01', 7],
      ],
    });
    expect((await prices(B)).slice(2)).toEqual([
      ['2023-06-01', 6],
      ['2023-07-01', 7],
    ]);
    const changes = await service.database.rows<{ serie_id: number; revision: number }>(
      'SELECT serie_id, revision, action, added, changed FROM series_change ORDER BY revision DESC, serie_id LIMIT 3',
    );
    expect(changes.map(({ revision: _, ...change }) => change)).toEqual([
      { serie_id: ids.get(B), action: 'changed', added: 2, changed: 0 },
      { serie_id: ids.get(A), action: 'changed', added: 1, changed: 1 },
      { serie_id: ids.get(B), action: 'changed', added: 1, changed: 1 },
    ]);
  });

  it('derive weeks and months from the points of both', async () => {
    await store(
      {
        uuid: A,
        points: {
          daily: [
            ['2023-01-02', 10],
            ['2023-01-06', 20],
          ],
        },
      },
      {
        uuid: B,
        points: {
          daily: [
            ['2023-01-04', 60],
            ['2023-01-13', 40],
          ],
        },
      },
    );
    await merge(A, B).expect(200);
    expect(await get<Entry>(`PriceSerie/${B}/`)).toMatchObject({
      last_price_date: '2023-01-13',
      periodicity: [
        { period: 'daily', start_date: '2023-01-02', end_date: '2023-01-13' },
        { period: 'weekly', start_date: '2023-01-06', end_date: '2023-01-13', calculated: true },
        { period: 'monthly', start_date: '2023-01-01', end_date: '2023-01-01', calculated: true },
      ],
    });
    expect(await prices(B, '?periodicity=weekly')).toEqual([
      ['2023-01-06', 30],
      ['2023-01-13', 40],
    ]);
  });

  it('have originals rather than marked points', async () => {
    await store(
      {
        uuid: A,
        points: {
          monthly: [
            ['2023-01-01', 1, null, true],
            ['2023-02-01', 2, null, true],
            ['2023-03-01', 3],
          ],
        },
      },
      {
        uuid: B,
        points: {
          monthly: [
            ['2023-01-01', 10],
            ['2023-02-01', 20],
            ['2023-03-01', 30],
          ],
        },
      },
    );
    await merge(A, B, { prefer: 'from' }).expect(200);
    expect(await prices(B)).toEqual([
      ['2023-01-01', 10],
      ['2023-02-01', 20],
      ['2023-03-01', 3],
    ]);
    // Calculations take the same points, in the newest state and in an earlier one.
    const table = { dates: ['2023-03-01', '2023-02-01', '2023-01-01'], values: [[3], [20], [10]] };
    expect(await get(`PriceTable/?uuid__in=${B}`)).toMatchObject(table);
    const [{ revision }] = (await service.database.rows('SELECT revision FROM data_revision')) as [
      { revision: number | string },
    ];
    expect(await get(`PriceTable/?uuid__in=${B}&as_of=r${revision}`)).toMatchObject(table);
  });

  it('are found by points in a window that only the first has', async () => {
    await store(monthly(A, { '2023-03-01': 1 }), monthly(B, { '2023-01-01': 2, '2023-06-01': 3 }));
    const inMarch = 'PriceSeriePrice/?start_date=2023-03-01&end_date=2023-03-31';
    expect(await get(inMarch)).toMatchObject({ count: 1, results: [{ uuid: A }] });
    await merge(A, B).expect(200);
    expect(await get(inMarch)).toMatchObject({
      count: 1,
      results: [{ uuid: B, datapoints: [{ date: '2023-03-01', price_value: 1 }] }],
    });
    const inApril = 'PriceSeriePrice/?start_date=2023-04-01&end_date=2023-04-30';
    expect(await get(inApril)).toMatchObject({ count: 0, results: [] });
  });

  it('can be joined again: all become the last one, which shows all of their points', async () => {
    await store(
      monthly(A, { '2023-01-01': 1, '2023-02-01': 1 }),
      monthly(B, { '2023-02-01': 2, '2023-03-01': 2 }),
      monthly(C, { '2023-03-01': 3, '2023-04-01': 3 }),
    );
    await merge(A, B, { factor: 2 }).expect(200);
    await merge(B, C, { factor: 10, start_date: '2023-01-15', prefer: 'from' }).expect(200);
    expect(await listed()).toEqual([C]);
    const shown = [
      ['2023-02-01', 20],
      ['2023-03-01', 20],
      ['2023-04-01', 3],
    ];
    for (const uuid of [A, B, C]) expect(await prices(uuid)).toEqual(shown);
    await storePoints(service.unitOfWork, ids.get(A)!, { monthly: [['2023-05-01', 5]] });
    expect((await prices(C)).at(-1)).toEqual(['2023-05-01', 100]);
    for (const [from, into] of [
      [A, C],
      [C, A],
      [B, A],
    ] as const)
      expectProblem(await merge(from, into), {
        status: 400,
        code: 'invalid',
        errors: [fieldViolation('into', 'same_record')],
      });
  });

  it('can be more than two, and the later join wins where it is preferred', async () => {
    await store(
      monthly(A, { '2023-01-01': 1, '2023-02-01': 1 }),
      monthly(B, { '2023-01-01': 2 }),
      monthly(C, { '2023-01-01': 3, '2023-03-01': 3 }),
    );
    await merge(A, C).expect(200);
    await merge(B, C, { prefer: 'from' }).expect(200);
    expect(await prices(C)).toEqual([
      ['2023-01-01', 2],
      ['2023-02-01', 1],
      ['2023-03-01', 3],
    ]);
  });

  it('are corrected where their points are stored', async () => {
    await store(
      monthly(A, { '2023-01-01': 1, '2023-02-01': 1, '2023-03-01': 1 }),
      monthly(B, { '2023-02-01': 2, '2023-04-01': 2 }),
    );
    const [ofA] = await datapoints(A);
    await merge(A, B, { prefer: 'from', start_date: '2023-01-01', end_date: '2023-02-28' }).expect(200);
    const [april, february, january] = await datapoints(B);
    for (const { id } of [february!, january!]) {
      const address = `PriceSeriePrice/${B}/${id}/`;
      for (const response of [
        await send('patch', address, { price_value: 5 }),
        await send('delete', address),
      ]) {
        expectProblem(response, {
          status: 409,
          code: 'joined',
          errors: [{ in: 'path', name: 'id', code: 'joined' }],
        });
        expect((response.body as { detail: string }).detail).toContain(A);
      }
    }
    // Points of the second series itself can be changed, under the old uuid, too.
    await send('patch', `PriceSeriePrice/${A}/${april!.id}/`, { price_value: 5 }).expect(200);
    expect((await prices(B)).at(-1)).toEqual(['2023-04-01', 5]);
    // The first series has no points at addresses of its own.
    for (const method of ['patch', 'delete'] as const)
      expectProblem(await send(method, `PriceSeriePrice/${A}/${ofA!.id}/`, { price_value: 5 }), {
        status: 404,
        code: 'not_found',
      });
    await service.http().get(`/api/v1/PriceSeriePrice/${A}/${ofA!.id}/`).expect(404);
  });

  it('are corrected by the uuid of the first one, and list the corrections of both', async () => {
    await store(
      monthly(A, { '2023-01-01': 1, '2023-02-01': 1 }),
      monthly(B, { '2023-02-01': 2, '2023-04-01': 2 }),
      monthly(C, { '2023-01-01': 3 }),
    );
    const correct = (...items: [uuid: string, date: string, price_value: number | null][]) =>
      send(
        'post',
        'Correction/',
        items.map(([uuid, date, price_value]) => ({ uuid, periodicity: 'monthly', date, price_value })),
      );
    // Before the join, one of each.
    await correct([A, '2023-01-01', 5], [B, '2023-02-01', null], [C, '2023-01-01', 4]).expect(200);
    await merge(A, B, { factor: 10, prefer: 'from' }).expect(200);
    const { body } = await correct([A.toUpperCase(), '2023-01-01', 6], [A, '2023-03-01', 7]).expect(200);
    expect(body).toMatchObject({ counts: { added: 1, changed: 1, removed: 0, unchanged: 0, withdrawn: 0 } });
    expect(await prices(B)).toEqual([
      ['2023-01-01', 60],
      ['2023-02-01', 10],
      ['2023-03-01', 70],
      ['2023-04-01', 2],
    ]);
    const listedCorrections = async (query: string) =>
      (await get<{ results: Record<string, unknown>[] }>(`Correction/?${query}`)).results.map(
        ({ id, state, uuid, date, base, value }) => [id, state, uuid, date, base, value],
      );
    const expected = [
      [5, 'standing', A, '2023-03-01', null, 7],
      [4, 'standing', A, '2023-01-01', 1, 6],
      [2, 'standing', B, '2023-02-01', 2, null],
      [1, 'withdrawn', A, '2023-01-01', 1, 5],
    ];
    for (const uuid of [A, B]) expect(await listedCorrections(`uuids=${uuid}`)).toEqual(expected);
    // Where a point of the first series is shown, the second one's can only be withdrawn.
    const problem = await correct([B, '2023-04-01', 3], [B, '2023-02-01', 3]);
    expectProblem(problem, {
      status: 409,
      code: 'joined',
      errors: [{ in: 'body', name: 'date', pointer: '/1/date', code: 'joined' }],
    });
    expect((problem.body as { detail: string }).detail).toContain(A);
    for (const id of [2, 4, 5]) await send('delete', `Correction/${id}/`).expect(204);
    expect(await prices(B)).toEqual([
      ['2023-01-01', 10],
      ['2023-02-01', 10],
      ['2023-04-01', 2],
    ]);
    await correct([A, '2023-02-01', null]).expect(200);
    expect((await prices(B))[1]).toEqual(['2023-02-01', 2]);
  });

  it('may have no points at all', async () => {
    await store({ uuid: A }, { uuid: B }, monthly(C, { '2023-01-01': 3 }));
    expect((await merge(A, B).expect(200)).body).toMatchObject({
      counts: { added: 0, changed: 0, unchanged: 0 },
    });
    expect(await get(`PriceSerie/${A}/`)).toMatchObject({ uuid: B, periodicity: [] });
    await merge(C, A).expect(200);
    expect(await prices(A)).toEqual([['2023-01-01', 3]]);
  });

  it('end when they are reverted, and are made again', async () => {
    await store(
      monthly(A, { '2023-01-01': 1, '2023-02-01': 1 }),
      monthly(B, { '2023-02-01': 2 }),
      monthly(C, { '2023-03-01': 3 }),
    );
    const plain = await get(`PriceSeriePrice/?uuid__in=${A},${B},${C}`);
    const mergeId = async (from: string, into: string) =>
      ((await merge(from, into).expect(200)).body as { change_set: number }).change_set;
    const [first, second] = [await mergeId(A, B), await mergeId(B, C)];
    const revert = async (changeSetId: number, query = '') => {
      const { body } = await send('post', `ChangeSet/${changeSetId}/revert/${query}`).expect(200);
      return body as { change_set: number; counts: { series: object; changed_since: number } };
    };
    const none = { added: 0, changed: 0, removed: 0 };
    const dry = await revert(first, '?dry_run=true');
    expect(dry.counts).toMatchObject({ series: { ...none, added: 1 }, points: none, changed_since: 0 });
    expect(await listed()).toEqual([C]);
    const back = await revert(first);
    expect(back.counts).toEqual(dry.counts);
    expect(await listed()).toEqual([A, C]);
    expect([await prices(A), await prices(B)]).toEqual([
      [
        ['2023-01-01', 1],
        ['2023-02-01', 1],
      ],
      [
        ['2023-02-01', 2],
        ['2023-03-01', 3],
      ],
    ]);
    const again = await revert(back.change_set);
    expect(again.counts).toMatchObject({ series: { ...none, removed: 1 } });
    expect((await prices(A)).length).toBe(3);
    const parted = await revert(again.change_set);
    await revert(second);
    expect(await get(`PriceSeriePrice/?uuid__in=${A},${B},${C}`)).toEqual(plain);
    // The other way round since: it is not made again.
    await merge(B, A).expect(200);
    expect((await revert(parted.change_set)).counts).toMatchObject({ series: none, changed_since: 1 });
  });

  it('are two series as of a revision before', async () => {
    await store(monthly(A, { '2023-01-01': 1 }), monthly(B, { '2023-02-01': 2 }));
    const [{ revision }] = (await service.database.rows('SELECT revision FROM data_revision')) as [
      { revision: number | string },
    ];
    const asOf = `?as_of=r${revision}`;
    const before = [await prices(A), await prices(B)];
    const { body } = await merge(A, B).expect(200);
    await storePoints(service.unitOfWork, ids.get(A)!, { monthly: [['2023-03-01', 3]] });
    expect(await listed(asOf)).toEqual([A, B]);
    const monthlyThen = `${asOf}&periodicity=monthly`;
    expect([await prices(A, monthlyThen), await prices(B, monthlyThen)]).toEqual(before);
    const merged = `?as_of=r${Number(revision) + 1}`;
    expect(await listed(merged)).toEqual([B]);
    expect(await prices(A, `${merged}&periodicity=monthly`)).toEqual(before.flat());
    await send('post', `ChangeSet/${(body as { change_set: number }).change_set}/revert/`).expect(200);
    expect(await listed(merged)).toEqual([B]);
    expect(await prices(A, `${merged}&periodicity=monthly`)).toEqual(before.flat());
    expect(await listed()).toEqual([A, B]);
  });

  it('end with the series that they are made of', async () => {
    await store(monthly(A, { '2023-01-01': 1 }), { uuid: B });
    await merge(A, B).expect(200);
    await service.unitOfWork.change({ kind: 'record', reason: '' }, (transaction) =>
      removeSeries(transaction, [ids.get(B)!]),
    );
    expect(await listed()).toEqual([A]);
    expect(await prices(A)).toEqual([['2023-01-01', 1]]);
  });

  it('must have comparable prices', async () => {
    await store(
      { uuid: A, unit: { name: 'Bundle', dimension: 'other', conversion_factor: null } },
      { uuid: B, currency: 'USD', unit: { name: 'Bundle', dimension: 'other', conversion_factor: null } },
      { uuid: C },
    );
    expectProblem(await merge(A, C), {
      status: 409,
      code: 'not_comparable',
      errors: [fieldViolation('factor', 'not_comparable')],
    });
    expectProblem(await merge(A, B, { factor: 2 }), {
      status: 409,
      code: 'not_comparable',
      errors: [fieldViolation('relabel', 'not_comparable')],
    });
    expect(await listed()).toEqual([A, B, C]);
    await merge(A, B, { relabel: true }).expect(200);
    await merge(B, C, { relabel: true, factor: 0.5 }).expect(200);
    expect(await listed()).toEqual([C]);
  });

  it('must exist, be two, and be asked for in the right way', async () => {
    await store({ uuid: A }, { uuid: B });
    for (const uuid of [C, 'x']) expectProblem(await merge(uuid, B), { status: 404, code: 'not_found' });
    expectProblem(await merge(A, C), {
      status: 409,
      code: 'reference_missing',
      errors: [fieldViolation('into', 'reference_missing')],
    });
    expectProblem(await merge(A, A.toUpperCase()), {
      status: 400,
      code: 'invalid',
      errors: [fieldViolation('into', 'same_record')],
    });
    expectProblem(
      await send('post', `PriceSerie/${A}/merge/?dryrun=1`, { factor: 0, prefer: 'both', intoo: B }),
      {
        status: 400,
        code: 'invalid',
        errors: [
          { in: 'query', name: 'dryrun', code: 'unknown_parameter' },
          fieldViolation('into', 'required'),
          fieldViolation('intoo', 'unknown_field'),
          fieldViolation('factor', 'out_of_range'),
          fieldViolation('prefer', 'invalid_choice'),
        ],
      },
    );
    expectProblem(await merge(A, B, { start_date: '2024-01-02', end_date: '2024-01-01' }), {
      status: 400,
      code: 'invalid',
      errors: [fieldViolation('end_date', 'reversed_range')],
    });
    await service.http().post(`/api/v1/PriceSerie/${A}/merge/`).send({ into: B }).expect(401);
    await service.http().get(`/api/v1/PriceSerie/${A}/merge/`).expect(405);
    expect(await listed()).toEqual([A, B]);
  });
});
