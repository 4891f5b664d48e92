import { startTestApp, type TestApp } from '../support/test-app.js';

const HEADER =
  'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice';

interface Line {
  date?: string;
  market?: string;
  commodity?: string;
  price?: number;
}

const wfp = (...lines: Line[]) =>
  [
    HEADER,
    ...lines.map(
      ({ date = '2024-01-15', market = 'Kitui', commodity = 'Maize', price = 50 }) =>
        `${date},Eastern,,${market},,,food,${commodity},90 KG,actual,Retail,KES,${price},`,
    ),
  ].join('\n');

describe('H4: imports of records that were renamed', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const send = (method: 'post' | 'patch' | 'delete', path: string, body?: object) =>
    service.http()[method](`/api/v1/${path}`).set(admin).send(body);
  const upload = async (text: string, format = 'wfp', query = '&country=KEN') =>
    (
      await service
        .http()
        .post(`/api/v1/Import/?format=${format}${query}`)
        .set({ ...admin, 'Content-Type': 'text/csv' })
        .send(text)
        .expect(200)
    ).body as { [field: string]: unknown };
  const get = async (path: string) =>
    (await service.http().get(`/api/v1/${path}`).expect(200)).body as unknown;
  const prices = async (query = '') =>
    (
      (await get(`PriceSeriePrice/${query}`)) as {
        results: { uuid: string; datapoints: { date: string; price_value: number }[] }[];
      }
    ).results.map(({ uuid, datapoints }) => ({
      uuid,
      points: datapoints.map(({ date, price_value }) => `${date} ${price_value}`),
    }));
  const aliasUuids = () => service.database.rows<{ uuid: string }>('SELECT uuid FROM series_alias');
  const idOf = async (table: string) => ((await get(`${table}/`)) as { id: number }[])[0]!.id;

  it('find the series by its new name, whose uuid becomes an alias', async () => {
    await upload(wfp({}));
    const { uuid } = (await prices())[0]!;
    await send('patch', `Market/${await idOf('Market')}/`, { market_name: 'Kitui Town' }).expect(200);
    const report = await upload(wfp({ market: 'Kitui Town', date: '2024-02-15', price: 60 }));
    expect(report).toMatchObject({ new: 1, series: 0, records: {} });
    const both = { uuid, points: ['2024-02-01 60', '2024-01-01 50'] };
    expect(await prices()).toEqual([both]);
    const { uuid: other } = (await aliasUuids())[0]!;
    expect(other).not.toBe(uuid);
    // Every address that takes a uuid returns the series, once.
    expect(await prices(`?uuid__in=${other},${uuid}`)).toEqual([both]);
    expect(await prices(`?uuids=${other.toUpperCase()}`)).toEqual([both]);
    const entry = (await get(`PriceSerie/${uuid}/`)) as object;
    expect(await get(`PriceSerie/${other}/`)).toEqual(entry);
    expect(await get(`PriceSerie/?uuids=${uuid},${other}`)).toMatchObject({ count: 1, results: [entry] });
    const single = (await get(`PriceSeriePrice/${other}/`)) as { uuid: string; datapoints: { id: number }[] };
    expect(single.uuid).toBe(uuid);
    expect(await get(`FpmaSeriePrice/${other}/`)).toMatchObject({ uuid });
    expect(await get(`FpmaSeriePrice/?uuid__in=${other}`)).toMatchObject({ count: 1, results: [{ uuid }] });
    const point = `PriceSeriePrice/${other}/${single.datapoints[0]!.id}/`;
    await send('patch', point, { price_value: 61 }).expect(200);
    expect(await get(point)).toMatchObject({ price_value: 61 });
    // Once more: nothing new, and the correction stays.
    const again = await upload(wfp({ market: 'Kitui Town', date: '2024-02-15', price: 60 }));
    expect(again).toMatchObject({ new: 0, changed: 0, unchanged: 1, series: 0 });
    expect(await aliasUuids()).toEqual([{ uuid: other }]);
  });

  it('find the series by its former name', async () => {
    await upload(wfp({}));
    await send('patch', `Commodity/${await idOf('Commodity')}/`, { commodity_name: 'White maize' }).expect(
      200,
    );
    expect(await upload(wfp({ date: '2024-02-15' }))).toMatchObject({ new: 1, series: 0, records: {} });
    expect((await prices())[0]!.points).toHaveLength(2);
    // A new series of the renamed record.
    const report = await upload(wfp({ market: 'Embu' }));
    expect(report).toMatchObject({ new: 1, series: 1, records: { Market: 1 } });
    expect(await get('Commodity/')).toMatchObject([{ name: 'White maize' }]);
  });

  it('find the record by an alias that a maintainer has added', async () => {
    await upload(wfp({}));
    const { uuid } = (await prices())[0]!;
    const record_id = await idOf('Market');
    const body = {
      table: 'Market',
      record_id,
      name: 'KITUI',
      iso3_country_code: 'KEN',
      admin_unit: 'Eastern',
    };
    await send('post', 'Alias/', body).expect(201);
    const dryRun = await upload(
      wfp({ market: 'KITUI', date: '2024-02-15' }),
      'wfp',
      '&country=KEN&dry_run=true',
    );
    expect(dryRun).toMatchObject({ new: 1, series: 0, records: {} });
    expect(await aliasUuids()).toEqual([]);
    expect(await upload(wfp({ market: 'KITUI', date: '2024-02-15' }))).toMatchObject({ new: 1, series: 0 });
    expect((await prices()).map((one) => one.uuid)).toEqual([uuid]);
    expect(await get('Market/')).toMatchObject([{ id: record_id, name: 'Kitui' }]);
  });

  it('let the first row of a point count where a file has both names', async () => {
    await upload(wfp({}));
    await send('patch', `Market/${await idOf('Market')}/`, { market_name: 'Town' }).expect(200);
    const file = wfp({ price: 51 }, { market: 'Town', price: 52 }, { market: 'Town', date: '2024-03-15' });
    const report = await upload(file);
    expect(report).toMatchObject({ new: 1, changed: 1, rejected_by_reason: { conflict: 1 } });
    expect((await prices())[0]!.points).toEqual(['2024-03-01 50', '2024-01-01 51']);
    expect(await upload(file)).toMatchObject({ new: 0, changed: 0, unchanged: 2, rejected: 1 });
  });

  it('create a series where two could be meant', async () => {
    await upload(wfp({}));
    await upload(wfp({ market: 'Town' }));
    const [kitui, town] = (await get('Market/')) as [{ id: number }, { id: number }];
    // As if the markets had been merged: both series have the same records.
    await service.unitOfWork.change({ kind: 'record', reason: '' }, async (transaction) => {
      const values = [kitui.id, town.id];
      await transaction.execute('UPDATE price_serie SET market_id = ? WHERE market_id = ?', values);
      transaction.markModified('references', 'series');
    });
    await send('patch', `Market/${kitui.id}/`, { market_name: 'City' }).expect(200);
    expect(await upload(wfp({ market: 'City' }))).toMatchObject({ new: 1, series: 1 });
    expect(await aliasUuids()).toEqual([]);
  });

  it('create a series of another unit, currency or uuid where no name has changed', async () => {
    await upload(wfp({}));
    const csv = (await service.http().get('/api/v1/PriceSeriePrice/?format=csv').expect(200)).text;
    const { uuid } = (await prices())[0]!;
    const other = csv.replaceAll(uuid, '00000000-0000-4000-8000-000000000001');
    expect(await upload(other, 'prices', '')).toMatchObject({ new: 1, series: 1 });
    await send('patch', `Market/${await idOf('Market')}/`, { market_name: 'Town' }).expect(200);
    const dollars = wfp({ market: 'Town' }).replace('KES', 'USD');
    expect(await upload(dollars)).toMatchObject({ new: 1, series: 1, records: {} });
  });

  it('update the record that has the name as an alias, and keep its name', async () => {
    await upload(wfp({}));
    const id = await idOf('Commodity');
    await send('patch', `Commodity/${id}/`, { commodity_name: 'White maize' }).expect(200);
    const report = await upload('name,category\nMaize,cereals\n', 'Commodity', '');
    expect(report).toMatchObject({ new: 0, changed: 1 });
    expect(await get('Commodity/')).toMatchObject([{ id, name: 'White maize', category: 'cereals' }]);
    expect(await upload('name,category\nMaize,cereals\n', 'Commodity', '')).toMatchObject({ unchanged: 1 });
  });
});
