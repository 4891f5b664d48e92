import { startTestApp, type TestApp } from '../support/test-app.js';

const HEADER =
  'iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value';

/** Monthly prices of a source in Kenya. */
const monthly = (months: readonly string[], { source = 'Ministry', market = 'Kisumu' } = {}) =>
  months.map((month) => `KEN,Maize,RETAIL,${market},${source},KES,KG,${month}-01,monthly,50`);

interface ListedRelease {
  readonly source: string;
  readonly iso3_country_code: string;
  readonly periodicity: string;
}

describe('Release/', () => {
  let service: TestApp;
  beforeEach(async () => (service = await startTestApp()));
  afterEach(() => service.close());

  const at = (date: string) => (service.clock.milliseconds = Date.parse(`${date}T10:00:00Z`));
  const upload = async (rows: readonly string[], query = 'format=prices') => {
    const headers = { ...(await service.authHeader()), 'Content-Type': 'text/csv' };
    const body = [HEADER, ...rows].join('\n');
    return service.http().post(`/api/v1/Import/?${query}`).set(headers).send(body).expect(200);
  };
  const importOn = async (date: string, rows: readonly string[]) => {
    at(date);
    await upload(rows);
  };
  const list = async (query = '') => {
    const { body } = await service.http().get(`/api/v1/Release/${query}`).expect(200);
    return (body as { results: ListedRelease[] }).results;
  };

  it('is empty without series', async () => {
    expect((await service.http().get('/api/v1/Release/').expect(200)).body).toEqual({
      ...{ count: 0, next: null, previous: null, results: [] },
    });
  });

  it('expects the next values the median lag after the end of their month', async () => {
    await importOn('2026-03-10', monthly(['2026-01', '2026-02']));
    const first = {
      source_id: 1,
      source: 'Ministry',
      iso3_country_code: 'KEN',
      country_name: 'Kenya',
      periodicity: 'monthly',
      series: 1,
      last_period_end: '2026-02-28',
      last_stored: null,
      next_period_end: '2026-03-31',
      next_expected: null,
      reason: 'too_few_releases',
      days_late: null,
      releases: 0,
      median_lag_days: null,
      p90_lag_days: null,
    };
    expect(await list()).toEqual([first]);
    // The first file is history: when its months were published is not known.
    await importOn('2026-04-10', monthly(['2026-01', '2026-02', '2026-03']));
    await importOn('2026-05-12', monthly(['2026-04']));
    expect(await list()).toEqual([
      {
        ...first,
        last_period_end: '2026-04-30',
        last_stored: '2026-05-12',
        next_period_end: '2026-05-31',
        releases: 2,
      },
    ]);
    await importOn('2026-06-20', monthly(['2026-05']));
    const expected = {
      ...first,
      last_period_end: '2026-05-31',
      last_stored: '2026-06-20',
      next_period_end: '2026-06-30',
      next_expected: '2026-07-12',
      reason: null,
      days_late: 0,
      releases: 3,
      median_lag_days: 12,
      p90_lag_days: 20,
    };
    expect(await list()).toEqual([expected]);
    at('2026-07-15');
    expect(await list()).toEqual([{ ...expected, days_late: 3 }]);
    // A file that comes again changes nothing.
    await importOn('2026-07-16', monthly(['2026-03', '2026-04', '2026-05']));
    expect(await list()).toEqual([{ ...expected, days_late: 4 }]);
  });

  it('keeps the releases of each source, country and frequency apart', async () => {
    const weekly = (date: string) => `UGA,Maize,RETAIL,Gulu,Ministry,UGX,KG,${date},weekly,1500`;
    await importOn('2026-03-10', [...monthly(['2026-02']), weekly('2026-03-06')]);
    await importOn('2026-03-17', [weekly('2026-03-13')]);
    await importOn('2026-03-23', [weekly('2026-03-20')]);
    await importOn('2026-03-30', [weekly('2026-03-27'), ...monthly(['2026-02'], { source: 'Office' })]);
    const shown = (await list()).map((record) => [
      record.iso3_country_code,
      record.source,
      record.periodicity,
      (record as unknown as { next_expected: string | null }).next_expected,
    ]);
    expect(shown).toEqual([
      ['KEN', 'Ministry', 'monthly', null],
      ['KEN', 'Office', 'monthly', null],
      ['UGA', 'Ministry', 'weekly', '2026-04-06'],
    ]);
    expect((await list('?iso3_country_codes=UGA')).map(({ source }) => source)).toEqual(['Ministry']);
    expect((await list('?sort=-source&fields=source')).map((record) => record)).toEqual([
      { source: 'Office' },
      { source: 'Ministry' },
      { source: 'Ministry' },
    ]);
  });

  it('has the release of a series by its uuid', async () => {
    await importOn('2026-03-10', [...monthly(['2026-02']), ...monthly(['2026-01'], { market: 'Busia' })]);
    const { body } = await service.http().get('/api/v1/PriceSerie/?search=busia').expect(200);
    const [{ uuid }] = (body as { results: [{ uuid: string }] }).results;
    expect(await list(`?uuids=${uuid}`)).toMatchObject([{ series: 1, last_period_end: '2026-01-31' }]);
    await service.http().get('/api/v1/Release/?uuids=none').expect(400);
  });

  it('does not take a dry run, a forecast or a rejected file for a release', async () => {
    await importOn('2026-03-10', monthly(['2026-02']));
    at('2026-04-02');
    await upload(monthly(['2026-03']), 'format=prices&dry_run=true');
    const headers = { ...(await service.authHeader()), 'Content-Type': 'text/csv' };
    await service
      .http()
      .post('/api/v1/Import/?format=prices')
      .set(headers)
      .send('market\nKisumu')
      .expect(400);
    await importOn('2026-04-20', monthly(['2026-03']));
    expect(await list()).toMatchObject([{ last_stored: '2026-04-20', releases: 1 }]);
  });

  it('leaves out a period whose values a revert has removed', async () => {
    await importOn('2026-03-10', monthly(['2026-02']));
    await importOn('2026-04-02', monthly(['2026-03']));
    const headers = await service.authHeader();
    const { body } = await service.http().get('/api/v1/ChangeSet/').set(headers).expect(200);
    const [{ id }] = (body as { results: [{ id: number }] }).results;
    await service
      .http()
      .post(`/api/v1/ChangeSet/${id}/revert/`)
      .set(headers)
      .send({ reason: 'Sent by mistake' })
      .expect(200);
    expect(await list()).toMatchObject([{ last_period_end: '2026-02-28', last_stored: null, releases: 0 }]);
  });
});
