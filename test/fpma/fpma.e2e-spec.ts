import { readFileSync } from 'node:fs';
import { PRICE_PREFIXES } from '../../src/config/price-paths.js';
import { storeIndices, storeRates, storeSeries, type SeriesSpec } from '../support/price-fixture.js';
import { expectProblem, queryViolation } from '../support/problems.js';
import { describeWithRealData, realData } from '../support/real-data.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const AFG = '041a53f5-5982-4564-ae3b-4c46df7816a6';
const IDN = 'c0b2e88d-8010-4f45-b989-fdf1eb126c10';
const IPS = 'ec0bfeb2-6cf3-48a9-8725-3a8860aeae1f';
const EMPTY = 'f0000000-0000-4000-8000-000000000001';

const series: SeriesSpec[] = [
  {
    uuid: AFG,
    commodity: { name: 'Vegetable oil', hs_code: '151090', category: 'Oils' },
    market: {
      name: 'Faryab',
      type: 'Provincial average',
      iso3_country_code: 'AFG',
      country_name: 'Afghanistan',
      admin_unit: 'Faryab province',
      info: 'In the north.',
      regional_average: true,
    },
    source: { name: 'WFP', url: 'https://dataviz.vam.wfp.org/economic/prices' },
    currency: 'AFN',
    points: {
      weekly: [
        ['2020-05-01', 100],
        ['2020-05-08', 110],
      ],
    },
  },
  {
    uuid: IDN,
    commodity: { name: 'Vegetable Oil (palm)', hs_code: null },
    market: { name: 'National Average', iso3_country_code: 'IDN', country_name: 'Indonesia' },
    unit: { name: 'Liter', dimension: 'volume', conversion_factor: 1 },
    priceType: 13,
    currency: 'IDR',
    points: { monthly: [['2020-11-01', 15631, 'a "note"']] },
  },
  {
    uuid: IPS,
    commodity: { name: 'Rice (25% broken)', hs_code: '100630' },
    market: { name: 'India', type: 'Export', iso3_country_code: 'IPS', country_name: 'International prices' },
    unit: { name: 'tonne', dimension: 'mass', conversion_factor: 0.001 },
    priceType: 11,
    currency: 'USD',
    points: { monthly: [['1995-01-01', 238]] },
  },
  { uuid: EMPTY, market: { name: 'Zinder', iso3_country_code: 'NER', country_name: 'Niger' }, priceType: 17 },
];

const PATHS = [
  'FpmaSerie/',
  'FpmaSerieDomestic/',
  'FpmaSerieInternational/',
  'FpmaSeriePrice/',
  `FpmaSeriePrice/${AFG}/`,
];

