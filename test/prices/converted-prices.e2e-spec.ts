import { ImportModule } from '../../src/import/import.module.js';
import { storeIndices, storePoints, storeRates, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Datapoint {
  date: string;
  periodicity: string;
  price_value: number;
  price_value_real: number | null;
  price_value_dollar: number | null;
}

describe('prices in dollars and in real terms', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp({}, [ImportModule])));
  afterAll(() => service.close());

  let created = 0;
  const nextUuid = () => `00000000-0000-4000-8000-${String(++created).padStart(12, '0')}`;
  async function converted(uuid: string): Promise<string[]> {
    const { body } = await service.http().get(`/api/v1/PriceSeriePrice/${uuid}/`).expect(200);
    return (body as { datapoints: Datapoint[] }).datapoints.map(
      (point) =>
        `${point.date} ${point.periodicity} ${point.price_value} $${point.price_value_dollar} real ${point.price_value_real}`,
    );
  }
  const write = async (method: 'post' | 'patch' | 'delete', path: string, body?: object) =>
    service
      .http()
      [method](`/api/v1/${path}`)
      .set(await service.authHeader())
      .send(body);

  it("use the rate and the index of the price's month, for a week the one that it belongs to", async () => {
    const uuid = nextUuid();
    await storeRates(service.unitOfWork, [
      ['AFN', '2023-12-01', 70],
      ['AFN', '2024-01-10', 72, 'daily'],
      ['AFN', '2024-01-20', 74, 'daily'],
      ['AFN', '2024-02-01', 75],
      ['AFN', '2024-02-02', 999, 'daily'],
    ]);
    await storeIndices(service.unitOfWork, [
      ['AFG', '2023-12-01', 120],
      ['AFG', '2024-01-01', 125],
      ['AFG', '2024-02-01', 900, '2010'],
    ]);
    await storeSeries(service.unitOfWork, [
      {
        uuid,
        market: { iso3_country_code: 'AFG', name: 'Kabul' },
        currency: 'AFN',
        points: {
          weekly: [
            // A Monday and a Wednesday, of weeks that belong to January.
            ['2024-01-01', 146],
            ['2024-01-26', 150],
            ['2024-01-31', 150],
          ],
          monthly: [
            ['2024-02-01', 300],
            ['2024-03-01', 1],
          ],
        },
      },
    ]);
    expect(await converted(uuid)).toEqual([
      '2024-03-01 monthly 1 $null real null',
      '2024-02-01 monthly 300 $4 real 33.3333333333333',
      '2024-01-31 weekly 150 $2.05479452054795 real 120',
      '2024-01-26 weekly 150 $2.05479452054795 real 120',
      '2024-01-01 weekly 146 $2 real 116.8',
    ]);
  });

  it('use the mean of a month where its last day is published, too, in either order', async () => {
    const means = 'Date,Country,Exchange rate\n2024-05-01,Japan,100\n2024-06-01,India,80\n';
    const lastDays = [
      'Date,Rate,Currency,Frequency,Source,Country code,Country',
      '2024-05-31,125,JPY,M,IMF,158,Japan',
      '2024-06-30,160,JPY,M,IMF,158,Japan',
      '2024-06-28,90,INR,M,IMF,534,India',
      '',
    ].join('\n');
    const uuids = [nextUuid(), nextUuid()];
    await storeSeries(
      service.unitOfWork,
      [
        ['JPY', 'JPN', 'Tokyo'],
        ['INR', 'IND', 'Delhi'],
      ].map(([currency, iso3_country_code, name], index) => ({
        uuid: uuids[index]!,
        currency: currency!,
        market: { iso3_country_code: iso3_country_code!, name: name! },
        points: {
          weekly: [['2024-05-17', 400]],
          monthly: [
            ['2024-05-01', 200],
            ['2024-06-01', 400],
          ],
        },
      })),
    );
    const files = [means, lastDays, means];
    for (const [index, file] of files.entries()) {
      const reply = await service
        .http()
        .post('/api/v1/Import/?format=fx')
        .set({ ...(await service.authHeader()), 'Content-Type': 'text/csv' })
        .send(file);
      expect(reply.body).toMatchObject({ error: null, rejected: 0, ...(index === 2 ? { new: 0 } : {}) });
    }
    expect(await converted(uuids[0]!)).toEqual([
      '2024-06-01 monthly 400 $2.5 real null',
      '2024-05-17 weekly 400 $4 real null',
      '2024-05-01 monthly 200 $2 real null',
    ]);
    expect(await converted(uuids[1]!)).toEqual([
      '2024-06-01 monthly 400 $5 real null',
      '2024-05-17 weekly 400 $null real null',
      '2024-05-01 monthly 200 $null real null',
    ]);
    const path = `/api/v1/PriceSeriePrice/${uuids[0]}/`;
    const { body } = await service.http().get(`${path}?periodicity=monthly`).expect(200);
    const rows: string[] = [];
    for (const { id } of (body as { datapoints: { id: number }[] }).datapoints) {
      const { body } = await service.http().get(`${path}${id}/?explain=true`).expect(200);
      const { explain } = body as { explain: { exchange_rate: { rows: Record<string, unknown>[] } } };
      rows.push(...explain.exchange_rate.rows.map((row) => `${String(row.period)} ${String(row.date)}`));
    }
    expect(rows).toEqual(['daily 2024-06-30', 'monthly 2024-05-01']);
  });

  it('of a dollar series are the prices themselves', async () => {
    const uuid = nextUuid();
    await storeRates(service.unitOfWork, [['USD', '2024-01-01', 17]]);
    await storeSeries(service.unitOfWork, [
      {
        uuid,
        currency: 'USD',
        market: { iso3_country_code: 'IPS', name: 'India' },
        points: { monthly: [['2024-01-01', 346.7]] },
      },
    ]);
    expect(await converted(uuid)).toEqual(['2024-01-01 monthly 346.7 $346.7 real null']);
  });

  it('of derived prices are converted from their mean', async () => {
    const uuid = nextUuid();
    await storeRates(service.unitOfWork, [['TND', '2024-01-01', 3]]);
    await storeSeries(service.unitOfWork, [
      {
        uuid,
        currency: 'TND',
        market: { iso3_country_code: 'TUN', name: 'Tunis' },
        points: {
          weekly: [
            ['2024-01-05', 10],
            ['2024-01-12', 11],
          ],
        },
      },
    ]);
    expect((await converted(uuid))[2]).toBe('2024-01-01 monthly 10.5 $3.5 real null');
  });

  it('change with a rate and an index that are created, changed and removed', async () => {
    const uuid = nextUuid();
    await storeSeries(service.unitOfWork, [
      {
        uuid,
        currency: 'UGX',
        market: { iso3_country_code: 'UGA', name: 'Kampala' },
        points: { monthly: [['2024-01-01', 100]] },
      },
    ]);
    expect(await converted(uuid)).toEqual(['2024-01-01 monthly 100 $null real null']);

    const rate = await write('post', 'FxRate/', {
      fx_rate_currency: 'UGX',
      fx_rate_date: '2024-01-01',
      fx_rate_rate: 50,
    });
    expect(rate.status).toBe(201);
    expect(await converted(uuid)).toEqual(['2024-01-01 monthly 100 $2 real null']);
    const { id } = rate.body as { id: number };
    expect((await write('patch', `FxRate/${id}/`, { fx_rate_rate: 40 })).status).toBe(200);
    expect(await converted(uuid)).toEqual(['2024-01-01 monthly 100 $2.5 real null']);
    // A parallel rate and one of another month do not matter.
    for (const other of [
      { fx_rate_rate_type: 'parallel', fx_rate_date: '2024-01-01' },
      { fx_rate_date: '2024-02-01' },
    ]) {
      const response = await write('post', 'FxRate/', { fx_rate_currency: 'UGX', fx_rate_rate: 1, ...other });
      expect(response.status).toBe(201);
    }
    const index = await write('post', 'Cpi/', {
      cpi_iso3_country_code: 'UGA',
      cpi_date: '2024-01-01',
      cpi_value: 80,
      cpi_base_period: '2017',
    });
    expect(index.status).toBe(201);
    expect(await converted(uuid)).toEqual(['2024-01-01 monthly 100 $2.5 real 125']);
    // A food index is not used; a newer base without the month takes no real price away.
    for (const other of [
      { cpi_item: 'food', cpi_date: '2024-01-01', cpi_base_period: '2020' },
      { cpi_date: '2023-12-01', cpi_base_period: '2019' },
    ]) {
      const response = await write('post', 'Cpi/', { cpi_iso3_country_code: 'UGA', cpi_value: 1, ...other });
      expect(response.status).toBe(201);
    }
    expect(await converted(uuid)).toEqual(['2024-01-01 monthly 100 $2.5 real 125']);
    expect((await write('delete', `FxRate/${id}/`)).status).toBe(204);
    expect(await converted(uuid)).toEqual(['2024-01-01 monthly 100 $null real 125']);
  });

  it('change with the country of the market and the factor of the unit', async () => {
    const uuid = nextUuid();
    await storeIndices(service.unitOfWork, [
      ['RWA', '2024-01-01', 200],
      ['BDI', '2024-01-01', 400],
    ]);
    await storeSeries(service.unitOfWork, [
      {
        uuid,
        market: { iso3_country_code: 'RWA', name: 'Rusizi' },
        unit: { name: 'basket', dimension: 'mass', conversion_factor: 0.5 },
        points: { monthly: [['2024-01-01', 100]] },
      },
    ]);
    const seen = async () => {
      const { body } = await service.http().get(`/api/v1/PriceSeriePrice/?uuid__in=${uuid}`).expect(200);
      const [{ series, datapoints }] = (body as { results: [{ series: object; datapoints: object[] }] })
        .results;
      return [series, datapoints[0]];
    };
    expect(await seen()).toMatchObject([
      { iso3_country_code: 'RWA', conversion_factor: 0.5 },
      { price_value_real: 50, conversion_factor: 0.5 },
    ]);
    const [market] = (await service.http().get('/api/v1/Market/?name=Rusizi')).body as [{ id: number }];
    const [unit] = (await service.http().get('/api/v1/MeasureUnit/?name=basket')).body as [{ id: number }];
    expect((await write('patch', `Market/${market.id}/`, { market_iso3_country_code: 'BDI' })).status).toBe(
      200,
    );
    expect(
      (await write('patch', `MeasureUnit/${unit.id}/`, { measure_unit_conversion_factor: 0.25 })).status,
    ).toBe(200);
    expect(await seen()).toMatchObject([
      { iso3_country_code: 'BDI', conversion_factor: 0.25 },
      { price_value_real: 25, conversion_factor: 0.25 },
    ]);
  });

  it('are up to date in a list as soon as a rate or a price is written', async () => {
    const uuids = [nextUuid(), nextUuid()];
    const ids = await storeSeries(
      service.unitOfWork,
      uuids.map((uuid, index) => ({
        uuid,
        currency: 'XOF',
        market: { iso3_country_code: 'MLI', name: `Market ${index}` },
        points: { monthly: [['2024-01-01', 100]] },
      })),
    );
    const dollars = async () => {
      const { body } = await service
        .http()
        .get(`/api/v1/PriceSeriePrice/?uuid__in=${uuids.join()}`)
        .expect(200);
      return (body as { results: { datapoints: Datapoint[] }[] }).results.map(
        ({ datapoints }) => datapoints[0]!.price_value_dollar,
      );
    };
    expect(await dollars()).toEqual([null, null]);
    await storeRates(service.unitOfWork, [['XOF', '2024-01-01', 50]]);
    expect(await dollars()).toEqual([2, 2]);
    await storePoints(service.unitOfWork, ids.get(uuids[1]!)!, { monthly: [['2024-01-01', 200]] });
    expect(await dollars()).toEqual([2, 4]);
  });
});
