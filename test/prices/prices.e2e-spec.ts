import { storePoints, storeSeries, type SeriesSpec } from '../support/price-fixture.js';
import { expectProblem, queryViolation } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const B = 'bbbbbbbb-0000-4000-8000-000000000002';
const C = 'cccccccc-0000-4000-8000-000000000003';
const EMPTY = 'dddddddd-0000-4000-8000-000000000004';
const ABSENT = 'eeeeeeee-0000-4000-8000-000000000005';

/** The lists order by country first, so B of Burundi comes before A of Kenya. */
const series: SeriesSpec[] = [
  {
    uuid: A,
    commodity: { name: 'Maize (white)', hs_code: '100590', category: 'Cereals' },
    market: {
      name: 'Kisumu',
      type: 'Regional capital',
      admin_unit: 'Nyanza',
      admin_unit2: 'Kisumu',
      latitude: -0.1,
      longitude: 34.75,
    },
    unit: { name: '90 kg', dimension: 'mass', conversion_factor: 0.0111111111111111 },
    priceType: 13,
    points: {
      daily: [
        ['2024-02-26', 100.5, 'on "offer", é'],
        ['2024-03-01', 101.5],
        ['2024-03-04', 103],
      ],
    },
  },
  {
    uuid: B,
    market: { name: 'Ngozi', iso3_country_code: 'BDI', country_name: 'Burundi' },
    currency: 'BIF',
    points: {
      weekly: [
        ['2023-12-29', 2000],
        ['2024-01-05', 2100],
      ],
      monthly: [['2024-01-01', 2055.55]],
    },
  },
  {
    uuid: C,
    points: {
      monthly: [
        ['2022-01-01', 10],
        ['2022-02-01', 11],
        ['2022-06-01', 15],
        ['2022-07-01', 16],
      ],
    },
  },
  { uuid: EMPTY },
];

interface Datapoint {
  id: number;
  date: string;
  periodicity: string;
  price_value: number;
}
interface PriceObject {
  uuid: string;
  datapoints: Datapoint[];
}

