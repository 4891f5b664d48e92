import { randomUUID } from 'node:crypto';
import { ForecastSeries1764300000047 } from '../../src/database/migrations/1764300000047-forecast-series.js';
import { ForecastMove } from '../../src/import/forecast-move.js';
import { seriesUuid } from '../../src/import/pipeline/series-uuid.js';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const KEY = ['KEN', '', '', 'Nairobi', 'Rice', 'RETAIL', 'Ministry', 'Kg', 'KES'] as const;
const OBSERVED = seriesUuid(KEY);
const EXPECTED = seriesUuid(KEY, 'forecast');
const OTHER = randomUUID();
const OTHER_EXPECTED = seriesUuid(
  [...KEY.slice(0, 3), 'Busia', ...KEY.slice(4)] as unknown as typeof KEY,
  'forecast',
);

type Line = [date: string, value: number, comment: string];

describe('forecasts that an earlier release stored among observed prices', () => {
  let service: TestApp;
  let auth: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    auth = await service.authHeader();
    await storeSeries(service.unitOfWork, [
      {
        uuid: OBSERVED,
        points: {
          monthly: [
            ['2026-01-01', 10, null],
            ['2026-02-01', 11, 'Forecasts are wrong'],
            ['2026-03-01', 12, 'Forecast'],
            ['2026-04-01', 13, 'Forecast; by model 2'],
            ['2026-05-01', 14, 'Forecast'],
          ],
        },
      },
      {
        uuid: EXPECTED,
        status: 'forecast',
        points: { monthly: [['2026-03-01', 12.5, null]] },
      },
      { uuid: OTHER, market: { name: 'Busia' }, points: { weekly: [['2026-05-01', 5, 'Forecast', true]] } },
    ]);
  });
  afterEach(() => service?.close());

  const migrate = async () => {
    const runner = service.database.writer.createQueryRunner();
    await new ForecastSeries1764300000047().up(runner);
    await runner.release();
  };
  const move = () => service.app.get(ForecastMove).run();
  const get = async (path: string) =>
    (await service.http().get(`/api/v1/${path}`).expect(200)).body as unknown;
  const prices = async (uuid: string, query = '') => {
    const { datapoints } = (await get(`PriceSeriePrice/${uuid}/${query}`)) as {
      datapoints: { date: string; price_value: number; comment: string }[];
    };
    return datapoints.map(({ date, price_value, comment }): Line => [date, price_value, comment]);
  };
  const changeSets = async () => {
    const { body } = await service.http().get('/api/v1/ChangeSet/?kind=record').set(auth).expect(200);
    const { results } = body as { results: { state: string; reason: string }[] };
    return results.flatMap(({ state, reason }) => (reason === REASON ? [state] : []));
  };
  const REASON = 'Forecasts are series of their own';
  const BEFORE: Line[] = [
    ['2026-05-01', 14, 'Forecast'],
    ['2026-04-01', 13, 'Forecast; by model 2'],
    ['2026-03-01', 12, 'Forecast'],
    ['2026-02-01', 11, 'Forecasts are wrong'],
    ['2026-01-01', 10, ''],
  ];

  it('become series of their own once, and past states keep them', async () => {
    const [{ revision }] = (await service.database.rows('SELECT revision FROM data_revision')) as [
      { revision: number },
    ];
    await migrate();
    await migrate();
    expect(await changeSets()).toEqual(['interrupted']);
    expect(await prices(OBSERVED)).toEqual(BEFORE);
    await Promise.all([move(), move()]);
    expect(await prices(OBSERVED)).toEqual(BEFORE.slice(3));
    // What was there as a forecast already stays.
    expect(await prices(EXPECTED)).toEqual([
      ['2026-05-01', 14, ''],
      ['2026-04-01', 13, 'by model 2'],
      ['2026-03-01', 12.5, ''],
    ]);
    // It had nothing else.
    await service.http().get(`/api/v1/PriceSeriePrice/${OTHER}/`).expect(404);
    expect(await prices(OTHER_EXPECTED, '?periodicity=weekly')).toEqual([['2026-05-01', 5, '']]);
    expect(await prices(OBSERVED, `?as_of=r${revision}`)).toEqual(BEFORE);
    expect(
      await get('PriceSerie/?status=all&sort=last_price_date&fields=uuid,last_price_date'),
    ).toMatchObject({
      results: [
        { uuid: OBSERVED, last_price_date: '2026-02-01' },
        { uuid: OTHER_EXPECTED, last_price_date: '2026-05-01' },
        { uuid: EXPECTED, last_price_date: '2026-05-01' },
      ],
    });
    expect(await changeSets()).toEqual(['done']);
    await move();
    expect(await service.database.rows('SELECT revision FROM data_revision')).toEqual([
      { revision: Number(revision) + 1 },
    ]);
  });

  it('stay where a maintainer has corrected them', async () => {
    await service
      .http()
      .post('/api/v1/Correction/')
      .set(auth)
      .send([{ uuid: OBSERVED, periodicity: 'monthly', date: '2026-05-01', price_value: 15 }])
      .expect(200);
    await migrate();
    await move();
    expect((await prices(OBSERVED)).slice(0, 2)).toEqual([
      ['2026-05-01', 15, 'Forecast'],
      ['2026-02-01', 11, 'Forecasts are wrong'],
    ]);
  });

  it('are not looked for again where there are none, nor in a mirror', async () => {
    await migrate();
    await move();
    await migrate();
    expect(await changeSets()).toHaveLength(1);
    await service.database.writer.query("INSERT INTO mirror (id, address) VALUES (1, 'https://example.org')");
    await storeSeries(service.unitOfWork, [
      { uuid: randomUUID(), market: { name: 'Kitui' }, points: { monthly: [['2026-05-01', 5, 'Forecast']] } },
    ]);
    await migrate();
    expect(await changeSets()).toHaveLength(1);
  });
});
