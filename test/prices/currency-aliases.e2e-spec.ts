import { seriesUuid } from '../../src/import/pipeline/series-uuid.js';
import { storeRates, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const VAM =
  'adm0_id,adm0_name,adm1_id,adm1_name,mkt_id,mkt_name,cm_id,cm_name,cur_id,cur_name,pt_id,pt_name,um_id,um_name,mp_month,mp_year,mp_price,mp_commoditysource';
const SOURCE = 'World Food Programme (WFP)';

describe('series that were stored under another code of their currency', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp()));
  afterAll(() => service?.close());

  it('have dollars by the rates of the code in ISO 4217, before and after an import', async () => {
    const uuidOf = (country: string, market: string, currency: string) =>
      seriesUuid([country, '', '', market, 'Rice', 'RETAIL', SOURCE, 'Kg', currency]);
    const nablus = uuidOf('PSE', 'Nablus', 'NIS');
    const gweru = uuidOf('ZWE', 'Gweru', 'ZIG');
    const market = (name: string, iso3_country_code: string, country_name: string) => ({
      ...{ market: { name, iso3_country_code, country_name }, source: { name: SOURCE } },
    });
    await storeSeries(service.unitOfWork, [
      {
        ...{ uuid: nablus, currency: 'NIS', points: { monthly: [['2015-05-01', 7.6]] } },
        ...market('Nablus', 'PSE', 'State of Palestine'),
      },
      {
        ...{ uuid: gweru, currency: 'ZIG', points: { monthly: [['2024-07-01', 27.5]] } },
        ...market('Gweru', 'ZWE', 'Zimbabwe'),
      },
    ]);
    await storeRates(service.unitOfWork, [
      ['ILS', '2015-05-01', 3.8],
      ['ILS', '2015-06-01', 4],
      ['ZWG', '2024-07-01', 13.75],
    ]);
    const dollars = async (uuid: string) => {
      const path = `/api/v1/PriceSeriePrice/${uuid}/?periodicity=monthly&rate_basis=true`;
      const { body } = await service.http().get(path).expect(200);
      type Point = { date: string; price_value_dollar: number; rate_basis: string };
      return (body as { datapoints: Point[] }).datapoints.map(
        ({ date, price_value_dollar, rate_basis }) => `${date} ${price_value_dollar} ${rate_basis}`,
      );
    };
    expect(await dollars(nablus)).toEqual(['2015-05-01 2 relation']);
    expect(await dollars(gweru)).toEqual(['2024-07-01 2 relation']);
    const row = '1,State of Palestine,0,,,Nablus,52,Rice,9,NIS,15,Retail,5,Kg,6,2015,8,';
    const headers = { ...(await service.authHeader()), 'Content-Type': 'text/csv' };
    const report = await service
      .http()
      .post('/api/v1/Import/?format=wfp')
      .set(headers)
      .send(`${VAM}\n${row}`)
      .expect(200);
    expect(report.body).toMatchObject({ new: 1, series: 0 });
    expect(await dollars(nablus)).toEqual(['2015-06-01 2 relation', '2015-05-01 2 relation']);
    const findings = await service.http().get('/api/v1/Finding/?rule=foreign_currency').expect(200);
    expect(findings.body).toMatchObject({ results: [] });
  });
});