describe('FPMA-compatible addresses', () => {
  let service: TestApp;
  let ids: Map<string, number>;
  let records: Record<'commodity' | 'market' | 'source' | 'measure_unit', Map<string, number>>;
  beforeAll(async () => {
    service = await startTestApp({ MAX_PAGE_SIZE: '300' });
    ids = await storeSeries(service.unitOfWork, series);
    await storeRates(service.unitOfWork, [['AFN', '2020-05-01', 50]]);
    await storeIndices(service.unitOfWork, [['AFG', '2020-05-01', 125]]);
    const named = async (table: string) =>
      new Map(
        (await service.database.rows<{ id: number; name: string }>(`SELECT id, name FROM ${table}`)).map(
          ({ id, name }) => [name, id],
        ),
      );
    records = {
      commodity: await named('commodity'),
      market: await named('market'),
      source: await named('source'),
      measure_unit: await named('measure_unit'),
    };
  });
  afterAll(() => service.close());

  const get = (path: string) => service.http().get(`/giews/v4/price_module/api/v1/${path}`);
  const uuids = async (path: string) => {
    const { body } = await get(path).expect(200);
    return (body as { results: { uuid: string }[] }).results.map(({ uuid }) => uuid);
  };

  it('return series with the keys of the live tool, in its order', async () => {
    const { text } = await get('FpmaSerie/').expect(200);
    const oil = records.commodity.get('Vegetable oil')!;
    const palm = records.commodity.get('Vegetable Oil (palm)')!;
    const rice = records.commodity.get('Rice (25% broken)')!;
    const other = records.commodity.get('Rice')!;
    const common = {
      commodity_info: '',
      commodity_image: null,
    };
    const dated = { commodity_start_date: 1, alternative_code: '', alternative_name: '' };
    expect(text).toBe(
      JSON.stringify({
        count: 4,
        next: null,
        previous: null,
        results: [
          {
            uuid: AFG,
            iso3_country_code: 'AFG',
            country_name: 'Afghanistan',
            periodicity: [
              { period: 'weekly', end_date: '2020-05-08', start_date: '2020-05-01' },
              { period: 'monthly', end_date: '2020-05-01', calculated: true, start_date: '2020-04-01' },
            ],
            market: records.market.get('Faryab'),
            market_name: 'Faryab',
            market_info: 'In the north.',
            market_type: 'Provincial average',
            admin_unit: 'Faryab province',
            admin_unit2: '',
            commodity: oil,
            commodity_name: 'Vegetable oil',
            ...common,
            commodity_code: `151090_${oil}`,
            ...dated,
            source: records.source.get('WFP'),
            source_name: 'WFP',
            source_url: 'https://dataviz.vam.wfp.org/economic/prices',
            price_type_id: 12,
            price_type: 'RETAIL',
            currency: 'AFN',
            measure_unit: records.measure_unit.get('Kg'),
            measure_unit_label: 'Kg',
            conversion_factor: 1,
          },
          {
            uuid: IDN,
            iso3_country_code: 'IDN',
            country_name: 'Indonesia',
            periodicity: [{ period: 'monthly', end_date: '2020-11-01', start_date: '2020-11-01' }],
            market: records.market.get('National Average'),
            market_name: 'National Average',
            market_info: '',
            market_type: '',
            admin_unit: '',
            admin_unit2: '',
            commodity: palm,
            commodity_name: 'Vegetable Oil (palm)',
            ...common,
            commodity_code: `C_${palm}`,
            ...dated,
            source: records.source.get('Ministry'),
            source_name: 'Ministry',
            source_url: '',
            price_type_id: 13,
            price_type: 'WHOLESALE',
            currency: 'IDR',
            measure_unit: records.measure_unit.get('Liter'),
            measure_unit_label: 'Liter',
            conversion_factor: null,
          },
          {
            uuid: IPS,
            iso3_country_code: 'IPS',
            country_name: 'International prices',
            periodicity: [{ period: 'monthly', end_date: '1995-01-01', start_date: '1995-01-01' }],
            market: records.market.get('India'),
            market_name: 'India',
            market_info: '',
            market_type: 'Export',
            admin_unit: '',
            admin_unit2: '',
            commodity: rice,
            commodity_name: 'Rice (25% broken)',
            ...common,
            commodity_code: `100630_${rice}`,
            ...dated,
            source: records.source.get('Ministry'),
            source_name: 'Ministry',
            source_url: '',
            price_type_id: 11,
            price_type: 'EXPORT',
            currency: 'USD',
            measure_unit: records.measure_unit.get('tonne'),
            measure_unit_label: 'tonne',
            conversion_factor: 0.001,
          },
          {
            uuid: EMPTY,
            iso3_country_code: 'NER',
            country_name: 'Niger',
            periodicity: [],
            market: records.market.get('Zinder'),
            market_name: 'Zinder',
            market_info: '',
            market_type: '',
            admin_unit: '',
            admin_unit2: '',
            commodity: other,
            commodity_name: 'Rice',
            ...common,
            commodity_code: `100630_${other}`,
            ...dated,
            source: records.source.get('Ministry'),
            source_name: 'Ministry',
            source_url: '',
            price_type_id: 17,
            price_type: 'IMPORT',
            currency: 'KES',
            measure_unit: records.measure_unit.get('Kg'),
            measure_unit_label: 'Kg',
            conversion_factor: 1,
          },
        ],
      }),
    );
  });

  it('return prices as uuid and datapoints of eight keys, without marking derived ones', async () => {
    const id = (uuid: string, code: number, day: number) => (ids.get(uuid)! * 4 + code) * 4194304 + day;
    const point = (
      code: number,
      day: number,
      price: number,
      dollar: number | null,
      real: number | null,
      date: string,
    ) => ({
      id: id(AFG, code, day),
      price_value: price,
      price_value_real: real,
      price_value_dollar: dollar,
      conversion_factor: 1,
      date,
      periodicity: code === 2 ? 'weekly' : 'monthly',
      comment: '',
    });
    const afghan = {
      uuid: AFG,
      datapoints: [
        point(2, 737553, 110, 2.2, 88, '2020-05-08'),
        // Most days of the week of 1 May are in April, for which there is no rate.
        point(2, 737546, 100, null, null, '2020-05-01'),
        point(3, 737546, 110, 2.2, 88, '2020-05-01'),
        point(3, 737516, 100, null, null, '2020-04-01'),
      ],
    };
    expect((await get(`FpmaSeriePrice/${AFG}/`).expect(200)).text).toBe(JSON.stringify(afghan));
    const indonesian = {
      uuid: IDN,
      datapoints: [
        {
          id: id(IDN, 3, 737730),
          price_value: 15631,
          price_value_real: null,
          price_value_dollar: null,
          conversion_factor: null,
          date: '2020-11-01',
          periodicity: 'monthly',
          comment: 'a "note"',
        },
      ],
    };
    expect((await get(`FpmaSeriePrice/?uuid__in=${IDN},${AFG},${EMPTY}`).expect(200)).text).toBe(
      JSON.stringify({ count: 2, next: null, previous: null, results: [afghan, indonesian] }),
    );
    const monthly = (await get(`FpmaSeriePrice/?uuid__in=${AFG}&periodicity=monthly&startdate=2020-05-01`))
      .body as object;
    expect(monthly).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [{ uuid: AFG, datapoints: [afghan.datapoints[2]] }],
    });
    expect((await get(`FpmaSeriePrice/${EMPTY}/`)).body).toEqual({ uuid: EMPTY, datapoints: [] });
    expectProblem(await get('FpmaSeriePrice/f0000000-0000-4000-8000-00000000000f/'), {
      status: 404,
      code: 'not_found',
    });
  });

  it('respond the same under every prefix, with and without a trailing slash, to every user agent', async () => {
    for (const path of PATHS) {
      const { text } = await get(path).expect(200);
      for (const prefix of PRICE_PREFIXES) {
        for (const form of [path, path.slice(0, -1)]) {
          const agents = ['python-requests/2.31', 'curl/8.5.0', '', 'Mozilla/5.0 (bot)'];
          const agent = agents[form.length % agents.length]!;
          const response = await service
            .http()
            .get(`/${prefix}/${form}`)
            .set('User-Agent', agent)
            .expect(200);
          expect(response.text).toBe(text);
        }
      }
    }
  });

  it.each([
    ['FpmaSerie/', [AFG, IDN, IPS, EMPTY]],
    ['FpmaSerieDomestic/', [AFG, IDN]],
    ['FpmaSerieInternational/', [IPS]],
    ['FpmaSerie/?iso3_country_code=afg', [AFG]],
    ['FpmaSerie/?iso3_country_codes=AFG,IDN', [AFG, IDN]],
    ['FpmaSerie/?commodity_name=Vegetable oil', [AFG]],
    ['FpmaSerie/?commodity_name=vegetable oil', []],
    ['FpmaSerie/?commodity_name__icontains=VEGETABLE', [AFG, IDN]],
    ['FpmaSerie/?commodity_name__icontains=25%25', [IPS]],
    ['FpmaSerie/?commodity_name__icontains=_', []],
    ['FpmaSerie/?price_types_ids=12,13&commodity_name__icontains=(palm)', [IDN]],
    ['FpmaSerie/?regional_average=true', [AFG]],
    ['FpmaSeriePrice/?commodity_name__icontains=oil&periodicity=monthly', [AFG, IDN]],
    ['FpmaSeriePrice/?iso3_country_code=IPS', [IPS]],
    ['FpmaSeriePrice/?price_types_ids=11,12', [AFG, IPS]],
    // 12 months before 21 November 2026
    ['FpmaSerie/?newerThan=12 months ago', []],
    ['FpmaSerie/?newerThan=80 MONTHS AGO', [AFG, IDN]],
    ['FpmaSerie/?olderThan=7 years ago', [IPS]],
  ])('for %s return %j', async (path, expected) => {
    expect(await uuids(path.replaceAll(' ', '%20'))).toEqual(expected);
  });

  it('filter by the id of a commodity', async () => {
    expect(await uuids(`FpmaSerie/?commodity=${records.commodity.get('Vegetable oil')!}`)).toEqual([AFG]);
    expect(await uuids('FpmaSerie/?commodity=99999')).toEqual([]);
  });

  it('ignore unknown parameters and list up to 20 of them, percent-encoded, in a header', async () => {
    for (const path of PATHS) {
      const { text } = await get(path);
      const invalid = await get(`${path}?limit=10&offset=0&page%5Bsize%5D=1&constructor=1&n%C3%A9%0Ax=2`);
      expect(invalid.status).toBe(400);
      const ignored = await get(
        `${path}?limit=10&offset=0&page%5Bsize%5D=1&constructor=1&n%C3%A9=2&limit=3`,
      ).expect(200);
      expect([ignored.text, ignored.headers['x-ignored-parameters']]).toEqual([
        text,
        'limit, offset, page%5Bsize%5D, constructor, n%C3%A9',
      ]);
      const many = Array.from({ length: 30 }, (_, index) => `x${index}=1`).join('&');
      const twenty = Array.from({ length: 20 }, (_, index) => `x${index}`).join(', ');
      expect((await get(`${path}?${many}`).expect(200)).headers['x-ignored-parameters']).toBe(twenty);
      expect((await get(path)).headers['x-ignored-parameters']).toBeUndefined();
    }
    // The routes of the specification reject unknown parameters, also under these prefixes.
    for (const path of ['PriceSerie/', 'PriceSeriePrice/', `PriceSeriePrice/${AFG}/`]) {
      expectProblem(await get(`${path}?limit=10`), {
        status: 400,
        code: 'invalid',
        errors: [queryViolation('limit', 'unknown_parameter')],
      });
    }
  });

  it.each([
    ['FpmaSerie/?iso3_country_code=AF', [queryViolation('iso3_country_code', 'invalid_item')]],
    ['FpmaSerie/?commodity=abc', [queryViolation('commodity', 'invalid_integer')]],
    [
      'FpmaSerie/?page=0&page_size=0',
      [queryViolation('page', 'invalid_integer'), queryViolation('page_size', 'invalid_integer')],
    ],
    ['FpmaSeriePrice/?uuid__in=abc', [queryViolation('uuid__in', 'invalid_item', { index: 0 })]],
    ['FpmaSeriePrice/?start_date=2020-13-01', [queryViolation('start_date', 'invalid_date')]],
    ['FpmaSerie/?newerThan=twelve months ago', [queryViolation('newerThan', 'invalid_date')]],
  ])('reject the invalid values of %s', async (path, errors) => {
    expectProblem(await get(path.replaceAll(' ', '%20')), { status: 400, code: 'invalid', errors });
  });

  it('return whole lists by default, and limit page sizes to the maximum', async () => {
    const more = Array.from(
      { length: 400 },
      (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    );
    await storeSeries(
      service.unitOfWork,
      more.map((uuid) => ({
        uuid,
        market: { name: 'Tunis', iso3_country_code: 'TUN' },
        points: { monthly: [['2020-01-01', 1]] },
      })),
    );
    const page = async (path: string) => {
      const { body } = await get(path).expect(200);
      const { count, next, previous, results } = body as Record<'count' | 'next' | 'previous', unknown> & {
        results: unknown[];
      };
      const relative = (link: unknown) =>
        typeof link === 'string'
          ? link.replace(/^http:\/\/[^/]+\/giews\/v4\/price_module\/api\/v1\//, '')
          : link;
      return [count, relative(next), relative(previous), results.length];
    };
    expect(await page('FpmaSerie/')).toEqual([404, 'FpmaSerie/?page=2', null, 300]);
    expect(await page('FpmaSerie/?page=2')).toEqual([404, null, 'FpmaSerie/', 104]);
    expect(await page('FpmaSerie/?page_size=100000')).toEqual([
      404,
      'FpmaSerie/?page_size=100000&page=2',
      null,
      300,
    ]);
    expect(await page('FpmaSerie/?page_size=2&page=2')).toEqual([
      404,
      'FpmaSerie/?page_size=2&page=3',
      'FpmaSerie/?page_size=2',
      2,
    ]);
    // As under PriceSeriePrice, pages of prices have 100 series, unless series are listed.
    expect((await page('FpmaSeriePrice/')).at(-1)).toBe(100);
    const some = more.slice(0, 250).join();
    expect(await page(`FpmaSeriePrice/?uuid__in=${some}`)).toEqual([250, null, null, 250]);
    const all = more.join();
    expect(await page(`FpmaSeriePrice/?uuid__in=${all}`)).toEqual([
      400,
      `FpmaSeriePrice/?uuid__in=${all}&page=2`,
      null,
      300,
    ]);
    expectProblem(await get('PriceSerie/?page_size=301'), {
      status: 400,
      code: 'invalid',
      errors: [queryViolation('page_size', 'out_of_range', { max: 300 })],
    });
    const numbers = Array.from(
      { length: 500 },
      (_, index) => `${String(index).padStart(8, '0')}-ffff-4fff-bfff-ffffffffffff`,
    );
    const encoded = `FpmaSeriePrice/?uuid__in=${numbers.join('%2C')}`;
    expect(encoded.length).toBeGreaterThan(19_000);
    expect(await page(encoded)).toEqual([0, null, null, 0]);
  });
});

