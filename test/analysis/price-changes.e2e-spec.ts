import { AggregateLimits } from '../../src/analysis/aggregates/aggregates.service.js';
import { storePoints, storeRates, storeSeries, type SeriesSpec } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const uuidOf = (number: number) => `11111111-0000-4000-8000-${String(number).padStart(12, '0')}`;
const market = (name: string) => ({ name, iso3_country_code: 'KEN', country_name: 'Kenya' });
/** A year ago, three months ago, a month ago, and now. */
const DATES = ['2022-06-01', '2023-03-01', '2023-05-01', '2023-06-01'];
const monthly = (...prices: (number | null)[]) => ({
  monthly: prices.flatMap((price, at) => (price === null ? [] : [[DATES[at]!, price] as const])),
});

const SERIES: readonly SeriesSpec[] = [
  { uuid: uuidOf(1), market: market('Nairobi'), points: monthly(100, 110, 120, 132) },
  { uuid: uuidOf(2), market: market('Mombasa'), points: monthly(200, 220, 250, 240) },
  {
    uuid: uuidOf(3),
    market: market('Kisumu'),
    unit: { name: '50 KG', conversion_factor: 0.02 },
    points: monthly(5000, 5500, null, 6000),
  },
  // New, and dear: the median rises, the change does not know it.
  { uuid: uuidOf(4), market: market('Eldoret'), points: monthly(null, null, 400, 480) },
  // Its newest price is older than that of the group.
  { uuid: uuidOf(5), market: market('Garissa'), points: monthly(90, 95, 99) },
  { uuid: uuidOf(6), market: market('Nairobi'), priceType: 13, points: monthly(80, null, 90) },
  { uuid: uuidOf(7), market: { ...market('All'), regional_average: true }, points: monthly(9, 9, 9, 9) },
  { uuid: uuidOf(8), commodity: { name: 'Wage (casual labour)' }, points: monthly(500, 500, 500, 600) },
  {
    uuid: uuidOf(9),
    market: { name: 'Kampala', iso3_country_code: 'UGA', country_name: 'Uganda' },
    currency: 'UGX',
    points: monthly(3000, 3000, 3300, 3300),
  },
  {
    uuid: uuidOf(10),
    market: market('Nairobi'),
    unit: { name: 'Heap', dimension: 'other', conversion_factor: null },
    points: monthly(7, 7, 7, 7),
  },
];

type Row = Record<string, unknown>;

