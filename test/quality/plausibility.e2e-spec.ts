import { DailyFindings } from '../../src/quality/daily-findings.js';
import { FindingsFollower } from '../../src/quality/findings-follower.js';
import { FindingsRun } from '../../src/quality/findings-run.js';
import { ImportLock } from '../../src/ledger/import-lock/import-lock.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

type Finding = Record<string, unknown> & { rule: string; state: string; detail: string };
interface Report {
  findings: Record<string, number>;
  first_findings: { id: number | null; rule: string; detail: string }[];
}

const COLUMNS =
  'iso3_country_code,commodity,category,price_type,market,source,currency,measure_unit,date,periodicity,price_value';
const price = (date: string, value: number, period = 'monthly', name = 'Maize') =>
  `KEN,${name},cereals,RETAIL,Thika,Ministry,KES,KG,${date},${period},${value}`;

describe('findings about what is plausible', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const upload = async (format: string, lines: readonly string[], query = '') => {
    const { body } = await service
      .http()
      .post(`/api/v1/Import/?format=${format}${query}`)
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send([...lines, ''].join('\n'))
      .expect(200);
    return body as Report;
  };
  const prices = (...rows: string[]) => upload('prices', [COLUMNS, ...rows]);
  const rates = (...values: number[]) =>
    upload('fx', [
      'currency,date,period,rate',
      ...values.map((rate, at) => `KES,2024-0${at + 1}-01,monthly,${rate}`),
    ]);
  const list = async () => {
    const { body } = await service.http().get('/api/v1/Finding/').expect(200);
    return (body as { results: Finding[] }).results.reverse();
  };
  const brief = async () => (await list()).map(({ rule, state }) => `${rule} ${state}`);
  const send = (method: 'patch' | 'delete', path: string, body: object = {}) =>
    service.http()[method](`/api/v1/${path}`).set(admin).send(body);
  /** What computing all anew opens or ends: nothing, where findings follow each change. */
  const runAnew = async () => {
    const counts = await new FindingsRun(service.app.get(ImportLock), new FindingsFollower()).run();
    return Object.fromEntries(
      Object.entries(counts).filter(([, { opened, ended }]) => opened > 0 || ended > 0),
    );
  };
  const shared = {
    uuid: null,
    change_set_id: expect.any(Number),
    reason: '',
    state: 'open',
    severity: 'look',
  };

  const THREE = [price('2024-01-01', 52), price('2024-02-01', 53), price('2024-03-01', 54)];
  const INVERTED =
    'The official rates of KES are 0.00625 to 0.0067 from 2024-01 to 2024-03: with them a kilogram or litre of food' +
    ' costs 8154 dollars in the median of 1 series, with their reciprocals 0.3445. They may be dollars for a unit:' +
    ' an import with invert=true stores the reciprocals.';

  it('tell of rates quoted the other way round, with the prices that come after them', async () => {
    expect((await rates(0.00625, 0.0065, 0.0067)).findings).toEqual({});
    const dry = await upload('prices', [COLUMNS, ...THREE], '&dry_run=true');
    expect(dry).toMatchObject({
      findings: { rate_inverted: 1 },
      first_findings: [{ id: null, rule: 'rate_inverted', detail: INVERTED }],
    });
    expect(await list()).toEqual([]);
    expect(await prices(...THREE)).toMatchObject({ findings: { rate_inverted: 1 } });
    expect(await list()).toEqual([
      {
        ...shared,
        id: expect.any(Number),
        rule: 'rate_inverted',
        scope: 'rate',
        iso3_country_code: null,
        periodicity: 'monthly',
        date: '2024-01-01',
        value: 0.0065,
        expected: 153.846153846154,
        ratio: 0.00004225,
        members: null,
        detail: INVERTED,
      },
    ]);
    expect(await runAnew()).toEqual({});
  });

  it('tell of them with the rates that come after the prices, and no longer once they are turned', async () => {
    await prices(...THREE);
    expect((await rates(0.00625, 0.0065, 0.0067)).findings).toEqual({ rate_inverted: 1 });
    await rates(160, 153.8, 149.3);
    expect(await brief()).toEqual(['rate_inverted gone']);
    expect(await runAnew()).toEqual({});
  });

  it('end with an import of the same rates that says that they are turned', async () => {
    await prices(...THREE);
    const lines = ['currency,date,period,rate', 'KES,2024-01-01,monthly,0.00625'];
    expect((await upload('fx', lines)).findings).toEqual({ rate_inverted: 1 });
    const report = await upload('fx', lines, '&invert=true');
    expect(report).toMatchObject({ changed: 1, inverted: 1 });
    expect(await brief()).toEqual(['rate_inverted gone']);
    const imf = ['Date,Rate,Currency,Frequency', '2024-02-29,0.00625,KES,M'];
    await upload('fx', imf, '&invert=true');
    const { body } = await service.http().get('/api/v1/FxRate/').expect(200);
    expect((body as { rate: number }[]).map(({ rate }) => rate)).toEqual([160, 160]);
  });

  it('do not tell of rates that fit, of parallel ones, or by prices of what is no food', async () => {
    await rates(160, 153, 149);
    await prices(...THREE);
    expect(await brief()).toEqual([]);
    await upload('fx', ['currency,date,period,rate,rate_type', 'KES,2024-01-01,monthly,0.006,parallel']);
    expect(await brief()).toEqual([]);
    await upload('fx', ['currency,date,period,rate', 'UGX,2024-01-01,monthly,0.00027']);
    await prices('UGA,Fuel (petrol),non-food,RETAIL,Gulu,Ministry,UGX,L,2024-01-01,monthly,5000');
    expect(await brief()).toEqual([]);
    expect(await runAnew()).toEqual({});
  });

  const cpi = (base: string, ...values: number[]) =>
    upload('cpi', [
      'iso3_country_code,date,item,value,base_period',
      ...values.map((value, at) => `KEN,2024-0${at + 1}-01,general,${value},${base}`),
    ]);

  it('tell of inflation rates in place of an index, until these are replaced', async () => {
    expect(await cpi('2015', 6.9, 6.3, 5.7)).toMatchObject({ findings: { index_level: 1 } });
    expect(await list()).toEqual([
      {
        ...shared,
        id: 1,
        rule: 'index_level',
        scope: 'index',
        iso3_country_code: 'KEN',
        periodicity: 'monthly',
        date: '2024-01-01',
        value: 6.3,
        expected: null,
        ratio: null,
        members: null,
        detail:
          'The general index of Kenya (2015 = 100) is 6.3 in the median from 2024-01 on: prices would have fallen by more than half since the base period. The values may be rates of change, or the base may be 1.',
      },
    ]);
    await cpi('2015', 206.9, 208.3, 209.1);
    expect(await brief()).toEqual(['index_level gone']);
    expect(await runAnew()).toEqual({});
  });

  it('tell of years of other calendars in prices, rates and indices', async () => {
    expect((await prices(price('1403-01-01', 52), price('1403-02-01', 53))).findings).toEqual({
      date_out_of_range: 1,
    });
    await upload('fx', ['currency,date,period,rate', 'KES,2567-01-01,monthly,160']);
    await upload('cpi', ['iso3_country_code,date,item,value,base_period', 'KEN,2081-01-01,general,210,2015']);
    const { results } = (await service.http().get('/api/v1/PriceSerie/')).body as {
      results: { uuid: string }[];
    };
    expect(
      (await list()).map(({ rule, scope, uuid, date, detail }) => ({ rule, scope, uuid, date, detail })),
    ).toEqual([
      {
        rule: 'date_out_of_range',
        scope: 'series',
        uuid: results[0]!.uuid,
        date: '1403-01-01',
        detail:
          '2 prices are dated 1403-01-01 to 1403-02-01, outside of 1950-01-01 to 2027-12-31: the years may be those of the Solar Hijri calendar, in which 1403 is 2024.',
      },
      {
        rule: 'rate_date_out_of_range',
        scope: 'rate',
        uuid: null,
        date: '2567-01-01',
        detail:
          '1 rate of KES is dated 2567-01-01, outside of 1950-01-01 to 2027-12-31: the years may be those of the Buddhist era, in which 2567 is 2024.',
      },
      {
        rule: 'index_date_out_of_range',
        scope: 'index',
        uuid: null,
        date: '2081-01-01',
        detail:
          'The general index of Kenya (2015 = 100): 1 index is dated 2081-01-01, outside of 1950-01-01 to 2027-12-31: the years may be those of the Bikram Sambat calendar, in which 2081 is 2024.',
      },
    ]);
    expect(await runAnew()).toEqual({});
    for (const table of ['FxRate', 'Cpi']) await send('delete', `${table}/1/`).expect(204);
    expect(await brief()).toEqual([
      'date_out_of_range open',
      'rate_date_out_of_range corrected',
      'index_date_out_of_range corrected',
    ]);
  });

  it('tell of markets outside of their country, until they are moved', async () => {
    const columns = 'name,iso3_country_code,latitude,longitude';
    const report = await upload('Market', [
      columns,
      'Right,KEN,-1.28,36.82',
      'Swapped,KEN,36.82,-1.28',
      'Zero,KEN,0,0',
      'Sign,KEN,1.28,-36.82',
      'Elsewhere,IPS,1,1',
    ]);
    expect(report.findings).toEqual({ position_outside: 3 });
    const found = await list();
    expect(found.map(({ detail }) => detail)).toEqual([
      'The market Swapped is at 36.82, -1.28, far outside of Kenya; -1.28, 36.82 would fit.',
      'The market Zero is at 0, 0, far outside of Kenya: 0, 0 mostly stands for a position that is not known.',
      'The market Sign is at 1.28, -36.82, far outside of Kenya; 1.28, 36.82 or -1.28, 36.82 would fit.',
    ]);
    expect(found[0]).toEqual({
      ...shared,
      id: 1,
      rule: 'position_outside',
      scope: 'group',
      iso3_country_code: 'KEN',
      periodicity: null,
      date: null,
      value: null,
      expected: null,
      ratio: null,
      members: [{ table: 'Market', id: 2, name: 'Swapped' }],
      detail: expect.any(String),
    });
    await send('patch', 'Market/2/', { market_latitude: -1.28, market_longitude: 36.82 }).expect(200);
    await send('patch', 'Market/3/', { market_latitude: null, market_longitude: null }).expect(200);
    await send('delete', 'Market/4/').expect(204);
    expect(await brief()).toEqual(Array(3).fill('position_outside gone'));
    await send('patch', 'Market/1/', { market_iso3_country_code: 'UGA' }).expect(200);
    expect(await brief()).toEqual([
      ...Array<string>(3).fill('position_outside gone'),
      'position_outside open',
    ]);
    expect(await runAnew()).toEqual({});
  });

  describe('that depend on the date', () => {
    const revision = async () =>
      (await service.database.rows<{ revision: number }>('SELECT revision FROM data_revision'))[0]!.revision;

    it('hold for a day that has begun nowhere, and end when it has, without a write', async () => {
      // In Suva and Kiritimati it is the 22nd already.
      await prices(price('2026-11-22', 52, 'daily'), price('2026-11-23', 53, 'daily'));
      expect((await list()).map(({ rule, date, detail }) => [rule, date, detail])).toEqual([
        [
          'future_date',
          '2026-11-23',
          'The daily price is dated 2026-11-23, after the end of the running period, 2026-11-22.',
        ],
      ]);
      const daily = service.app.get(DailyFindings);
      const before = await revision();
      await daily.follow();
      expect([await brief(), await revision()]).toEqual([['future_date open'], before]);
      service.clock.milliseconds = Date.parse('2026-11-22T10:00:00Z');
      await Promise.all([daily.follow(), daily.follow()]);
      expect([await brief(), await revision()]).toEqual([['future_date gone'], Number(before) + 1]);
      expect(await runAnew()).toEqual({});
    });

    it('end with the year before', async () => {
      await upload('fx', ['currency,date,period,rate', 'KES,2028-01-01,monthly,160']);
      await upload('cpi', ['iso3_country_code,date,item,value,base_period', 'UGA,2028-03-01,food,210,2015']);
      expect(await brief()).toEqual(['rate_date_out_of_range open', 'index_date_out_of_range open']);
      service.clock.milliseconds = Date.parse('2027-01-01T00:00:00Z');
      await service.app.get(DailyFindings).follow();
      expect(await brief()).toEqual(['rate_date_out_of_range gone', 'index_date_out_of_range gone']);
    });

    it('leave the day of a place east of Greenwich open to as_of', async () => {
      await service.http().get('/api/v1/PriceSerie/?as_of=2026-11-22').expect(200);
      await service.http().get('/api/v1/PriceSerie/?as_of=2026-11-23').expect(400);
    });
  });
});
