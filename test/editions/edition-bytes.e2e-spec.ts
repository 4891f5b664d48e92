import { DuckDBInstance } from '@duckdb/node-api';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncBufferFromUrl, parquetReadObjects } from 'hyparquet';
import { storeIndices, storeRates, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { makeEditions } from './make-editions.js';

const uuidOf = (index: number) => `aaaaaaaa-0000-4000-8000-${String(index).padStart(12, '0')}`;

describe('the bytes of editions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pds-editions-'));
  let service: TestApp;
  let editions: ReturnType<typeof makeEditions>;
  beforeAll(async () => {
    service = await startTestApp({ EDITIONS_DIR: folder });
    editions = makeEditions(service);
    await storeRates(service.unitOfWork, [
      ['KES', '2024-01-01', 150.3],
      ['KES', '2024-02-01', 151.7],
    ]);
    await storeIndices(service.unitOfWork, [['KEN', '2024-01-01', 137.3]]);
    await storeSeries(
      service.unitOfWork,
      Array.from({ length: 30 }, (_, index) => ({
        // Stored in another order than that of the files.
        uuid: uuidOf(29 - index),
        commodity: { name: ['Maïs', 'maize', 'Éggs'][index % 3]! },
        points: {
          monthly: Array.from({ length: 12 }, (_month, month): [string, number] => [
            `2024-${String(month + 1).padStart(2, '0')}-01`,
            (index + 1) / (month + 3),
          ]),
        },
      })),
    );
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const sums = (number: number) => readFileSync(join(folder, String(number), 'SHA256SUMS'), 'utf8');
  const newest = async () =>
    (await service.http().get('/api/v1/Edition/')).body.results[0] as Record<string, unknown>;
  let revision: number;

  it('are the same of the same data, after later changes, too', async () => {
    await editions.make('2026-11');
    // Of SQLite and servers, any time zone and locale. Another one has to be meant.
    expect(createHash('sha256').update(sums(1)).digest('hex')).toBe(
      'bc17b6ecd966e4c067e585377c5741d1f96b78a0ba3867fad9e278b19d6c5a49',
    );
    revision = (await newest()).revision as number;
    const authorization = await service.authHeader();
    const { body } = await service.http().get('/api/v1/Commodity/?name=maize');
    const { id } = (body as { id: number }[])[0]!;
    await service
      .http()
      .patch(`/api/v1/Commodity/${id}/`)
      .set(authorization)
      .send({ commodity_name: 'White maize' })
      .expect(200);
    const points = await service.http().get(`/api/v1/PriceSeriePrice/${uuidOf(3)}/`);
    const [point] = (points.body as { datapoints: { id: number }[] }).datapoints;
    await service
      .http()
      .patch(`/api/v1/PriceSeriePrice/${uuidOf(3)}/${point!.id}/`)
      .set(authorization)
      .send({ price_value: 999 })
      .expect(200);
    await storeSeries(service.unitOfWork, [{ uuid: uuidOf(77), points: { monthly: [['2024-01-01', 1]] } }]);
    await editions.make('2026-11', revision);
    expect(sums(2)).toBe(sums(1));
    await editions.make('2026-11');
    expect(sums(3)).not.toBe(sums(1));
    expect(await newest()).toMatchObject({
      number: 3,
      series: 31,
      points: 361,
      difference: {
        edition: 2,
        series_added: 1,
        series_removed: 0,
        points_added: 1,
        points_changed: 1,
        points_removed: 0,
      },
    });
  });

  it('are the same in another time zone', async () => {
    const { TZ } = process.env;
    process.env.TZ = 'Pacific/Kiritimati';
    try {
      await editions.make('2026-11', revision);
    } finally {
      process.env.TZ = TZ ?? 'UTC';
    }
    expect(sums(4)).toBe(sums(1));
  });

  it('leave nothing of an edition that is stopped, and the next one is made', async () => {
    await expect(editions.make('2026-12', undefined, AbortSignal.abort())).rejects.toThrow(/abort/i);
    expect(await newest()).toMatchObject({ state: 'failed', error: 'It was stopped.', files: null });
    await editions.make('2026-12');
    const { state, number } = await newest();
    expect([state, readdirSync(folder).sort()]).toEqual(['ready', ['1', '2', '3', '4', String(number)]]);
  });

  it('can be read in part over HTTP, and by DuckDB', async () => {
    const { origin } = new URL(service.http().get('/').url);
    const file = await asyncBufferFromUrl({ url: `${origin}/editions/1/prices.parquet` });
    const filter = { uuid: { $eq: uuidOf(3) } };
    const rows = await parquetReadObjects({ file, filter, columns: ['price_value'] });
    expect(rows.map(({ price_value }) => price_value as number)).toHaveLength(12);
    const connection = await (await DuckDBInstance.create()).connect();
    const path = join(folder, '1', 'prices.parquet');
    const result = await connection.runAndReadAll(
      `SELECT uuid, SUM(price_value) AS total, MAX(date)::VARCHAR AS last FROM '${path}' GROUP BY uuid ORDER BY uuid`,
    );
    const listed = await service.http().get(`/api/v1/PriceSeriePrice/?as_of=r${revision}&page_size=100`);
    type Prices = { uuid: string; datapoints: { price_value: number }[] };
    const expected = (listed.body as { results: Prices[] }).results.map(({ uuid, datapoints }) => [
      uuid,
      datapoints.reduce((total, { price_value }) => total + price_value, 0).toFixed(9),
      '2024-12-01',
    ]);
    expect(result.getRows().map(([uuid, total, last]) => [uuid, Number(total).toFixed(9), last])).toEqual(
      expected,
    );
    connection.closeSync();
  });
});
