import { seriesUuid } from '../../src/import/pipeline/series-uuid.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const UUID = seriesUuid(['KEN', '', '', 'Kitui', 'Maize', 'RETAIL', 'Bureau', 'kg', 'KES']);
const HEADER =
  'iso3_country_code,market,commodity,price_type,source,currency,measure_unit,date,periodicity,price_value,status';
const line = (date: string, price: number, status = '') =>
  `KEN,Kitui,Maize,RETAIL,Bureau,KES,kg,${date},monthly,${price},${status}`;

type Json = Record<string, unknown>;
type Mark = [date: string, price: number, provisional?: true];

describe('provisional prices', () => {
  let service: TestApp;
  let auth: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    auth = await service.authHeader();
    const rows = [line('2026-01-01', 50), line('2026-02-01', 52, 'P'), line('2026-03-01', 54, 'Provisional')];
    expect(await upload(rows)).toMatchObject({ new: 3, series: 1, rejected: 0 });
  });
  afterEach(() => service?.close());

  const upload = async (rows: readonly string[], query = '') =>
    (
      await service
        .http()
        .post(`/api/v1/Import/?format=prices${query}`)
        .set({ ...auth, 'Content-Type': 'text/csv' })
        .send([HEADER, ...rows].join('\n'))
        .expect(200)
    ).body as Json;
  const get = async <T = Json>(path: string) =>
    (await service.http().get(`/api/v1/${path}`).expect(200)).body as T;
  const marks = async (query = '') => {
    const { datapoints } = await get<{
      datapoints: { date: string; price_value: number; provisional?: true }[];
    }>(`PriceSeriePrice/${UUID}/${query}`);
    return datapoints.map(({ date, price_value, provisional }): Mark => {
      expect(provisional ?? true).toBe(true);
      return provisional ? [date, price_value, true] : [date, price_value];
    });
  };
  const STORED: Mark[] = [
    ['2026-03-01', 54, true],
    ['2026-02-01', 52, true],
    ['2026-01-01', 50],
  ];
  const patch = async (body: object, index = 0) => {
    const { datapoints } = await get<{ datapoints: { id: number }[] }>(`PriceSeriePrice/${UUID}/`);
    const address = `/api/v1/PriceSeriePrice/${UUID}/${datapoints[index]!.id}/`;
    return (await service.http().patch(address).set(auth).send(body).expect(200)).body as Json;
  };

  it('are marked after all else, in every list of points', async () => {
    expect(await marks()).toEqual(STORED);
    const { text } = await service.http().get(`/api/v1/PriceSeriePrice/${UUID}/`).expect(200);
    expect(text).toContain('"periodicity":"monthly","comment":"","provisional":true}');
    const ndjson = await service.http().get('/api/v1/PriceSeriePrice/?format=ndjson').buffer().expect(200);
    expect(ndjson.text.match(/"provisional":true/g)).toHaveLength(2);
    const flagged = await get<{ datapoints: Json[] }>(`PriceSeriePrice/${UUID}/?flags=true`);
    expect(flagged.datapoints.map(({ provisional }) => provisional)).toEqual([true, true, undefined]);
    const page = await service.http().get(`/series/${UUID}`).set('Accept', 'text/html').expect(200);
    expect(page.text.match(/>provisional</g)).toHaveLength(2);
  });

  it('are told in the column of the status, so that an export can be imported', async () => {
    const csv = (await service.http().get('/api/v1/PriceSeriePrice/?format=csv').expect(200)).text;
    expect(csv).not.toContain('provisional');
    const all = (await service.http().get('/api/v1/PriceSeriePrice/?format=csv&status=all').expect(200)).text;
    const statuses = all.split('\r\n').map((row) => row.split(',').at(-1));
    expect(statuses).toEqual(['status', 'provisional', 'provisional', 'observed', '']);
    const again = await service
      .http()
      .post('/api/v1/Import/?format=prices')
      .set({ ...auth, 'Content-Type': 'text/csv' })
      .send(all)
      .expect(200);
    expect(again.body).toMatchObject({ new: 0, changed: 0, unchanged: 3, rejected: 0 });
  });

  it('become final by a later file, also where the price is the same, and earlier states keep the mark', async () => {
    const [{ revision }] = (await service.database.rows('SELECT revision FROM data_revision')) as [
      { revision: number },
    ];
    const rows = [line('2026-02-01', 52), line('2026-03-01', 55)];
    expect(await upload(rows)).toMatchObject({ new: 0, changed: 2, unchanged: 0 });
    expect(await marks()).toEqual([
      ['2026-03-01', 55],
      ['2026-02-01', 52],
      ['2026-01-01', 50],
    ]);
    expect(await marks(`?as_of=r${revision}`)).toEqual(STORED);
    expect(await upload([line('2026-01-01', 50, 'P')])).toMatchObject({ changed: 1 });
    expect((await marks()).at(-1)).toEqual(['2026-01-01', 50, true]);
    // The newest change set set the mark, the one before it ended two.
    const { results } = await get<{ results: { id: number; kind: string }[] }>('ChangeSet/');
    const earlier = results.filter(({ kind }) => kind === 'import')[1]!;
    await service
      .http()
      .post(`/api/v1/ChangeSet/${earlier.id}/revert/`)
      .set(auth)
      .send({ reason: 'the wrong file' })
      .expect(200);
    expect((await marks())[0]).toEqual(['2026-03-01', 54, true]);
  });

  it('are final once a maintainer has set another price; the mark alone ends no correction', async () => {
    expect(await patch({ comment: 'asked' })).toMatchObject({ price_value: 54, provisional: true });
    expect(await patch({ price_value: 60 })).not.toHaveProperty('provisional');
    expect((await marks())[0]).toEqual(['2026-03-01', 60]);
    expect(await upload([line('2026-03-01', 54)])).toMatchObject({ changed: 0, corrections_kept: 1 });
    expect((await marks())[0]).toEqual(['2026-03-01', 60]);
    expect(await upload([line('2026-03-01', 56, 'P')])).toMatchObject({
      changed: 1,
      corrections_superseded: 1,
    });
    expect((await marks())[0]).toEqual(['2026-03-01', 56, true]);
  });

  it('are copied by the change feed', async () => {
    const { results } = await get<{ results: { uuid?: string; changes?: { after: Json }[] }[] }>(
      'Changes/?limit=1000&points=true',
    );
    const changes = results.find(({ uuid }) => uuid === UUID)!.changes!;
    expect(changes.map(({ after }) => after.provisional)).toEqual([undefined, true, true]);
  });

  it('are not marks that a request can set', async () => {
    const { datapoints } = await get<{ datapoints: { id: number }[] }>(`PriceSeriePrice/${UUID}/`);
    const { body } = await service
      .http()
      .patch(`/api/v1/PriceSeriePrice/${UUID}/${datapoints[0]!.id}/`)
      .set(auth)
      .send({ provisional: false })
      .expect(400);
    expect(body).toMatchObject({ errors: [{ name: 'provisional', code: 'read_only' }] });
  });
});
