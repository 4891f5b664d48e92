import { listFormats } from '../../src/platform/formats/formats.js';
import { ImportModule } from '../../src/import/import.module.js';
import { ImportService } from '../../src/import/import.service.js';
import { createInput } from '../../src/import/pipeline/input.js';
import { chunksOf } from '../support/import-input.js';
import { storeIndices, storeRates, storeSeries, type SeriesSpec } from '../support/price-fixture.js';
import { expectProblem, queryViolation } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const B = 'bbbbbbbb-0000-4000-8000-000000000002';
const C = 'cccccccc-0000-4000-8000-000000000003';

const HEADER =
  'uuid,iso3_country_code,country_name,commodity,hs_code,category,price_type,market,market_type,admin_unit,admin_unit2,' +
  'latitude,longitude,source,currency,measure_unit,conversion_factor,regional_average,last_price_date,market_code,market_info,' +
  'source_url,source_license,measure_unit_dimension,date,periodicity,price_value,comment,calculated,price_value_real,price_value_dollar,partial';

/** Texts that a spreadsheet, a comma or a quote could break, and numbers of all 15 digits. */
const series: SeriesSpec[] = [
  {
    uuid: A,
    commodity: { name: '=HYPERLINK("x"), rice', hs_code: '0100630', category: "'s food" },
    market: {
      name: '@Garissa, "old"',
      type: '-',
      code: '+254',
      info: 'Ünïcode 😀',
      admin_unit: '+North',
      admin_unit2: "'quoted",
      latitude: -0.453222,
      longitude: 39.646,
      regional_average: false,
    },
    source: { name: 'A, B and C', url: 'https://example.org/?a=1,2', license: 'CC BY 4.0' },
    unit: { name: '90 kg', dimension: 'mass', conversion_factor: 0.0111111111111111 },
    priceType: 13,
    points: {
      daily: [
        ['2024-02-26', 100.123456789012, '=1+1'],
        ['2024-02-28', 0.000001],
        ['2024-03-01', 123456789012345, 'a "b", c'],
        ['2024-03-04', 103],
      ],
    },
  },
  {
    uuid: B,
    commodity: { name: 'Eggs', hs_code: null },
    market: {
      name: 'National Average',
      iso3_country_code: 'BDI',
      country_name: 'Burundi',
      regional_average: true,
    },
    unit: { name: 'Dozen', dimension: 'count', conversion_factor: null },
    currency: 'BIF',
    points: {
      weekly: [
        ['2023-12-29', 2000],
        ['2024-01-05', 2100],
      ],
    },
  },
  {
    uuid: C,
    points: {
      weekly: [['2024-01-05', 9]],
      monthly: [['2024-01-01', 10.5]],
    },
  },
  { uuid: 'dddddddd-0000-4000-8000-000000000004' },
];

async function storeConversions(service: TestApp): Promise<void> {
  await storeRates(service.unitOfWork, [
    ['KES', '2024-02-01', 150],
    ['KES', '2024-03-01', 145.5],
  ]);
  await storeIndices(service.unitOfWork, [['BDI', '2023-12-01', 137.3]]);
}

