import { expectProblem, queryViolation } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const HEADER =
  'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice';
const row = (date: string, market: string, price: number) =>
  `${date},Coast,${market},${market},-4.05,39.67,cereals and tubers,Maize,90 KG,actual,Wholesale,KES,${price},26`;

interface Serie {
  uuid: string;
  market: string;
  market_id: number;
  last_price_date: string;
}

describe('H5: as_of', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    service.clock.milliseconds = Date.parse('2030-01-01T10:00:00Z');
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const read = (path: string) => service.http().get(`/api/v1/${path}`);
  const json = async (path: string) => (await read(path).expect(200)).body as object;
  const series = async (query = '') =>
    ((await json(`PriceSerie/${query}`)) as { results: Serie[] }).results.map(
      ({ market, last_price_date }) => [market, last_price_date],
    );
  const upload = (...rows: string[]) =>
    service
      .http()
      .post('/api/v1/Import/?format=wfp&country=KEN')
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send([HEADER, ...rows, ''].join('\n'))
      .expect(200);
  const at = async (instant: string) => {
    service.clock.milliseconds = Date.parse(instant);
    admin = await service.authHeader();
  };
  /** The number of the newest revision. */
  const newest = async () => Number((await read('PriceSerie/').expect(200)).headers['data-revision']);

  it('answers with the series that existed then', async () => {
    await upload(row('2024-01-15', 'Mombasa', 4000));
    const first = await newest();
    await at('2030-01-02T10:00:00Z');
    await upload(row('2024-02-15', 'Mombasa', 4100), row('2024-02-15', 'Kisumu', 3000));
    const second = await newest();
    await at('2030-01-03T10:00:00Z');
    const one = [['Mombasa', '2024-01-01']];
    const two = [
      ['Kisumu', '2024-02-01'],
      ['Mombasa', '2024-02-01'],
    ];
    const sorted = async (query: string) => (await series(query)).sort();
    expect(await sorted('')).toEqual(two);
    expect(await sorted('?as_of=2030-01-03')).toEqual(two);
    expect(await sorted(`?as_of=r${second}`)).toEqual(two);
    expect(await sorted('?as_of=2030-01-02T10:00:00Z')).toEqual(two);
    for (const state of [
      `r${first}`,
      `r${second - 1}`,
      '2030-01-01',
      '2030-01-02T09:59:59.999Z',
      '2030-01-02T12:59:59%2B03:00',
    ])
      expect([state, await sorted(`?as_of=${state}`)]).toEqual([state, one]);
    for (const state of ['r0', '2029-12-31', '1000-01-01'])
      expect([state, await series(`?as_of=${state}`)]).toEqual([state, []]);
    expect(await series(`?as_of=r${first}&market_ids=99999`)).toEqual([]);
    expect(await series(`?as_of=r${first}&data_to=2024-01-15&search=mombasa`)).toEqual(one);
  });

  it('goes by times that never go back, where the clock of an instance is behind', async () => {
    const market = (name: string) => row('2024-01-15', name, 4000);
    const names = async (asOf: string) => (await series(`?as_of=${asOf}`)).map(([name]) => name).sort();
    await upload(market('Mombasa'));
    await at('2030-01-01T12:00:00Z');
    await upload(market('Kisumu'));
    await at('2030-01-01T11:55:00Z');
    await upload(market('Lamu'));
    await at('2030-01-01T12:00:01Z');
    await upload(market('Garissa'));
    const times = await service.database.rows<{ at: string }>('SELECT `at` FROM revision ORDER BY number');
    expect(times.map((each) => each.at)).toEqual(times.map((each) => each.at).sort());
    expect(await names('2030-01-01T11:59:59Z')).toEqual(['Mombasa']);
    expect(await names('2030-01-01T12:00:00Z')).toEqual(['Kisumu', 'Lamu', 'Mombasa']);
    expect(await names('2030-01-01T12:00:01Z')).toEqual(['Garissa', 'Kisumu', 'Lamu', 'Mombasa']);
  });

  it('shows the attributes that records have today', async () => {
    await upload(row('2024-01-15', 'Mombasa', 4000));
    const first = await newest();
    await upload(row('2024-02-15', 'Mombasa', 4100));
    const { results } = (await json('PriceSerie/')) as { results: Serie[] };
    await service
      .http()
      .patch(`/api/v1/Market/${results[0]!.market_id}/`)
      .set(admin)
      .send({ name: 'Mvita' })
      .expect(200);
    expect(await series(`?as_of=r${first}`)).toEqual([['Mvita', '2024-01-01']]);
  });

  it('says which revision an answer shows, and has it revalidated', async () => {
    await upload(row('2024-01-15', 'Mombasa', 4000));
    const first = await newest();
    await upload(row('2024-02-15', 'Mombasa', 4100));
    const past = await read(`PriceSerie/?as_of=r${first}`);
    expect(past.headers).toMatchObject({
      'data-revision': String(first),
      'cache-control': 'public, no-cache',
      etag: expect.stringMatching(/^".+"$/),
    });
    expect(past.headers['access-control-expose-headers']).toContain('Data-Revision');
    const again = await read(`PriceSerie/?as_of=r${first}`).set('If-None-Match', past.headers.etag!);
    expect([again.status, again.headers['data-revision']]).toEqual([304, String(first)]);
    const now = await read('PriceSerie/');
    expect(now.headers).toMatchObject({
      'data-revision': String(await newest()),
      'cache-control': 'public, max-age=60, stale-if-error=86400',
    });
    // Kept pages name the newest revision as long as they are valid; those of the past, their own.
    await service
      .http()
      .post('/api/v1/FxRate/')
      .set(admin)
      .send({ currency: 'KES', date: '2024-01-01', rate: 150 })
      .expect(201);
    const revisions: string[] = [];
    for (const path of ['PriceSerie/', 'PriceSerie/', 'PriceSerie/', `PriceSerie/?as_of=r${first}`])
      revisions.push((await read(path).expect(200)).headers['data-revision']!);
    const last = String(Number(now.headers['data-revision']) + 1);
    expect(revisions).toEqual([last, last, last, String(first)]);
    expect((await read('PriceSerie/?as_of=r0')).headers['data-revision']).toBe('0');
  });

  it.each(['PriceTable/', 'PriceWarning/', 'PriceAggregate/', 'PriceSerieIndicator/'])(
    'says which revision an answer without a body shows: %s',
    async (path) => {
      await upload(row('2024-01-15', 'Mombasa', 4000));
      const first = await newest();
      await upload(row('2024-02-15', 'Mombasa', 4100));
      const url = `/api/v1/${path}?as_of=r${first}&search=maize`;
      const head = await service.http().head(url);
      const unchanged = await service.http().get(url).set('If-None-Match', head.headers.etag!);
      const whole = await service.http().get(url);
      for (const [{ status, headers }, expected] of [
        [head, 200],
        [unchanged, 304],
        [whole, 200],
      ] as const)
        expect([status, headers['data-revision']]).toEqual([expected, String(first)]);
      const unknown = await service.http().head(`/api/v1/${path}?as_of=r99999`);
      expect(unknown.status).toBe(400);
    },
  );

  it('is the same as no as_of where nothing has changed since', async () => {
    await upload(row('2024-01-15', 'Mombasa', 4000));
    const { results } = (await json('PriceSerie/')) as { results: Serie[] };
    const { uuid } = results[0]!;
    const revision = await newest();
    for (const path of [
      'PriceSerie/',
      `PriceSerie/${uuid}/`,
      'FpmaSerie/',
      'PriceSerieDomestic/',
      'PriceSerieInternational/',
      'FpmaSerieDomestic/',
    ])
      for (const state of [`r${revision}`, '2030-01-01', '2030-01-01T10:00:00Z']) {
        const [now, then] = [await read(path).expect(200), await read(`${path}?as_of=${state}`).expect(200)];
        expect([path, state, then.text]).toEqual([path, state, now.text]);
      }
    expectProblem(await read(`PriceSerie/${uuid}/?as_of=r1`), { status: 404, code: 'not_found' });
  });

  it('rejects the future, and what is no state', async () => {
    const codes: Record<string, string> = {
      '2030-01-03': 'in_future',
      '2030-01-01T10:00:00.001Z': 'in_future',
      r99: 'unknown_revision',
      '99': 'invalid_as_of',
      r: 'invalid_as_of',
      'r1.5': 'invalid_as_of',
      '2029-02-30': 'invalid_as_of',
      '2029-02-30T00:00:00Z': 'invalid_as_of',
      '2029-02-01T00:00:00': 'invalid_as_of',
      '2029-02-01T24:00:00Z': 'invalid_as_of',
    };
    for (const [state, code] of Object.entries(codes))
      expectProblem(await read(`PriceSerie/?as_of=${state}`), {
        status: 400,
        code: 'invalid',
        errors: [queryViolation('as_of', code)],
      });
    expectProblem(await read('PriceSerie/?asof=r1'), {
      status: 400,
      code: 'invalid',
      errors: [queryViolation('asof', 'unknown_parameter', { suggestion: 'as_of' })],
    });
    expectProblem(await read('Market/?as_of=r1'), {
      status: 400,
      code: 'invalid',
      errors: [queryViolation('as_of', 'unknown_parameter')],
    });
  });
});
