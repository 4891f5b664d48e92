import { page, tableRows } from '../explorer/pages.js';
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

  it('does not take a dry run or a rejected file for a release', async () => {
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

  /** Three releases, each some days after its month. */
  const publishThrice = async () => {
    await importOn('2026-03-10', monthly(['2026-02']));
    await importOn('2026-04-10', monthly(['2026-03']));
    await importOn('2026-05-12', monthly(['2026-04']));
    await importOn('2026-06-20', monthly(['2026-05']));
  };

  it('is a calendar of the releases that are expected', async () => {
    await publishThrice();
    const reply = await service.http().get('/api/v1/Release/?format=ics').expect(200);
    expect(reply.headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(reply.headers['content-disposition']).toBe('attachment; filename="Release.ics"');
    const text = (reply.text ?? (reply.body as Buffer).toString()).replaceAll('\r\n ', '');
    expect(text.split('\r\n')).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Price Data Service//Release calendar//EN',
      'METHOD:PUBLISH',
      'NAME:Food prices: expected releases',
      'X-WR-CALNAME:Food prices: expected releases',
      'REFRESH-INTERVAL;VALUE=DURATION:P1D',
      'X-PUBLISHED-TTL:P1D',
      'BEGIN:VEVENT',
      'UID:1-KEN-monthly-2026-06-30@127.0.0.1',
      'SEQUENCE:0',
      'DTSTAMP:20260620T000000Z',
      'DTSTART;VALUE=DATE:20260712',
      'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
      'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT:TRUE',
      'SUMMARY:Kenya: monthly prices (Ministry)',
      'TRANSP:TRANSPARENT',
      'DESCRIPTION:Values up to 2026-06-30 are expected\\, by the median lag of 3 releases: 12 days after the end of a period.',
      expect.stringMatching(/^URL;VALUE=URI:http:\/\/127\.0\.0\.1:\d+\/countries\/KEN$/),
      'END:VEVENT',
      'END:VCALENDAR',
    ]);
    const again = await service.http().get('/api/v1/Release/').set('Accept', 'text/calendar').expect(200);
    expect(again.headers.etag).toBe(reply.headers.etag);
  });

  it('has no pages and columns as a calendar', async () => {
    const { body } = await service
      .http()
      .get('/api/v1/Release/?format=ics&page=2&fields=source&sort=source&iso3_country_codes=KEN')
      .expect(400);
    const { errors } = body as { errors: { name: string; code: string; detail: string }[] };
    expect(errors.map(({ name, code }) => [name, code])).toEqual([
      ['page', 'contradiction'],
      ['sort', 'contradiction'],
      ['fields', 'contradiction'],
    ]);
    expect(errors[0]!.detail).toBe('A calendar has all releases in full, so leave out page.');
    await service.http().get('/api/v1/PriceSerie/?format=ics').expect(400);
  });

  it('has pages that say when prices are expected, and which are late', async () => {
    await publishThrice();
    at('2026-07-01');
    const { body } = await service.http().get('/api/v1/PriceSerie/').expect(200);
    const [{ uuid, commodity_id: commodity }] = (
      body as { results: [{ uuid: string; commodity_id: number }] }
    ).results;
    const pages = [
      '/countries/KEN',
      `/commodities/${commodity}`,
      `/countries/KEN/commodities/${commodity}`,
      `/series/${uuid}`,
    ];
    const said = async (pattern: RegExp) =>
      Promise.all(pages.map(async (address) => pattern.exec(await page(service, address))?.[1]));
    expect(await said(/(Next prices expected: [^<]*)/)).toEqual([
      'Next prices expected: 2026-07-12 (monthly, Ministry).',
      'Next prices expected: 2026-07-12 (Kenya, monthly, Ministry).',
      'Next prices expected: 2026-07-12 (monthly, Ministry).',
      'Next prices expected: 2026-07-12 (monthly, Ministry).',
    ]);
    at('2026-07-15');
    expect(await said(/(Prices expected on [^<]*)/)).toEqual([
      'Prices expected on 2026-07-12 (monthly, Ministry) are 3 days late.',
      'Prices expected on 2026-07-12 (Kenya, monthly, Ministry) are 3 days late.',
      'Prices expected on 2026-07-12 (monthly, Ministry) are 3 days late.',
      'Prices expected on 2026-07-12 (monthly, Ministry) are 3 days late.',
    ]);
    // What was known at an earlier revision is not when prices are expected today.
    expect(await page(service, '/countries/KEN?as_of=r2')).not.toContain('xpected');
  });

  it('has a page of all releases, in two orders', async () => {
    expect(await page(service, '/releases')).toContain('There are no prices yet.');
    await importOn('2026-03-09', monthly(['2026-02'], { market: 'Busia', source: 'Board' }));
    await publishThrice();
    at('2026-07-15');
    const board = [
      'Kenya',
      'Board',
      'Monthly',
      '2026-02-28',
      '–',
      '2026-03-31',
      'no release yet',
      '–',
      '–',
      '–',
    ];
    const ministry = [
      ...['Kenya', 'Ministry', 'Monthly', '2026-05-31', '2026-06-20', '2026-06-30', '2026-07-12'],
      ...['3', '12', '20'],
    ];
    expect(tableRows(await page(service, '/releases'), '<h1>')).toEqual([board, ministry]);
    expect(tableRows(await page(service, '/releases?order=late'), '<h1>')).toEqual([ministry, board]);
    expect(await page(service, '/releases?iso3_country_codes=UGA')).toContain('There are no prices yet.');
    await service.http().get('/releases?page=2').set('Accept', 'text/html').expect(404);
    expect(await page(service, '/data')).toContain('<a href="/releases">When prices come</a>');
  });
});