describe('prices as files', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp({}, [ImportModule]);
    await storeConversions(service);
    await storeSeries(service.unitOfWork, series);
  });
  afterAll(() => service.close());

  const get = (path: string, accept = '*/*') =>
    service.http().get(`/api/v1/PriceSeriePrice/${path}`).set('Accept', accept).buffer(true);

  it('are CSV of the `prices` format, with CR LF, escaped formulas and quotes', async () => {
    const reply = await get('?format=csv').expect(200);
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
    const a =
      `${A},KEN,Kenya,"'=HYPERLINK(""x""), rice",0100630,''s food,WHOLESALE,"'@Garissa, ""old""",'-,'+North,''quoted,` +
      '-0.453222,39.646,"A, B and C",KES,90 kg,0.0111111111111111,false,2024-03-04,\'+254,Ünïcode 😀,' +
      '"https://example.org/?a=1,2",CC BY 4.0,mass,';
    const b = `${B},BDI,Burundi,Eggs,,,RETAIL,National Average,,,,,,Ministry,BIF,Dozen,,true,2024-01-05,,,,,count,`;
    const c = `${C},KEN,Kenya,Rice,100630,,RETAIL,Nairobi,,,,,,Ministry,KES,Kg,1,false,2024-01-05,,,,,mass,`;
    expect(reply.text.split('\r\n')).toEqual([
      HEADER,
      `${b}2024-01-05,weekly,2100,,false,,,false`,
      `${b}2024-01-01,monthly,2100,,true,,,true`,
      `${b}2023-12-29,weekly,2000,,false,1456.66423889294,,false`,
      `${b}2023-12-01,monthly,2000,,true,1456.66423889294,,false`,
      `${a}2024-03-04,daily,103,,false,,0.707903780068729,false`,
      `${a}2024-03-01,daily,123456789012345,"a ""b"", c",false,,848500268126.083,false`,
      `${a}2024-03-01,weekly,41152263004148.4,,true,,274348420027.656,false`,
      `${a}2024-03-01,monthly,61728394506224,,true,,424250134063.395,true`,
      `${a}2024-02-28,daily,0.000001,,false,,6.66666666666667e-9,false`,
      `${a}2024-02-26,daily,100.123456789012,'=1+1,false,,0.667489711926747,false`,
      `${a}2024-02-01,monthly,50.061728894506,,true,,0.333744859296707,false`,
      `${c}2024-01-05,weekly,9,,false,,,false`,
      `${c}2024-01-01,monthly,10.5,,false,,,false`,
      '',
    ]);
  });

  it('are NDJSON, one price object per line', async () => {
    const { text, headers } = await get('?format=ndjson').expect(200);
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    const { results } = (await get('').expect(200)).body as { results: object[] };
    expect(text).toMatch(/\}\n$/);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toEqual(results);
  });

  it('are in the format of Accept, over which `format` takes precedence', async () => {
    const csv = (await get('?format=csv')).text;
    expect((await get('', 'text/csv')).text).toBe(csv);
    expect((await get('?format=csv', 'application/json')).text).toBe(csv);
    expect((await get('', 'application/x-ndjson')).text).toBe((await get('?format=ndjson')).text);
    expect((await get('?format=json', 'text/csv')).headers['content-type']).toBe(
      'application/json; charset=utf-8',
    );
    expectProblem(await get('', 'image/png'), { status: 406, code: 'not_acceptable' });
    expectProblem(await get('?format=ods'), {
      status: 400,
      code: 'invalid',
      errors: [queryViolation('format', 'invalid_choice', { allowed: listFormats.map(({ name }) => name) })],
    });
  });

  it('contain one series, one page, or everything requested', async () => {
    const lines = (text: string) =>
      text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.slice(0, 36));
    const csv = async (query: string) => lines((await get(`?format=csv&${query}`).expect(200)).text);
    expect(await csv('page_size=1&page=2&periodicity=weekly')).toEqual([A]);
    expect(await csv('page=1&latest=1&periodicity=weekly')).toEqual([B, A, C]);
    expect(await csv('start_date=2024-01-05&end_date=2024-01-05')).toEqual([B, C]);
    expect(await csv(`uuid__in=${C},${B}&periodicity=monthly`)).toEqual([B, B, C]);
    expectProblem(await get('?format=csv&page=4&page_size=1'), {
      status: 404,
      code: 'not_found',
      extra: { last_page: 3 },
    });
    const past = get('?page=4&page_size=1').set('If-None-Match', '*');
    expectProblem(await past, { status: 404, code: 'not_found', extra: { last_page: 3 } });
    expect((await get('?format=csv&end_date=1999-01-01')).text).toBe(`${HEADER}\r\n`);
    expect((await get('?format=ndjson&end_date=1999-01-01')).text).toBe('');
    const single = await get(`${C}/?format=csv`).expect(200);
    expect(single.text.split('\r\n')).toHaveLength(4);
    expect(single.text.startsWith(HEADER)).toBe(true);
    const line = await get(`${C}/?format=ndjson`).expect(200);
    expect(line.text).toBe(`${JSON.stringify((await get(`${C}/`)).body)}\n`);
    expect((await get('dddddddd-0000-4000-8000-000000000004/?format=csv')).text).toBe(`${HEADER}\r\n`);
  });

  it('restore the same data in an empty database, which exports the same bytes', async () => {
    const exported = (await get('?format=csv').expect(200)).text;
    const other = await startTestApp({}, [ImportModule]);
    try {
      await storeConversions(other);
      const imports = other.app.get(ImportService, { strict: false });
      const report = await imports.import(
        { format: 'prices', options: {}, dryRun: false, caller: null, requestId: null },
        createInput(chunksOf(exported), 'prices.csv', null),
      );
      expect(report).toMatchObject({
        error: null,
        new: 8,
        rejected: 0,
        skipped: { calculated: 5 },
        series: 3,
      });
      const again = await other.http().get('/api/v1/PriceSeriePrice/?format=csv').expect(200);
      expect(again.text).toBe(exported);
    } finally {
      await other.close();
    }
  });
});
