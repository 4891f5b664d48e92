import { AggregateLimits } from '../../src/analysis/aggregates/aggregates.service.js';
import { storePoints, storeRates, storeSeries, type SeriesSpec } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const uuidOf = (number: number) => `11111111-0000-4000-8000-${String(number).padStart(12, '0')}`;
const market = (name: string) => ({ name, iso3_country_code: 'KEN', country_name: 'Kenya' });
const dates = ['2023-01-01', '2023-02-01', '2023-03-01', '2023-04-01'];
const monthly = (...prices: (number | null)[]) => ({
  monthly: prices.flatMap((price, at) => (price === null ? [] : [[dates[at]!, price] as const])),
});

const SERIES: readonly SeriesSpec[] = [
  { uuid: uuidOf(1), market: market('Nairobi'), points: monthly(100, 110, 120, 130) },
  { uuid: uuidOf(2), market: market('Mombasa'), points: monthly(200, 220, 240) },
  {
    uuid: uuidOf(3),
    market: market('Kisumu'),
    unit: { name: '50 KG', conversion_factor: 0.02 },
    points: monthly(5000, 5500),
  },
  { uuid: uuidOf(4), market: market('Eldoret'), points: monthly(null, 400, 480) },
  {
    uuid: uuidOf(5),
    market: market('Nairobi'),
    unit: { name: 'Heap', dimension: 'other', conversion_factor: null },
    points: monthly(7),
  },
  {
    uuid: uuidOf(6),
    market: market('Nairobi'),
    unit: { name: 'L', dimension: 'volume', conversion_factor: 1 },
    points: monthly(50),
  },
  { uuid: uuidOf(7), market: market('Nairobi'), priceType: 13, points: monthly(80, 90) },
  {
    uuid: uuidOf(8),
    market: { ...market('National Average'), regional_average: true },
    points: monthly(999),
  },
  { uuid: uuidOf(9), commodity: { name: 'Wage (casual labour)' }, points: monthly(500) },
  {
    uuid: uuidOf(10),
    market: { name: 'Kampala', iso3_country_code: 'UGA', country_name: 'Uganda' },
    currency: 'UGX',
    points: monthly(3000),
  },
  { uuid: uuidOf(11), commodity: { name: 'Sorghum' } },
];

interface Group {
  commodity: string;
  commodity_id: number;
  currency: string;
  unit: string | null;
  segments: object[];
  observations: Record<string, unknown>[];
}

