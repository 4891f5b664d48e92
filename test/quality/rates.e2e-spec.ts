import { startTestApp, type TestApp } from '../support/test-app.js';

type Finding = Record<string, unknown> & { id: number; rule: string; state: string; date: string };

const month = (index: number) =>
  `${2015 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`;

describe('findings about rates and indices', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const upload = async (format: string, lines: readonly string[]) => {
    await service
      .http()
      .post(`/api/v1/Import/?format=${format}`)
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send([...lines, ''].join('\n'))
      .expect(200);
  };
  const rates = (currency: string, values: readonly number[]) =>
    upload('fx', [
      'currency,date,period,rate',
      ...values.map((rate, at) => `${currency},${month(at)},monthly,${rate}`),
    ]);
  const indices = (country: string, values: readonly number[], base = '2015') =>
    upload('cpi', [
      'iso3_country_code,date,item,value,base_period',
      ...values.map((value, at) => `${country},${month(at)},general,${value},${base}`),
    ]);
  const list = async () => {
    const { body } = await service.http().get('/api/v1/Finding/').expect(200);
    return (body as { results: Finding[] }).results.reverse();
  };
  const brief = async () =>
    (await list()).map(({ id, rule, state, date }) => `${id} ${rule} ${state} ${date}`);
  const idOf = async (table: string, date: string, values: Record<string, string> = {}) => {
    const { body } = await service.http().get(`/api/v1/${table}/?date=${date}`).expect(200);
    const records = body as (Record<string, string> & { id: number })[];
    return records.find((record) => Object.entries(values).every(([name, value]) => record[name] === value))!
      .id;
  };
  const send = (method: 'post' | 'patch' | 'delete', path: string, body: object = {}) =>
    service.http()[method](`/api/v1/${path}`).set(admin).send(body);
  const times = (count: number, value: number) => Array<number>(count).fill(value);
  const shared = { uuid: null, members: null, change_set_id: expect.any(Number), reason: '', state: 'open' };

  it('tell what a rate was before a step', async () => {
    await rates('KES', [100, 1000, 101]);
    expect(await list()).toEqual([
      {
        ...shared,
        id: 1,
        rule: 'rate_step',
        severity: 'look',
        scope: 'rate',
        iso3_country_code: null,
        periodicity: 'monthly',
        date: '2015-02-01',
        value: 1000,
        expected: 100,
        ratio: 10,
        detail: 'The official rate of KES rises from 100 to 1000 in 2015-02, and is 101 again in 2015-03.',
      },
    ]);
  });

  it('end with a correction of the rate, and open again with their ids when it is withdrawn', async () => {
    await rates('KES', [100, 1000, 101]);
    const id = await idOf('FxRate', '2015-02-01');
    await send('patch', `FxRate/${id}/`, { fx_rate_rate: 100 }).expect(200);
    expect(await brief()).toEqual(['1 rate_step corrected 2015-02-01']);
    await send('patch', `FxRate/${id}/`, { fx_rate_rate: 1000 }).expect(200);
    expect(await brief()).toEqual(['1 rate_step open 2015-02-01']);
    await send('delete', `FxRate/${id}/`).expect(204);
    expect(await brief()).toEqual(['1 rate_step corrected 2015-02-01']);
  });

  it('are gone once the source has confirmed the correction, and corrected when that is reverted', async () => {
    await rates('KES', [100, 1000, 101]);
    await send('patch', `FxRate/${await idOf('FxRate', '2015-02-01')}/`, { fx_rate_rate: 100 }).expect(200);
    await rates('KES', [100, 100, 101]);
    expect(await brief()).toEqual(['1 rate_step gone 2015-02-01']);
    const { body } = await send('post', 'ChangeSet/4/revert/').expect(200);
    expect(body).toMatchObject({ counts: { corrections: { ended: 0, rebased: 0, reopened: 1 } } });
    expect(await brief()).toEqual(['1 rate_step corrected 2015-02-01']);
  });

  it('are gone when the source has another rate', async () => {
    await rates('KES', [100, 1000, 101]);
    await rates('KES', [100, 100, 101]);
    expect(await brief()).toEqual(['1 rate_step gone 2015-02-01']);
  });

  it('are corrected by corrections of the rates that were compared, not by those of another type', async () => {
    await rates('KES', [100, 500, 101]);
    await upload('fx', ['currency,date,period,rate,rate_type', 'KES,2015-02-01,monthly,120,parallel']);
    const parallel = await idOf('FxRate', '2015-02-01', { rate_type: 'parallel' });
    await send('patch', `FxRate/${parallel}/`, { fx_rate_rate: 121 }).expect(200);
    await rates('KES', [100, 100, 101]);
    expect(await brief()).toEqual(['1 rate_step gone 2015-02-01']);
    await rates('KES', [100, 500, 101]);
    expect(await brief()).toEqual(['1 rate_step open 2015-02-01']);
    // Of the month in which the finding says that the rate is back.
    const back = await idOf('FxRate', '2015-03-01');
    await send('patch', `FxRate/${back}/`, { fx_rate_rate: 450 }).expect(200);
    expect(await brief()).toEqual(['1 rate_step corrected 2015-02-01']);
  });

  it('are corrected by moving a rate to the currency that it is of', async () => {
    await upload('fx', ['currency,date,period,rate', 'VED,2018-01-01,monthly,10', 'VED,2018-01-01,daily,9']);
    const states = async () =>
      (await list()).map(({ rule, periodicity, state }) => `${rule} ${String(periodicity)} ${state}`).sort();
    const both = ['rate_outside_currency_life daily open', 'rate_outside_currency_life monthly open'];
    expect(await states()).toEqual(both);
    const monthly = await idOf('FxRate', '2018-01-01', { period: 'monthly' });
    await send('patch', `FxRate/${monthly}/`, { fx_rate_currency: 'VEF' }).expect(200);
    expect(await states()).toEqual([both[0], 'rate_outside_currency_life monthly corrected']);
    await send('patch', `FxRate/${monthly}/`, { fx_rate_currency: 'VED' }).expect(200);
    expect(await states()).toEqual(both);
  });

  it('about one base period are not corrected by corrections of another', async () => {
    const months = [34, 35.6, 19.3, 36.8, 37.1, 37.9];
    await indices('GIN', months);
    await indices('GIN', [90, 91, 92, 93.5, 94, 96], '2020');
    expect(await brief()).toEqual(['1 index_break open 2015-03-01']);
    const other = await idOf('Cpi', '2015-03-01', { base_period: '2020' });
    await send('patch', `Cpi/${other}/`, { cpi_value: 92.5 }).expect(200);
    await indices('GIN', months.with(2, 36.2));
    expect(await brief()).toEqual(['1 index_break gone 2015-03-01']);
  });

  it('follow a rate to another currency', async () => {
    await rates('KES', [100, 1000, 101]);
    const id = await idOf('FxRate', '2015-03-01');
    await send('patch', `FxRate/${id}/`, { fx_rate_currency: 'VED' }).expect(200);
    expect((await list()).map(({ rule, state, detail }) => `${rule} ${state} ${String(detail)}`)).toEqual([
      'rate_step open The official rate of KES rises from 100 to 1000 in 2015-02, by a factor of 10.',
      'rate_outside_currency_life open VED began on 2021-10-01: the rate of 2015-03-01 must be that of another currency, and is not used.',
    ]);
  });

  it('judge rates of days by the mean of their month, and each by the life of its code', async () => {
    await upload('fx', [
      'currency,date,period,rate,rate_type',
      'BYN,2016-06-29,daily,2,parallel',
      'BYN,2016-06-30,daily,3,official',
      'BYN,2016-07-30,daily,40,official',
      'BYN,2016-07-31,daily,20,official',
    ]);
    expect(await list()).toEqual([
      {
        ...shared,
        id: 1,
        rule: 'rate_outside_currency_life',
        severity: 'info',
        scope: 'rate',
        iso3_country_code: null,
        periodicity: 'daily',
        date: '2016-06-30',
        value: 3,
        expected: null,
        ratio: null,
        detail:
          "BYN began on 2016-07-01: the rate of 2016-06-30 is the former currency's, converted to its unit.",
      },
      expect.objectContaining({ id: 2, date: '2016-06-29', severity: 'info', value: 2 }),
      expect.objectContaining({
        id: 3,
        rule: 'rate_step',
        periodicity: 'monthly',
        date: '2016-07-01',
        value: 30,
        expected: null,
        ratio: 10,
        detail: 'The official rate of BYN rises from 3 to 30 in 2016-07, by a factor of 10.',
      }),
    ]);
  });

  it('find rates that stay while the index of a country rises, whichever comes last', async () => {
    const rising = Array.from({ length: 14 }, (_, at) => 100 + at * at);
    await indices('AGO', rising, '2015-01');
    await rates('AOA', times(13, 165.9));
    const found = {
      ...shared,
      id: 1,
      rule: 'rate_frozen',
      severity: 'look',
      scope: 'rate',
      iso3_country_code: 'AGO',
      periodicity: 'monthly',
      date: '2015-01-01',
      value: 165.9,
      expected: null,
      ratio: 2.44,
    };
    expect(await list()).toEqual([
      {
        ...found,
        detail:
          'From 2015-01 to 2016-01 the official rate of AOA stays near 165.9, within 0.5 % in any 13 months, while the general index of Angola rises by up to 144 % in such a time.',
      },
    ]);
    await rates('AOA', times(14, 165.9));
    expect((await list()).map(({ id, date, ratio }) => [id, date, ratio])).toEqual([
      [1, '2015-01-01', 2.66336633663366],
    ]);
    const last = await idOf('Cpi', '2016-02-01');
    await send('patch', `Cpi/${last}/`, { cpi_value: 100 }).expect(200);
    expect((await list()).map(({ id, ratio }) => [id, ratio])).toEqual([[1, 2.44]]);
    const first = await idOf('Cpi', '2016-01-01');
    await send('patch', `Cpi/${first}/`, { cpi_value: 100 }).expect(200);
    expect(await brief()).toEqual(['1 rate_frozen corrected 2015-01-01']);
  });

  it('find breaks and straight lines of indices', async () => {
    await indices('GIN', [34, 35.6, 19.3, 36.8, 37.1, 37.4, 37.7, 38, 38.3, 38.6]);
    const about = {
      ...shared,
      scope: 'index',
      iso3_country_code: 'GIN',
      periodicity: 'monthly',
    };
    expect(await list()).toEqual([
      {
        ...about,
        id: 1,
        rule: 'index_break',
        severity: 'look',
        date: '2015-03-01',
        value: 19.3,
        expected: 35.6,
        ratio: expect.closeTo(19.3 / 35.6, 12),
        detail:
          'The general index of Guinea (2015 = 100) falls from 35.6 to 19.3 in 2015-03, and is 36.8 again in 2015-04.',
      },
      {
        ...about,
        id: 2,
        rule: 'index_interpolated',
        severity: 'info',
        date: '2015-04-01',
        value: 36.8,
        expected: null,
        ratio: null,
        detail:
          'The general index of Guinea (2015 = 100) goes from 36.8 to 38.6 in 6 equal steps, from 2015-04 to 2015-10.',
      },
    ]);
    const id = await idOf('Cpi', '2015-03-01');
    await send('patch', `Cpi/${id}/`, { cpi_value: 36 }).expect(200);
    expect(await brief()).toEqual([
      '1 index_break corrected 2015-03-01',
      '2 index_interpolated open 2015-04-01',
    ]);
  });

  it('find a new base period that has fewer months', async () => {
    await indices('GIN', [34, 35, 36]);
    await indices('GIN', [90, 92], '2020');
    expect(
      (await list()).map(({ id, rule, date, value, detail }) => [id, rule, date, value, detail]),
    ).toEqual([
      [
        1,
        'index_break',
        '2015-01-01',
        null,
        'The general index of Guinea (2020 = 100) has 2 months, fewer than the 3 of 2015: real prices of months that it lacks are computed with the earlier base, linked where both have months.',
      ],
    ]);
    await indices('GIN', [90, 92, 95], '2020');
    expect(await brief()).toEqual(['1 index_break gone 2015-01-01']);
  });

  it('judge all rates of a file that is too large to ask which have changed', async () => {
    await upload('fx', [
      'currency,date,period,rate',
      ...Array.from({ length: 600 }, (_, at) => {
        const day = new Date(Date.UTC(2015, 0, 1 + at)).toISOString().slice(0, 10);
        return `KES,${day},daily,${day.startsWith('2015-05') ? 200 : 100}`;
      }),
    ]);
    expect(await brief()).toEqual(['1 rate_step open 2015-05-01']);
  });
});
