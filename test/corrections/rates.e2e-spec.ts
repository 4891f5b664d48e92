import { startTestApp, type TestApp } from '../support/test-app.js';

interface Rate {
  id: number;
  rate: number;
  date: string;
}

describe('H3: corrections of rates and indices', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const upload = async (format: string, lines: string[], query = '') => {
    const { body } = await service
      .http()
      .post(`/api/v1/Import/?format=${format}${query}`)
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send([...lines, ''].join('\n'))
      .expect(200);
    const report = body as Record<string, unknown>;
    return {
      new: report.new,
      changed: report.changed,
      unchanged: report.unchanged,
      skipped: report.skipped,
      kept: report.corrections_kept,
      confirmed: report.corrections_confirmed,
      superseded: report.superseded_corrections,
    };
  };
  const fx = (rates: readonly (readonly [string, number])[], query = '') =>
    upload(
      'fx',
      ['currency,date,period,rate', ...rates.map(([date, rate]) => `KES,${date},monthly,${rate}`)],
      query,
    );
  const rates = async () => {
    const { body } = await service.http().get('/api/v1/FxRate/').expect(200);
    return body as Rate[];
  };
  const stored = async () => (await rates()).map(({ date, rate }) => `${date} ${rate}`).sort();
  const idOf = async (date: string) => (await rates()).find((rate) => rate.date === date)!.id;
  const send = (method: 'post' | 'patch' | 'delete', path: string, body: object = {}) =>
    service.http()[method](`/api/v1/${path}`).set(admin).send(body);
  const corrections = async () => {
    const { body } = await service.http().get('/api/v1/Correction/').expect(200);
    return (body as { results: Record<string, unknown>[] }).results.reverse();
  };
  const states = async () =>
    (await corrections()).map(
      ({ state, date, base, value }) =>
        `${String(state)} ${String(date)} ${String(base)} -> ${String(value)}`,
    );
  const none = { new: 0, changed: 0, unchanged: 0, skipped: {}, kept: 0, confirmed: 0, superseded: [] };
  const file = [
    ['2024-01-01', 150],
    ['2024-02-01', 151],
    ['2024-03-01', 152],
  ] as const;

  it('stay when the file is imported again, and end when it has something new', async () => {
    await fx(file);
    const january = await idOf('2024-01-01');
    const february = await idOf('2024-02-01');
    await send('patch', `FxRate/${january}/?reason=Wrong%20scale`, { rate: 155 }).expect(200);
    await send('delete', `FxRate/${february}/`).expect(204);
    const { body } = await send('post', 'FxRate/', {
      currency: 'KES',
      date: '2024-04-01',
      period: 'monthly',
      rate: 160,
    }).expect(201);
    expect(await fx(file)).toEqual({ ...none, unchanged: 3, kept: 2 });
    expect(await stored()).toEqual(['2024-01-01 155', '2024-03-01 152', '2024-04-01 160']);
    const shared = { state: 'standing', uuid: null, periodicity: null, table: 'FxRate', comment: '' };
    expect(await corrections()).toEqual([
      {
        ...shared,
        id: 1,
        date: '2024-01-01',
        record_id: january,
        value: 155,
        base: 150,
        reason: 'Wrong scale',
        change_set_id: 3,
      },
      {
        ...shared,
        id: 2,
        date: '2024-02-01',
        record_id: february,
        value: null,
        base: 151,
        reason: '',
        change_set_id: 4,
      },
      {
        ...shared,
        id: 3,
        date: '2024-04-01',
        record_id: (body as Rate).id,
        value: 160,
        base: null,
        reason: '',
        change_set_id: 5,
      },
    ]);
    expect(
      await fx([
        ['2024-01-01', 155],
        ['2024-02-01', 149],
        ['2024-04-01', 161],
      ]),
    ).toEqual({
      ...none,
      new: 1,
      changed: 1,
      unchanged: 1,
      confirmed: 1,
      superseded: [
        {
          id: 2,
          uuid: null,
          periodicity: null,
          date: '2024-02-01',
          table: 'FxRate',
          record_id: february,
          value: null,
          base: 151,
          source_value: 149,
        },
        {
          id: 3,
          uuid: null,
          periodicity: null,
          date: '2024-04-01',
          table: 'FxRate',
          record_id: (body as Rate).id,
          value: 160,
          base: null,
          source_value: 161,
        },
      ],
    });
    expect(await stored()).toEqual(['2024-01-01 155', '2024-02-01 149', '2024-03-01 152', '2024-04-01 161']);
    expect((await corrections()).map(({ state }) => state)).toEqual([
      'confirmed',
      'superseded',
      'superseded',
    ]);
  });

  it('keep the first base, move with a changed key, and are withdrawn by the base', async () => {
    await fx(file);
    const january = `FxRate/${await idOf('2024-01-01')}/`;
    await send('patch', january, { rate: 155 }).expect(200);
    await send('patch', january, { rate: 156 }).expect(200);
    await send('patch', january, { date: '2023-12-01' }).expect(200);
    expect(await states()).toEqual([
      'withdrawn 2024-01-01 150 -> 155',
      'withdrawn 2024-01-01 150 -> 156',
      'standing 2024-01-01 150 -> null',
      'standing 2023-12-01 null -> 156',
    ]);
    expect(await fx(file)).toEqual({ ...none, unchanged: 3, kept: 1 });
    await send('patch', january, { date: '2024-01-01', rate: 150 }).expect(200);
    expect((await states()).filter((state) => state.startsWith('standing'))).toEqual([]);
    expect(await fx(file)).toEqual({ ...none, unchanged: 3 });
  });

  it('are withdrawn by their id', async () => {
    await fx(file);
    await send('patch', `FxRate/${await idOf('2024-01-01')}/`, { rate: 155 }).expect(200);
    await send('delete', `FxRate/${await idOf('2024-02-01')}/`).expect(204);
    await send('post', 'FxRate/', {
      currency: 'KES',
      date: '2024-04-01',
      period: 'monthly',
      rate: 160,
    }).expect(201);
    for (const id of [1, 2, 3]) await send('delete', `Correction/${id}/`).expect(204);
    expect(await stored()).toEqual(['2024-01-01 150', '2024-02-01 151', '2024-03-01 152']);
    expect((await corrections()).map(({ state }) => state)).toEqual(['withdrawn', 'withdrawn', 'withdrawn']);
  });

  it('are set aside, or everything stored is kept, if the import is told so', async () => {
    await fx(file);
    await send('patch', `FxRate/${await idOf('2024-01-01')}/`, { rate: 155 }).expect(200);
    expect(
      await fx(
        [
          ['2024-01-01', 149],
          ['2024-02-01', 1],
          ['2024-05-01', 5],
        ],
        '&fill_only=true',
      ),
    ).toEqual({ ...none, new: 1, unchanged: 1, kept: 1, skipped: { already_stored: 1 } });
    expect(await fx(file, '&overrule_corrections=true')).toMatchObject({
      changed: 1,
      unchanged: 2,
      superseded: [{ id: 1 }],
    });
    expect(await stored()).toContain('2024-01-01 150');
  });

  it('are made of indices, too, by the whole key', async () => {
    const cpi = (value: number) =>
      upload('cpi', [
        'iso3_country_code,date,item,value,base_period',
        `KEN,2024-01-01,general,${value},2015`,
        `KEN,2024-01-01,food,${value},2015`,
      ]);
    await cpi(100);
    const { body } = await service.http().get('/api/v1/Cpi/?item=food').expect(200);
    await send('patch', `Cpi/${(body as Rate[])[0]!.id}/`, { value: 101 }).expect(200);
    expect(await cpi(100)).toEqual({ ...none, unchanged: 2, kept: 1 });
    expect(await corrections()).toMatchObject([{ table: 'Cpi', value: 101, base: 100 }]);
    expect(await cpi(101)).toEqual({ ...none, changed: 1, unchanged: 1, confirmed: 1 });
  });

  it('are not made of other tables', async () => {
    const { body } = await send('post', 'Source/', { name: 'A' }).expect(201);
    await send('patch', `Source/${(body as Rate).id}/`, { url: 'https://a.example' }).expect(200);
    expect(await corrections()).toEqual([]);
  });
});
