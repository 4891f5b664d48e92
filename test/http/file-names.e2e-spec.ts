import { createSampleSeries } from '../price-series/sample-series.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('Content-Disposition', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp();
    await createSampleSeries(service.unitOfWork);
  });
  afterAll(() => service.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    service.http().get(`/api/v1/${path}`).set(headers);
  const ofFile = async (path: string, headers: Record<string, string> = {}) => {
    const response = await get(path, headers);
    return [response.status, response.headers['content-disposition']];
  };

  it.each([
    ['PriceSerie/?format=csv', 'PriceSerie.csv'],
    ['PriceSerie/?search=rice&page=1&format=ndjson', 'PriceSerie_search-rice_page-1.ndjson'],
    [
      'PriceSeriePrice/?iso3_country_codes=KEN,AFG&format=csv&_=1',
      'PriceSeriePrice_iso3_country_codes-KEN-AFG.csv',
    ],
    ['Commodity/?format=csv', 'Commodity.csv'],
    ['Finding/?format=ndjson', 'Finding.ndjson'],
  ])('names the file of %s', async (path, name) => {
    expect(await ofFile(path)).toEqual([200, `attachment; filename="${name}"`]);
  });

  it('has names beyond ASCII in both forms', async () => {
    expect(await ofFile('PriceSerie/?search=%C3%A9lie&format=csv')).toEqual([
      200,
      `attachment; filename="PriceSerie_search-elie.csv"; filename*=UTF-8''PriceSerie_search-%C3%A9lie.csv`,
    ]);
  });

  it('is the same from the cache, in conditional replies and for HEAD', async () => {
    for (const path of ['PriceSerie/', 'PriceSeriePrice/']) {
      const csv = { Accept: 'text/csv' };
      const named = `attachment; filename="${path.slice(0, -1)}.csv"`;
      const first = await get(path, csv).expect(200).expect('Content-Disposition', named);
      for (let time = 0; time < 3; time++) {
        expect(await ofFile(path, csv)).toEqual([200, named]);
        expect(await ofFile(path, { ...csv, 'If-None-Match': first.headers.etag! })).toEqual([304, named]);
      }
      await service.http().head(`/api/v1/${path}`).set(csv).expect(200).expect('Content-Disposition', named);
      // The same address as JSON is no file.
      expect(await ofFile(path)).toEqual([200, undefined]);
    }
  });

  it('is not set on JSON and on errors', async () => {
    expect(await ofFile('PriceSerie/')).toEqual([200, undefined]);
    expect(await ofFile('Commodity/')).toEqual([200, undefined]);
    expect(await ofFile('PriceSerie/?format=csv&page=99')).toEqual([404, undefined]);
    expect(await ofFile('PriceSeriePrice/?format=csv&page=99')).toEqual([404, undefined]);
    expect(await ofFile('PriceSerie/?format=csv&nothing=1')).toEqual([400, undefined]);
  });
});
