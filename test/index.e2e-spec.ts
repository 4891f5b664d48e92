import { startTestApp, type TestApp } from './support/test-app.js';

describe('the index', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp({ PUBLIC_URL: 'https://prices.example.org' })));
  afterAll(() => service.close());

  const host = 'https://prices.example.org';

  it('lists the addresses of the service at its root', async () => {
    const { body } = await service.http().get('/').expect(200).expect('Cache-Control', 'public, no-cache');
    expect(body).toEqual({
      api: `${host}/api/v1/`,
      docs: `${host}/docs`,
      openapi: `${host}/openapi.json`,
      openapi_fpma: `${host}/openapi-fpma.json`,
      health: `${host}/health/ready`,
    });
  });

  it('lists the public lists at the root of the API', async () => {
    const { body } = await service.http().get('/api/v1/').expect(200);
    const names = [
      'Alias',
      'ChangeSet',
      'Changes',
      'Commodity',
      'Correction',
      'Country',
      'Cpi',
      'Edition',
      'Finding',
      'FindingRule',
      'FindingSummary',
      'FpmaSerie',
      'FpmaSerieDomestic',
      'FpmaSerieInternational',
      'FpmaSeriePrice',
      'FxRate',
      'Mapping',
      'Market',
      'MeasureUnit',
      'PriceAggregate',
      'PriceChange',
      'PriceCompare',
      'PriceSeason',
      'PriceSerie',
      'PriceSerieDomestic',
      'PriceSerieFacet',
      'PriceSerieIndicator',
      'PriceSerieInternational',
      'PriceSeriePrice',
      'PriceTable',
      'PriceType',
      'PriceWarning',
      'PriceWarningChange',
      'Release',
      'Source',
      'Suggest',
    ];
    expect(body).toEqual(Object.fromEntries(names.map((name) => [name, `${host}/api/v1/${name}/`])));
    // These need to be told of what.
    for (const name of names.filter((name) => !/SeriePrice$|^PriceCompare$|^Suggest$/.test(name)))
      await service.http().get(`/api/v1/${name}/`).expect(200);
  });

  it('is revalidated, and described so', async () => {
    const { body } = await service.http().get('/openapi.json').expect(200);
    const { paths } = body as { paths: Record<string, { get: { responses: object } }> };
    for (const path of ['/', '/api/v1']) {
      const { headers } = await service.http().get(path).expect(200);
      await service.http().get(path).set('If-None-Match', headers.etag!).expect(304);
      expect(Object.keys(paths[path]!.get.responses)).toContain('304');
    }
  });

  it('offers GET only, and takes no parameters', async () => {
    for (const path of ['/', '/api/v1', '/api/v1/']) {
      await service.http().head(path).expect(200);
      await service.http().post(path).expect(405).expect('Allow', 'GET, HEAD, OPTIONS');
      await service.http().get(`${path}?page=1`).expect(400);
    }
  });
});