describe('aggregates', () => {
  let service: TestApp;
  let ids: Map<string, number>;
  beforeAll(async () => {
    service = await startTestApp();
    await storeRates(
      service.unitOfWork,
      dates.slice(0, 3).map((date) => ['KES', date, 100] as const),
    );
    ids = await storeSeries(service.unitOfWork, SERIES);
  });
  afterAll(() => service?.close());

  const get = (query = '') => service.http().get(`/api/v1/PriceAggregate/${query}`);
  const groups = async (query = '') => {
    const { body } = await get(query).expect(200);
    return (body as { results: Group[] }).results;
  };
  const faults = async (query: string) => {
    const { body } = await get(query).expect(400);
    return (body as { errors: { name: string; code: string; detail: string }[] }).errors.map(
      ({ name, code, detail }) => `${name} ${code}: ${detail}`,
    );
  };
  const close = (value: number) => expect.closeTo(value, 9) as number;
  const settings = {
    measure: 'usd',
    per: 'base',
    periodicity: 'monthly',
    aggregation: 'avg',
    min_matched: 3,
    base: null,
    method_version: 1,
  };
  const NO_LEVELS = { median: null, mean: null, min: null, max: null, n: 0 };
  const NO_INDEX = { index: null, linked_from: null, n_matched: null, segment: null };
  const noLevels = (reason: string) => ({
    median: reason,
    mean: reason,
    min: reason,
    max: reason,
    index: reason,
  });

  it('are those of the series of a country, commodity, price type and unit, in dollars', async () => {
    const { body } = await get('').expect(200);
    const { results, ...envelope } = body as { results: Group[] };
    expect(envelope).toEqual({ count: 4, next: null, previous: null });
    const [rice] = results;
    const ratio = ((12 / 11) ** 2 * 1.2) ** (1 / 3);
    expect(rice).toEqual({
      iso3_country_code: 'KEN',
      country_name: 'Kenya',
      commodity: 'Rice',
      commodity_id: rice!.commodity_id,
      price_type: 'RETAIL',
      price_type_id: 12,
      currency: 'USD',
      unit: 'kg',
      settings,
      segments: [{ segment: 1, start_date: '2023-01-01', end_date: '2023-03-01', base: '2023-01-01' }],
      observations: [
        {
          date: '2023-04-01',
          ...NO_LEVELS,
          ...NO_INDEX,
          left_out: { no_rate: 1 },
          reasons: noLevels('no_rate'),
        },
        {
          date: '2023-03-01',
          median: 2.4,
          mean: 2.8,
          min: 1.2,
          max: 4.8,
          n: 3,
          index: close(110 * ratio),
          linked_from: '2023-02-01',
          n_matched: 3,
          segment: 1,
          left_out: {},
          reasons: {},
        },
        {
          date: '2023-02-01',
          median: 1.65,
          mean: 2.1,
          min: 1.1,
          max: 4,
          n: 4,
          // Eldoret is new, and dear: the mean rises by more than half, the index by a tenth.
          index: close(110),
          linked_from: '2023-01-01',
          n_matched: 3,
          segment: 1,
          left_out: {},
          reasons: {},
        },
        {
          date: '2023-01-01',
          median: 1,
          mean: close(4 / 3),
          min: 1,
          max: 2,
          n: 3,
          index: 100,
          linked_from: null,
          n_matched: null,
          segment: 1,
          left_out: { no_factor: 1 },
          reasons: {},
        },
      ],
    });
    expect(results.slice(1)).toMatchObject([
      // What has no factor is left out of each unit.
      { price_type: 'RETAIL', unit: 'l', observations: [{ n: 1, left_out: { no_factor: 1 } }] },
      { price_type: 'WHOLESALE', unit: 'kg', observations: [{ n: 1 }, { n: 1 }] },
      {
        iso3_country_code: 'UGA',
        segments: [],
        observations: [{ ...NO_LEVELS, left_out: { no_rate: 1 }, reasons: noLevels('no_rate') }],
      },
    ]);
    expect(results[2]!.observations[0]!.reasons).toEqual({ index: 'chain_broken' });
  });

  it('are grouped by what is asked for', async () => {
    const fields = async (query: string) =>
      (await groups(query)).map((group) =>
        Object.entries(group)
          .filter(([name]) => !['settings', 'segments', 'observations'].includes(name))
          .map(([name, value]) => `${name}=${name.endsWith('_id') ? 'id' : String(value)}`)
          .join(' '),
      );
    expect(await fields('?by=price_type')).toEqual([
      'price_type=RETAIL price_type_id=id currency=USD unit=kg',
      'price_type=RETAIL price_type_id=id currency=USD unit=l',
      'price_type=WHOLESALE price_type_id=id currency=USD unit=kg',
    ]);
    expect(await fields('?by=category&price_types_ids=13')).toEqual([
      'category= price_type=WHOLESALE price_type_id=id currency=USD unit=kg',
    ]);
    expect(await fields('?by=source,market&price_types_ids=13')).toEqual([
      'iso3_country_code=KEN country_name=Kenya admin_unit= market=Nairobi market_id=id source=Ministry ' +
        'source_id=id price_type=WHOLESALE price_type_id=id currency=USD unit=kg',
    ]);
    expect(await fields('?by=country&measure=nominal&per=unit&search=rice')).toEqual([
      'iso3_country_code=KEN country_name=Kenya price_type=RETAIL price_type_id=id currency=KES unit=50 KG',
      'iso3_country_code=KEN country_name=Kenya price_type=RETAIL price_type_id=id currency=KES unit=Heap',
      'iso3_country_code=KEN country_name=Kenya price_type=RETAIL price_type_id=id currency=KES unit=Kg',
      'iso3_country_code=KEN country_name=Kenya price_type=RETAIL price_type_id=id currency=KES unit=L',
      'iso3_country_code=KEN country_name=Kenya price_type=WHOLESALE price_type_id=id currency=KES unit=Kg',
      'iso3_country_code=UGA country_name=Uganda price_type=RETAIL price_type_id=id currency=UGX unit=Kg',
    ]);
    expect(await fields(`?uuids=${uuidOf(5)}`)).toEqual([
      'iso3_country_code=KEN country_name=Kenya commodity=Rice commodity_id=id price_type=RETAIL ' +
        'price_type_id=id currency=USD unit=null',
    ]);
  });

  it('take regional averages alone, and what is no commodity only if asked to', async () => {
    expect(await groups('?regional_average=true')).toMatchObject([
      { observations: [{ date: '2023-01-01', median: 9.99, n: 1 }] },
    ]);
    const names = async (query: string) => (await groups(query)).map(({ commodity }) => commodity);
    expect(await names('?iso3_country_codes=KEN')).toEqual(['Rice', 'Rice', 'Rice']);
    expect(await names('?iso3_country_codes=KEN&goods=true')).toEqual(['Rice', 'Rice', 'Rice']);
    expect(await names('?iso3_country_codes=KEN&goods=false')).toEqual([
      'Rice',
      'Rice',
      'Rice',
      'Wage (casual labour)',
    ]);
  });

  it('name the series behind each value', async () => {
    const [rice] = await groups('?series=true&start_date=2023-01-01&end_date=2023-02-28');
    expect(rice!.observations).toMatchObject([
      {
        date: '2023-02-01',
        series: [1, 2, 3, 4].map(uuidOf),
        matched: [1, 2, 3].map(uuidOf),
      },
      { date: '2023-01-01', series: [1, 2, 3].map(uuidOf), matched: null },
    ]);
  });

  it('have the same values in every window', async () => {
    const [all] = await groups();
    const observed = async (query: string) => (await groups(query))[0]!.observations;
    expect(await observed('?latest=2')).toEqual(all!.observations.slice(0, 2));
    expect(await observed('?start_date=2023-02-01&end_date=2023-03-31')).toEqual(
      all!.observations.slice(1, 3),
    );
    expect(await observed('?start_date=2024-01-01')).toEqual([]);
  });

  it('have an index that is 100 in the base, which lies in a segment', async () => {
    const [rice, litres] = await groups('?base=2023-02');
    expect(rice!.observations.map(({ index }) => index)).toEqual([
      null,
      close(100 * ((12 / 11) ** 2 * 1.2) ** (1 / 3)),
      100,
      close(100 / 1.1),
    ]);
    expect(rice!.segments).toMatchObject([{ base: '2023-02-01' }]);
    expect(litres!.segments).toEqual([]);
    expect(await faults('?base=2023-04')).toEqual([
      'base out_of_range: base (2023-04) lies in no segment: no group of the reply has an index there, with at least 3 series that have a price.',
    ]);
    expect(await faults('?base=2023-01&price_types_ids=13')).toHaveLength(1);
    expect(await groups('?base=2023-01&price_types_ids=11')).toEqual([]);
  });

  it('begin a segment where nothing matches, which has no index where the base is elsewhere', async () => {
    await storeSeries(service.unitOfWork, [
      {
        uuid: uuidOf(21),
        commodity: { name: 'Teff' },
        currency: 'USD',
        points: { monthly: [['2020-01-01', 10]] },
      },
      {
        uuid: uuidOf(22),
        commodity: { name: 'Teff' },
        currency: 'USD',
        points: {
          monthly: [
            ['2021-01-01', 8],
            ['2021-02-01', 6],
          ],
        },
      },
    ]);
    const brief = async (query: string) => {
      const [{ segments, observations }] = (await groups(`?search=teff&min_matched=1${query}`)) as [Group];
      return [
        segments,
        observations.map(({ date, index, linked_from, segment, reasons }) => [
          date,
          index,
          linked_from,
          segment,
          reasons,
        ]),
      ];
    };
    const first = { segment: 1, start_date: '2020-01-01', end_date: '2020-01-01' };
    const second = { segment: 2, start_date: '2021-01-01', end_date: '2021-02-01' };
    expect(await brief('')).toEqual([
      [
        { ...first, base: '2020-01-01' },
        { ...second, base: '2021-01-01' },
      ],
      [
        ['2021-02-01', close(75), '2021-01-01', 2, {}],
        ['2021-01-01', 100, null, 2, { linked_from: 'chain_broken' }],
        ['2020-01-01', 100, null, 1, {}],
      ],
    ]);
    expect(await brief('&base=2021-02')).toEqual([
      [
        { ...first, base: null },
        { ...second, base: '2021-02-01' },
      ],
      [
        ['2021-02-01', 100, '2021-01-01', 2, {}],
        ['2021-01-01', close(400 / 3), null, 2, { linked_from: 'chain_broken' }],
        ['2020-01-01', null, null, 1, { index: 'other_segment' }],
      ],
    ]);
  });

  it('are quarters and years of the converted months of each series', async () => {
    const [rice] = await groups('?periodicity=quarterly&aggregation=max&search=nairobi&series=true');
    expect(rice).toMatchObject({
      unit: 'kg',
      settings: { ...settings, periodicity: 'quarterly', aggregation: 'max' },
      observations: [
        { date: '2023-04-01', ...NO_LEVELS, left_out: { no_rate: 1 } },
        { date: '2023-01-01', median: 1.2, n: 1, left_out: { no_factor: 1 }, series: [uuidOf(1)] },
      ],
    });
    const [year] = await groups('?periodicity=annual&search=nairobi&measure=nominal');
    expect(year!.observations).toEqual([
      {
        date: '2023-01-01',
        ...NO_LEVELS,
        ...NO_INDEX,
        left_out: { no_factor: 1, few_values: 1 },
        reasons: noLevels('no_factor'),
      },
    ]);
    expect(await faults('?aggregation=max')).toEqual(
      ['aggregation', 'periodicity'].map(
        (name) =>
          `${name} contradiction: aggregation is of quarters and years: periodicity must be quarterly or annual; got monthly.`,
      ),
    );
  });

  it('come in pages of groups, whose series alone are read', async () => {
    const { body } = await get('?page_size=1&page=2').expect(200);
    const { results, ...envelope } = body as { results: Group[]; next: string; previous: string };
    expect(envelope).toEqual({
      count: 5,
      next: expect.stringMatching(/\?page_size=1&page=3$/) as string,
      previous: expect.stringMatching(/\?page_size=1$/) as string,
    });
    expect(results).toEqual([(await groups())[1]]);
    await get('?page_size=1&page=6').expect(404);
    expect((await get('?price_types_ids=11').expect(200)).body).toEqual({
      count: 0,
      next: null,
      previous: null,
      results: [],
    });
    const limits = service.app.get(AggregateLimits);
    const before = limits.series;
    limits.series = 2;
    try {
      expect(await faults('?price_types_ids=12&iso3_country_codes=KEN')).toEqual([
        'page_size too_many_items: The parameters select 8 series; at most 2 are possible. Select fewer of them by filters.',
      ]);
      // A smaller page does not help where a single group is too large.
      expect(await faults('?price_types_ids=12&iso3_country_codes=KEN&by=country&page_size=1')).toEqual([
        'by too_many_items: The parameters select 7 series; at most 2 are possible. Select fewer of them by filters.',
      ]);
      await get('?page_size=1&page=3').expect(200);
    } finally {
      limits.series = before;
    }
  });

  it('come as CSV and NDJSON', async () => {
    const csv = await get('?iso3_country_codes=KEN&price_types_ids=12&latest=2&search=rice&format=csv')
      .buffer(true)
      .expect(200);
    const lines = csv.text.split('\r\n');
    expect(lines[0]).toBe(
      'iso3_country_code,country_name,commodity,commodity_id,price_type,price_type_id,currency,unit,' +
        'date,median,mean,min,max,n,index,linked_from,n_matched,segment,left_out,median_reason,index_reason',
    );
    expect(lines[1]).toMatch(
      /^KEN,Kenya,Rice,\d+,RETAIL,12,USD,kg,2023-04-01,,,,,0,,,,,no_rate:1,no_rate,no_rate$/,
    );
    expect(lines[2]).toMatch(/^KEN,.*,2023-03-01,2\.4,2\.8,1\.2,4\.8,3,123\.8\d+,2023-02-01,3,1,,,$/);
    expect(lines[3]).toMatch(/,l,2023-01-01,0\.5,0\.5,0\.5,0\.5,1,,,,,no_factor:1,,chain_broken$/);
    expect(lines).toHaveLength(5);
    const named = await get('?price_types_ids=13&latest=1&series=true&min_matched=1&format=csv')
      .buffer(true)
      .expect(200);
    expect(named.text.split('\r\n')[1]).toMatch(new RegExp(`,,,${uuidOf(7)},${uuidOf(7)}$`));
    const ndjson = await get('?iso3_country_codes=KEN&format=ndjson').buffer(true).expect(200);
    expect(
      ndjson.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(await groups('?iso3_country_codes=KEN'));
    const empty = await get('?price_types_ids=11&format=ndjson').buffer(true).expect(200);
    expect(empty.text).toBe('');
  });

  it('are as of a revision, and have its number', async () => {
    const before = await get('?price_types_ids=13&latest=1').expect(200);
    const revision = before.headers['data-revision'];
    await get('?price_types_ids=13&latest=1').set('If-None-Match', before.headers.etag!).expect(304);
    await storePoints(service.unitOfWork, ids.get(uuidOf(7))!, { monthly: [['2023-02-01', 95]] });
    const mean = async (query: string) => (await groups(query))[0]!.observations[0]!.mean;
    expect(await mean('?price_types_ids=13&latest=1')).toBe(0.95);
    expect(await mean(`?price_types_ids=13&latest=1&as_of=r${revision}`)).toBe(0.9);
  });

  it('reject what is unknown or wrong, and say what is accepted', async () => {
    expect(await faults('?groupby=country')).toEqual([
      expect.stringMatching(/^groupby unknown_parameter: There is no parameter groupby\./),
    ]);
    expect(
      await faults(
        '?by=region&measure=eur&per=kg&periodicity=weekly&aggregation=sum&base=2023&min_matched=0',
      ),
    ).toEqual([
      'by invalid_choice: Item 1 of by must be one of country, admin_unit, market, commodity, category, source, price_type; got "region".',
      'measure invalid_choice: measure must be one of nominal, real, usd, real_usd; got "eur".',
      'per invalid_choice: per must be one of unit, base; got "kg".',
      'periodicity invalid_choice: periodicity must be one of monthly, quarterly, annual; got "weekly".',
      'aggregation invalid_choice: aggregation must be one of avg, eop, min, max, median; got "sum".',
      'base invalid_date: base must be a month written YYYY-MM, or a date in it; got "2023".',
      'min_matched invalid_integer: min_matched must be a positive integer; got "0".',
    ]);
    expect(await faults('?start_date=2023-02-01&end_date=2023-01-01')).toHaveLength(2);
  });
});
