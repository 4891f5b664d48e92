import { IndicatorLimits } from '../../src/analysis/indicators/indicator-list.service.js';
import { IndicatorStore } from '../../src/analysis/indicators/store/indicator-store.js';
import { firstDayOfMonth, isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { storeIndices, storePoints, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { S1_FIRST, S1_VALUES } from '../support/test-series.js';

const uuidOf = (number: number) => `11111111-0000-4000-8000-00000000000${number}`;
const [S1, SHIFTED, STALE, EMPTY, RUNNING, UGANDAN] = [1, 2, 3, 4, 5, 6].map(uuidOf) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const dateOf = (month: number) => isoFromDay(firstDayOfMonth(month));
const DATES = S1_VALUES.map((_, index) => dateOf(S1_FIRST + index));

interface Row {
  uuid: string;
  date: string;
  fresh: boolean;
  [field: string]: unknown;
}

describe('the newest indicators of several series', () => {
  let service: TestApp;
  let ids: Map<string, number>;
  beforeAll(async () => {
    service = await startTestApp();
    await storeIndices(
      service.unitOfWork,
      DATES.map((date) => ['KEN', date, 100] as const),
    );
    const monthly = S1_VALUES.map((value, index) => [DATES[index]!, value] as const);
    ids = await storeSeries(service.unitOfWork, [
      { uuid: S1, points: { monthly } },
      // Ends with August, four months before the newest one.
      { uuid: SHIFTED, points: { monthly: monthly.slice(0, 68) } },
      { uuid: STALE, points: { monthly: monthly.slice(0, 24) } },
      { uuid: EMPTY },
      {
        uuid: RUNNING,
        source: { name: 'Daily' },
        points: {
          daily: [
            ['2023-12-31', 5],
            ['2024-01-10', 6],
          ],
        },
      },
      {
        uuid: UGANDAN,
        commodity: { name: 'Diesel' },
        market: { iso3_country_code: 'UGA', country_name: 'Uganda', name: 'Kampala' },
        points: { monthly },
      },
    ]);
  });
  afterAll(() => service?.close());

  const get = (query = '') => service.http().get(`/api/v1/PriceSerieIndicator/${query}`);
  const rows = async (query = '') => {
    const { body } = await get(query).expect(200);
    return (body as { results: Row[] }).results;
  };
  const brief = async (query = '') => (await rows(query)).map(({ uuid, date, fresh }) => [uuid, date, fresh]);
  const names = async (query = '') => (await rows(query)).map(({ uuid }) => uuid);

  it('are those of the newest month that is over, in the order of the series lists', async () => {
    expect(await brief()).toEqual([
      [S1, '2023-12-01', true],
      [SHIFTED, '2023-08-01', false],
      [STALE, '2019-12-01', false],
      [RUNNING, '2023-12-01', true],
      [UGANDAN, '2023-12-01', true],
    ]);
    const { body } = await get('?page_size=2&page=2').expect(200);
    expect(body).toMatchObject({ count: 5, results: [{ uuid: STALE }, { uuid: RUNNING }] });
    await get('?page_size=2&page=4').expect(404);
  });

  it('equal those of each series alone', async () => {
    for (const { uuid, series, fresh, ...observation } of await rows()) {
      expect(fresh).toEqual(expect.any(Boolean));
      expect((series as { uuid: string }).uuid).toBe(uuid);
      const { body } = await get(`${uuid}/?latest=1`).expect(200);
      expect(observation).toEqual((body as { observations: object[] }).observations[0]);
    }
    // Calculated, in place of remembered.
    for (const row of await rows('?measure=real&gamma=0.5')) {
      const { body } = await get(`${row.uuid}/?latest=1&measure=real&gamma=0.5`).expect(200);
      expect(row).toMatchObject((body as { observations: object[] }).observations[0]!);
    }
  });

  it('are filtered by class, freshness, change and series', async () => {
    expect(await names('?ifpa_class=high')).toEqual([SHIFTED]);
    expect(await names('?ifpa_class=high,normal')).toEqual([S1, SHIFTED]);
    expect(await names('?alps_class=alert,crisis')).toEqual([SHIFTED]);
    expect(await names('?fresh=false')).toEqual([SHIFTED, STALE]);
    expect(await names('?min_change_12m=0.1')).toEqual([SHIFTED]);
    expect(await names('?max_change_12m=0.1')).toEqual([S1, STALE, UGANDAN]);
    expect(await names('?iso3_country_codes=UGA')).toEqual([UGANDAN]);
    expect(await names('?iso3_country_codes=UGA&goods=food')).toEqual([]);
    expect(await names('?iso3_country_codes=UGA&goods=true')).toEqual([UGANDAN]);
    expect(await names(`?uuid__in=${S1},${EMPTY}`)).toEqual([S1]);
  });

  it('are ordered, nulls last and ties by uuid', async () => {
    expect(await names('?order=-ifpa')).toEqual([SHIFTED, S1, STALE, RUNNING, UGANDAN]);
    expect(await names('?order=ifpa')).toEqual([S1, SHIFTED, STALE, RUNNING, UGANDAN]);
    expect(await names('?order=-change_12m')).toEqual([SHIFTED, STALE, S1, UGANDAN, RUNNING]);
  });

  it('are those of another month, with its reasons', async () => {
    const august = await rows('?month=2023-08&indicators=value,ifpa');
    expect(august.map(({ uuid, fresh, value, reasons }) => [uuid, fresh, value, reasons])).toEqual([
      [S1, true, 299, {}],
      [SHIFTED, true, 299, {}],
      [STALE, false, null, { value: 'no_price', ifpa: 'no_price' }],
      [RUNNING, false, null, { value: 'no_price', ifpa: 'no_price' }],
      [UGANDAN, true, 299, { ifpa: 'no_cpi' }],
    ]);
  });

  it('come as CSV and NDJSON', async () => {
    const csv = await get('?ifpa_class=high&indicators=value,change_12m&format=csv').buffer(true).expect(200);
    expect(csv.text).toBe(
      'uuid,iso3_country_code,country_name,commodity,price_type,market,admin_unit,source,currency,measure_unit,' +
        'fresh,date,value,change_12m,value_reason,change_12m_reason\r\n' +
        `${SHIFTED},KEN,Kenya,Rice,RETAIL,Nairobi,,Ministry,KES,Kg,false,2023-08-01,299,0.163424124513619,,\r\n`,
    );
    const ndjson = await get('?ifpa_class=high&indicators=value&format=ndjson').buffer(true).expect(200);
    expect(JSON.parse(ndjson.text)).toMatchObject({ uuid: SHIFTED, fresh: false, value: 299, reasons: {} });
    expect(ndjson.text.endsWith('}\n')).toBe(true);
  });

  it('are calculated anew of changed series only, and are as of a revision', async () => {
    const store = service.app.get(IndicatorStore);
    await rows();
    const before = store.calculated;
    const { headers } = await get().expect(200);
    const revision = headers['data-revision'];
    await storePoints(service.unitOfWork, ids.get(UGANDAN)!, { monthly: [['2024-01-01', 77]] });
    expect(await brief('?iso3_country_codes=UGA')).toEqual([[UGANDAN, '2024-01-01', true]]);
    expect(store.calculated - before).toBe(1);
    expect(await brief(`?iso3_country_codes=UGA&as_of=r${revision}`)).toEqual([
      [UGANDAN, '2023-12-01', true],
    ]);
    // An index changes the indicators of all.
    await storeIndices(service.unitOfWork, [['UGA', '2024-01-01', 100]]);
    const [ugandan] = await rows('?iso3_country_codes=UGA&indicators=ifpa');
    expect(ugandan!.reasons).toEqual({ ifpa: 'no_cpi' });
    expect(store.calculated - before).toBe(1 + 6);
  });

  it('reject what is contradictory, and too many series', async () => {
    const { body } = await get('?min_change_12m=0.2&max_change_12m=0.1&order=name').expect(400);
    expect((body as { errors: { name: string }[] }).errors.map(({ name }) => name)).toEqual(['order']);
    const other = await get('?min_change_12m=0.2&max_change_12m=0.1').expect(400);
    expect((other.body as { errors: { detail: string }[] }).errors[0]!.detail).toBe(
      'min_change_12m (0.2) must not be greater than max_change_12m (0.1).',
    );
    service.app.get(IndicatorLimits).series = 2;
    const detail =
      'The parameters select 6 series; with month, as_of or other settings than the default, at most 2. Select fewer of them by filters.';
    const { headers } = await get('?gamma=0.4&indicators=alps').expect(200);
    const asOf = `as_of=r${headers['data-revision']}`;
    for (const [query, names] of [
      ['?month=2023-08', ['month']],
      // Settings that are the default need no calculation.
      [`?${asOf}&gamma=0.4&measure=usd&alps_thresholds=1,2,3`, ['as_of', 'measure', 'alps_thresholds']],
    ] as const) {
      const { body } = await get(query).expect(400);
      expect((body as { errors: object[] }).errors).toEqual(
        names.map((name) => ({ in: 'query', name, code: 'too_many_items', detail, max: 2, count: 6 })),
      );
    }
    await get('?month=2023-08&iso3_country_codes=UGA').expect(200);
  });

  it('are fresh against months that are over and have a price', async () => {
    const [gap, monthly, alone] = [7, 8, 9].map(uuidOf) as [string, string, string];
    await storeSeries(service.unitOfWork, [
      {
        // November is not over, and October has no price: its newest month is September.
        uuid: gap,
        source: { name: 'Gaps' },
        points: {
          daily: [
            ['2023-09-30', 5],
            ['2023-11-10', 6],
          ],
        },
      },
      { uuid: monthly, source: { name: 'Gaps' }, points: { monthly: [['2023-07-01', 5]] } },
      {
        uuid: alone,
        source: { name: 'Few' },
        points: {
          monthly: [
            ['2023-03-01', 5],
            ['2023-09-01', 5],
          ],
        },
      },
    ]);
    const uuids = (...names: string[]) => `?indicators=value&uuid__in=${names.join(',')}`;
    expect(await brief(uuids(gap, monthly))).toEqual([
      [gap, '2023-09-01', true],
      [monthly, '2023-07-01', true],
    ]);
    const { headers } = await get().expect(200);
    // Their source's newest month counts, also where only one of its series is listed.
    for (const query of ['', `&as_of=r${headers['data-revision']}`, '&measure=usd'])
      expect(await brief(uuids(monthly) + query)).toEqual([[monthly, '2023-07-01', true]]);
    const fresh = async (query: string) => (await rows(query)).map((row) => row.fresh);
    expect(await fresh(`${uuids(monthly)}&month=2023-11`)).toEqual([true]);
    expect(await fresh(`${uuids(monthly)}&month=2023-09`)).toEqual([true]);
    // The only series of its source is as new as that, though older months are between.
    expect(await fresh(`${uuids(alone)}&month=2023-08`)).toEqual([true]);
    await storePoints(service.unitOfWork, ids.get(UGANDAN)!, { monthly: [['2024-04-01', 77]] });
    expect(await fresh(`${uuids(S1, UGANDAN)}&month=2024-05`)).toEqual([false, true]);
    expect(await fresh(`${uuids(S1)}&month=2024-05`)).toEqual([false]);
  });
});
