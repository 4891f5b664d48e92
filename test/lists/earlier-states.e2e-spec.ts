import { driverStatements } from '../support/driver-statements.js';
import { storeRates, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const A = 'aaaaaaaa-0000-4000-8000-000000000001';

interface Rate {
  id: number;
  rate: number;
}

describe('a sorted list of an earlier state', () => {
  let service: TestApp;
  let before: string;
  let authorization: { Authorization: string };
  const get = (address: string) => service.http().get(`/api/v1/${address}`).set(authorization).expect(200);

  beforeAll(async () => {
    service = await startTestApp();
    authorization = await service.authHeader();
    await storeRates(service.unitOfWork, [
      ['KES', '2024-01-01', 150],
      ['KES', '2024-02-01', 130],
      ['KES', '2024-03-01', 140],
      ['UGX', '2024-01-01', 3600],
    ]);
    await storeSeries(service.unitOfWork, [
      {
        uuid: A,
        points: {
          monthly: [
            ['2025-01-01', 10],
            ['2025-02-01', 11],
            ['2025-03-01', 12],
          ],
        },
      },
    ]);
    before = `r${(await get('PriceSerie/')).headers['data-revision']!}`;
    const rates = (await get('FxRate/')).body as Rate[];
    const path = (at: number) => `/api/v1/FxRate/${rates[at]!.id}/`;
    await service.http().patch(path(0)).set(authorization).send({ fx_rate_rate: 1 }).expect(200);
    await service.http().delete(path(1)).set(authorization).expect(204);
    await storeRates(service.unitOfWork, [['TZS', '2024-01-01', 2500]]);
    for (const [date, price_value] of [
      ['2025-01-01', 30],
      ['2025-02-01', 20],
      ['2025-03-01', 25],
      ['2025-03-01', 26],
    ])
      await service
        .http()
        .post('/api/v1/Correction/')
        .set(authorization)
        .send([{ uuid: A, periodicity: 'monthly', date, price_value }])
        .expect(200);
  });
  afterAll(() => service.close());

  it('takes a statement for the past records that it shows, and one to sort them', async () => {
    const statements = await driverStatements(service.database, () =>
      get(`FxRate/?sort=rate&as_of=${before}&_=1`),
    );
    expect(statements.filter((sql) => sql.includes('FROM record_version'))).toHaveLength(2);
  });

  it('has the records of that state, in the order of their values then', async () => {
    const rates = async (query: string) => {
      const { body } = await get(`FxRate/?${query}`);
      return ((body as { results?: Rate[] }).results ?? (body as Rate[])).map(({ rate }) => rate);
    };
    expect(await rates('sort=-rate')).toEqual([3600, 2500, 140, 1]);
    expect(await rates(`sort=-rate&as_of=${before}`)).toEqual([3600, 150, 140, 130]);
    expect(await rates(`sort=currency,rate&as_of=${before}&page_size=3`)).toEqual([130, 140, 150]);
    expect(await rates(`sort=currency,rate&as_of=${before}&page_size=3&page=2`)).toEqual([3600]);
    expect(await rates(`sort=rate&currency=KES&as_of=${before}&fields=rate`)).toEqual([130, 140, 150]);
  });

  it('has the differences since then, by their columns', async () => {
    for (const path of [`PriceSeriePrice/${A}/differences`, 'PriceSeriePrice/differences']) {
      const after = async (query: string) =>
        ((await get(`${path}/?from=${before}${query}`)).body as { after: number }[]).map(
          (each) => each.after,
        );
      expect(await after('')).toEqual([30, 20, 26]);
      expect(await after('&sort=after')).toEqual([20, 26, 30]);
      expect(await after('&sort=-before')).toEqual([26, 20, 30]);
      const chosen = await get(`${path}/?from=${before}&sort=-after&fields=after,date`);
      expect(chosen.body).toEqual([
        { date: '2025-01-01', after: 30 },
        { date: '2025-03-01', after: 26 },
        { date: '2025-02-01', after: 20 },
      ]);
    }
  });

  it('has the versions of a price, by their columns', async () => {
    const { body } = await get(`PriceSeriePrice/${A}/?start_date=2025-03-01&end_date=2025-03-01`);
    const [{ id }] = (body as { datapoints: [{ id: number }] }).datapoints;
    const values = async (query: string) =>
      ((await get(`PriceSeriePrice/${A}/${id}/versions/?${query}`)).body as { price_value: number }[]).map(
        ({ price_value }) => price_value,
      );
    expect(await values('')).toEqual([26, 25, 12]);
    expect(await values('sort=price_value')).toEqual([12, 25, 26]);
  });
});
