import { createRecords } from '../support/factories.js';
import { expectProblem, queryViolation } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createSampleSeries } from './sample-series.js';

const country = (
  iso3_country_code: string,
  country_name: string,
  series: number,
  last_price_date: string | null,
) => ({ iso3_country_code, country_name, series, last_price_date });

const RESULTS = [
  country('AFG', 'Afghanistan', 1, '2020-06-30'),
  country('KEN', 'Kenya', 3, '2026-11-20'),
  country('MLI', 'Mali', 2, '2026-08-01'),
  country('USA', 'United States of America', 1, '2026-10-30'),
];

describe('Country/', () => {
  let service: TestApp;
  beforeEach(async () => (service = await startTestApp()));
  afterEach(() => service.close());

  const get = (query = '') => service.http().get(`/api/v1/Country/${query}`);

  it('is empty without series, also where there are markets', async () => {
    const empty = { count: 0, next: null, previous: null, results: [] };
    expect((await get().expect(200)).body).toEqual(empty);
    await createRecords(service.unitOfWork, (factory) => factory.market());
    expect((await get().expect(200)).body).toEqual(empty);
  });

  it('lists the countries of series in pages and formats, now and earlier', async () => {
    const before = (await get().expect(200)).headers['data-revision'];
    await createSampleSeries(service.unitOfWork);
    expect((await get().expect(200)).body).toEqual({
      count: 4,
      next: null,
      previous: null,
      results: RESULTS,
    });
    const { body } = await get('?page_size=3&page=2').expect(200);
    expect(body).toEqual({
      count: 4,
      next: null,
      previous: expect.stringMatching(/\/api\/v1\/Country\/\?page_size=3$/),
      results: RESULTS.slice(3),
    });
    expect((await get('?format=csv&page_size=2').expect(200)).text).toBe(
      'iso3_country_code,country_name,series,last_price_date\r\n' +
        'AFG,Afghanistan,1,2020-06-30\r\nKEN,Kenya,3,2026-11-20\r\n',
    );
    expect((await get('?format=ndjson').expect(200)).text).toBe(
      RESULTS.map((record) => `${JSON.stringify(record)}\n`).join(''),
    );
    expect((await get(`?as_of=r${before}`).expect(200)).body).toEqual({
      count: 0,
      next: null,
      previous: null,
      results: [],
    });
  });

  it('names a country by its oldest market that has a name, or by ISO', async () => {
    await createRecords(service.unitOfWork, async (factory) => {
      const kenyan = (country_name: string) => factory.market({ country_name });
      for (const market_id of [await kenyan(''), await kenyan('Kenia'), await kenyan('Kenya')])
        await factory.series({ market_id });
      for (const iso3_country_code of ['TZA', 'QQQ'])
        await factory.series({ market_id: await factory.market({ iso3_country_code, country_name: '' }) });
    });
    expect((await get().expect(200)).body.results).toEqual([
      country('KEN', 'Kenia', 3, null),
      country('QQQ', '', 1, null),
      country('TZA', 'United Republic of Tanzania', 1, null),
    ]);
  });

  it('rejects pages past the last and unknown parameters', async () => {
    expectProblem(await get('?page=2'), { status: 404, code: 'not_found', extra: { last_page: 1 } });
    expectProblem(await get('?search=ken'), {
      status: 400,
      code: 'invalid',
      errors: [queryViolation('search', 'unknown_parameter')],
    });
  });

  it('is cached until series change', async () => {
    const { headers } = await get()
      .expect(200)
      .expect('Cache-Control', /^public, max-age=60/);
    await get().set('If-None-Match', headers.etag!).expect(304);
    await createRecords(service.unitOfWork, (factory) => factory.series());
    expect((await get().set('If-None-Match', headers.etag!).expect(200)).body).toMatchObject({ count: 1 });
  });
});
