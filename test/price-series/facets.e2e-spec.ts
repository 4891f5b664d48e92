import { expectProblem, queryViolation } from '../support/problems.js';
import { createRecords, priceTypes } from '../support/factories.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createSampleSeries, type SampleIds } from './sample-series.js';

interface FacetValue {
  value: string | number;
  name: string;
  count: number;
}
interface Facets {
  count: number;
  facets: Record<string, FacetValue[]>;
  without: Record<string, number>;
}

const EMPTY = {
  iso3_country_codes: [],
  commodity_ids: [],
  categories: [],
  price_types_ids: [],
  market_types: [],
  sources_ids: [],
  currencies: [],
  periodicity: [],
};

/** Queries whose counts are compared with those of the lists. Names in braces stand for ids. */
const QUERIES = [
  '',
  'iso3_country_codes=KEN',
  'iso3_country_codes=KEN,MLI&iso3_country_codes_ne=KEN',
  'commodity_ids={rice}&currencies=XOF',
  'categories=%22%22&price_types_ids=12',
  'market_types=urban&market_types_ne=marche&sources_ids={wfp}',
  'periodicity=weekly&start_date=2019-01-02&end_date=2021-12-31',
  'data_from=2018-12-02&data_to=2019-01-01&search=ken',
  'newerThan=2020-01-01&olderThan=1+day+ago&regional_average=false',
  'regional_average=false&measure_units_ids={kilogram}&admin_units=gao,nairobi&commodity__hs_class_code=11',
  'currencies=EUR&iso3_country_codes=XXX',
  'uuids=a0000001-0000-4000-8000-00000000000f,a0000002-0000-4000-8000-00000000000f&market_ids={kabul}',
];

