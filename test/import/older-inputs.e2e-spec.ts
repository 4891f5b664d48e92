import { ImportService } from '../../src/import/import.service.js';
import { createInput } from '../../src/import/pipeline/input.js';
import { chunksOf } from '../support/import-input.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const HEADER =
  'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice';
const row = (date: string, price: number, commodity = 'Maize', flag = 'actual') =>
  `${date},Coast,Mombasa,Mombasa,-4.05,39.67,cereals,${commodity},90 KG,${flag},Wholesale,KES,${price},1`;
const NEWEST = [
  row('2024-01-15', 10),
  row('2024-02-15', 20),
  row('2024-03-15', 30),
  row('2024-01-15', 90, 'Rice'),
];

describe('an input that ends before what is stored', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
    expect(await upload(NEWEST)).toBe(0);
  });
  afterEach(() => service?.close());

  const upload = async (rows: readonly string[], query = '') => {
    const { body } = await service
      .http()
      .post(`/api/v1/Import/?format=wfp&country=KEN${query}`)
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send([HEADER, ...rows, ''].join('\n'))
      .expect(200);
    return (body as { older_than_stored: number }).older_than_stored;
  };
  const correct = async (date: string, price_value: number | null) => {
    const { body } = await service.http().get('/api/v1/PriceSerie/?search=Maize').expect(200);
    const [{ uuid }] = (body as { results: [{ uuid: string }] }).results;
    await service
      .http()
      .post('/api/v1/Correction/')
      .set(admin)
      .send([{ uuid, periodicity: 'monthly', date, price_value }])
      .expect(200);
  };

  it('says of how many series, in a dry run, too', async () => {
    expect(await upload(NEWEST)).toBe(0);
    const older = [...NEWEST.slice(0, 2), row('2023-12-15', 80, 'Rice'), row('2023-12-15', 1, 'Beans')];
    expect(await upload(older, '&dry_run=true')).toBe(2);
    expect(await upload(older)).toBe(2);
    expect(await upload([row('2024-02-15', 21)], '&fill_only=true')).toBe(1);
    expect(await upload([row('2024-04-15', 40)])).toBe(0);
    // Another frequency has no newer prices.
    expect(await upload([row('2024-02-12', 21)], '&period=weekly')).toBe(0);
  });

  it('is told in a dry run how many new prices are long before the newest stored one', async () => {
    const tryOut = async (rows: readonly string[], query = '') => {
      const { body } = await service
        .http()
        .post(`/api/v1/Import/?format=wfp&country=KEN&dry_run=true${query}`)
        .set({ ...admin, 'Content-Type': 'text/csv' })
        .send([HEADER, ...rows, ''].join('\n'))
        .expect(200);
      return (body as { backdated: number }).backdated;
    };
    expect(await tryOut([...NEWEST, row('2024-04-15', 40)])).toBe(0);
    // Of Maize, which ends in March; a series that is new, or another frequency, has no newer ones.
    expect(await tryOut([row('2023-12-15', 8), row('2023-11-15', 7), row('2020-01-15', 1, 'Beans')])).toBe(2);
    expect(await tryOut([row('2023-11-15', 7), row('2024-04-15', 40)])).toBe(1);
    expect(await tryOut([row('2020-01-15', 1)], '&period=weekly')).toBe(0);
    // Stored already, it is not new.
    await upload([row('2023-11-15', 7)]);
    expect(await tryOut([row('2023-11-15', 7)])).toBe(0);
  });

  it('is reported by the command', async () => {
    const run = (rows: readonly string[], dryRun: boolean) =>
      service.app.get(ImportService).import(
        {
          format: 'wfp',
          options: { country: 'KEN' },
          dryRun,
          caller: null,
          requestId: null,
        },
        createInput(chunksOf([HEADER, ...rows, ''].join('\n')), 'prices.csv', null),
      );
    for (const dryRun of [true, false]) {
      expect(await run(NEWEST.slice(1, 2), dryRun)).toMatchObject({ error: null, older_than_stored: 1 });
      expect(await run(NEWEST, dryRun)).toMatchObject({ error: null, older_than_stored: 0 });
    }
  });

  it('is compared with what the source has: not with forecasts, or prices that were added', async () => {
    await correct('2024-05-01', 50);
    await upload([row('2024-06-15', 60, 'Maize', 'forecast')], '&include_forecast=true');
    expect(await upload(NEWEST)).toBe(0);
    expect(await upload(NEWEST.slice(0, 2))).toBe(1);
    // The newest day of a file is that of its prices, whatever it expects after it.
    const withForecast = [...NEWEST.slice(0, 2), row('2024-06-15', 60, 'Maize', 'forecast')];
    expect(await upload(withForecast, '&include_forecast=true')).toBe(1);
    // A price that is corrected is still one of the source.
    await correct('2024-03-01', 31);
    expect(await upload(NEWEST.slice(0, 2))).toBe(1);
  });
});
