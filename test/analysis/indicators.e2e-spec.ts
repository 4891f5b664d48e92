import { isoFromDay, firstDayOfMonth } from '../../src/lib/dates/calendar-date.js';
import { storeIndices, storePoints, storeRates, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { S1_FIRST, S1_VALUES } from '../support/test-series.js';

const S1 = '11111111-0000-4000-8000-000000000001';
const WEEKLY = '11111111-0000-4000-8000-000000000002';
const EMPTY = '11111111-0000-4000-8000-000000000003';
const SACKS = '11111111-0000-4000-8000-000000000004';

const dateOf = (month: number) => isoFromDay(firstDayOfMonth(month));
const DATES = S1_VALUES.map((_, index) => dateOf(S1_FIRST + index));

const DEFAULTS = {
  measure: 'nominal',
  per: 'unit',
  ifpa_mode: 'standard',
  history_from: null,
  alps_window: 'realtime',
  fit_until: null,
  break_date: null,
  gamma: 0.4,
  ifpa_thresholds: [0.5, 1],
  alps_thresholds: [0.25, 1, 2],
  allow_gaps: false,
  annual: false,
  method_version: 1,
};
const NO_IFPA = {
  value: null,
  quarterly: null,
  annual: null,
  class: null,
  provisional: null,
  weak: null,
};
const NO_ALPS = { value: null, expected: null, class: null };

const close = (value: number, digits = 6) => expect.closeTo(value, digits) as number;

interface Answer {
  uuid: string;
  series: { uuid: string; commodity: string };
  settings: Record<string, unknown>;
  seasonal: { index: number[] | null; sd: number[] | null; years: number | null };
  observations: Record<string, unknown>[];
}

describe('indicators of a series', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp();
    await storeIndices(
      service.unitOfWork,
      DATES.map((date) => ['KEN', date, 100] as const),
    );
    await storeIndices(service.unitOfWork, [['USA', '2023-08-01', 300, '1982-84']]);
    await storeRates(service.unitOfWork, [
      ['KES', '2023-08-01', 130],
      ['KES', '2023-07-01', 100],
    ]);
    await storeSeries(service.unitOfWork, [
      { uuid: S1, points: { monthly: S1_VALUES.map((value, index) => [DATES[index]!, value]) } },
      {
        uuid: WEEKLY,
        points: {
          weekly: [
            ['2024-01-05', 10],
            ['2024-01-12', 12],
            ['2024-01-19', 14],
            ['2024-01-26', 16],
            ['2024-02-02', 20],
            ['2024-02-09', 40],
          ],
        },
      },
      { uuid: EMPTY },
      {
        uuid: SACKS,
        unit: { name: 'Sack', dimension: 'other', conversion_factor: null },
        points: { monthly: [['2023-08-01', 130]] },
      },
    ]);
  });
  afterAll(() => service?.close());

  const get = (query: string, uuid = S1) =>
    service.http().get(`/api/v1/PriceSerieIndicator/${uuid}/${query}`);
  const read = async (query = '', uuid = S1) => (await get(query, uuid).expect(200)).body as Answer;
  const observations = async (query: string, uuid = S1) => (await read(query, uuid)).observations;
  const faults = async (query: string) => {
    const { body } = await get(query).expect(400);
    return (body as { errors: { name: string; code: string; detail: string }[] }).errors.map(
      ({ name, code, detail }) => `${name} ${code}: ${detail}`,
    );
  };

  it('are those of the example', async () => {
    const answer = await read('?start_date=2023-08-01&end_date=2023-08-31');
    expect(answer).toMatchObject({ uuid: S1, series: { uuid: S1, commodity: 'Rice' }, settings: DEFAULTS });
    expect(answer.seasonal.index).toHaveLength(12);
    expect(answer.seasonal.index![7]).toBeCloseTo(1.012662, 6);
    expect(answer.seasonal.sd![7]).toBeCloseTo(0.033609, 6);
    expect(answer.seasonal.years).toBe(5);
    expect(answer.observations).toEqual([
      {
        date: '2023-08-01',
        value: 299,
        change_1m: close(-0.09393939),
        change_3m: close(-0.03858521),
        change_12m: close(0.16342412),
        mean_5y: 228.2,
        mean_5y_years: 5,
        against_mean_5y: close(0.31025416),
        seasonal_index: close(1.012662),
        volatility_12m: close(0.066362),
        ifpa: {
          value: close(1.465954),
          quarterly: close(0.784027),
          annual: close(1.920573),
          class: 'high',
          provisional: false,
          weak: false,
        },
        alps: { value: close(1.9793, 4), expected: close(275.42, 2), class: 'alert' },
        reasons: {},
      },
    ]);
  });

  it('come newest first, one a month, and say why a value is null', async () => {
    const all = await observations('');
    expect(all.map(({ date }) => date)).toEqual([...DATES].reverse());
    expect(all.at(-1)).toEqual({
      date: '2018-01-01',
      value: 187,
      change_1m: null,
      change_3m: null,
      change_12m: null,
      mean_5y: null,
      mean_5y_years: 0,
      against_mean_5y: null,
      seasonal_index: close(0.997861),
      volatility_12m: null,
      ifpa: NO_IFPA,
      alps: NO_ALPS,
      reasons: {
        change_1m: 'no_price_1m_ago',
        change_3m: 'no_price_3m_ago',
        change_12m: 'no_price_12m_ago',
        mean_5y: 'short_history',
        against_mean_5y: 'short_history',
        volatility_12m: 'few_values',
        ifpa: 'no_price_3m_ago',
        alps: 'short_history',
      },
    });
    expect((await observations('?latest=2&indicators=value')).map(({ date }) => date)).toEqual([
      '2023-12-01',
      '2023-11-01',
    ]);
  });

  it('keep to those that are asked for', async () => {
    expect(await observations('?latest=1&indicators=ifpa,change_12m')).toEqual([
      {
        date: '2023-12-01',
        change_12m: close(231 / 233 - 1),
        ifpa: expect.objectContaining({ value: close(-1.580463) }) as object,
        reasons: {},
      },
    ]);
  });

  it('take real prices, dollars, real dollars and prices per kilogram', async () => {
    const value = async (query: string, uuid = S1) => {
      const [shown] = await observations(
        `?start_date=2023-08-01&end_date=2023-08-01&indicators=value,change_1m&${query}`,
        uuid,
      );
      return shown;
    };
    expect(await value('measure=real')).toMatchObject({ value: 299, change_1m: close(-0.09393939) });
    expect(await value('measure=usd')).toEqual({
      date: '2023-08-01',
      value: 2.3,
      change_1m: close(2.3 / 3.3 - 1),
      reasons: {},
    });
    expect(await value('measure=real_usd')).toEqual({
      date: '2023-08-01',
      value: close(2.3 / 3, 12),
      change_1m: null,
      reasons: { change_1m: 'no_cpi' },
    });
    expect(await value('per=base')).toMatchObject({ value: 299 });
    expect(await value('per=base', SACKS)).toEqual({
      date: '2023-08-01',
      value: null,
      change_1m: null,
      reasons: { value: 'no_factor', change_1m: 'no_factor' },
    });
    expect(await observations('?latest=1&measure=usd&indicators=value,volatility_12m')).toEqual([
      {
        date: '2023-12-01',
        value: null,
        volatility_12m: null,
        reasons: { value: 'no_rate', volatility_12m: 'no_rate' },
      },
    ]);
  });

  it('are calculated from real prices and nominal ones, whatever the measure is', async () => {
    const [nominal] = await observations('?latest=1&indicators=ifpa,alps');
    expect(await observations('?latest=1&indicators=ifpa,alps&measure=usd')).toEqual([nominal]);
  });

  it('echo the settings, and calculate with them', async () => {
    const query =
      'ifpa_mode=fpma&history_from=2019-01&alps_window=full&fit_until=2022-12&break_date=2020-03-15&gamma=0.5' +
      '&ifpa_thresholds=0.1,0.2&alps_thresholds=1,2,3&allow_gaps=true&latest=1&measure=real&per=base';
    expect((await read(`?${query}`)).settings).toEqual({
      measure: 'real',
      per: 'base',
      ifpa_mode: 'fpma',
      history_from: '2019-01',
      alps_window: 'full',
      fit_until: '2022-12',
      break_date: '2020-03',
      gamma: 0.5,
      ifpa_thresholds: [0.1, 0.2],
      alps_thresholds: [1, 2, 3],
      allow_gaps: true,
      annual: false,
      method_version: 1,
    });
    const of = async (settings: string) => {
      const [shown] = await observations(`?start_date=2023-08-01&end_date=2023-08-01&${settings}`);
      return shown;
    };
    expect(await of('alps_window=full')).toMatchObject({
      alps: { value: close(2.0809, 4), class: 'crisis' },
    });
    expect(await of('gamma=1&ifpa_thresholds=0.7,0.8')).toMatchObject({
      ifpa: { value: close(0.784027), class: 'moderate' },
    });
  });

  it('are years, where these are asked for', async () => {
    const { observations: years, settings } = await read('?annual=true&start_date=2020-01-01');
    expect(settings).toMatchObject({ annual: true });
    expect(years).toEqual([
      { year: 2023, n_months: 12, partial: false, ifpa: close(0.205514) },
      { year: 2022, n_months: 12, partial: false, ifpa: close(0.328748) },
      { year: 2021, n_months: 12, partial: false, ifpa: close(-0.198773) },
      { year: 2020, n_months: 0, partial: true, ifpa: null, reasons: { ifpa: 'short_history' } },
    ]);
    expect(await observations('?annual=true&latest=1&ifpa_mode=fpma&indicators=ifpa')).toEqual([
      { year: 2023, n_months: 12, partial: false, ifpa: close(0.224321) },
    ]);
  });

  it('count calculated months, but none that is not over', async () => {
    expect(await observations('?indicators=value', WEEKLY)).toEqual([
      { date: '2024-01-01', value: 14.4, reasons: {} },
    ]);
  });

  it('are empty for a series without prices', async () => {
    expect(await read('', EMPTY)).toEqual({
      uuid: EMPTY,
      series: expect.objectContaining({ uuid: EMPTY }) as object,
      settings: DEFAULTS,
      seasonal: { index: null, sd: null, years: null },
      observations: [],
    });
    await get('', '11111111-0000-4000-8000-00000000000f').expect(404);
    await get('', 'none').expect(404);
  });

  it('come as CSV and NDJSON, a line for each observation', async () => {
    const csv = await get('?latest=1&indicators=change_12m,mean_5y_years,ifpa,alps&format=csv', SACKS).expect(
      200,
    );
    expect(csv.text).toBe(
      'uuid,date,change_12m,mean_5y_years,ifpa_value,ifpa_quarterly,ifpa_annual,ifpa_class,ifpa_provisional,' +
        'ifpa_weak,alps_value,alps_expected,alps_class,change_12m_reason,ifpa_reason,alps_reason\r\n' +
        `${SACKS},2023-08-01,,0,,,,,,,,,,no_price_12m_ago,no_price_3m_ago,short_history\r\n`,
    );
    const ndjson = await get('?latest=2&indicators=value&format=ndjson').buffer(true).expect(200);
    expect(ndjson.text).toBe(
      `{"uuid":"${S1}","date":"2023-12-01","value":231,"reasons":{}}\n` +
        `{"uuid":"${S1}","date":"2023-11-01","value":221,"reasons":{}}\n`,
    );
    const years = await get('?annual=true&end_date=2019-12-31&format=csv').expect(200);
    expect(years.text).toBe(
      'uuid,year,n_months,partial,ifpa,ifpa_reason\r\n' +
        `${S1},2019,0,true,,short_history\r\n${S1},2018,0,true,,no_price_12m_ago\r\n`,
    );
  });

  it('carry an entity tag and the revision of the data, and are as of a revision', async () => {
    const before = await get('?latest=1&indicators=value').expect(200);
    const revision = before.headers['data-revision'];
    expect(revision).toMatch(/^\d+$/);
    await get('?latest=1&indicators=value').set('If-None-Match', before.headers.etag!).expect(304);
    const ids = await storeSeries(service.unitOfWork, [
      { uuid: '11111111-0000-4000-8000-000000000005', points: { monthly: [['2023-08-01', 5]] } },
    ]);
    const uuid = '11111111-0000-4000-8000-000000000005';
    const { headers } = await get('?indicators=value', uuid).expect(200);
    await storePoints(service.unitOfWork, ids.get(uuid)!, { monthly: [['2023-08-01', 6]] });
    expect(await observations('?indicators=value', uuid)).toMatchObject([{ value: 6 }]);
    const asOf = await get(`?indicators=value&as_of=r${headers['data-revision']}`, uuid).expect(200);
    expect((asOf.body as Answer).observations).toMatchObject([{ value: 5 }]);
    expect(asOf.headers['data-revision']).toBe(headers['data-revision']);
    await get(`?as_of=r${revision}`, uuid).expect(404);
  });

  it('reject what is unknown, wrong or contradictory, and say what is accepted', async () => {
    expect(await faults('?mesure=real')).toEqual([
      'mesure unknown_parameter: There is no parameter mesure. Did you mean measure?',
    ]);
    expect(await faults('?measure=dollar&per=kg&indicators=ipa&gamma=1.5&latest=0')).toEqual([
      'latest invalid_integer: latest must be a positive integer; got "0".',
      'indicators invalid_choice: Item 1 of indicators must be one of value, change_1m, change_3m, change_12m, mean_5y, mean_5y_years, against_mean_5y, seasonal_index, volatility_12m, ifpa, alps; got "ipa".',
      'measure invalid_choice: measure must be one of nominal, real, usd, real_usd; got "dollar".',
      'per invalid_choice: per must be one of unit, base; got "kg".',
      'gamma out_of_range: gamma must be between 0 and 1; got "1.5".',
    ]);
    expect(await faults('?history_from=2019-02&fit_until=2020&break_date=2020-13&gamma=x')).toEqual([
      'history_from invalid_date: history_from must be the January of a year, written YYYY-01; got "2019-02".',
      'fit_until invalid_date: fit_until must be a month written YYYY-MM, or a date in it; got "2020".',
      'break_date invalid_date: break_date must be a month written YYYY-MM, or a date in it; got "2020-13".',
      'gamma invalid_number: gamma must be a number from 0 to 1; got "x".',
    ]);
    const ifpaThresholds =
      'ifpa_thresholds invalid_item: ifpa_thresholds must be 2 numbers, each greater than the one before, separated by commas.';
    // More digits than a number can have.
    expect(await faults(`?ifpa_thresholds=1,${'9'.repeat(400)}`)).toEqual([ifpaThresholds]);
    expect(await faults('?ifpa_thresholds=1&alps_thresholds=3,2,1')).toEqual([
      ifpaThresholds,
      'alps_thresholds invalid_item: alps_thresholds must be 3 numbers, each greater than the one before, separated by commas.',
    ]);
    expect(await faults('?start_date=2023-02-01&end_date=2023-01-01')).toEqual([
      'start_date reversed_range: start_date (2023-02-01) must not be after end_date (2023-01-01).',
      'end_date reversed_range: start_date (2023-02-01) must not be after end_date (2023-01-01).',
    ]);
    const late = 'break_date (2023-02) must not be after fit_until (2023-01): no month after it is fitted.';
    expect(await faults('?fit_until=2023-01&break_date=2023-02')).toEqual([
      `fit_until contradiction: ${late}`,
      `break_date contradiction: ${late}`,
    ]);
    const other = 'annual=true has no other indicator than ifpa; got alps.';
    expect(await faults('?annual=true&indicators=ifpa,alps')).toEqual([
      `annual contradiction: ${other}`,
      `indicators contradiction: ${other}`,
    ]);
  });
});
