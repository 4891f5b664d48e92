import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const HEADER =
  'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice';
const row = (date: string, market: string, price: number) =>
  `${date},Coast,${market},${market},-4.05,39.67,cereals and tubers,Maize,KG,actual,Wholesale,KES,${price},26`;
const JANUARY = '2024-01-15';
const FEBRUARY = '2024-02-15';

interface Point {
  id: number;
  date: string;
  price_value: number;
  price_value_dollar: number | null;
  price_value_real: number | null;
  comment: string;
}

describe('H5: as_of prices', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    service.clock.milliseconds = Date.parse('2030-01-01T10:00:00Z');
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const read = (path: string) => service.http().get(`/api/v1/${path}`);
  const text = async (path: string) => (await read(path).expect(200)).text;
  const json = async <T>(path: string) => (await read(path).expect(200)).body as T;
  const send = (method: 'post' | 'patch' | 'delete', path: string, body?: object) =>
    service.http()[method](`/api/v1/${path}`).set(admin).send(body);
  const upload = (...rows: string[]) =>
    service
      .http()
      .post('/api/v1/Import/?format=wfp&country=KEN')
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send([HEADER, ...rows, ''].join('\n'))
      .expect(200);
  /** The number of the newest revision. */
  const newest = async () => Number((await read('PriceSerie/').expect(200)).headers['data-revision']);
  const uuidOf = async (market: string) => {
    const { results } = await json<{ results: { uuid: string; market: string }[] }>('PriceSerie/');
    return results.find((series) => series.market === market)!.uuid;
  };
  const points = async (uuid: string, query = '') =>
    (await json<{ datapoints: Point[] }>(`PriceSeriePrice/${uuid}/${query}`)).datapoints;
  const values = async (uuid: string, query = '') =>
    (await points(uuid, query)).map(({ date, price_value }) => [date, price_value]);

  it('are the points as they were: revised, removed and added ones', async () => {
    await upload(row(JANUARY, 'Mombasa', 40), row(FEBRUARY, 'Mombasa', 41));
    const uuid = await uuidOf('Mombasa');
    const r1 = await newest();
    await upload(row(JANUARY, 'Mombasa', 45), row('2024-03-15', 'Mombasa', 42));
    const r2 = await newest();
    const [, february] = await points(uuid);
    await send('delete', `PriceSeriePrice/${uuid}/${february!.id}/`).expect(204);
    const r3 = await newest();
    await send('patch', `PriceSeriePrice/${uuid}/${(await points(uuid))[0]!.id}/`, {
      comment: 'Checked',
    }).expect(200);
    const [jan, feb, mar] = ['2024-01-01', '2024-02-01', '2024-03-01'];
    expect(await values(uuid, `?as_of=r${r1}`)).toEqual([
      [feb, 41],
      [jan, 40],
    ]);
    expect(await values(uuid, `?as_of=r${r2}`)).toEqual([
      [mar, 42],
      [feb, 41],
      [jan, 45],
    ]);
    expect(await values(uuid, `?as_of=r${r3}`)).toEqual([
      [mar, 42],
      [jan, 45],
    ]);
    expect(await values(uuid)).toEqual([
      [mar, 42],
      [jan, 45],
    ]);
    expect((await points(uuid, `?as_of=r${r3}`))[0]!.comment).toBe('');
    expect((await points(uuid))[0]!.comment).toBe('Checked');
    expect(await values(uuid, `?as_of=r${r2}&start_date=2024-02-01&end_date=2024-02-28`)).toEqual([
      [feb, 41],
    ]);
    expect(await values(uuid, `?as_of=r${r2}&latest=1`)).toEqual([[mar, 42]]);
    const [one] = await points(uuid, `?as_of=r${r1}`);
    expect(await json(`PriceSeriePrice/${uuid}/${one!.id}/?as_of=r${r1}`)).toEqual(one);
    expectProblem(await read(`PriceSeriePrice/${uuid}/${one!.id}/`), { status: 404, code: 'not_found' });
    expectProblem(await read(`PriceSeriePrice/${uuid}/?as_of=r${r1 - 1}`), {
      status: 404,
      code: 'not_found',
    });
    expect(await values(uuid, '?first_published=true')).toEqual([
      [mar, 42],
      [jan, 40],
    ]);
    expect(await values(uuid, `?first_published=true&as_of=r${r2}`)).toEqual([
      [mar, 42],
      [feb, 41],
      [jan, 40],
    ]);
    expect(await values(uuid, '?first_published=false')).toEqual(await values(uuid));
    const first = await read(`PriceSeriePrice/${uuid}/?first_published=true`);
    expect(first.headers['data-revision']).toBe(String(await newest()));
  });

  it('are converted with the rates and indices that were known', async () => {
    const rate = (
      await send('post', 'FxRate/', { currency: 'KES', date: '2024-01-01', rate: 100 }).expect(201)
    ).body as { id: number };
    const index = (
      await send('post', 'Cpi/', {
        iso3_country_code: 'KEN',
        date: '2024-01-01',
        value: 200,
        base_period: '2019',
      }).expect(201)
    ).body as { id: number };
    await upload(row(JANUARY, 'Mombasa', 40));
    const uuid = await uuidOf('Mombasa');
    const r1 = await newest();
    await send('patch', `FxRate/${rate.id}/`, { rate: 80 }).expect(200);
    const r2 = await newest();
    await send('delete', `Cpi/${index.id}/`).expect(204);
    const r3 = await newest();
    await send('delete', `FxRate/${rate.id}/`).expect(204);
    const converted = async (query: string) => {
      const [point] = await points(uuid, query);
      return [point!.price_value_dollar, point!.price_value_real];
    };
    expect(await converted(`?as_of=r${r1}`)).toEqual([0.4, 20]);
    expect(await converted(`?as_of=r${r2}`)).toEqual([0.5, 20]);
    expect(await converted(`?as_of=r${r3}`)).toEqual([0.5, null]);
    expect(await converted('')).toEqual([null, null]);
    const rates = async (query: string) =>
      (await json<{ rate: number }[]>(`FxRate/${query}`)).map((one) => one.rate);
    expect(await rates('')).toEqual([]);
    expect(await rates(`?as_of=r${r3}`)).toEqual([80]);
    expect(await rates(`?as_of=r${r1}&currency=KES`)).toEqual([100]);
    expect(await rates(`?as_of=r${r1}&currency=UGX`)).toEqual([]);
    expect(await rates(`?as_of=r${r1}&rate=80`)).toEqual([]);
    expect(await rates('?as_of=r1')).toEqual([]);
    expect(await json(`FxRate/?as_of=r${r2}&page_size=1`)).toMatchObject({
      count: 1,
      next: null,
      results: [{ rate: 80 }],
    });
    const single = await read(`FxRate/${rate.id}/?as_of=r${r1}`).expect(200);
    expect(single.body).toEqual({
      id: rate.id,
      currency: 'KES',
      date: '2024-01-01',
      period: 'monthly',
      rate: 100,
      rate_type: 'official',
      source: '',
    });
    expect(single.headers).toMatchObject({
      'data-revision': String(r1),
      'cache-control': 'public, no-cache',
      etag: '"1"',
    });
    expectProblem(await read(`FxRate/${rate.id}/?as_of=r1`), { status: 404, code: 'not_found' });
    expect(await json(`Cpi/?as_of=2030-01-01`)).toEqual([]);
    expect(await json(`Cpi/?as_of=r${r2}`)).toMatchObject([{ value: 200 }]);
  });

  it('list the series that existed, in all formats and in the shape of FPMA', async () => {
    await upload(row(JANUARY, 'Mombasa', 40), row(JANUARY, 'Kisumu', 30));
    const r1 = await newest();
    const paths = [
      'PriceSeriePrice/',
      'PriceSeriePrice/?format=csv',
      'PriceSeriePrice/?format=ndjson',
      'FpmaSeriePrice/',
      'PriceSeriePrice/?page_size=1&page=2',
      'PriceSeriePrice/?start_date=2024-01-01&end_date=2024-01-31',
      'PriceSeriePrice/?latest=1',
      'FpmaSerie/',
      'PriceSerie/',
    ];
    const before = await Promise.all(paths.map(text));
    await upload(row(JANUARY, 'Mombasa', 44), row(FEBRUARY, 'Mombasa', 41), row(JANUARY, 'Nakuru', 20));
    await send('post', 'FxRate/', { currency: 'KES', date: '2024-01-01', rate: 100 }).expect(201);
    for (const [index, path] of paths.entries()) {
      const then = await text(`${path}${path.includes('?') ? '&' : '?'}as_of=r${r1}`);
      // Links to other pages name the state, too.
      const withoutState = then.replaceAll(`&as_of=r${r1}`, '').replaceAll(`?as_of=r${r1}`, '');
      expect([path, withoutState]).toEqual([path, before[index]]);
    }
    const head = await service.http().head(`/api/v1/PriceSeriePrice/?as_of=r${r1}`).expect(200);
    expect(head.headers).toMatchObject({ 'data-revision': String(r1), 'cache-control': 'public, no-cache' });
    expectProblem(await read('PriceSeriePrice/?as_of=r99'), { status: 400, code: 'invalid' });
  });

  it('derive weeks and months from the days that were known', async () => {
    const days = (prices: number[]) =>
      [
        'uuid,iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value',
      ]
        .concat(
          prices.map(
            (price, index) =>
              `,KEN,Maize,Wholesale,Mombasa,A,KES,kg,2024-01-${String(6 + index).padStart(2, '0')},daily,${price}`,
          ),
        )
        .join('\n');
    const importDays = (prices: number[]) =>
      service
        .http()
        .post('/api/v1/Import/?format=prices')
        .set({ ...admin, 'Content-Type': 'text/csv' })
        .send(days(prices))
        .expect(200);
    await importDays([10, 20, 30]);
    const uuid = await uuidOf('Mombasa');
    const r1 = await newest();
    const before = await text(`PriceSeriePrice/${uuid}/`);
    await importDays([11, 20, 30, 40, 50, 60, 70, 80]);
    const r2 = await newest();
    const between = await text(`PriceSeriePrice/${uuid}/`);
    for (const { id } of (await points(uuid, '?periodicity=daily')).slice(2))
      await send('delete', `PriceSeriePrice/${uuid}/${id}/`).expect(204);
    expect(await text(`PriceSeriePrice/${uuid}/?as_of=r${r1}`)).toBe(before);
    expect(await text(`PriceSeriePrice/${uuid}/?as_of=r${r2}`)).toBe(between);
    const weekly = async (query: string) => values(uuid, `?periodicity=weekly${query}`);
    expect(await weekly(`&as_of=r${r1}`)).toEqual([]);
    expect(await weekly(`&as_of=r${r2}`)).toEqual(
      [['2024-01-12', 281 / 7]].map(([date, value]) => [date, Number((value as number).toPrecision(15))]),
    );
    expect(await weekly(`&as_of=r${r2}&first_published=true`)).toEqual([['2024-01-12', 40]]);
  });

  it('are those of a series that has gone, and of records that have gone with it', async () => {
    await upload(row(JANUARY, 'Mombasa', 40));
    const uuid = await uuidOf('Mombasa');
    const r1 = await newest();
    const before = [await text(`PriceSeriePrice/${uuid}/`), await text('PriceSerie/')];
    const { market_id: market } = await json<{ market_id: number }>(`PriceSerie/${uuid}/`);
    const [point] = await points(uuid);
    await send('delete', `PriceSeriePrice/${uuid}/${point!.id}/`).expect(204);
    const r2 = await newest();
    await service.unitOfWork.change({ kind: 'record', reason: '' }, async (transaction) => {
      const { removeSeries } = await import('../../src/price-series/series-versions.js');
      const [series] = await transaction.rows<{ id: number }>('SELECT id FROM price_serie WHERE uuid = ?', [
        uuid,
      ]);
      await removeSeries(transaction, [series!.id]);
    });
    await send('delete', `Market/${market}/`).expect(204);
    expectProblem(await read(`PriceSerie/${uuid}/`), { status: 404, code: 'not_found' });
    expect([
      await text(`PriceSeriePrice/${uuid}/?as_of=r${r1}`),
      await text(`PriceSerie/?as_of=r${r1}`),
    ]).toEqual(before);
    expect(await json(`PriceSerie/${uuid}/?as_of=r${r2}`)).toMatchObject({
      market: 'Mombasa',
      periodicity: [],
    });
    expect(await json(`PriceSerie/?as_of=r${r1}&search=mombasa&market_ids=${market}`)).toMatchObject({
      count: 1,
    });
  });

  it('show joined series as they were, with versions and differences', async () => {
    await upload(row(JANUARY, 'Mombasa', 40), row(FEBRUARY, 'Mombasa', 41), row(JANUARY, 'Mvita', 50));
    const [from, into] = [await uuidOf('Mvita'), await uuidOf('Mombasa')];
    const r1 = await newest();
    const before = [await text('PriceSeriePrice/'), await text(`PriceSeriePrice/${from}/`)];
    await send('post', `PriceSerie/${from}/merge/`, { into, prefer: 'from' }).expect(200);
    const r2 = await newest();
    const between = await text('PriceSeriePrice/');
    await upload(row(JANUARY, 'Mvita', 55), row('2024-03-15', 'Mvita', 56));
    const r3 = await newest();
    const [jan, feb, mar] = ['2024-01-01', '2024-02-01', '2024-03-01'];
    expect(await values(from)).toEqual([
      [mar, 56],
      [feb, 41],
      [jan, 55],
    ]);
    expect([
      await text(`PriceSeriePrice/?as_of=r${r1}`),
      await text(`PriceSeriePrice/${from}/?as_of=r${r1}`),
    ]).toEqual(before);
    expect(await text(`PriceSeriePrice/?as_of=r${r2}`)).toBe(between);
    expect(await values(from, `?as_of=r${r2}`)).toEqual([
      [feb, 41],
      [jan, 50],
    ]);
    const { id } = (await points(into)).at(-1)!;
    const versions = await json<object[]>(`PriceSeriePrice/${into}/${id}/versions/`);
    expect(versions).toMatchObject([
      { price_value: 55, first_revision: r3, last_revision: null, kind: 'import' },
      { price_value: 50, first_revision: r2, last_revision: r3 - 1, kind: 'merge' },
      { price_value: 40, first_revision: r1, last_revision: r2 - 1, kind: 'import' },
    ]);
    const differences = async (uuid: string, range: string) =>
      (
        await json<{ date: string; before: number; after: number }[]>(
          `PriceSeriePrice/${uuid}/differences/?${range}`,
        )
      ).map(({ date, before, after }) => [date, before, after]);
    expect(await differences(into, `from=r${r1}&to=r${r2}`)).toEqual([[jan, 40, 50]]);
    expect(await differences(from, `from=r${r2}`)).toEqual([
      [jan, 50, 55],
      [mar, null, 56],
    ]);
    expect(await differences(into, `from=r${r3}&to=r${r3}`)).toEqual([]);
    expect(await json(`PriceSeriePrice/differences/?from=r${r1}&to=r${r2}`)).toMatchObject([
      { uuid: into, before: 40, after: 50 },
      { uuid: from, action: 'removed', before: 50 },
    ]);
    expectProblem(await read(`PriceSeriePrice/${into}/differences/`), { status: 400, code: 'invalid' });
    expectProblem(await read(`PriceSeriePrice/${into}/differences/?from=r${r3}&to=r${r1}`), {
      status: 400,
      code: 'invalid',
    });
    expectProblem(await read(`PriceSeriePrice/${into}/1/versions/`), { status: 404, code: 'not_found' });
  });
});
