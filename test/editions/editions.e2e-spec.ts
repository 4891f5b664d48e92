import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { storeIndices, storeRates, storeSeries } from '../support/price-fixture.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { makeEditions } from './make-editions.js';

const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const B = 'bbbbbbbb-0000-4000-8000-000000000002';

describe('editions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pds-editions-'));
  let service: TestApp;
  let editions: ReturnType<typeof makeEditions>;
  beforeAll(async () => {
    service = await startTestApp({ EDITIONS_DIR: folder });
    editions = makeEditions(service);
    await storeRates(service.unitOfWork, [['KES', '2024-01-01', 150]]);
    await storeIndices(service.unitOfWork, [['KEN', '2024-01-01', 137.3]]);
    await storeSeries(service.unitOfWork, [
      {
        uuid: B,
        commodity: { name: '=1+1 maïs' },
        source: { name: 'Ministry', url: 'https://example.org/', license: 'CC BY 4.0' },
        points: {
          monthly: [
            ['2024-01-01', 10.5, 'à, "b"'],
            ['2024-03-01', 12],
          ],
        },
      },
      {
        uuid: A,
        market: { name: 'Bamako', iso3_country_code: 'MLI', country_name: 'Mali' },
        source: { name: 'Ministry', url: 'https://example.org/', license: 'CC BY 4.0' },
        currency: 'XOF',
        points: { weekly: [['2024-01-05', 2]], daily: [['2024-02-01', 3.25]] },
      },
    ]);
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const post = async (body: object) =>
    service
      .http()
      .post('/api/v1/Edition/')
      .set(await service.authHeader())
      .send(body);
  const read = async (number: number) =>
    (await service.http().get(`/api/v1/Edition/${number}/`)).body as object;
  const revision = async () => Number((await service.http().get('/api/v1/Market/')).headers['data-revision']);

  it('are for admins to make', async () => {
    expectProblem(await service.http().post('/api/v1/Edition/').send({ title: 'x' }), {
      status: 401,
      code: 'not_authenticated',
    });
    const rejected = await post({ title: '', revision: 0 });
    expectProblem(rejected, { status: 400, code: 'invalid' });
    const { body } = await post({ title: 'x', revision: 999 });
    expect(body).toMatchObject({ code: 'invalid', errors: [{ name: 'revision', code: 'unknown_revision' }] });
    expect((await service.http().get('/api/v1/Edition/')).body).toEqual({
      count: 0,
      next: null,
      previous: null,
      results: [],
    });
    expectProblem(await service.http().get('/api/v1/Edition/1/'), { status: 404, code: 'not_found' });
  });

  it('are made one at a time, and can be read when they are ready', async () => {
    const begun = await post({ title: '2026-11' });
    const running = {
      number: 1,
      title: '2026-11',
      state: 'running',
      revision: await revision(),
      started_at: '2026-11-21T12:00:00.000Z',
      ended_at: null,
      error: '',
      series: null,
      points: null,
      difference: null,
      files: null,
    };
    expect([begun.status, begun.headers.location, begun.body]).toEqual([
      202,
      expect.stringMatching(/^http:\/\/127[.0-9:]+\/api\/v1\/Edition\/1\/$/),
      running,
    ]);
    expectProblem(await post({ title: 'another' }), { status: 409, code: 'edition_running' });
    expectProblem(await service.http().get('/editions/1/prices.parquet'), { status: 404, code: 'not_found' });
    await editions.makeBegun();
    const names = [
      'prices.parquet',
      'prices.csv.gz',
      'series.parquet',
      'rates.parquet',
      'datapackage.json',
      'README.txt',
      'SHA256SUMS',
    ];
    expect(await read(1)).toEqual({
      ...running,
      state: 'ready',
      ended_at: '2026-11-21T12:00:00.000Z',
      series: 2,
      points: 4,
      files: names.map((name) => ({
        name,
        bytes: readFileSync(join(folder, '1', name)).length,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        path: `/editions/1/${name}`,
      })),
    });
    expect(readdirSync(folder)).toEqual(['1']);
    expect(readdirSync(join(folder, '1')).sort()).toEqual([...names].sort());
  });

  it('have the published prices by series, periodicity and date', async () => {
    const file = (name: string) => Uint8Array.from(readFileSync(join(folder, '1', name))).buffer;
    const kenya = {
      uuid: B,
      iso3_country_code: 'KEN',
      market: 'Nairobi',
      commodity: '=1+1 maïs',
      price_type: 'RETAIL',
      currency: 'KES',
      measure_unit: 'Kg',
      periodicity: 'monthly',
    };
    const mali = {
      ...kenya,
      uuid: A,
      iso3_country_code: 'MLI',
      market: 'Bamako',
      commodity: 'Rice',
      currency: 'XOF',
      comment: '',
      price_value_real: null,
      price_value_dollar: null,
      index_base: null,
    };
    expect(await parquetReadObjects({ file: file('prices.parquet') })).toEqual([
      { ...mali, date: new Date('2024-02-01'), periodicity: 'daily', price_value: 3.25 },
      { ...mali, date: new Date('2024-01-05'), periodicity: 'weekly', price_value: 2 },
      {
        ...kenya,
        date: new Date('2024-01-01'),
        price_value: 10.5,
        price_value_real: 7.64748725418791,
        price_value_dollar: 0.07,
        comment: 'à, "b"',
        index_base: '2015',
      },
      {
        ...kenya,
        date: new Date('2024-03-01'),
        price_value: 12,
        price_value_real: null,
        price_value_dollar: null,
        comment: '',
        index_base: null,
      },
    ]);
    expect(gunzipSync(readFileSync(join(folder, '1', 'prices.csv.gz'))).toString()).toBe(
      [
        'uuid,iso3_country_code,market,commodity,price_type,currency,measure_unit,date,periodicity,price_value,price_value_real,price_value_dollar,comment,index_base',
        `${A},MLI,Bamako,Rice,RETAIL,XOF,Kg,2024-02-01,daily,3.25,,,,`,
        `${A},MLI,Bamako,Rice,RETAIL,XOF,Kg,2024-01-05,weekly,2,,,,`,
        `${B},KEN,Nairobi,'=1+1 maïs,RETAIL,KES,Kg,2024-01-01,monthly,10.5,7.64748725418791,0.07,"à, ""b""",2015`,
        `${B},KEN,Nairobi,'=1+1 maïs,RETAIL,KES,Kg,2024-03-01,monthly,12,,,,`,
        '',
      ].join('\r\n'),
    );
    expect(await parquetReadObjects({ file: file('rates.parquet') })).toEqual([
      {
        kind: 'exchange_rate',
        currency: 'KES',
        rate_type: 'official',
        iso3_country_code: null,
        item: null,
        base_period: null,
        periodicity: 'monthly',
        date: new Date('2024-01-01'),
        value: 150,
        source: '',
      },
      {
        kind: 'price_index',
        currency: null,
        rate_type: null,
        iso3_country_code: 'KEN',
        item: 'general',
        base_period: expect.any(String),
        periodicity: 'monthly',
        date: new Date('2024-01-01'),
        value: 137.3,
        source: '',
      },
    ]);
  });
});

describe('an edition of a database that was upgraded', () => {
  it('freezes no revision before the first one that is known', async () => {
    const service = await startTestApp();
    try {
      for (const uuid of [A, B]) await storeSeries(service.unitOfWork, [{ uuid }]);
      await service.unitOfWork.run((transaction) =>
        transaction.execute('DELETE FROM revision WHERE number < 2'),
      );
      const { status, body } = await service
        .http()
        .post('/api/v1/Edition/')
        .set(await service.authHeader())
        .send({ title: 'x', revision: 1 });
      expect([status, (body as { errors: unknown }).errors]).toEqual([
        400,
        [
          {
            in: 'body',
            name: 'revision',
            code: 'unknown_revision',
            detail: 'revision 1 is before the first one that has data.',
          },
        ],
      ]);
    } finally {
      await service.close();
    }
  });
});
