import fc from 'fast-check';
import { IndicatorLimits } from '../../src/analysis/indicators/indicator-list.service.js';
import { IndicatorStore } from '../../src/analysis/indicators/store/indicator-store.js';
import { WarningsService } from '../../src/analysis/warnings/warnings.service.js';
import { firstDayOfMonth, isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { Criteria } from '../../src/price-series/filters/criteria.js';
import { storeIndices, storePoints, storeSeries } from '../support/price-fixture.js';
import { plainWarnings, type PlainRequest, type PlainSeries } from './plain-warnings.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { S1_FIRST, S1_VALUES } from '../support/test-series.js';

const uuidOf = (number: number) => `22222222-0000-4000-8000-00000000000${number}`;
const [NAIROBI, MOMBASA, MAIZE, BEANS, AVERAGE, WAGE, EMPTY, UGANDA] = [1, 2, 3, 4, 5, 6, 7, 8].map(
  uuidOf,
) as [string, string, string, string, string, string, string, string];
const close = (value: number) => expect.closeTo(value, 6) as number;
const dateOf = (month: number) => isoFromDay(firstDayOfMonth(month));

const kenya = (name: string) => ({ name, iso3_country_code: 'KEN', country_name: 'Kenya' });
const rice = { name: 'Rice', category: 'cereals' };
const maize = { name: 'Maize', category: 'cereals' };

interface Row {
  iso3_country_code: string;
  month: string;
  [field: string]: unknown;
}

describe('warnings', () => {
  let service: TestApp;
  let ids: Map<string, number>;
  beforeAll(async () => {
    service = await startTestApp();
    const monthly = S1_VALUES.map((value, index) => [dateOf(S1_FIRST + index), value] as const);
    await storeIndices(
      service.unitOfWork,
      monthly.map(([date]) => ['KEN', date, 100] as const),
    );
    const doubled = monthly.map(([date, value]) => [date, 2 * value] as const);
    ids = await storeSeries(service.unitOfWork, [
      // Until August 2023.
      { uuid: NAIROBI, commodity: rice, market: kenya('Nairobi'), points: { monthly: monthly.slice(0, 68) } },
      { uuid: MOMBASA, commodity: rice, market: kenya('Mombasa'), points: { monthly: doubled.slice(0, 68) } },
      // Until July: still fresh in August.
      { uuid: MAIZE, commodity: maize, market: kenya('Mombasa'), points: { monthly: monthly.slice(0, 67) } },
      // Until April: no longer fresh.
      {
        uuid: BEANS,
        commodity: { name: 'Beans', category: 'pulses' },
        market: kenya('Kisumu'),
        points: { monthly: monthly.slice(0, 64) },
      },
      // Left out: an average of a country with markets, and no commodity.
      {
        uuid: AVERAGE,
        commodity: rice,
        market: { ...kenya('National Average'), regional_average: true },
        points: { monthly },
      },
      { uuid: WAGE, commodity: { name: 'Wage (casual)' }, market: kenya('Kisumu'), points: { monthly } },
      { uuid: EMPTY, commodity: { name: 'Sugar' }, market: kenya('Kisumu') },
      // The only series of its country: an average, without an index.
      {
        uuid: UGANDA,
        commodity: rice,
        market: {
          name: 'National Average',
          iso3_country_code: 'UGA',
          country_name: 'Uganda',
          regional_average: true,
        },
        points: { monthly },
      },
    ]);
  });
  afterAll(() => service?.close());

  const get = (query = '') => service.http().get(`/api/v1/PriceWarning/${query}`);
  const rows = async (query = '') => {
    const { body } = await get(query).expect(200);
    return (body as { results: Row[] }).results;
  };
  const brief = async (query: string, ...fields: string[]) =>
    (await rows(query)).map((row) => ['iso3_country_code', 'month', ...fields].map((field) => row[field]));

  const AUGUST = { date: '2023-08-01', ifpa: close(1.465954), ifpa_class: 'high', alps_class: 'alert' };
  const KENYA = {
    iso3_country_code: 'KEN',
    country_name: 'Kenya',
    month: '2023-08',
    series: 4,
    fresh: 3,
    markets: 2,
    ifpa: { high: 3, moderate: 0, normal: 0, undefined: 0 },
    alps: { crisis: 1, alert: 2, stress: 0, normal: 0, undefined: 0 },
    share_high: 1,
    share_alert_or_worse: 1,
    // In May, the three are moderate, and the beans of April normal.
    persistence: { ifpa: 3, alps: 4 },
    top: [
      {
        uuid: MAIZE,
        commodity: 'Maize',
        market: 'Mombasa',
        date: '2023-07-01',
        ifpa: close(1.636479),
        ifpa_class: 'high',
        alps_class: 'crisis',
      },
      { uuid: NAIROBI, commodity: 'Rice', market: 'Nairobi', ...AUGUST },
      { uuid: MOMBASA, commodity: 'Rice', market: 'Mombasa', ...AUGUST },
    ],
    rated: 3,
    high: 3,
  };
  const UGANDAN = {
    iso3_country_code: 'UGA',
    country_name: 'Uganda',
    month: '2023-12',
    series: 1,
    fresh: 1,
    markets: 1,
    ifpa: { high: 0, moderate: 0, normal: 0, undefined: 1 },
    alps: { crisis: 0, alert: 0, stress: 0, normal: 1, undefined: 0 },
    share_high: null,
    share_alert_or_worse: null,
    persistence: { ifpa: 0, alps: 0 },
    top: [],
    // By ALPS alone.
    rated: 1,
    high: 0,
  };

  it('count the fresh series of each country in its newest month', async () => {
    const { body } = await get().expect(200);
    expect(body).toEqual({ count: 2, next: null, previous: null, results: [KENYA, UGANDAN] });
  });

  it('count by category and by commodity', async () => {
    expect(await brief('?by=country,category', 'category', 'series', 'fresh', 'share_high')).toEqual([
      ['KEN', '2023-08', 'cereals', 3, 3, 1],
      ['KEN', '2023-08', 'pulses', 1, 0, null],
      ['UGA', '2023-12', 'cereals', 1, 1, null],
    ]);
    const byCommodity = await rows('?by=country,commodity&iso3_country_codes=KEN');
    expect(byCommodity.map(({ commodity, fresh }) => [commodity, fresh])).toEqual([
      ['Beans', 0],
      ['Maize', 1],
      ['Rice', 2],
    ]);
    expect(Object.keys(byCommodity[0]!).slice(0, 5)).toEqual([
      'iso3_country_code',
      'country_name',
      'commodity_id',
      'commodity',
      'month',
    ]);
  });

  it('count another month, also one without a fresh series, and none before the first price', async () => {
    expect(await brief('?month=2023-06', 'series', 'fresh', 'ifpa', 'persistence')).toEqual([
      ['KEN', '2023-06', 4, 4, { high: 3, moderate: 0, normal: 1, undefined: 0 }, { ifpa: 1, alps: 2 }],
      ['UGA', '2023-06', 1, 1, { high: 0, moderate: 0, normal: 0, undefined: 1 }, { ifpa: 0, alps: 0 }],
    ]);
    const [later] = await rows('?month=2024-06-15&iso3_country_codes=KEN');
    expect(later).toEqual({
      ...KENYA,
      month: '2024-06',
      fresh: 0,
      markets: 0,
      ifpa: { high: 0, moderate: 0, normal: 0, undefined: 0 },
      alps: { crisis: 0, alert: 0, stress: 0, normal: 0, undefined: 0 },
      share_high: null,
      share_alert_or_worse: null,
      persistence: { ifpa: 0, alps: 0 },
      top: [],
      rated: 0,
      high: 0,
    });
    expect(await rows('?month=2017-12')).toEqual([]);
  });

  it('list a row a month, newest first, up to the newest month of the country', async () => {
    expect(await brief('?start_date=2023-06-02&iso3_country_codes=KEN', 'share_high')).toEqual([
      ['KEN', '2023-08', 1],
      ['KEN', '2023-07', 1],
    ]);
    expect(await brief('?end_date=2018-02-01&iso3_country_codes=UGA,KEN')).toEqual([
      ['KEN', '2018-02'],
      ['KEN', '2018-01'],
      ['UGA', '2018-02'],
      ['UGA', '2018-01'],
    ]);
    expect((await rows('?start_date=2018-01-01&end_date=2018-01-31')).length).toBe(2);
    expect(await rows('?start_date=2023-06-02&end_date=2023-06-30')).toEqual([]);
    const { body } = await get('?start_date=2018-01-01&page_size=60&page=2').expect(200);
    const page = body as { count: number; results: Row[] };
    expect([page.count, page.results.length]).toEqual([68 + 72, 60]);
    expect([page.results[0]!.month, page.results[8]!.month]).toEqual(['2018-08', '2023-12']);
    await get('?start_date=2018-01-01&page_size=60&page=4').expect(404);
    await service.http().head('/api/v1/PriceWarning/?page=2').expect(404);
  });

  it('count averages where nothing else is selected, and what is no commodity on request', async () => {
    expect(await brief('?regional_average=true', 'series')).toEqual([
      ['KEN', '2023-12', 1],
      ['UGA', '2023-12', 1],
    ]);
    expect(await brief('?goods=false&iso3_country_codes=KEN', 'series', 'fresh')).toEqual([
      ['KEN', '2023-12', 5, 1],
    ]);
    expect(await brief(`?uuid__in=${BEANS},${EMPTY}`, 'fresh')).toEqual([['KEN', '2023-04', 1]]);
    expect(await rows(`?uuid__in=${EMPTY}`)).toEqual([]);
  });

  it('count food unless asked otherwise, as the category of a commodity says', async () => {
    const id = ids.get(MAIZE)!;
    const [{ commodity_id: commodity } = { commodity_id: 0 }] = await service.database.rows<{
      commodity_id: number;
    }>('SELECT commodity_id FROM price_serie WHERE id = ?', [id]);
    const maintainer = await service.authHeader();
    const patch = (category: string) =>
      service.http().patch(`/api/v1/Commodity/${commodity}/`).set(maintainer).send({ category }).expect(200);
    const series = async (query: string) =>
      (await brief(`?${query}&iso3_country_codes=KEN`, 'series'))[0]![2];
    await patch('non-food');
    expect([await series(''), await series('goods=FOOD'), await series('goods=true')]).toEqual([3, 3, 4]);
    expect([await series('goods=0'), await series('goods=1')]).toEqual([5, 4]);
    await patch('food (staple)');
    expect(await series('')).toBe(4);
    await patch('cereals');
    const { body } = await get('?goods=drink').expect(400);
    expect((body as { errors: unknown[] }).errors).toEqual([
      {
        in: 'query',
        name: 'goods',
        code: 'invalid_choice',
        detail: 'goods must be true, false or food; got "drink".',
        allowed: ['true', 'false', 'food'],
      },
    ]);
  });

  it('are made a hundred rows at a time, also those of a page', async () => {
    const list = await service.app.get(WarningsService).list(
      {
        grouping: 'country,commodity',
        criteria: Criteria.none,
        month: null,
        range: { from: S1_FIRST, to: S1_FIRST + 200 },
        view: { asOf: undefined, firstPublished: false },
        page: { page: 1, pageSize: 10_000 },
      },
      new AbortController().signal,
      () => Promise.resolve(),
    );
    const sizes: number[] = [];
    for await (const batch of list.batches) sizes.push(batch.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(list.size);
    expect(sizes.slice(0, -1)).toEqual(Array(sizes.length - 1).fill(100));
    expect(sizes.length).toBeGreaterThan(2);
  });

  it('come as CSV and NDJSON', async () => {
    const csv = await get('?by=country,category&format=csv&iso3_country_codes=KEN').buffer(true).expect(200);
    expect(csv.text).toBe(
      'iso3_country_code,country_name,category,month,series,fresh,markets,' +
        'ifpa_high,ifpa_moderate,ifpa_normal,ifpa_undefined,' +
        'alps_crisis,alps_alert,alps_stress,alps_normal,alps_undefined,' +
        'share_high,share_alert_or_worse,persistence_ifpa,persistence_alps,top,rated,high\r\n' +
        `KEN,Kenya,cereals,2023-08,3,3,2,3,0,0,0,1,2,0,0,0,1,1,3,4,${MAIZE} ${NAIROBI} ${MOMBASA},3,3\r\n` +
        'KEN,Kenya,pulses,2023-08,1,0,0,0,0,0,0,0,0,0,0,0,,,0,0,,0,0\r\n',
    );
    const ndjson = await get('?format=ndjson').buffer(true).expect(200);
    expect(
      ndjson.text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as object),
    ).toEqual([KENYA, UGANDAN]);
    const none = await get('?month=2017-12&format=ndjson').buffer(true).expect(200);
    expect(none.text).toBe('');
  });

  it('reject what is contradictory or not known', async () => {
    const violations = async (query: string) => {
      const { body } = await get(query).expect(400);
      return (body as { errors: { name: string; code: string; detail: string }[] }).errors;
    };
    const contradiction = { in: 'query', code: 'contradiction' };
    const detail = 'month is one month: leave out month or start_date and end_date.';
    expect(await violations('?month=2023-08&start_date=2023-01-01&end_date=2023-02-01')).toEqual(
      ['month', 'start_date', 'end_date'].map((name) => ({ ...contradiction, name, detail })),
    );
    const wrong = await violations('?by=market&months=3&month=2023-13&goods=x');
    expect(wrong.map(({ name }) => name).sort()).toEqual(['by', 'goods', 'month', 'months']);
    expect(wrong.find(({ name }) => name === 'by')!.detail).toContain('country,commodity');
    expect((await violations('?start_date=2023-02-01&end_date=2023-01-01')).length).toBeGreaterThan(0);
    service.app.get(IndicatorLimits).series = 2;
    const { headers } = await get();
    const [many] = await violations(`?as_of=r${headers['data-revision']}&iso3_country_codes=KEN`);
    expect(many).toMatchObject({ name: 'as_of', code: 'too_many_items', max: 2, count: 6 });
    service.app.get(IndicatorLimits).series = 10_000;
  });

  it('are as of a revision, and calculated anew of changed series only', async () => {
    const store = service.app.get(IndicatorStore);
    const { headers } = await get().expect(200);
    const asOf = `as_of=r${headers['data-revision']}`;
    const before = store.calculated;
    await storePoints(service.unitOfWork, ids.get(BEANS)!, { monthly: [['2023-09-01', 2 * 247]] });
    const [changed] = await rows('?iso3_country_codes=KEN');
    expect(changed).toMatchObject({ month: '2023-09', series: 4, fresh: 4, markets: 3 });
    expect(store.calculated - before).toBe(1);
    expect(await rows(`?${asOf}`)).toEqual([KENYA, UGANDAN]);
    expect(await rows(`?${asOf}&month=2023-06`)).toEqual(await rows('?month=2023-06'));
    // An index changes the indicators of all.
    await storeIndices(service.unitOfWork, [['UGA', '2023-12-01', 100]]);
    await rows();
    expect(store.calculated - before).toBe(1 + 8);
  });
});

/** Prices of some years, with gaps. */
const randomPrices = fc.array(fc.option(fc.integer({ min: 80, max: 160 }), { freq: 15 }), {
  minLength: 30,
  maxLength: 90,
});

const randomSeries = fc.record({
  country: fc.constantFrom('KEN', 'UGA', 'TZA'),
  market: fc.constantFrom('North', 'South', 'West'),
  regional_average: fc.boolean(),
  commodity: fc.constantFrom('Beans', 'Maize', 'Rice'),
  lastMonth: fc.integer({ min: 0, max: 8 }),
  prices: randomPrices,
});

describe('warnings of random prices', () => {
  let service: TestApp;
  let series: PlainSeries[];
  const seed = Number(process.env.PROPERTY_SEED) || Math.trunc(Math.random() * 0x7fffffff);
  const newest = S1_FIRST + 100;
  beforeAll(async () => {
    process.stdout.write(`warnings of random prices: seed ${seed}\n`);
    service = await startTestApp();
    const [all] = fc.sample(fc.array(randomSeries, { minLength: 25, maxLength: 25 }), { numRuns: 1, seed });
    await storeIndices(
      service.unitOfWork,
      Array.from({ length: 101 }, (_, index) => ['KEN', dateOf(S1_FIRST + index), 100 + index / 3] as const),
    );
    await storeIndices(
      service.unitOfWork,
      Array.from({ length: 96 }, (_, index) => ['UGA', dateOf(S1_FIRST + index), 100 + index / 2] as const),
    );
    const ids = await storeSeries(
      service.unitOfWork,
      all!.map(({ country, market, regional_average, commodity, lastMonth, prices }, index) => ({
        uuid: `33333333-0000-4000-8000-0000000000${String(index).padStart(2, '0')}`,
        commodity: { name: commodity, category: commodity === 'Beans' ? 'pulses' : 'cereals' },
        market: {
          name: regional_average ? `${market}, average` : market,
          iso3_country_code: country,
          country_name: country,
          // All series of one country are averages.
          regional_average: regional_average || country === 'TZA',
        },
        source: { name: `Source ${index}` },
        points: {
          monthly: prices.flatMap((price, back) =>
            price === null ? [] : [[dateOf(newest - lastMonth - back), price] as const],
          ),
        },
      })),
    );
    series = [];
    for (const uuid of ids.keys()) {
      const path = `/api/v1/PriceSerieIndicator/${uuid}/?indicators=ifpa,alps`;
      series.push((await service.http().get(path).expect(200)).body as PlainSeries);
    }
  });
  afterAll(() => service?.close());

  const month = (back: number) => dateOf(newest - back).slice(0, 7);
  const requests: [string, Omit<PlainRequest, 'by'>][] = [
    ['', {}],
    [`&month=${month(30)}`, { month: month(30) }],
    [`&start_date=${dateOf(newest - 40)}&end_date=${dateOf(newest - 3)}`, { from: month(40), to: month(3) }],
    [`&start_date=2000-01-01`, { from: '2000-01' }],
  ];
  it.each(['country', 'country,category', 'country,commodity'] as const)(
    'by %s are those of plain loops',
    async (by) => {
      const get = async (query: string) => {
        const { body, headers } = await service
          .http()
          .get(`/api/v1/PriceWarning/?by=${by}&page_size=1000${query}`)
          .expect(200);
        return { rows: (body as { results: object[] }).results, revision: headers['data-revision']! };
      };
      for (const [query, request] of requests) {
        const { rows, revision } = await get(query);
        const expected = plainWarnings(series, { by, ...request });
        expect(expected.length).toBeGreaterThan(0);
        expect(rows).toEqual(expected.slice(0, 1000));
        expect((await get(`${query}&as_of=r${revision}`)).rows).toEqual(rows);
      }
    },
  );
});
