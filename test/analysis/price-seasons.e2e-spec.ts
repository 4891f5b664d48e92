import { randomUUID } from 'node:crypto';
import { AggregateLimits } from '../../src/analysis/aggregates/aggregates.service.js';
import { storeRates, storeSeries, type SeriesSpec } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** The first of each month from January 2019 on. */
const dates = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, index) => `${2019 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`,
  );
/** Prices of months from January 2019 on: a tenth dearer in March, a tenth cheaper in August. */
const seasonal = (price: number, count = 72, factor = 1) => ({
  monthly: dates(count).map((date, index): [string, number] => [
    date,
    price * (index % 12 === 2 ? 1 + factor / 10 : index % 12 === 7 ? 1 - factor / 10 : 1),
  ]),
});
const series = (name: string, commodity: string, points: SeriesSpec['points']): SeriesSpec => ({
  uuid: randomUUID(),
  market: { name, iso3_country_code: 'KEN', country_name: 'Kenya' },
  commodity: { name: commodity },
  points,
});

type Row = Record<string, unknown>;

describe('seasons', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp();
    await storeSeries(service.unitOfWork, [
      series('Nairobi', 'Millet', seasonal(100)),
      series('Mombasa', 'Millet', seasonal(200)),
      series('Kisumu', 'Millet', seasonal(300)),
      // Dear, and without a season, in two of the years: the median moves, the index hardly.
      series('Eldoret', 'Millet', seasonal(900, 24, 0)),
      // One market has no index.
      series('Nairobi', 'Sorghum', seasonal(50)),
      series('Nairobi', 'Teff', seasonal(50, 40)),
      series('Nairobi', 'Wage (casual labour)', seasonal(500)),
    ]);
    await storeRates(
      service.unitOfWork,
      dates(72).map((date) => ['KES', date, 100] as const),
    );
  });
  afterAll(() => service?.close());

  const get = (query = '') => service.http().get(`/api/v1/PriceSeason/${query}`);
  const rows = async (query = '') => ((await get(query).expect(200)).body as { results: Row[] }).results;
  const group = (commodity: string) => ({
    iso3_country_code: 'KEN',
    country_name: 'Kenya',
    commodity,
    commodity_id: expect.any(Number) as number,
    price_type: 'RETAIL',
    price_type_id: 12,
    currency: 'KES',
    unit: 'kg',
  });
  const close = (value: number) => expect.closeTo(value, 12) as number;
  /** The moving average of twelve months of such prices is their mean. */
  const pattern = Array.from({ length: 12 }, (_, month) => close(month === 2 ? 1.1 : month === 7 ? 0.9 : 1));
  const season = {
    years: 5,
    dearest_month: 3,
    dearest: close(1.1),
    cheapest_month: 8,
    cheapest: close(0.9),
    seasonal: pattern,
    sd: Array.from({ length: 12 }, () => close(0)),
  };
  const none = {
    of: null,
    years: null,
    dearest_month: null,
    dearest: null,
    cheapest_month: null,
    cheapest: null,
    seasonal: null,
    sd: null,
  };

  it('are of the index of a group, or of its median, or of neither', async () => {
    const { body } = await get().expect(200);
    const { results, ...envelope } = body as { results: Row[] };
    expect(envelope).toEqual({ count: 3, next: null, previous: null });
    const [millet, sorghum, teff] = results;
    expect(millet).toMatchObject({ ...group('Millet'), series: 4, of: 'index', years: 5 });
    expect([millet!.dearest_month, millet!.cheapest_month]).toEqual([3, 8]);
    expect(sorghum).toEqual({ ...group('Sorghum'), series: 1, of: 'median', ...season });
    expect(teff).toEqual({ ...group('Teff'), series: 1, ...none });
  });

  it('are those of `seasonal` of a series in a group of one, and of an index of as few', async () => {
    const query = '?by=market&search=sorghum';
    const [median] = await rows(query);
    const [index] = await rows(`${query}&min_matched=1`);
    expect([median!.of, index!.of]).toEqual(['median', 'index']);
    const { body } = await service.http().get('/api/v1/PriceSerie/?search=sorghum').expect(200);
    const { uuid } = (body as { results: { uuid: string }[] }).results[0]!;
    const indicators = await service.http().get(`/api/v1/PriceSerieIndicator/${uuid}/`).expect(200);
    const of = (indicators.body as { seasonal: { index: number[]; sd: number[]; years: number } }).seasonal;
    for (const row of [median!, index!]) {
      expect(row.years).toBe(of.years);
      expect(row.seasonal).toEqual(of.index.map(close));
    }
  });

  it('are of other goods and in other money, sorted and as CSV', async () => {
    const names = (await rows('?goods=false&sort=-dearest,-commodity')).map(({ commodity }) => commodity);
    expect(names).toHaveLength(4);
    expect(names.at(-1)).toBe('Teff');
    const [dollars] = await rows('?measure=usd&search=sorghum');
    expect(dollars).toEqual({ ...group('Sorghum'), currency: 'USD', series: 1, of: 'median', ...season });
    const { text } = await get('?by=commodity&fields=commodity,of,dearest_month&format=csv').expect(200);
    expect(text).toBe('commodity,of,dearest_month\r\nMillet,index,3\r\nSorghum,median,3\r\nTeff,,\r\n');
  });

  it('are of a state of the data, and of no more series than aggregates', async () => {
    const { headers } = await get().expect(200);
    const revision = String(headers['data-revision']);
    await storeSeries(service.unitOfWork, [series('Garissa', 'Teff', seasonal(70))]);
    const seasonOfTeff = async (query: string) => (await rows(query)).at(-1);
    expect(await seasonOfTeff(`?as_of=r${revision}`)).toMatchObject({ series: 1, of: null });
    expect(await seasonOfTeff('')).toMatchObject({ series: 2, of: 'median', dearest_month: 3 });
    const limits = service.app.get(AggregateLimits);
    limits.series = 5;
    const { body } = await get('?by=market').expect(400);
    expect(body).toMatchObject({ errors: [{ name: 'by', code: 'too_many_items' }] });
    limits.series = 10_000;
    await get('?page=9').expect(404);
    await get('?by=country&sort=commodity').expect(400);
  });
});