describe('PriceSerieFacet/', () => {
  let service: TestApp;
  let ids: SampleIds;
  beforeAll(async () => {
    service = await startTestApp();
    ids = await createSampleSeries(service.unitOfWork);
  });
  afterAll(() => service.close());

  const get = (query: string) => service.http().get(`/api/v1/PriceSerieFacet/?${query}`);
  const facetsOf = async (query: string) => (await get(query).expect(200)).body as Facets;
  const withIds = (query: string) =>
    query.replace(/\{(\w+)\}/g, (_, name: keyof SampleIds) => String(ids[name]));
  /** How many series a list has, with some parameters replaced, or dropped where they are null. */
  const listed = async (query: string, replaced: Record<string, string | null>) => {
    const parameters = new URLSearchParams(query);
    for (const [name, value] of Object.entries(replaced))
      if (value === null) parameters.delete(name);
      else parameters.set(name, value);
    const { body } = await service.http().get(`/api/v1/PriceSerie/?${parameters}`).expect(200);
    return (body as { count: number }).count;
  };

  it('counts all series by each property', async () => {
    expect(await facetsOf('')).toEqual({
      count: 7,
      facets: {
        iso3_country_codes: [
          { value: 'KEN', name: 'Kenya', count: 3 },
          { value: 'MLI', name: 'Mali', count: 2 },
          { value: 'AFG', name: 'Afghanistan', count: 1 },
          { value: 'USA', name: 'United States of America', count: 1 },
        ],
        commodity_ids: [
          { value: ids.rice, name: 'Rice (white)', count: 2 },
          { value: ids.cereals, name: 'Cereals', count: 1 },
          { value: ids.charcoal, name: 'Charcoal', count: 1 },
          { value: ids.paddy, name: 'Rice (paddy)', count: 1 },
          { value: ids.wheat, name: 'Wheat', count: 1 },
          { value: ids.flour, name: 'Wheat flour', count: 1 },
        ],
        categories: [
          { value: '', name: '', count: 5 },
          { value: 'cereals and tubers', name: 'cereals and tubers', count: 2 },
        ],
        price_types_ids: [
          { value: priceTypes.RETAIL, name: 'RETAIL', count: 4 },
          { value: priceTypes.EXPORT, name: 'EXPORT', count: 1 },
          { value: priceTypes.IMPORT, name: 'IMPORT', count: 1 },
          { value: priceTypes.WHOLESALE, name: 'WHOLESALE', count: 1 },
        ],
        // Kabul has the type Urban, Nairobi the type urban.
        market_types: [
          { value: 'Urban', name: 'Urban', count: 3 },
          { value: '', name: '', count: 2 },
          { value: 'Marché', name: 'Marché', count: 1 },
          { value: 'National average', name: 'National average', count: 1 },
        ],
        sources_ids: [
          { value: ids.ministry, name: 'Ministry of Agriculture', count: 3 },
          { value: ids.wfp, name: 'World Food Programme (WFP)', count: 3 },
          { value: ids.exchange, name: 'Commodity exchange, "spot"', count: 1 },
        ],
        currencies: [
          { value: 'KES', name: 'KES', count: 2 },
          { value: 'USD', name: 'USD', count: 2 },
          { value: 'XOF', name: 'XOF', count: 2 },
          { value: 'AFN', name: 'AFN', count: 1 },
        ],
        periodicity: [
          { value: 'monthly', name: 'monthly', count: 6 },
          { value: 'weekly', name: 'weekly', count: 4 },
          { value: 'daily', name: 'daily', count: 2 },
        ],
      },
      without: {},
    });
  });

  it('leaves each facet without its own filter, and says what dropping a filter gives', async () => {
    const { count, facets, without } = await facetsOf('iso3_country_codes=KEN&currencies=XOF');
    expect({ count, without }).toEqual({ count: 0, without: { iso3_country_codes: 2, currencies: 3 } });
    expect(facets).toEqual({
      ...EMPTY,
      iso3_country_codes: [{ value: 'MLI', name: 'Mali', count: 2 }],
      currencies: [
        { value: 'KES', name: 'KES', count: 2 },
        { value: 'USD', name: 'USD', count: 1 },
      ],
    });
  });

  it.each(QUERIES)('has the counts of the lists for ?%s', async (query) => {
    const { count, facets, without } = await facetsOf(withIds(query));
    expect(count).toBe(await listed(withIds(query), {}));
    const given = [...new URLSearchParams(query).keys()];
    expect(Object.keys(without).sort()).toEqual(given.sort());
    for (const [name, dropped] of Object.entries(without))
      expect([name, dropped]).toEqual([name, await listed(withIds(query), { [name]: null })]);
    expect(Object.keys(facets)).toEqual(Object.keys(EMPTY));
    for (const [name, values] of Object.entries(facets)) {
      const sum = values.reduce((total, value) => total + value.count, 0);
      if (name !== 'periodicity') expect([name, sum]).toEqual([name, without[name] ?? count]);
      for (const { value, count: found } of values)
        expect([name, value, found]).toEqual([
          name,
          value,
          await listed(withIds(query), { [name]: typeof value === 'string' ? `"${value}"` : String(value) }),
        ]);
    }
  });

  it('rejects what is no filter', async () => {
    for (const [query, name, code] of [
      ['page=1', 'page', 'unknown_parameter'],
      ['format=csv', 'format', 'invalid_choice'],
      ['country=KEN', 'country', 'unknown_parameter'],
      ['sources_ids=x', 'sources_ids', 'invalid_item'],
      ['start_date=2020-01-02&end_date=2020-01-01', 'start_date', 'reversed_range'],
      ['as_of=r9999999', 'as_of', 'unknown_revision'],
    ] as const) {
      const response = await get(query);
      expect([query, response.status]).toEqual([query, 400]);
      expect((response.body as { errors: object[] }).errors[0]).toMatchObject(queryViolation(name, code));
    }
    expectProblem(await service.http().post('/api/v1/PriceSerieFacet/'), {
      status: 405,
      code: 'method_not_allowed',
    });
  });

  it('is cached until series change, and shows earlier states', async () => {
    const app = await startTestApp();
    try {
      const read = (query = '') => app.http().get(`/api/v1/PriceSerieFacet/${query}`).expect(200);
      expect((await read()).body).toEqual({ count: 0, facets: EMPTY, without: {} });
      const before = (await read()).headers;
      await app
        .http()
        .get('/api/v1/PriceSerieFacet/')
        .set('If-None-Match', before.etag!)
        .expect(304)
        .expect('Cache-Control', 'public, max-age=60, stale-if-error=86400');
      await createRecords(app.unitOfWork, async (factory) => {
        await factory.series();
      });
      expect((await read()).body).toMatchObject({ count: 1 });
      const past = await read(`?as_of=r${before['data-revision']}`);
      expect(past.body).toEqual({ count: 0, facets: EMPTY, without: {} });
      expect(past.headers['data-revision']).toBe(before['data-revision']);
    } finally {
      await app.close();
    }
  });
});
