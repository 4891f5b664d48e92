import { priceSeriesQuery } from '../../src/price-series/filters/price-series-filter.pipe.js';
import { createSampleSeries, type SampleIds, letterOf, sampleUuid } from './sample-series.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/**
 * Queries and the series they select, in order. Names in braces are placeholders for ids. The clock
 * is at 2026-11-21.
 */
const SELECTED: [query: string, letters: string][] = [
  ['', 'ABCGDEF'],
  ['_=123&format=json', 'ABCGDEF'],
  ['iso3_country_codes=KEN,mli', 'BCGDE'],
  ['iso3_country_codes=AFG&iso3_country_codes=KEN', 'ABCG'],
  ['iso3_country_codes=%20KEN%20,%20AFG,KEN', 'ABCG'],
  ['iso3_country_codes=XXX', ''],
  ['iso3_country_codes=', 'ABCGDEF'],
  ['iso3_country_codes_ne=KEN', 'ADEF'],
  ['iso3_country_codes_ne=XXX', 'ABCGDEF'],
  ['iso3_country_codes_ne=ken,AFG,MLI,USA', ''],
  ['iso3_country_codes=KEN,AFG&iso3_country_codes_ne=KEN', 'A'],
  ['periodicity=daily', 'AG'],
  ['periodicity=Weekly', 'ABGF'],
  ['periodicity=MONTHLY', 'ABCGEF'],
  ['periodicity=daily,weekly', 'ABGF'],
  ['start_date=2020-01-01', 'AGEF'],
  ['start_date=2020-01-02', 'AGEF'],
  ['start_date=2020-01-02&periodicity=monthly', 'GEF'],
  ['start_date=2026-11-06', 'G'],
  ['start_date=2026-11-07', ''],
  ['end_date=2018-12-01', 'C'],
  ['end_date=2018-11-30', ''],
  ['end_date=2020-06-26', 'AC'],
  ['end_date=2020-06-26&periodicity=daily', ''],
  ['end_date=2020-06-30&periodicity=daily', 'A'],
  // B's weekly item starts late enough and its monthly item ends early enough, but no item does
  // both.
  ['start_date=2019-01-02&end_date=2021-12-30', 'A'],
  ['start_date=2019-01-02&end_date=2021-12-31', 'AB'],
  ['start_date=2019-01-01&end_date=2021-12-30', 'AB'],
  ['start_date=2019-01-01&end_date=2021-12-30&periodicity=weekly', 'A'],
  ['data_from=2026-10-30', 'GF'],
  ['data_from=2026-10-31', 'G'],
  ['data_from=2026-11-21', ''],
  ['data_to=2015-01-01', 'C'],
  ['data_to=2014-12-31', ''],
  ['data_from=2018-12-02&data_to=2019-01-01', 'B'],
  ['data_from=2018-12-02&data_to=2019-01-01&periodicity=weekly', ''],
  ['data_from=2018-12-01&data_to=2019-01-01', 'BC'],
  ['data_to=2020-01-02&periodicity=weekly', 'B'],
  ['newerThan=2026-10-30', 'GF'],
  ['newerThan=2026-10-31', 'G'],
  ['newerThan=2026-11-21', ''],
  ['olderThan=2018-12-01', 'C'],
  ['olderThan=2018-11-30', ''],
  ['olderThan=9999-12-31', 'ABCGEF'],
  ['newerThan=2018-12-01&olderThan=2020-06-30', 'AC'],
  ['newerThan=2020-06-30&olderThan=2020-06-30', 'A'],
  ['newerThan=0+days+ago', ''],
  ['newerThan=1%20day%20ago', 'G'],
  ['newerThan=22+days+ago', 'GF'],
  ['newerThan=3+weeks+ago', 'G'],
  ['newerThan=1+month+ago', 'GF'],
  ['newerThan=1+year+ago', 'GEF'],
  ['olderThan=5+YEARS+ago', 'AC'],
  ['price_types_ids=12', 'ACGD'],
  ['price_types_ids=13,17', 'BE'],
  ['price_types_ids=99', ''],
  ['commodity_ids={rice}', 'AE'],
  ['commodity_ids={charcoal},{wheat},2147483647', 'DF'],
  ['commodity__hs_class_code=10', 'ABGEF'],
  ['commodity__hs_class_code=1006', 'ABE'],
  ['commodity__hs_class_code=100630', 'AE'],
  ['commodity__hs_class_code=10063', ''],
  ['commodity__hs_class_code=100', ''],
  ['commodity__hs_class_code=1', ''],
  ['commodity__hs_class_code=11', 'C'],
  ['commodity__hs_class_code=1001,11', 'CF'],
  ['categories=cereals%20and%20tubers', 'AE'],
  ['categories=%20CEREALS%20AND%20TUBERS%20,nothing', 'AE'],
  ['categories=cereals', ''],
  ['categories=%22%22', 'BCGDF'],
  ['categories=cereals%20and%20tubers,%22%22&iso3_country_codes=MLI', 'DE'],
  ['sources_ids={ministry}', 'ACD'],
  ['sources_ids={wfp},{exchange}', 'BGEF'],
  ['market_ids={nairobi},{maliAverage}', 'CGE'],
  ['admin_units=garissa', 'B'],
  ['admin_units=%20KABUL%20', 'A'],
  ['admin_units=Nairobi,gao', 'CGD'],
  ['admin_units=Foo,%20Bar', ''],
  ['admin_units=%22Foo,%20Bar%22', 'CG'],
  ['admin_units=%22le%20%22%22grand%22%22%20gao%22,Kabul', 'AD'],
  ['admin_units=%22%22', 'AEF'],
  ['admin_units=%25', ''],
  ['admin_units=_abul', ''],
  ["admin_units=Kabul'%20OR%201=1;--", ''],
  ['market_types=urban', 'ACG'],
  ['market_types=Marche%CC%81', 'D'],
  ['market_types=Marche', ''],
  ['market_types=%22%22', 'BF'],
  ['market_types=%22%22,nowhere,urban', 'ABCGF'],
  ['market_types=nowhere', ''],
  ['market_types_ne=URBAN', 'BDEF'],
  ['market_types_ne=urban,march%C3%A9,national%20AVERAGE', 'BF'],
  ['market_types_ne=%22%22', 'ACGDE'],
  ['market_types=urban&market_types_ne=Urban', ''],
  ['regional_average=true', 'E'],
  ['regional_average=1', 'E'],
  ['regional_average=FALSE', 'ABCGDF'],
  ['regional_average=0', 'ABCGDF'],
  ['measure_units_ids={tonne}', 'F'],
  ['measure_units_ids={kilogram},2147483647', 'ABCGDE'],
  ['measure_units_ids=2147483647', ''],
  ['currencies=kes,USD', 'BCGF'],
  ['currencies=EUR', ''],
  [`uuids=${sampleUuid('F').toUpperCase()},${sampleUuid('A')}`, 'AF'],
  ['uuids=ffffffff-0000-4000-8000-00000000000f', ''],
  [
    `uuids=${sampleUuid('A')},${sampleUuid('B')},${sampleUuid('C')}&iso3_country_codes=KEN&sources_ids={ministry}`,
    'C',
  ],
  [`uuids=${sampleUuid('A')},${sampleUuid('B')}&iso3_country_codes_ne=KEN`, 'A'],
  ['search=rice', 'ABE'],
  ['search=RICE+white', 'AE'],
  ['search=white%20rice%20mali', 'E'],
  ['search=MARCHE', 'D'],
  ['search=march%C3%A9+gao', 'D'],
  ['search=united+wheat', 'F'],
  ['search=ice+ken', ''],
  ['search=ric+ken', 'B'],
  ['search=averag', 'E'],
  ['search=verage', ''],
  ['search=gulf', 'F'],
  ['search==gulf', 'F'],
  ['search=ke', 'BCG'],
  ['search=KE+rice', 'B'],
  ['search=ml', 'DE'],
  ['search=US', 'F'],
  ['search=usa+wheat', 'F'],
  ['search=af', 'A'],
  ['search=%D8%A3%D8%B1%D8%B2', ''],
  ['search=zzz', ''],
  ['search=%25', ''],
  ['search=%20', 'ABCGDEF'],
  [
    'iso3_country_codes=KEN,AFG&start_date=2019-01-01&end_date=2026-12-31&price_types_ids=12&page=1&page_size=5',
    'AG',
  ],
];

