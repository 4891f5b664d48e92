import { startTestApp, type TestApp } from '../support/test-app.js';

const WFP =
  'date,admin1,admin2,market,market_id,latitude,longitude,category,commodity,commodity_id,unit,priceflag,pricetype,currency,price,usdprice';
const VAM =
  'adm0_id,adm0_name,adm1_id,adm1_name,mkt_id,mkt_name,cm_id,cm_name,cur_id,cur_name,pt_id,pt_name,um_id,um_name,mp_month,mp_year,mp_price,mp_commoditysource';
const PRICES =
  'iso3_country_code,country_name,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value';

interface Report {
  new: number;
  rejected: number;
  countries: Record<string, number>;
  replaced_values: { column: string; value: string; read_as: string }[];
}

describe('Kosovo, which has no code in ISO 3166', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp()));
  afterAll(() => service?.close());

  const upload = async (query: string, ...lines: string[]) => {
    const headers = { ...(await service.authHeader()), 'Content-Type': 'text/csv' };
    const path = `/api/v1/Import/?format=${query}`;
    const reply = await service.http().post(path).set(headers).send(lines.join('\n')).expect(200);
    const { new: added, rejected, countries, replaced_values } = reply.body as Report;
    const read = replaced_values.map(({ column, value, read_as }) => `${column} ${value} ${read_as}`);
    return { added, rejected, countries, read };
  };
  const get = async (path: string) =>
    (await service.http().get(`/api/v1/${path}`).expect(200)).body as { count: number; results: object[] };

  it('is one country in files of all formats, whatever its code or name there', async () => {
    const daily = '2024-03-15,,,Prizren,31,42.21,20.74,cereals and tubers,Flour,51,KG,actual,Retail,EUR,0.8,';
    const names = ['Kosovo under UNSCR 1244', '"Kosovo (UNSCR 1244, 1999)"', 'Kosovo*'];
    const priced = (code: string, month: number, name = '') =>
      `${code},${name},Milk,RETAIL,Gjilan,Own,EUR,Liter,2024-0${month}-01,monthly,1.1`;
    expect(await upload('wfp&country=XKV', WFP, daily)).toEqual({
      ...{ added: 1, rejected: 0, countries: { XKX: 1 }, read: [] },
    });
    expect(
      await upload(
        'wfp',
        VAM,
        ...names.map(
          (name, index) => `0,${name},0,,31,Prizren,1,Sugar,9,EUR,15,Retail,5,KG,${index + 1},2020,0.9,`,
        ),
      ),
    ).toMatchObject({ added: 3, rejected: 0, countries: { XKX: 1 } });
    expect(await upload('wfp', `countryiso3,${WFP}`, `xkv,${daily.replace('Flour', 'Rice')}`)).toMatchObject({
      added: 1,
      rejected: 0,
      countries: { XKX: 1 },
      read: ['countryiso3 xkv XKX'],
    });
    expect(
      await upload('prices', PRICES, priced('XKV', 1), priced('XK', 2), priced('XKX', 3), priced('kos', 4)),
    ).toMatchObject({
      ...{ added: 4, rejected: 0, countries: { XKX: 1 } },
      read: ['iso3_country_code XKV XKX', 'iso3_country_code XK XKX', 'iso3_country_code kos XKX'],
    });
    expect(
      await upload(
        'cpi',
        'iso3,m49,area,item_code,item,date,value',
        'XKV,,Kosovo,23012,"Consumer Prices, General Indices (2015 = 100)",2024-01-01,131',
      ),
    ).toMatchObject({ added: 1, rejected: 0, read: ['iso3_country_code XKV XKX'] });
    const element = {
      ...{ uuid: 'aaaaaaaa-0000-4000-8000-000000000001', iso3_country_code: 'XKV', country_name: 'Kosovo' },
      ...{ market_name: 'Prizren', commodity_name: 'Eggs', price_type: 'RETAIL', source_name: 'Own' },
      ...{ measure_unit: 'Kg', measure_unit_label: 'Kg', currency: 'EUR', periodicity: [] },
    };
    expect(await upload('fpma', JSON.stringify([element]))).toMatchObject({
      ...{ rejected: 0, read: ['iso3_country_code XKV XKX'] },
    });
    const markets = (await get('Market/')) as unknown as { name: string; country_name: string }[];
    expect(markets.map(({ name, country_name }) => [name, country_name])).toEqual([
      ['Prizren', 'Kosovo'],
      ['Gjilan', 'Kosovo'],
    ]);
  });

  it('has its name in lists, searches and pages', async () => {
    expect(await get('Country/')).toMatchObject({
      results: [{ iso3_country_code: 'XKX', country_name: 'Kosovo', series: 5 }],
    });
    expect(await get('PriceSerie/?search=kosovo')).toMatchObject({ count: 5 });
    expect(await get('PriceSerie/?search=kosovo%20eggs')).toMatchObject({ count: 1 });
    const page = (await service.http().get('/countries/XKX').expect(200)).text;
    expect(/<title>([^<]*)/.exec(page)![1]).toContain('Kosovo');
    expect((await service.http().get('/browse').expect(200)).text).toContain('Kosovo');
  });
});
