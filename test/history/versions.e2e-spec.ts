import { startTestApp, type TestApp } from '../support/test-app.js';

const HEADER =
  'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice';
const row = (date: string, price: number) =>
  `${date},Coast,Mombasa,Mombasa,-4.05,39.67,cereals and tubers,Maize,90 KG,actual,Wholesale,KES,${price},1`;
const JANUARY = 738886;
const FEBRUARY = 738917;
const MARCH = 738946;

describe('H5: what data were before', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const upload = (...rows: string[]) =>
    service
      .http()
      .post('/api/v1/Import/?format=wfp&country=KEN')
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send([HEADER, ...rows, ''].join('\n'))
      .expect(200);
  const rows = (sql: string) => service.database.rows<Record<string, unknown>>(sql);
  const revision = async () => Number((await rows('SELECT revision FROM data_revision'))[0]!.revision);
  const points = async () => {
    const { body } = await service.http().get('/api/v1/PriceSeriePrice/').expect(200);
    const [{ uuid, datapoints }] = (body as { results: [{ uuid: string; datapoints: { id: number }[] }] })
      .results;
    return datapoints.map(({ id }) => `/api/v1/PriceSeriePrice/${uuid}/${id}/`);
  };
  const changes = async (from: number) =>
    (
      await rows(
        `SELECT revision, action, added, changed, removed, first_day, last_day FROM series_change WHERE revision > ${from} ORDER BY revision`,
      )
    ).map(({ revision: number, ...change }) => ({ revision: Number(number), ...change }));

  it('is kept for points and periodicity, with the revisions that they were known from and until', async () => {
    await upload(row('2024-01-15', 4000), row('2024-02-15', 4100));
    const first = await revision();
    const [february, january] = await points();
    await service.http().patch(january!).set(admin).send({ price_value: 4050 }).expect(200);
    await service.http().delete(february!).set(admin).expect(204);
    const stored = 'SELECT day, value, since FROM observation ORDER BY day';
    expect(await rows(stored)).toEqual([{ day: JANUARY, value: 4050, since: first + 1 }]);
    expect(
      await rows('SELECT day, since, until, value, comment FROM observation_version ORDER BY day'),
    ).toEqual([
      { day: JANUARY, since: first, until: first + 1, value: 4000, comment: null },
      { day: FEBRUARY, since: first, until: first + 2, value: 4100, comment: null },
    ]);
    expect(await rows('SELECT end_day, points, since FROM series_period')).toEqual([
      { end_day: JANUARY, points: 1, since: first + 2 },
    ]);
    expect(await rows('SELECT since, until, start_day, end_day, points FROM series_period_version')).toEqual([
      { since: first, until: first + 2, start_day: JANUARY, end_day: FEBRUARY, points: 2 },
    ]);
    const none = { added: 0, changed: 0, removed: 0 };
    expect(await changes(first - 1)).toEqual([
      { ...none, revision: first, action: 'created', added: 2, first_day: JANUARY, last_day: FEBRUARY },
      { ...none, revision: first + 1, action: 'changed', changed: 1, first_day: JANUARY, last_day: JANUARY },
      {
        ...none,
        revision: first + 2,
        action: 'changed',
        removed: 1,
        first_day: FEBRUARY,
        last_day: FEBRUARY,
      },
    ]);
  });

  it('has no version for what an import repeats, and one for what it changes', async () => {
    await upload(row('2024-01-15', 4000), row('2024-02-15', 4100));
    const first = await revision();
    await upload(row('2024-01-15', 4000), row('2024-02-15', 4100));
    const second = await revision();
    expect(await rows('SELECT day FROM observation_version')).toEqual([]);
    expect(await changes(first)).toEqual([]);
    await upload(row('2024-01-15', 4000), row('2024-02-15', 4200), row('2024-03-15', 4300));
    const third = await revision();
    expect(third).toBeGreaterThan(second);
    expect(await rows('SELECT day, since, until, value FROM observation_version')).toEqual([
      { day: FEBRUARY, since: first, until: third, value: 4100 },
    ]);
    expect(await changes(second)).toEqual([
      {
        revision: third,
        action: 'changed',
        added: 1,
        changed: 1,
        removed: 0,
        first_day: FEBRUARY,
        last_day: MARCH,
      },
    ]);
  });

  it('is kept for records, also where they have gone', async () => {
    const before = await revision();
    const { body } = await service.http().post('/api/v1/Source/').set(admin).send({ name: 'A' }).expect(201);
    const { id } = body as { id: number };
    await service.http().patch(`/api/v1/Source/${id}/`).set(admin).send({ license: 'CC0' }).expect(200);
    await service.http().delete(`/api/v1/Source/${id}/`).set(admin).expect(204);
    const versions = await rows(
      'SELECT table_name, record_id, since, until, version, attributes FROM record_version ORDER BY until',
    );
    const of = (version: number, license: string) => ({
      table_name: 'source',
      record_id: id,
      since: before + version,
      until: before + version + 1,
      version,
      attributes: JSON.stringify({ name: 'A', url: '', license }),
    });
    expect(versions).toEqual([of(1, ''), of(2, 'CC0')]);
    const actions = await rows(
      `SELECT table_name, record_id, action FROM record_change WHERE revision > ${before} ORDER BY revision`,
    );
    expect(actions).toEqual(
      ['created', 'changed', 'removed'].map((action) => ({ table_name: 'source', record_id: id, action })),
    );
  });

  it('lists the records that an import creates and changes', async () => {
    const fx = (rate: number) =>
      service
        .http()
        .post('/api/v1/Import/?format=fx')
        .set({ ...admin, 'Content-Type': 'text/csv' })
        .send(`currency,date,rate\nKES,2024-01-01,${rate}\nUGX,2024-01-01,3800\n`)
        .expect(200);
    await fx(150);
    const first = await revision();
    await fx(151);
    const second = await revision();
    const [kes, ugx] = await rows('SELECT id, since FROM fx_rate ORDER BY id');
    expect([kes!.since, ugx!.since]).toEqual([second, first]);
    expect(
      await rows("SELECT record_id, since, until FROM record_version WHERE table_name = 'fx_rate'"),
    ).toEqual([{ record_id: kes!.id, since: first, until: second }]);
    const listed = await rows(
      "SELECT revision, record_id, action FROM record_change WHERE table_name = 'fx_rate' ORDER BY revision, record_id",
    );
    expect(listed.map((one) => [Number(one.revision), one.record_id, one.action])).toEqual([
      [first, kes!.id, 'created'],
      [first, ugx!.id, 'created'],
      [second, kes!.id, 'changed'],
    ]);
  });
});