/** Invalid queries and their violations. */
const REJECTED: [query: string, ...violations: Record<string, unknown>[]][] = [
  ['start_date=2023-02-30', { name: 'start_date', code: 'invalid_date' }],
  ['end_date=2023-1-5', { name: 'end_date', code: 'invalid_date' }],
  ['data_from=20230105', { name: 'data_from', code: 'invalid_date' }],
  ['data_to=0999-01-01', { name: 'data_to', code: 'invalid_date' }],
  ['start_date=3+days+ago', { name: 'start_date', code: 'invalid_date' }],
  ['newerThan=3+days', { name: 'newerThan', code: 'invalid_date' }],
  ['olderThan=today', { name: 'olderThan', code: 'invalid_date' }],
  ['newerThan=1027+years+ago', { name: 'newerThan', code: 'invalid_date' }],
  [
    'start_date=2020-01-02&end_date=2020-01-01',
    { name: 'start_date', code: 'reversed_range' },
    { name: 'end_date', code: 'reversed_range' },
  ],
  [
    'newerThan=1+day+ago&olderThan=2+days+ago',
    { name: 'newerThan', code: 'reversed_range' },
    { name: 'olderThan', code: 'reversed_range' },
  ],
  [
    'data_from=2020-01-02&data_to=2020-01-01',
    { name: 'data_from', code: 'reversed_range' },
    { name: 'data_to', code: 'reversed_range' },
  ],
  ['price_types_ids=1,x', { name: 'price_types_ids', code: 'invalid_item', index: 1 }],
  ['sources_ids=1,,2', { name: 'sources_ids', code: 'invalid_item', index: 1 }],
  ['market_ids=01', { name: 'market_ids', code: 'invalid_item', index: 0 }],
  [
    'commodity_ids=2147483648',
    { name: 'commodity_ids', code: 'out_of_range', index: 0, min: 1, max: 2147483647 },
  ],
  ['iso3_country_codes=KE', { name: 'iso3_country_codes', code: 'invalid_item', index: 0 }],
  ['iso3_country_codes_ne=KEN,K%C3%89N', { name: 'iso3_country_codes_ne', code: 'invalid_item', index: 1 }],
  ['measure_units_ids=kg', { name: 'measure_units_ids', code: 'invalid_item', index: 0 }],
  [`categories=${'a'.repeat(201)}`, { name: 'categories', code: 'too_long', index: 0, max: 200 }],
  [
    'measure_unit_ids=1',
    { name: 'measure_unit_ids', code: 'unknown_parameter', suggestion: 'measure_units_ids' },
  ],
  ['currencies=KSH1', { name: 'currencies', code: 'invalid_item', index: 0 }],
  [
    'periodicity=daily,yearly',
    { name: 'periodicity', code: 'invalid_choice', index: 1, allowed: ['daily', 'weekly', 'monthly'] },
  ],
  ['regional_average=yes', { name: 'regional_average', code: 'invalid_boolean' }],
  ['commodity__hs_class_code=10a', { name: 'commodity__hs_class_code', code: 'invalid_item', index: 0 }],
  [`admin_units=${'a'.repeat(201)}`, { name: 'admin_units', code: 'too_long', index: 0, max: 200 }],
  ['market_types=%22open', { name: 'market_types', code: 'invalid_item', index: 0 }],
  ['uuids=123', { name: 'uuids', code: 'invalid_item', index: 0 }],
  [`search=${'a'.repeat(8192)}`, { name: 'search', code: 'too_long', max: 200 }],
  [`sources_ids=${'1,'.repeat(500)}1`, { name: 'sources_ids', code: 'too_many_items', max: 500 }],
  ['regional_average=true&regional_average=true', { name: 'regional_average', code: 'repeated_parameter' }],
  ['newerthan=2020-01-01', { name: 'newerthan', code: 'unknown_parameter', suggestion: 'newerThan' }],
  ['sources_ids[]=1', { name: 'sources_ids[]', code: 'unknown_parameter', suggestion: 'sources_ids' }],
  ['__proto__[x]=1', { name: '__proto__[x]', code: 'unknown_parameter' }],
  ['market_types=%FF', { name: 'market_types', code: 'invalid_encoding' }],
  [
    'page=0&start_date=x&nope=1',
    { name: 'nope', code: 'unknown_parameter' },
    { name: 'start_date', code: 'invalid_date' },
    { name: 'page', code: 'invalid_integer' },
  ],
];

