import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { storeIndices, storeRates, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { getFile, listAddresses } from './files.js';

const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const B = 'bbbbbbbb-0000-4000-8000-000000000002';
const C = 'cccccccc-0000-4000-8000-000000000003';

describe('Parquet of lists', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp();
    await storeRates(service.unitOfWork, [['KES', '2024-01-01', 150]]);
    await storeIndices(service.unitOfWork, [['KEN', '2024-01-01', 137.3]]);
    await storeSeries(service.unitOfWork, [
      {
        uuid: A,
        commodity: { name: '=1+1 maïs' },
        points: {
          monthly: [
            ['2024-01-01', 10.5, 'à, "b"'],
            ['2024-03-01', 12],
          ],
        },
      },
      { uuid: B },
    ]);
  });
  afterAll(() => service.close());

  const get = async (address: string, status = 200) => {
    const reply = await getFile(service, address);
    expect(reply.status).toBe(status);
    return reply;
  };

  it('of prices have the rows of CSV, with dates and numbers', async () => {
    const { bytes, headers } = await get('/api/v1/PriceSeriePrice/?format=parquet');
    expect(headers['content-type']).toBe('application/vnd.apache.parquet');
    expect(headers['content-disposition']).toBe('attachment; filename="PriceSeriePrice.parquet"');
    const series = {
      uuid: A,
      iso3_country_code: 'KEN',
      country_name: 'Kenya',
      commodity: '=1+1 maïs',
      hs_code: '100630',
      category: '',
      price_type: 'RETAIL',
      market: 'Nairobi',
      market_type: '',
      admin_unit: '',
      admin_unit2: '',
      latitude: null,
      longitude: null,
      source: 'Ministry',
      currency: 'KES',
      measure_unit: 'Kg',
      conversion_factor: 1,
      regional_average: false,
      last_price_date: new Date('2024-03-01T00:00:00Z'),
      market_code: '',
      market_info: '',
      source_url: '',
      source_license: '',
      measure_unit_dimension: 'mass',
    };
    const point = { periodicity: 'monthly', calculated: false, partial: false };
    expect(await parquetReadObjects({ file: bytes })).toEqual([
      {
        ...series,
        ...point,
        date: new Date('2024-03-01T00:00:00Z'),
        price_value: 12,
        comment: '',
        price_value_real: null,
        price_value_dollar: null,
      },
      {
        ...series,
        ...point,
        date: new Date('2024-01-01T00:00:00Z'),
        price_value: 10.5,
        comment: 'à, "b"',
        price_value_real: 7.64748725418791,
        price_value_dollar: 0.07,
      },
    ]);
  });

  it('have one page where one is asked for, and 404 past the last', async () => {
    const { bytes } = await get('/api/v1/PriceSerie/?format=parquet&page=2&page_size=1');
    const rows = await parquetReadObjects({ file: bytes, columns: ['uuid'] });
    expect(rows).toEqual([{ uuid: B }]);
    await get('/api/v1/PriceSerie/?format=parquet&page=3&page_size=1', 404);
  });

  it('have the columns where there are no rows', async () => {
    const { bytes } = await get('/api/v1/PriceSeriePrice/?format=parquet&iso3_country_codes=MLI');
    const { num_rows, schema } = parquetMetadata(bytes);
    expect([num_rows, schema.length]).toEqual([0n, 33]);
  });

  it('tell which month is not over', async () => {
    const market = { name: 'Zinder', iso3_country_code: 'NER' };
    const points = { daily: [['2024-01-05', 4]] } as const;
    await storeSeries(service.unitOfWork, [{ uuid: C, market, points }]);
    const prices = `/api/v1/PriceSeriePrice/${C}/?format=parquet`;
    const { bytes } = await get(prices);
    expect(await parquetReadObjects({ file: bytes, columns: ['periodicity', 'partial'] })).toEqual([
      { periodicity: 'daily', partial: false },
      { periodicity: 'weekly', partial: false },
      { periodicity: 'monthly', partial: true },
    ]);
  });

  it('are chosen by Accept, and the same bytes each time', async () => {
    const chosen = await getFile(service, '/api/v1/Market/', 'application/x-parquet');
    expect(chosen.headers['content-type']).toBe('application/vnd.apache.parquet');
    const again = await getFile(service, '/api/v1/Market/?format=parquet');
    expect(again.headers.etag).toMatch(/^"/);
    expect(Buffer.from(again.bytes).equals(Buffer.from(chosen.bytes))).toBe(true);
  });

  it('can be had of every list', async () => {
    const harvest = { name: 'listed', address: 'https://example.org/x.csv', format: 'prices' };
    const admin = await service.authHeader();
    const post = service.http().post('/api/v1/Harvest/').set(admin);
    await post.send({ ...harvest, schedule: '0 6 * * *' }).expect(201);
    const lists = await listAddresses(service, [A, B], { harvest: 'listed' });
    expect(lists.length).toBeGreaterThan(20);
    for (const list of lists) {
      const { bytes, status } = await getFile(service, `${list}format=parquet`);
      expect([list, status]).toEqual([list, 200]);
      await parquetReadObjects({ file: bytes });
    }
  });
});
