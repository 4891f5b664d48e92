import { seriesVersions } from '../../src/price-series/series-attributes.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const WFP = `date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice
2024-01-15,Coast,,Mombasa,,,food,Maize,90 KG,actual,Retail,KES,4000,26
2024-02-15,Coast,,Mombasa,,,food,Maize,90 KG,actual,Retail,KES,4100,27
2024-01-15,Coast,,Lamu,,,food,Maize,90 KG,actual,Retail,KES,50,1
`;

interface Priced {
  uuid: string;
  datapoints: { id: number }[];
}

describe('removal of series', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  let mombasa: Priced;
  let lamu: Priced;

  const send = (method: 'post' | 'patch' | 'delete', path: string, body?: object) =>
    service.http()[method](`/api/v1/${path}`).set(admin).send(body);
  const upload = async () =>
    (
      await service
        .http()
        .post('/api/v1/Import/?format=wfp&country=KEN')
        .set({ ...admin, 'Content-Type': 'text/csv' })
        .send(WFP)
        .expect(200)
    ).body as object;
  const results = async (path: string) =>
    ((await service.http().get(`/api/v1/${path}`).expect(200)).body as { results: unknown[] }).results;

  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
    await upload();
    const priced = (await results('PriceSeriePrice/')) as Priced[];
    mombasa = priced.find(({ datapoints }) => datapoints.length === 2)!;
    lamu = priced.find(({ datapoints }) => datapoints.length === 1)!;
  });
  afterEach(() => service?.close());

  const removePoints = async ({ uuid, datapoints }: Priced) => {
    for (const { id } of datapoints) await send('delete', `PriceSeriePrice/${uuid}/${id}/`).expect(204);
  };

  it('is rejected while there are points', async () => {
    const { body } = await send('delete', `PriceSerie/${mombasa.uuid}/`).expect(409);
    expect(body).toMatchObject({ code: 'in_use', errors: [{ name: 'PriceSeriePrice', count: 2 }] });
    expect(await results('PriceSerie/')).toHaveLength(2);
  });

  it('lets the records that nothing else refers to go', async () => {
    await removePoints(mombasa);
    const series = (await results(`PriceSerie/?uuids=${mombasa.uuid}`)) as [{ market_id: number }];
    await send('delete', `Market/${series[0].market_id}/`).expect(409);
    await send('delete', `PriceSerie/${mombasa.uuid.toUpperCase()}/?reason=Twice`).expect(204);
    expect(await results('PriceSerie/')).toMatchObject([{ uuid: lamu.uuid }]);
    await service.http().get(`/api/v1/PriceSerie/${mombasa.uuid}/`).expect(404);
    await send('delete', `PriceSerie/${mombasa.uuid}/`).expect(404);
    await send('delete', `Market/${series[0].market_id}/`).expect(204);
    expect((await results('ChangeSet/?kind=record'))[1]).toMatchObject({ reason: 'Twice', state: 'done' });
    const { body } = await service.http().get('/api/v1/AuditLog/?table=price_serie').set(admin).expect(200);
    expect(body).toMatchObject({
      count: 1,
      results: [{ action: 'delete', before: { uuid: mombasa.uuid, currency: 'KES' }, after: null }],
    });
    expect(await service.database.rows(`SELECT v.uuid FROM ${seriesVersions.past} v`)).toEqual([
      { uuid: mombasa.uuid },
    ]);
  });

  it('ends the corrections that removed its points', async () => {
    await removePoints(lamu);
    expect(await upload()).toMatchObject({ new: 0, corrections_kept: 1 });
    await send('delete', `PriceSerie/${lamu.uuid}/`).expect(204);
    expect(await service.database.rows('SELECT state FROM correction')).toEqual([{ state: 'withdrawn' }]);
    expect(await upload()).toMatchObject({ new: 1, series: 1, corrections_kept: 0 });
    expect(await results('PriceSerie/')).toHaveLength(2);
  });

  it('is rejected while the series shows another one', async () => {
    await send('post', `PriceSerie/${mombasa.uuid}/merge/`, { into: lamu.uuid }).expect(200);
    await removePoints(lamu);
    const { body } = await send('delete', `PriceSerie/${lamu.uuid}/`).expect(409);
    expect(body).toMatchObject({ code: 'in_use', errors: [{ name: 'PriceSerie', count: 1 }] });
  });

  it('removes the further uuids of the series', async () => {
    const { market_id } = ((await results(`PriceSerie/?uuids=${lamu.uuid}`)) as [{ market_id: number }])[0];
    await send('patch', `Market/${market_id}/`, { market_name: 'Lamu Town' }).expect(200);
    const text = WFP.replace('Lamu', 'Lamu Town');
    await service
      .http()
      .post('/api/v1/Import/?format=wfp&country=KEN')
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send(text)
      .expect(200);
    const [{ uuid }] = (await service.database.rows('SELECT uuid FROM series_alias')) as [{ uuid: string }];
    await removePoints(lamu);
    await send('delete', `PriceSerie/${uuid}/`).expect(204);
    expect(await service.database.rows('SELECT uuid FROM series_alias')).toEqual([]);
    await service.http().get(`/api/v1/PriceSerie/${uuid}/`).expect(404);
  });

  it('needs a token', async () => {
    await service.http().delete(`/api/v1/PriceSerie/${lamu.uuid}/`).expect(401);
    const path = `/giews/v4/price_module/api/v1/PriceSerie/${lamu.uuid}/`;
    await service.http().delete(path).expect(401);
    await service
      .http()
      .put(path)
      .set(admin)
      .expect(405)
      .expect('Allow', /DELETE/);
  });
});