const LISTS = ['PriceSerie', 'PriceSerieDomestic', 'PriceSerieInternational'];

describe('filters of price series', () => {
  let app: TestApp;
  let ids: SampleIds;
  beforeAll(async () => {
    app = await startTestApp();
    ids = await createSampleSeries(app.unitOfWork);
  });
  afterAll(() => app.close());

  const withIds = (query: string) =>
    query.replace(/\{(\w+)\}/g, (_, name: keyof SampleIds) => String(ids[name]));
  const selected = async (address: string) => {
    const { status, body } = await app.http().get(address);
    if (status !== 200) return { status, body };
    const { count, results } = body as { count: number; results: { uuid: string }[] };
    return { count, letters: results.map(({ uuid }) => letterOf(uuid)).join('') };
  };

  it.each(SELECTED)('?%s selects %j', async (query, letters) => {
    expect(await selected(`/api/v1/PriceSerie/?${withIds(query)}`)).toEqual({
      count: letters.length,
      letters,
    });
  });

  it.each(SELECTED)('?%s selects the same in the datasets', async (query, letters) => {
    const domestic = letters.replace(/[EF]/g, '');
    const international = letters.replace(/[^F]/g, '');
    expect(await selected(`/api/v1/PriceSerieDomestic/?${withIds(query)}`)).toEqual({
      count: domestic.length,
      letters: domestic,
    });
    expect(await selected(`/api/v1/PriceSerieInternational/?${withIds(query)}`)).toEqual({
      count: international.length,
      letters: international,
    });
  });

  it.each(LISTS.flatMap((list) => REJECTED.map(([query, ...expected]) => ({ list, query, expected }))))(
    '$list rejects ?$query',
    async ({ list, query, expected }) => {
      const { status, type, body } = await app.http().get(`/api/v1/${list}/?${query}`);
      expect({ status, type, code: body.code }).toEqual({
        status: 400,
        type: 'application/problem+json',
        code: 'invalid',
      });
      const violations = (body.errors as Record<string, unknown>[]).map(({ detail, ...violation }) => {
        expect(detail).toMatch(/^.+[.?]$/);
        return violation;
      });
      expect(violations).toEqual(expected.map((violation) => ({ in: 'query', ...violation })));
    },
  );

  it.each(Object.keys(priceSeriesQuery.parameters))('rejects 8 KB of text in %s (R2)', async (name) => {
    const { status, body } = await app.http().get(`/api/v1/PriceSerie/?${name}=${'a'.repeat(8192)}`);
    expect([status, body.errors.map((violation: { name: string }) => violation.name)]).toEqual([400, [name]]);
  });

  it('explains each violation', async () => {
    const { body } = await app
      .http()
      .get('/api/v1/PriceSerie/?start_date=2023-02-30&market_ids=1,two&page_size=10001');
    expect(body.errors).toEqual([
      {
        in: 'query',
        name: 'start_date',
        code: 'invalid_date',
        detail: 'start_date must be a calendar date between 1000-01-01 and 9999-12-31; got "2023-02-30".',
      },
      {
        in: 'query',
        name: 'market_ids',
        code: 'invalid_item',
        index: 1,
        detail: 'Item 2 of market_ids must be a positive integer; got "two".',
      },
      {
        in: 'query',
        name: 'page_size',
        code: 'out_of_range',
        max: 10000,
        detail: 'page_size must be between 1 and 10000; got "10001".',
      },
    ]);
  });

  it('counts relative dates back from the day of the request', async () => {
    const address = '/api/v1/PriceSerie/?newerThan=1+day+ago';
    expect(await selected(address)).toEqual({ count: 1, letters: 'G' });
    app.clock.milliseconds += 86_400_000;
    try {
      expect(await selected(address)).toEqual({ count: 0, letters: '' });
    } finally {
      app.clock.milliseconds -= 86_400_000;
    }
  });
});
