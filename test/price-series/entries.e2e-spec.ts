import { createSampleSeries, type SampleIds, sampleUuid } from './sample-series.js';
import { plainEntries } from '../support/plain-series.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testChange } from '../support/change-set.js';

const PREFIXES = ['/api/v1', '/giews/v4/price_module/api/v1', '/giews/v4/global/price_module/api/v1'];

const CSV_HEADER =
  'uuid,iso3_country_code,country_name,commodity,commodity_id,hs_code,category,price_type,price_type_id,market,market_id,' +
  'market_type,admin_unit,admin_unit2,latitude,longitude,source,source_id,currency,measure_unit,measure_unit_id,' +
  'conversion_factor,regional_average,last_price_date,daily_start,daily_end,weekly_start,weekly_end,weekly_calculated,' +
  'monthly_start,monthly_end,monthly_calculated';

describe('entries of price series', () => {
  let app: TestApp;
  let ids: SampleIds;
  beforeAll(async () => {
    app = await startTestApp();
    ids = await createSampleSeries(app.unitOfWork);
  });
  afterAll(() => app.close());

  const text = async (address: string, accept = '*/*') => {
    const { status, text } = await app.http().get(address).set('Accept', accept).buffer(true);
    return status === 200 ? text : { status, text };
  };

  it('have these fields in this order', async () => {
    const entry = JSON.stringify({
      uuid: sampleUuid('A'),
      iso3_country_code: 'AFG',
      country_name: 'Afghanistan',
      commodity: 'Rice (white)',
      commodity_id: ids.rice,
      hs_code: '100630',
      category: 'cereals and tubers',
      price_type: 'RETAIL',
      price_type_id: 12,
      market: 'Kabul',
      market_id: ids.kabul,
      market_type: 'Urban',
      admin_unit: 'Kabul',
      admin_unit2: '',
      latitude: 34.5289,
      longitude: 69.1725,
      source: 'Ministry of Agriculture',
      source_id: ids.ministry,
      currency: 'AFN',
      measure_unit: 'Kg',
      measure_unit_id: ids.kilogram,
      conversion_factor: 1,
      regional_average: false,
      last_price_date: '2020-06-30',
      periodicity: [
        { period: 'daily', start_date: '2020-01-01', end_date: '2020-06-30' },
        { period: 'weekly', start_date: '2020-01-03', end_date: '2020-06-26', calculated: true },
        { period: 'monthly', start_date: '2020-01-01', end_date: '2020-06-01', calculated: true },
      ],
    });
    expect(await text(`/api/v1/PriceSerie/${sampleUuid('A')}/`)).toBe(entry);
    expect(await text('/api/v1/PriceSerie/?iso3_country_codes=AFG')).toBe(
      `{"count":1,"next":null,"previous":null,"results":[${entry}]}`,
    );
    expect(await text('/api/v1/PriceSerie/?iso3_country_codes=AFG&format=ndjson')).toBe(`${entry}\n`);
  });

  it('have "" or null for unknown values, and an empty periodicity without data', async () => {
    const { body } = await app.http().get(`/api/v1/PriceSerie/${sampleUuid('D')}`);
    expect(body).toMatchObject({ hs_code: '', category: '', last_price_date: null, periodicity: [] });
    const { body: average } = await app.http().get(`/api/v1/PriceSerie/${sampleUuid('E')}`);
    expect(average).toMatchObject({ admin_unit: '', admin_unit2: '', latitude: null, longitude: null });
  });

  it.each(PREFIXES)('are the same under %s, with and without a trailing slash', async (prefix) => {
    const expected = await plainEntries(app.database);
    for (const slash of ['', '/']) {
      const list = await app.http().get(`${prefix}/PriceSerie${slash}`);
      expect(list.body).toEqual({ count: 7, next: null, previous: null, results: expected });
      const domestic = await app.http().get(`${prefix}/PriceSerieDomestic${slash}`);
      expect(domestic.body.results).toEqual(
        expected.filter(({ price_type }) => price_type === 'RETAIL' || price_type === 'WHOLESALE'),
      );
      const international = await app.http().get(`${prefix}/PriceSerieInternational${slash}`);
      expect(international.body.results).toEqual(
        expected.filter(({ price_type }) => price_type === 'EXPORT'),
      );
      const one = await app.http().get(`${prefix}/PriceSerie/${sampleUuid('F')}${slash}`);
      expect(one.body).toEqual(expected.at(-1));
    }
  });

  it.each([
    'x',
    '1',
    sampleUuid('A').slice(1),
    `${sampleUuid('A')}0`,
    'ffffffff-ffff-4fff-8fff-ffffffffffff',
    '%20',
  ])('are 404 for the uuid %s', async (uuid) => {
    const { status, type, body } = await app.http().get(`/api/v1/PriceSerie/${uuid}/`);
    expect({ status, type, body }).toEqual({
      status: 404,
      type: 'application/problem+json',
      body: {
        type: '/problems/not_found',
        title: 'Not found',
        status: 404,
        code: 'not_found',
        detail: 'There is no price series with this uuid.',
        instance: expect.stringMatching(/^urn:uuid:/),
      },
    });
  });

  it('accept upper case in the uuid, and no parameters', async () => {
    expect((await app.http().get(`/api/v1/PriceSerie/${sampleUuid('A').toUpperCase()}/`)).status).toBe(200);
    const { status, body } = await app.http().get(`/api/v1/PriceSerie/${sampleUuid('A')}/?page=1`);
    expect([status, body.errors[0].code]).toEqual([400, 'unknown_parameter']);
  });

  it('are available as CSV', async () => {
    const { kilogram: kg, tonne } = ids;
    const lines = [
      CSV_HEADER,
      `${sampleUuid('A')},AFG,Afghanistan,Rice (white),${ids.rice},100630,cereals and tubers,RETAIL,12,Kabul,${ids.kabul},Urban,Kabul,,34.5289,69.1725,Ministry of Agriculture,${ids.ministry},AFN,Kg,${kg},1,false,2020-06-30,2020-01-01,2020-06-30,2020-01-03,2020-06-26,true,2020-01-01,2020-06-01,true`,
      `${sampleUuid('B')},KEN,Kenya,Rice (paddy),${ids.paddy},100610,,WHOLESALE,13,Garissa,${ids.garissa},,North Eastern,Garissa,,,World Food Programme (WFP),${ids.wfp},KES,Kg,${kg},1,false,2021-12-31,,,2019-01-04,2021-12-31,false,2019-01-01,2021-12-01,true`,
      `${sampleUuid('C')},KEN,Kenya,Wheat flour,${ids.flour},1101,,RETAIL,12,Nairobi,${ids.nairobi},urban ,Nairobi,"Foo, Bar",,,Ministry of Agriculture,${ids.ministry},KES,Kg,${kg},1,false,2018-12-01,,,,,,2015-01-01,2018-12-01,false`,
      `${sampleUuid('G')},KEN,Kenya,Cereals,${ids.cereals},10,,RETAIL,12,Nairobi,${ids.nairobi},urban ,Nairobi,"Foo, Bar",,,World Food Programme (WFP),${ids.wfp},USD,Kg,${kg},1,false,2026-11-20,2026-11-01,2026-11-20,2026-11-06,2026-11-20,true,2026-11-01,2026-11-01,true`,
      `${sampleUuid('D')},MLI,Mali,Charcoal,${ids.charcoal},,,RETAIL,12,Marché de Gao,${ids.gao},Marché,Gao,"Le ""Grand"" Gao",16.27,-0.05,Ministry of Agriculture,${ids.ministry},XOF,Kg,${kg},1,false,,,,,,,,,`,
      `${sampleUuid('E')},MLI,Mali,Rice (white),${ids.rice},100630,cereals and tubers,IMPORT,17,National Average,${ids.maliAverage},National average,,,,,"Commodity exchange, ""spot""",${ids.exchange},XOF,Kg,${kg},1,true,2026-08-01,,,,,,2022-01-01,2026-08-01,false`,
      `${sampleUuid('F')},USA,United States of America,Wheat,${ids.wheat},1001,,EXPORT,11,'=Gulf,${ids.gulf},,,,,,World Food Programme (WFP),${ids.wfp},USD,tonne,${tonne},0.001,false,2026-10-30,,,2021-01-01,2026-10-30,false,2021-01-01,2026-10-01,true`,
      '',
    ];
    expect(await text('/api/v1/PriceSerie/?format=csv')).toBe(lines.join('\r\n'));
    expect(await text('/api/v1/PriceSerie/', 'text/csv')).toBe(lines.join('\r\n'));
    expect(await text('/api/v1/PriceSerie/?format=csv&page=2&page_size=2')).toBe(
      [CSV_HEADER, lines[3], lines[4], ''].join('\r\n'),
    );
    expect(await text('/api/v1/PriceSerieInternational/?format=csv')).toBe(
      [CSV_HEADER, lines[7], ''].join('\r\n'),
    );
    expect(await text('/api/v1/PriceSerie/?format=csv&currencies=EUR')).toBe(`${CSV_HEADER}\r\n`);
  });

  it('are available as NDJSON', async () => {
    const expected = await plainEntries(app.database);
    const lines = expected.map((entry) => JSON.parse(JSON.stringify(entry)));
    for (const [address, accept] of [
      ['/api/v1/PriceSerie/?format=ndjson', '*/*'],
      ['/api/v1/PriceSerie/', 'application/x-ndjson'],
    ] as const) {
      const reply = (await text(address, accept)) as string;
      expect(reply.endsWith('\n')).toBe(true);
      expect(
        reply
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toEqual(lines);
    }
    expect(await text('/api/v1/PriceSerie/?format=ndjson&currencies=EUR')).toBe('');
  });

  it.each([
    ['json', 'application/json; charset=utf-8'],
    ['csv', 'text/csv; charset=utf-8'],
    ['ndjson', 'application/x-ndjson; charset=utf-8'],
  ])('as %s may be cached for a minute and revalidated by their ETag (R4)', async (format, type) => {
    const address = `/api/v1/PriceSerie/?format=${format}&iso3_country_codes=KEN`;
    const { status, headers } = await app.http().get(address);
    expect({ status, ...headers }).toMatchObject({
      status: 200,
      'content-type': type,
      'cache-control': 'public, max-age=60, stale-if-error=86400',
      vary: 'Accept, Accept-Encoding',
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
    expect((await app.http().get(address).set('If-None-Match', headers.etag!)).status).toBe(304);
    const head = await app.http().head(address);
    expect([head.status, head.headers['content-type'], head.text]).toEqual([200, type, undefined]);
  });

  it('change in the next response after a write to a series or to a record it refers to', async () => {
    const address = `/api/v1/PriceSerie/?iso3_country_codes=USA`;
    const first = await app.http().get(address);
    const again = await app.http().get(address);
    expect(again.headers.etag).toBe(first.headers.etag);
    await app.unitOfWork.change(testChange, async (transaction) => {
      await transaction.execute(
        "UPDATE commodity SET name = 'Wheat (hard)', version = version + 1 WHERE id = ?",
        [ids.wheat],
      );
      transaction.markModified('references');
    });
    const renamed = await app.http().get(address);
    expect(renamed.body.results[0]).toEqual({ ...first.body.results[0], commodity: 'Wheat (hard)' });
    await app.unitOfWork.change(testChange, async (transaction) => {
      const [serie] = await transaction.rows<{ id: number }>('SELECT id FROM price_serie WHERE uuid = ?', [
        sampleUuid('F'),
      ]);
      await transaction.execute(
        'UPDATE series_period SET end_day = end_day + 7 WHERE serie_id = ? AND period = 2',
        [serie!.id],
      );
      transaction.markSeriesModified([serie!.id]);
    });
    const { body, headers } = await app.http().get(address);
    expect(body.results[0].last_price_date).toBe('2026-11-06');
    expect(new Set([first.headers.etag, renamed.headers.etag, headers.etag]).size).toBe(3);
  });

  it('are 503 while the database is unavailable, and recover', async () => {
    await app.unitOfWork.change(testChange, async (transaction) => transaction.markModified('series'));
    const { readSnapshot } = app.database;
    app.database.readSnapshot = () =>
      Promise.reject(Object.assign(new Error('unavailable'), { code: 'ECONNREFUSED' }));
    for (const address of ['/api/v1/PriceSerie/', `/api/v1/PriceSerie/${sampleUuid('A')}/`]) {
      const { status, headers, body } = await app.http().get(address);
      expect({
        status,
        code: body.code,
        retry: headers['retry-after'],
        cache: headers['cache-control'],
      }).toEqual({
        status: 503,
        code: 'unavailable',
        retry: '1',
        cache: 'no-store',
      });
    }
    app.database.readSnapshot = readSnapshot;
    expect((await app.http().get('/api/v1/PriceSerie/')).body.count).toBe(7);
  });
});
