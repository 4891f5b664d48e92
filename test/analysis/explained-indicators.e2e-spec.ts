import fc from 'fast-check';
import { firstDayOfMonth, isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { storeIndices, storePoints, storeRates, storeSeries } from '../support/price-fixture.js';
import { ApiDocument, type Json } from '../fuzz/api-document.js';
import { assertProperty } from '../support/property.js';
import { randomNumbers, storeRandomPrices } from '../support/random-prices.js';
import { expectClose, type Recomputed } from '../support/recomputation.js';
import { type ExplainedIndicators, recomputedIndicators } from '../support/recomputed-indicators.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { S1_FIRST, S1_VALUES } from '../support/test-series.js';

/** Random replies that are recomputed; set `EXPLAIN_CASES` for a longer run by hand. */
const CASES = Number(process.env.EXPLAIN_CASES) || 50;

const S1 = '11111111-0000-4000-8000-000000000001';
const WEEKLY = '11111111-0000-4000-8000-000000000002';
const EMPTY = '11111111-0000-4000-8000-000000000003';

const DATES = S1_VALUES.map((_, index) => isoFromDay(firstDayOfMonth(S1_FIRST + index)));
const anyId = () => expect.any(Number) as number;
const close = (value: number) => expect.closeTo(value, 5) as number;

describe('PriceSerieIndicator/{uuid}/?explain=true', () => {
  let service: TestApp;
  let weekly: number;
  let random: string[];
  beforeAll(async () => {
    service = await startTestApp();
    await storeIndices(service.unitOfWork, [
      ...DATES.map((date) => ['TUN', date, 100] as const),
      ['TUN', '2024-01-01', 120],
    ]);
    await storeRates(service.unitOfWork, [
      ['TND', '2024-01-01', 3, 'daily'],
      ['TND', '2024-01-02', 3.2, 'daily'],
    ]);
    const market = { name: 'Sfax', iso3_country_code: 'TUN' };
    const ids = await storeSeries(service.unitOfWork, [
      {
        uuid: S1,
        currency: 'TND',
        market,
        points: { monthly: S1_VALUES.map((value, index) => [DATES[index]!, value]) },
      },
      {
        uuid: WEEKLY,
        currency: 'TND',
        market,
        source: { name: 'Office' },
        unit: { name: '50 kg', dimension: 'mass', conversion_factor: 0.02 },
        points: {
          weekly: [
            ['2024-01-05', 10],
            ['2024-01-12', 12],
            ['2024-01-26', 17],
            ['2024-02-02', 20],
          ],
        },
      },
      { uuid: EMPTY, currency: 'TND', market, source: { name: 'None' } },
    ]);
    weekly = ids.get(WEEKLY)!;
    random = await storeRandomPrices(service.unitOfWork, randomNumbers(20240101));
  });
  afterAll(() => service?.close());

  const get = (uuid: string, query: string) =>
    service.http().get(`/api/v1/PriceSerieIndicator/${uuid}/?explain=true${query}`);
  const read = async (uuid: string, query: string) =>
    (await get(uuid, query).expect(200)).body as ExplainedIndicators;

  it('names what a price was made of', async () => {
    const answer = await read(WEEKLY, '&indicators=value,change_1m&measure=usd&per=base');
    expect(answer.observations).toEqual([
      {
        date: '2024-01-01',
        value: close(0.095161),
        change_1m: null,
        reasons: { change_1m: 'no_price_1m_ago' },
        explain: { value: { price: { date: '2024-01-01', value: close(0.095161) } } },
      },
    ]);
    expect(answer.explain).toEqual({
      formulas: {
        price_value: 'mean of price_value × factor of stored_points',
        price_value_dollar:
          'price_value ÷ rate; rate = units × mean of rate of rows (1 where there are none)',
        price_value_real:
          'price_value × 100 ÷ (value × factor of link of index; factor 1 where link is null)',
        price: 'price_value_dollar × unit_factor',
        value: 'price',
        change_1m: 'price ÷ before − 1',
      },
      seasonal: null,
      series: [
        {
          uuid: WEEKLY,
          currency: 'TND',
          measure_unit: '50 kg',
          unit_factor: 0.02,
          prices: [
            {
              date: '2024-01-01',
              price_value: 14.75,
              n: 4,
              stored_points: [
                ['2024-01-05', 10],
                ['2024-01-12', 12],
                ['2024-01-26', 17],
                ['2024-02-02', 20],
              ].map(([date, price_value]) => ({
                uuid: WEEKLY,
                date,
                periodicity: 'weekly',
                price_value,
                factor: 1,
                change_set_id: anyId(),
              })),
              price_value_dollar: close(4.758065),
              exchange_rate: {
                basis: 'published',
                rate: 3.1,
                currency: 'TND',
                units: 1,
                reference: null,
                rows: [
                  { id: anyId(), currency: 'TND', date: '2024-01-01', period: 'daily', rate: 3, source: '' },
                  {
                    id: anyId(),
                    currency: 'TND',
                    date: '2024-01-02',
                    period: 'daily',
                    rate: 3.2,
                    source: '',
                  },
                ],
              },
              price_value_real: null,
              index: null,
              us_index: null,
              value: close(0.095161),
            },
          ],
        },
      ],
    });
  });

  it('names the growth rates of IFPA and the fit of ALPS', async () => {
    const answer = await read(S1, '&start_date=2023-08-01&end_date=2023-08-01&indicators=ifpa,alps');
    const { ifpa, alps } = answer.observations[0]!.explain as unknown as Record<string, object>;
    expect(ifpa).toEqual({
      gamma: 0.4,
      quarterly: {
        months: 3,
        date: '2023-08-01',
        value: 299,
        before: 311,
        growth_rate: close(-0.013031),
        history: [
          ['2018-08-01', 216, 217, -0.001538],
          ['2019-08-01', 207, 244, -0.053341],
          ['2020-08-01', 226, 252, -0.035647],
          ['2021-08-01', 235, 242, -0.009736],
          ['2022-08-01', 257, 280, -0.028167],
        ].map(([date, value, before, rate], index) => ({
          date,
          value,
          before,
          growth_rate: close(rate as number),
          weight: close((index + 1) / 15),
        })),
        n: 5,
        mean: close(-0.026329),
        sd: close(0.016962),
        score: close(0.784027),
      },
      annual: {
        months: 12,
        date: '2023-08-01',
        value: 299,
        before: 257,
        growth_rate: close(0.012694),
        history: [
          ['2019-08-01', 207, 216, -0.00354],
          ['2020-08-01', 226, 207, 0.007345],
          ['2021-08-01', 235, 226, 0.00326],
          ['2022-08-01', 257, 235, 0.007485],
        ].map(([date, value, before, rate], index) => ({
          date,
          value,
          before,
          growth_rate: close(rate as number),
          weight: close((index + 1) / 10),
        })),
        n: 4,
        mean: close(0.005087),
        sd: close(0.003961),
        score: close(1.920573),
      },
      value: close(1.465954),
    });
    expect(alps).toEqual({
      date: '2023-08-01',
      value: 299,
      calendar_month: 8,
      t: 67,
      after_break: 0,
      expected: expect.closeTo(275.42, 2) as number,
      fit: {
        first_month: '2018-01-01',
        last_month: '2023-08-01',
        n: 68,
        alpha: expect.any(Number) as number,
        step: 0,
        sd: expect.any(Number) as number,
        calendar_months: Array.from({ length: 12 }, (_, index) => ({
          calendar_month: index + 1,
          n: index < 8 ? 6 : 5,
          t: index + (index < 8 ? 30 : 24),
          price: expect.any(Number) as number,
          after_break: 0,
        })),
      },
    });
    // ALPS uses all months up to this one, IFPA none after it.
    expect(answer.explain.series[0].prices).toHaveLength(68);
    recomputedIndicators(answer).forEach(expectClose);
  });

  it('names the months of a year', async () => {
    const answer = await read(S1, '&annual=true&latest=1&ifpa_mode=fpma');
    expect(answer.observations[0]!.explain.months!.map(({ date }) => date)).toEqual(DATES.slice(-12));
    expect(answer.explain.formulas.year).toBe('mean of value of ifpa of the months');
    const numbers = recomputedIndicators(answer);
    expect(numbers.map(({ name }) => name)).toContain('ifpa of a year');
    numbers.forEach(expectClose);
  });

  it('is all of the state that is asked for', async () => {
    const query = '&indicators=value';
    const before = await get(WEEKLY, query).expect(200);
    const revision = before.headers['data-revision'] as string;
    await storePoints(service.unitOfWork, weekly, { weekly: [['2024-01-12', 15]] });
    const now = await read(WEEKLY, query);
    const [first, changed] = now.explain.series[0].prices[0]!.stored_points as unknown as {
      price_value: number;
      change_set_id: number;
    }[];
    expect(changed!.price_value).toBe(15);
    expect(changed!.change_set_id).toBeGreaterThan(first!.change_set_id);
    const past = await get(WEEKLY, `${query}&as_of=r${revision}`).expect(200);
    expect(past.text).toBe(before.text);
    expect(past.headers['data-revision']).toBe(revision);
  });

  it('is empty for a series without prices', async () => {
    expect(await read(EMPTY, '&indicators=value')).toMatchObject({
      observations: [],
      explain: { seasonal: null, series: [{ uuid: EMPTY, unit_factor: 1, prices: [] }] },
    });
    expect(
      (await read(S1, '&latest=1&annual=true&indicators=ifpa&end_date=2018-12-31')).observations,
    ).toEqual([
      {
        year: 2018,
        n_months: 0,
        partial: true,
        ifpa: null,
        reasons: { ifpa: 'no_price_12m_ago' },
        explain: { months: [] },
      },
    ]);
  });

  it('is bounded, and JSON alone', async () => {
    const errors = async (query: string) => {
      const { body } = await get(S1, query).expect(400);
      return (body as { errors: unknown[] }).errors;
    };
    expect((await read(S1, '&latest=12&indicators=value')).observations).toHaveLength(12);
    expect(await errors('&start_date=2022-12-01&indicators=value')).toEqual([
      {
        in: 'query',
        name: 'explain',
        code: 'too_many_items',
        detail:
          'explain=true explains at most 12 observations; the parameters select 13. Select fewer of them by start_date, end_date or latest.',
        max: 12,
        count: 13,
      },
    ]);
    for (const format of ['csv', 'ndjson'])
      expect(await errors(`&latest=1&format=${format}`)).toEqual([
        {
          in: 'query',
          name: 'explain',
          code: 'contradiction',
          detail: `explain=true is answered in JSON only; the format is ${format}.`,
        },
      ]);
    expect(await errors('&latest=1&explain=yes')).toHaveLength(1);
    const { body } = await service
      .http()
      .get(`/api/v1/PriceSerieIndicator/${S1}/?latest=1&explain=false`)
      .expect(200);
    expect(body).not.toHaveProperty('explain');
  });

  it('is all that random indicators are recomputed from', async () => {
    const month = fc
      .integer({ min: 0, max: 131 })
      .map((index) => isoFromDay(firstDayOfMonth(2013 * 12 + index)));
    const kinds = new Map<string, number>();
    const documented = new ApiDocument((await service.http().get('/openapi.json')).body as Json);
    const operation = documented.operations.find(
      ({ path }) => path === '/api/v1/PriceSerieIndicator/{uuid}',
    )!;
    const query = fc.record(
      {
        measure: fc.constantFrom('nominal', 'real', 'usd', 'real_usd'),
        per: fc.constantFrom('unit', 'base'),
        ifpa_mode: fc.constantFrom('standard', 'fpma'),
        history_from: fc.constantFrom('2013-01', '2015-01'),
        alps_window: fc.constantFrom('realtime', 'full'),
        fit_until: fc.constantFrom('2019-06', '2022-12'),
        break_date: fc.constantFrom('2016-03', '2018-11'),
        gamma: fc.constantFrom('0', '0.3', '1'),
        allow_gaps: fc.constant('true'),
        annual: fc.constantFrom('true', 'false', 'false', 'false'),
      },
      { requiredKeys: [] },
    );
    await assertProperty(
      'explained indicators',
      fc.asyncProperty(fc.constantFrom(...random), month, query, async (uuid, end, settings) => {
        const answer = await read(
          uuid,
          `&end_date=${end}&latest=3&${new URLSearchParams(settings).toString()}`,
        );
        expect(documented.mismatch(operation, 200, 'application/json', JSON.stringify(answer))).toBeNull();
        for (const number of recomputedIndicators(answer)) {
          expectClose(number);
          countKind(kinds, number, answer.settings);
        }
      }),
      { numRuns: CASES },
    );
    if (process.env.EXPLAIN_CASES) process.stdout.write(`${JSON.stringify([...kinds])}\n`);
    const names = new Set([...kinds.keys()].map((kind) => kind.split(' ')[0]));
    for (const name of ['value', 'rate', 'change_12m', 'mean_5y', 'volatility_12m', 'ifpa', 'alps'])
      expect(names).toContain(name);
  }, 3_000_000);
});

function countKind(
  kinds: Map<string, number>,
  { name }: Recomputed,
  { measure, per }: ExplainedIndicators['settings'],
): void {
  const kind = name === 'value' ? `${name} ${measure} per ${per}` : name;
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
}
