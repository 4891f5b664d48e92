import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Environment } from '../src/config/environment.js';
import { SampleData } from '../src/sample/sample-data.js';
import { startTestApp, type TestApp } from './support/test-app.js';
import { testChange } from './support/change-set.js';

const TABLES = [
  'price_serie',
  'series_period',
  'observation',
  'commodity',
  'market',
  'source',
  'measure_unit',
  'fx_rate',
  'cpi',
];

describe('the bundled sample', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp();
    await service.app.get(SampleData).load();
  });
  afterAll(() => service.close());

  const counts = async () => {
    const rows = await Promise.all(
      TABLES.map((table) => service.database.arrays<[number]>(`SELECT COUNT(*) FROM ${table}`)),
    );
    return Object.fromEntries(TABLES.map((table, index) => [table, rows[index]![0]![0]]));
  };
  const count = async (query: string) => {
    const { body } = await service.http().get(`/api/v1/PriceSerie/?page_size=1&${query}`).expect(200);
    return (body as { count: number }).count;
  };

  it('is the output of the script beside it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pds-sample-'));
    cpSync('sample/make-sample.mjs', join(folder, 'make-sample.mjs'));
    expect(spawnSync(process.execPath, [join(folder, 'make-sample.mjs')]).status).toBe(0);
    for (const file of ['prices.csv', 'fx.csv', 'cpi.csv']) {
      expect(readFileSync(join(folder, file)).equals(readFileSync(join('sample', file)))).toBe(true);
    }
    rmSync(folder, { recursive: true });
  });

  it('has matches and mismatches for every filter', async () => {
    const all = await count('');
    expect(all).toBe(66);
    for (const query of [
      'iso3_country_codes=XAA,XAF',
      'iso3_country_codes_ne=XAA',
      'periodicity=daily',
      'periodicity=weekly',
      'start_date=2025-01-01',
      'end_date=2026-10-31',
      'data_from=2026-11-01',
      'data_to=2021-06-30',
      'newerThan=2%20months%20ago',
      'olderThan=2026-01-01',
      'price_types_ids=12',
      'commodity__hs_class_code=10',
      'admin_units=north',
      'market_types=Rural',
      'market_types_ne=Rural',
      'regional_average=true',
      'currencies=XDA',
      'search=maize',
    ]) {
      const matches = await count(query);
      expect([query, matches > 0 && matches < all]).toEqual([query, true]);
    }
    const { body } = await service.http().get('/api/v1/PriceSerieInternational/').expect(200);
    expect((body as { count: number }).count).toBe(6);
  });

  it('has prices in dollars and in real terms', async () => {
    const { body } = await service
      .http()
      .get('/api/v1/PriceSeriePrice/?iso3_country_codes=XAB&latest=3')
      .expect(200);
    const points = (
      body as {
        results: { datapoints: { price_value_dollar: number | null; price_value_real: number | null }[] }[];
      }
    ).results.flatMap((series) => series.datapoints);
    expect(points.some((point) => point.price_value_dollar !== null)).toBe(true);
    expect(points.some((point) => point.price_value_real !== null)).toBe(true);
  });

  it('changes nothing when it is loaded again', async () => {
    const before = await counts();
    const reports = await service.app.get(SampleData).load();
    expect(reports.map(({ new: added, changed }) => ({ added, changed }))).toEqual(
      Array(3).fill({ added: 0, changed: 0 }),
    );
    expect(await counts()).toEqual(before);
  });

  it('is loaded once by SAMPLE_DATA=on, and corrections of it stay', async () => {
    const { databaseUrl } = service.app.get(Environment);
    const changeSets = async () =>
      (await service.http().get('/api/v1/ChangeSet/').expect(200)).body as unknown;
    const before = await changeSets();
    const started = await startTestApp({ DATABASE_URL: databaseUrl, SAMPLE_DATA: 'on' });
    await started.close();
    expect(await changeSets()).toEqual(before);
  });

  it('is removed completely, except for records that other series use', async () => {
    const auth = await service.authHeader();
    const own = { source_name: 'Ministry', source_url: '' };
    await service.http().post('/api/v1/Source/').set(auth).send(own).expect(201);
    const [{ commodity_id, measure_unit_id }] = (await service.database.rows<{
      commodity_id: number;
      measure_unit_id: number;
    }>('SELECT commodity_id, measure_unit_id FROM price_serie LIMIT 1')) as [
      { commodity_id: number; measure_unit_id: number },
    ];
    await service.unitOfWork.change(testChange, async (transaction) => {
      const [source] = await transaction.rows<{ id: number }>(
        "SELECT id FROM source WHERE name = 'Ministry'",
      );
      const market = await transaction.execute(
        "INSERT INTO market (name, iso3_country_code, country_name) VALUES ('Nairobi', 'KEN', 'Kenya')",
      );
      const serie = await transaction.execute(
        'INSERT INTO price_serie (uuid, commodity_id, price_type_id, market_id, source_id, measure_unit_id, currency) VALUES (?, ?, 12, ?, ?, ?, ?)',
        [
          '6b0c2f52-7a8e-4d55-9c1f-3f0e6f1f2a11',
          commodity_id,
          market.insertId,
          source!.id,
          measure_unit_id,
          'KES',
        ],
      );
      transaction.markModified('references');
      transaction.markSeriesModified([serie.insertId]);
    });
    await service.app.get(SampleData).remove();
    expect(await counts()).toEqual({
      price_serie: 1,
      series_period: 0,
      observation: 0,
      commodity: 1,
      market: 1,
      source: 1,
      measure_unit: 1,
      fx_rate: 0,
      cpi: 0,
    });
    expect(await count('')).toBe(1);
  });
});