describe('prices', () => {
  let service: TestApp;
  let ids: Map<string, number>;
  beforeAll(async () => {
    service = await startTestApp();
    ids = await storeSeries(service.unitOfWork, series);
  });
  afterAll(() => service.close());

  const get = (path: string) => service.http().get(`/api/v1/PriceSeriePrice/${path}`);
  const pointsOf = (object: PriceObject) =>
    object.datapoints.map(({ date, periodicity, price_value }) => `${date} ${periodicity} ${price_value}`);
  const list = async (query: string) => {
    const { body } = await get(`?${query}`).expect(200);
    const { count, results } = body as { count: number; results: PriceObject[] };
    return { count, results: results.map((object) => [object.uuid, pointsOf(object)]) };
  };
  const idOf = (uuid: string, code: number, day: number) => (ids.get(uuid)! * 4 + code) * 4194304 + day;

  describe('of one series', () => {
    it('are the list entry and all points, newest first, with derived ones marked', async () => {
      const { body, text } = await get(`${A}/`).expect(200);
      const shared = {
        price_value_real: null,
        price_value_dollar: null,
        conversion_factor: 0.0111111111111111,
      };
      const entry = (await service.http().get(`/api/v1/PriceSerie/${A}/`).expect(200)).body as object;
      expect(body).toEqual({
        uuid: A,
        series: entry,
        datapoints: [
          {
            id: idOf(A, 1, 738949),
            price_value: 103,
            ...shared,
            date: '2024-03-04',
            periodicity: 'daily',
            comment: '',
          },
          {
            id: idOf(A, 1, 738946),
            price_value: 101.5,
            ...shared,
            date: '2024-03-01',
            periodicity: 'daily',
            comment: '',
          },
          {
            id: idOf(A, 2, 738946),
            price_value: 101,
            ...shared,
            date: '2024-03-01',
            periodicity: 'weekly',
            comment: '',
            calculated: true,
          },
          {
            id: idOf(A, 3, 738946),
            price_value: 102.25,
            ...shared,
            date: '2024-03-01',
            periodicity: 'monthly',
            comment: '',
            calculated: true,
            partial: true,
          },
          {
            id: idOf(A, 1, 738942),
            price_value: 100.5,
            ...shared,
            date: '2024-02-26',
            periodicity: 'daily',
            comment: 'on "offer", é',
          },
          {
            id: idOf(A, 3, 738917),
            price_value: 100.5,
            ...shared,
            date: '2024-02-01',
            periodicity: 'monthly',
            comment: '',
            calculated: true,
          },
        ],
      });
      const keys = text.match(/"(\w+)":/g)!.map((key) => key.slice(1, -2));
      expect(keys.slice(0, 2)).toEqual(['uuid', 'series']);
      expect(keys.slice(keys.indexOf('datapoints'), keys.indexOf('datapoints') + 9)).toEqual([
        'datapoints',
        'id',
        'price_value',
        'price_value_real',
        'price_value_dollar',
        'conversion_factor',
        'date',
        'periodicity',
        'comment',
      ]);
    });

    it.each([
      ['periodicity=monthly', ['2024-03-01 monthly 102.25', '2024-02-01 monthly 100.5']],
      [
        'periodicity=MONTHLY,weekly',
        ['2024-03-01 weekly 101', '2024-03-01 monthly 102.25', '2024-02-01 monthly 100.5'],
      ],
      ['periodicity=daily&start_date=2024-03-01', ['2024-03-04 daily 103', '2024-03-01 daily 101.5']],
      ['periodicity=daily&startdate=2024-03-01', ['2024-03-04 daily 103', '2024-03-01 daily 101.5']],
      ['start_date=2024-03-01&startdate=2024-03-01&latest=1&periodicity=daily', ['2024-03-04 daily 103']],
      ['end_date=2024-02-26', ['2024-02-26 daily 100.5', '2024-02-01 monthly 100.5']],
      ['enddate=2024-02-01', ['2024-02-01 monthly 100.5']],
      [
        'start_date=2024-03-01&end_date=2024-03-01',
        ['2024-03-01 daily 101.5', '2024-03-01 weekly 101', '2024-03-01 monthly 102.25'],
      ],
      ['latest=1', ['2024-03-04 daily 103', '2024-03-01 weekly 101', '2024-03-01 monthly 102.25']],
      [
        'latest=2&end_date=2024-03-02&periodicity=daily',
        ['2024-03-01 daily 101.5', '2024-02-26 daily 100.5'],
      ],
      ['latest=2147483647&periodicity=weekly', ['2024-03-01 weekly 101']],
      ['periodicity=weekly&start_date=2024-03-02', []],
      [
        'start_date=',
        [
          '2024-03-04 daily 103',
          '2024-03-01 daily 101.5',
          '2024-03-01 weekly 101',
          '2024-03-01 monthly 102.25',
          '2024-02-26 daily 100.5',
          '2024-02-01 monthly 100.5',
        ],
      ],
    ])('for %s are %j', async (query, expected) => {
      const { body } = await get(`${A}/?${query}`).expect(200);
      expect(pointsOf(body as PriceObject)).toEqual(expected);
    });

    it('are an empty list where there are none', async () => {
      const { body } = await get(EMPTY).expect(200);
      expect(body).toMatchObject({
        uuid: EMPTY,
        series: { periodicity: [], last_price_date: null },
        datapoints: [],
      });
    });

    it.each([ABSENT, 'abc', `${A}x`, '1', '%20', 'PriceSerie'])('are not found for %s', async (uuid) => {
      expectProblem(await get(`${uuid}/`), { status: 404, code: 'not_found' });
    });

    it('are found in any letter case, with and without the last slash, under every prefix', async () => {
      const { text } = await get(`${A}/`);
      for (const path of [
        `/api/v1/PriceSeriePrice/${A}`,
        `/api/v1/PriceSeriePrice/${A.toUpperCase()}/`,
        `/giews/v4/price_module/api/v1/PriceSeriePrice/${A}/`,
        `/giews/v4/global/price_module/api/v1/PriceSeriePrice/${A}`,
      ]) {
        expect((await service.http().get(path).expect(200)).text).toBe(text);
      }
    });

    it('have no parameters that filter series', async () => {
      expectProblem(await get(`${A}/?iso3_country_codes=KEN&page=1`), {
        status: 400,
        code: 'invalid',
        errors: [
          queryViolation('iso3_country_codes', 'unknown_parameter'),
          queryViolation('page', 'unknown_parameter'),
        ],
      });
    });
  });

  describe('as a list', () => {
    it('are price objects of the series that have points, in the order of the lists', async () => {
      const { body } = await get('').expect(200);
      const { results, ...envelope } = body as { results: PriceObject[] };
      expect(envelope).toEqual({ count: 3, next: null, previous: null });
      const single = async (uuid: string) => (await get(`${uuid}/`)).body as PriceObject;
      expect(results).toEqual([await single(B), await single(A), await single(C)]);
    });

    it('are of the series in uuid__in, in the same order, without unknown ones and duplicates', async () => {
      const { results, count } = await list(
        `uuid__in=${C},${ABSENT},${A.toUpperCase()}&uuid__in=${C}&periodicity=monthly`,
      );
      expect({ count, uuids: results.map(([uuid]) => uuid) }).toEqual({ count: 2, uuids: [A, C] });
      expect(await list(`uuid__in=${ABSENT}`)).toEqual({ count: 0, results: [] });
      expect((await list(`uuids=${A},${C}&uuid__in=${C},${B}`)).results.map(([uuid]) => uuid)).toEqual([C]);
    });

    it.each([
      // C has a gap as long as the window, which its periodicity does not show.
      ['start_date=2022-03-01&end_date=2022-05-31', { count: 0, results: [] }],
      ['start_date=2022-02-15&end_date=2022-05-31', { count: 0, results: [] }],
      ['start_date=2022-02-01&end_date=2022-05-31', { count: 1, results: [[C, ['2022-02-01 monthly 11']]] }],
      ['start_date=2022-06-01&end_date=2022-06-01', { count: 1, results: [[C, ['2022-06-01 monthly 15']]] }],
      [
        'periodicity=weekly&start_date=2024-01-01',
        {
          count: 2,
          results: [
            [B, ['2024-01-05 weekly 2100']],
            [A, ['2024-03-01 weekly 101']],
          ],
        },
      ],
      [
        'periodicity=daily',
        {
          count: 1,
          results: [[A, ['2024-03-04 daily 103', '2024-03-01 daily 101.5', '2024-02-26 daily 100.5']]],
        },
      ],
      [
        'latest=1&periodicity=monthly',
        {
          count: 3,
          results: [
            [B, ['2024-01-01 monthly 2055.55']],
            [A, ['2024-03-01 monthly 102.25']],
            [C, ['2022-07-01 monthly 16']],
          ],
        },
      ],
      ['end_date=2021-12-31', { count: 0, results: [] }],
      // The filters of the lists apply to series.
      [
        'iso3_country_codes=bdi&latest=1',
        { count: 1, results: [[B, ['2024-01-05 weekly 2100', '2024-01-01 monthly 2055.55']]] },
      ],
      [
        'price_types_ids=13&latest=1&periodicity=daily',
        { count: 1, results: [[A, ['2024-03-04 daily 103']]] },
      ],
      [
        'newerThan=2024-02-01&latest=1&periodicity=weekly',
        { count: 1, results: [[A, ['2024-03-01 weekly 101']]] },
      ],
      ['data_to=2022-12-31&latest=1', { count: 1, results: [[C, ['2022-07-01 monthly 16']]] }],
      [
        'search=maize kisumu&latest=1&periodicity=daily',
        { count: 1, results: [[A, ['2024-03-04 daily 103']]] },
      ],
    ])('for %s are %j', async (query, expected) => {
      expect(await list(query)).toEqual(expected);
    });

    it('are paged by series, counting only those with points', async () => {
      const { host } = new URL((await get('?page_size=2')).request.url);
      const at = (query: string) => `http://${host}/api/v1/PriceSeriePrice/?${query}`;
      const page = async (query: string) => {
        const { body } = await get(`?${query}`).set('Host', host).expect(200);
        const { results, ...envelope } = body as { results: PriceObject[] };
        return { ...envelope, uuids: results.map(({ uuid }) => uuid) };
      };
      expect(await page('page_size=2&periodicity=monthly')).toEqual({
        count: 3,
        next: at('page_size=2&periodicity=monthly&page=2'),
        previous: null,
        uuids: [B, A],
      });
      expect(await page('page=2&page_size=2&periodicity=monthly')).toEqual({
        count: 3,
        next: null,
        previous: at('page_size=2&periodicity=monthly'),
        uuids: [C],
      });
      expect(await page(`uuid__in=${A},${B},${C}&page_size=1&page=2`)).toEqual({
        count: 3,
        next: at(`uuid__in=${A},${B},${C}&page_size=1&page=3`),
        previous: at(`uuid__in=${A},${B},${C}&page_size=1`),
        uuids: [A],
      });
      expectProblem(await get('?page=3&page_size=2'), {
        status: 404,
        code: 'not_found',
        extra: { last_page: 2 },
      });
      expect(await page('page=1&end_date=1999-01-01')).toEqual({
        count: 0,
        next: null,
        previous: null,
        uuids: [],
      });
    });

    it('respond to HEAD as to GET', async () => {
      const head = (query: string) => service.http().head(`/api/v1/PriceSeriePrice/${query}`);
      expect((await head('?page_size=2&page=2').expect(200)).text).toBeUndefined();
      await head('?page_size=2&page=3').expect(404);
      await head('?latest=0').expect(400);
      await head(`${A}/`).expect(200);
      await head(`${ABSENT}/`).expect(404);
      const plain = { 'Accept-Encoding': 'identity' };
      const { etag } = (await get('?latest=1&page_size=2').set(plain)).headers as { etag: string };
      await get('?latest=1&page_size=2').set(plain).set('If-None-Match', etag).expect(304, '');
      expect((await head('?latest=1&page_size=2').set(plain)).headers.etag).toBe(etag);
    });

    it('are not paged if series are named, however many', async () => {
      const many = Array.from(
        { length: 500 },
        (_, index) => `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`,
      );
      await storeSeries(
        service.unitOfWork,
        many.slice(0, 300).map((uuid) => ({ uuid, points: { monthly: [['2020-01-01', 1]] } })),
      );
      const { body } = await get(`?uuid__in=${many.join(',')}`).expect(200);
      const { count, next, previous, results } = body as {
        count: number;
        next: null;
        previous: null;
        results: PriceObject[];
      };
      expect({ count, next, previous, uuids: results.map(({ uuid }) => uuid) }).toEqual({
        count: 300,
        next: null,
        previous: null,
        uuids: many.slice(0, 300),
      });
      const other = (await get('?periodicity=monthly&end_date=2020-12-31').expect(200)).body as {
        count: number;
        results: [];
      };
      expect([other.count, other.results.length]).toEqual([300, 100]);
      const more = `${many.join(',')},${A}`;
      expectProblem(await get(`?uuid__in=${more}`), {
        status: 400,
        code: 'invalid',
        errors: [queryViolation('uuid__in', 'too_many_items', { max: 500 })],
      });
    });
  });

  it.each([
    ['uuid__in=abc', [queryViolation('uuid__in', 'invalid_item', { index: 0 })]],
    [
      `uuid__in=${A},${A}0,,x`,
      [1, 2, 3].map((index) => queryViolation('uuid__in', 'invalid_item', { index })),
    ],
    ['latest=0', [queryViolation('latest', 'invalid_integer')]],
    ['latest=1.5', [queryViolation('latest', 'invalid_integer')]],
    ['latest=-1', [queryViolation('latest', 'invalid_integer')]],
    ['latest=1&latest=2', [queryViolation('latest', 'repeated_parameter')]],
    ['latest=99999999999', [queryViolation('latest', 'out_of_range')]],
    [
      'periodicity=hourly',
      [queryViolation('periodicity', 'invalid_choice', { allowed: ['daily', 'weekly', 'monthly'] })],
    ],
    ['start_date=2023-02-30', [queryViolation('start_date', 'invalid_date')]],
    [
      'startdate=2023-2-3&enddate=today',
      [queryViolation('startdate', 'invalid_date'), queryViolation('enddate', 'invalid_date')],
    ],
    [
      'start_date=2024-01-02&end_date=2024-01-01',
      [queryViolation('start_date', 'reversed_range'), queryViolation('end_date', 'reversed_range')],
    ],
    [
      'startdate=2024-01-02&end_date=2024-01-01',
      [queryViolation('startdate', 'reversed_range'), queryViolation('end_date', 'reversed_range')],
    ],
    [
      'start_date=2024-01-02&startdate=2024-01-01',
      [queryViolation('start_date', 'conflicting_fields'), queryViolation('startdate', 'conflicting_fields')],
    ],
    [
      'data_from=2024-01-02&data_to=2024-01-01',
      [queryViolation('data_from', 'reversed_range'), queryViolation('data_to', 'reversed_range')],
    ],
    ['page=0', [queryViolation('page', 'invalid_integer')]],
    ['page_size=10001', [queryViolation('page_size', 'out_of_range', { max: 10000 })]],
    ['uuid_in=x', [queryViolation('uuid_in', 'unknown_parameter', { suggestion: 'uuid__in' })]],
    ['uuid__in[]=x', [queryViolation('uuid__in[]', 'unknown_parameter')]],
    ['format=xml', [queryViolation('format', 'invalid_choice')]],
  ])('rejects %s', async (query, errors) => {
    expectProblem(await get(`?${query}`), { status: 400, code: 'invalid', errors });
  });

  it('show a new point, a changed one and a renamed commodity at once', async () => {
    const uuid = 'ffffffff-0000-4000-8000-000000000006';
    const created = await storeSeries(service.unitOfWork, [
      { uuid, commodity: { name: 'Millet' }, points: { monthly: [['2020-01-01', 1]] } },
    ]);
    const current = async () => {
      const [body, listed] = [
        (await get(`${uuid}/`).expect(200)).body as PriceObject & { series: { commodity: string } },
        (await get(`?uuid__in=${uuid}`).expect(200)).body as { results: object[] },
      ];
      expect(listed.results).toEqual([body]);
      return [body.series.commodity, ...pointsOf(body)];
    };
    expect(await current()).toEqual(['Millet', '2020-01-01 monthly 1']);
    await storePoints(service.unitOfWork, created.get(uuid)!, {
      monthly: [
        ['2020-01-01', 2],
        ['2020-02-01', 3],
      ],
    });
    expect(await current()).toEqual(['Millet', '2020-02-01 monthly 3', '2020-01-01 monthly 2']);
    const { body } = await service.http().get('/api/v1/Commodity/?name=Millet').expect(200);
    await service
      .http()
      .patch(`/api/v1/Commodity/${(body as { id: number }[])[0]!.id}/`)
      .set(await service.authHeader())
      .send({ commodity_name: 'Pearl millet' })
      .expect(200);
    expect(await current()).toEqual(['Pearl millet', '2020-02-01 monthly 3', '2020-01-01 monthly 2']);
  });
});