describeWithRealData('payloads saved from the live FPMA tool', () => {
  const sample = <T>(name: string) =>
    JSON.parse(readFileSync(realData(`fpma-sample/${name}.json`), 'utf8')) as { results: T[] };
  interface SampleEntry extends Record<string, unknown> {
    uuid: string;
    periodicity: Record<string, unknown>[];
  }

  it('have the same keys as our responses, in the same order', async () => {
    const service = await startTestApp();
    try {
      await storeSeries(service.unitOfWork, series);
      const resultsOf = async (path: string) => {
        const { text } = await service.http().get(`/api/v1/${path}`).expect(200);
        return (JSON.parse(text) as { results: SampleEntry[] }).results;
      };
      const [entry] = await resultsOf('FpmaSerie/');
      const savedSeries = sample<SampleEntry>('series').results;
      for (const saved of savedSeries) expect(Object.keys(entry!)).toEqual(Object.keys(saved));
      const derived = savedSeries
        .flatMap(({ periodicity }) => periodicity)
        .find(({ calculated }) => calculated)!;
      const original = savedSeries
        .flatMap(({ periodicity }) => periodicity)
        .find(({ calculated }) => !calculated)!;
      expect(entry!.periodicity.map((item) => Object.keys(item))).toEqual([
        Object.keys(original),
        Object.keys(derived),
      ]);
      const [prices] = await resultsOf('FpmaSeriePrice/');
      const [savedPrices] = sample<{ datapoints: object[] }>('prices-excerpts').results;
      expect(Object.keys(prices!)).toEqual(Object.keys(savedPrices!));
      expect(Object.keys((prices!.datapoints as object[])[0]!)).toEqual(
        Object.keys(savedPrices!.datapoints[0]!),
      );
    } finally {
      await service.close();
    }
  });
});