describe('price changes', () => {
  let service: TestApp;
  let ids: Map<string, number>;
  beforeAll(async () => {
    service = await startTestApp();
    await storeRates(
      service.unitOfWork,
      DATES.slice(0, 3).map((date, index) => ['KES', date, 100 + 10 * index] as const),
    );
    ids = await storeSeries(service.unitOfWork, SERIES);
  });
  afterAll(() => service?.close());

  const get = (query = '') => service.http().get(`/api/v1/PriceChange/${query}`);
  const rows = async (query = '') => ((await get(query).expect(200)).body as { results: Row[] }).results;
  const close = (value: number) => expect.closeTo(value, 12) as number;
  const rice = {
    iso3_country_code: 'KEN',
    country_name: 'Kenya',
    commodity: 'Rice',
    price_type: 'RETAIL',
    price_type_id: 12,
    currency: 'KES',
    unit: 'kg',
  };

  it('compare the series of a group that have a price in both months', async () => {
    const { body } = await get().expect(200);
    const { results, ...envelope } = body as { results: Row[] };
    expect(envelope).toEqual({ count: 3, next: null, previous: null });
    const { commodity_id } = results[0]!;
    expect(results).toEqual([
      {
        ...rice,
        commodity_id,
        month: '2023-06',
        series: 5,
        n: 4,
        median: 186,
        change_1m: close(((132 / 120) * (240 / 250) * (480 / 400)) ** (1 / 3) - 1),
        matched_1m: 3,
        change_3m: close(((132 / 110) * (240 / 220) * (6000 / 5500)) ** (1 / 3) - 1),
        matched_3m: 3,
        change_12m: close((1.32 * 1.2 * 1.2) ** (1 / 3) - 1),
        matched_12m: 3,
      },
      {
        ...rice,
        commodity_id,
        price_type: 'WHOLESALE',
        price_type_id: 13,
        month: '2023-05',
        series: 1,
        n: 1,
        median: 90,
        ...unmatched(0, 0, 0),
      },
      {
        ...rice,
        commodity_id,
        iso3_country_code: 'UGA',
        country_name: 'Uganda',
        currency: 'UGX',
        month: '2023-06',
        series: 1,
        n: 1,
        median: 3300,
        ...unmatched(1, 1, 1),
      },
    ]);
  });

  const unmatched = (m1: number, m3: number, m12: number) => ({
    change_1m: null,
    matched_1m: m1,
    change_3m: null,
    matched_3m: m3,
    change_12m: null,
    matched_12m: m12,
  });

  it('take fewer series where asked for, and as many as are asked for', async () => {
    const [, , uganda] = await rows('?min_matched=1');
    expect(uganda).toMatchObject({ change_1m: 0, change_3m: close(0.1), change_12m: close(0.1) });
    const [kenya] = await rows('?min_matched=4');
    expect(kenya).toMatchObject(unmatched(3, 3, 3));
  });

  it('are of the month that is asked for, of groups with a price in it', async () => {
    const found = await rows('?month=2023-03&min_matched=1');
    expect(found.map(({ iso3_country_code, price_type, n }) => [iso3_country_code, price_type, n])).toEqual([
      ['KEN', 'RETAIL', 4],
      ['UGA', 'RETAIL', 1],
    ]);
    expect(await rows('?month=1999-01')).toEqual([]);
  });

  it('are of the newest month that can be converted', async () => {
    const [kenya] = await rows('?measure=usd');
    expect(kenya).toMatchObject({ currency: 'USD', month: '2023-05', n: 4, median: close(1.85 / 1.2) });
    const heaps = await rows('?per=unit');
    expect(heaps.map(({ unit }) => unit)).toContain('Heap');
  });

  it('have no page past the last, to HEAD either', async () => {
    await get('?page=9').expect(404);
    await service.http().head('/api/v1/PriceChange/?page=9').expect(404);
  });

  it('are of any groups', async () => {
    const found = await rows('?by=market&iso3_country_codes=KEN&price_types_ids=12&min_matched=1');
    expect(found.map(({ market, month, change_12m }) => [market, month, change_12m])).toEqual([
      ['Eldoret', '2023-06', null],
      ['Garissa', '2023-05', null],
      ['Kisumu', '2023-06', close(0.2)],
      ['Mombasa', '2023-06', close(0.2)],
      ['Nairobi', '2023-06', close(0.32)],
    ]);
  });

  it('sort, choose fields, and are tables', async () => {
    const { text } = await get('?min_matched=1&sort=-change_12m&fields=currency,change_12m&format=csv');
    expect(text.split('\r\n').map((line) => line.slice(0, 12))).toEqual([
      'currency,cha',
      'KES,0.238736',
      'UGX,0.1',
      'KES,',
      '',
    ]);
    const { text: whole } = await get('?by=commodity&format=csv');
    expect(whole.split('\r\n')[0]).toBe(
      'commodity,commodity_id,price_type,price_type_id,currency,unit,month,series,n,median,change_1m,matched_1m,change_3m,matched_3m,change_12m,matched_12m',
    );
  });

  it('reject what they cannot know', async () => {
    const faults = async (query: string) => {
      const { body } = await get(query).expect(400);
      return (body as { errors: { name: string; code: string }[] }).errors.map(
        ({ name, code }) => `${name} ${code}`,
      );
    };
    expect(await faults('?month=June&by=town&min_matched=0')).toEqual([
      'by invalid_choice',
      'month invalid_date',
      'min_matched invalid_integer',
    ]);
    expect(await faults('?by=commodity&sort=market')).toEqual(['sort invalid_choice']);
    const limits = service.app.get(AggregateLimits);
    limits.series = 3;
    const tooMany = await faults('');
    limits.series = 10_000;
    expect(tooMany).toEqual(['by too_many_items']);
  });

  it('are as they were known at a revision', async () => {
    const { body: before, headers } = await get('?min_matched=1').expect(200);
    const revision = String((headers as Record<string, string>)['data-revision']);
    await storePoints(service.unitOfWork, ids.get(uuidOf(1))!, monthly(null, null, null, 264));
    expect((await rows('?min_matched=1'))[0]).toMatchObject({ median: 252 });
    const { body } = await get(`?min_matched=1&as_of=r${revision}`).expect(200);
    expect(body).toEqual(before);
  });
});
