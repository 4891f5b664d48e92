import { dayFromIso, firstDayOfMonth, isoFromDay, monthOf } from '../../src/lib/dates/calendar-date.js';
import { storeIndices, storePoints, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const LINKED = '11111111-0000-4000-8000-000000000001';
const SPLIT = '11111111-0000-4000-8000-000000000002';
const TWIN = '11111111-0000-4000-8000-000000000003';

const NOVEMBER = monthOf(dayFromIso('2022-11-01')!);
const dateOf = (month: number) => isoFromDay(firstDayOfMonth(month));
/** Monthly prices from November 2022 on. */
const monthly = (...values: number[]) => ({
  monthly: values.map((value, index) => [dateOf(NOVEMBER + index), value] as [string, number]),
});

interface Point {
  id: number;
  date: string;
  price_value_real: number | null;
  index_base?: string | null;
}

describe('real prices of a country whose index has several base periods', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp();
    await storeIndices(service.unitOfWork, [
      ['KEN', '2022-11-01', 300, '2010'],
      ['KEN', '2022-12-01', 200, '2010'],
      ['KEN', '2023-01-01', 300, '2010'],
      ['KEN', '2022-12-01', 110, '2020'],
      ['KEN', '2023-01-01', 140, '2020'],
      ['KEN', '2023-02-01', 150, '2020'],
      // No month in common.
      ['UGA', '2022-11-01', 200, '2010'],
      ['UGA', '2022-12-01', 250, '2010'],
      ['UGA', '2023-01-01', 80, '2020'],
      ['UGA', '2023-02-01', 100, '2020'],
    ]);
    const kampala = { iso3_country_code: 'UGA', name: 'Kampala' };
    await storeSeries(service.unitOfWork, [
      { uuid: LINKED, points: monthly(600, 440, 420, 300, 1) },
      { uuid: SPLIT, currency: 'UGX', market: kampala, points: monthly(600, 500, 400, 300, 1) },
      {
        uuid: TWIN,
        currency: 'UGX',
        commodity: { name: 'Rice' },
        market: kampala,
        points: monthly(60, 50, 40, 30),
      },
    ]);
  });
  afterAll(() => service.close());

  const get = async (path: string) =>
    (await service.http().get(`/api/v1/${path}`).expect(200)).body as unknown;
  async function points(uuid: string, query = '?index_base=true'): Promise<Point[]> {
    return ((await get(`PriceSeriePrice/${uuid}/${query}`)) as { datapoints: Point[] }).datapoints;
  }
  const seen = (of: readonly Point[]) =>
    of.map((point) => [point.date.slice(0, 7), point.price_value_real, point.index_base]);

  it('link the earlier base by the means of the months that both have', async () => {
    expect(seen(await points(LINKED))).toEqual([
      ['2023-03', null, null],
      ['2023-02', 200, '2020'],
      ['2023-01', 300, '2020'],
      ['2022-12', 400, '2020'],
      // 300 × (110 + 140) ÷ (200 + 300) = 150
      ['2022-11', 400, '2020'],
    ]);
  });

  it('are in terms of the earlier base where nothing links it', async () => {
    expect(seen(await points(SPLIT))).toEqual([
      ['2023-03', null, null],
      ['2023-02', 300, '2020'],
      ['2023-01', 500, '2020'],
      ['2022-12', 200, '2010'],
      ['2022-11', 300, '2010'],
    ]);
  });

  it('name the base on request only, in each format', async () => {
    for (const point of await points(SPLIT, '')) expect(point).not.toHaveProperty('index_base');
    const list = await service
      .http()
      .get(`/api/v1/PriceSeriePrice/?uuid__in=${SPLIT}&rate_basis=true&index_base=true&format=csv`)
      .expect(200);
    const [head, , february, , december] = list.text.split('\r\n');
    expect(head).toMatch(/,rate_basis,index_base$/);
    expect([february, december]).toEqual([
      expect.stringMatching(/,,2020$/),
      expect.stringMatching(/,,2010$/),
    ]);
  });

  it('are explained by the published index and its link', async () => {
    const indexOf = async (uuid: string, at: number) => {
      const { id } = (await points(uuid)).at(at)!;
      const { explain } = (await get(`PriceSeriePrice/${uuid}/${id}/?explain=true`)) as {
        explain: { index: unknown };
      };
      return explain.index;
    };
    expect(await indexOf(LINKED, -1)).toMatchObject({
      base_period: '2010',
      value: 300,
      link: {
        base_period: '2020',
        factor: 0.5,
        months: { n: 2, first: '2022-12-01', last: '2023-01-01' },
      },
    });
    expect(await indexOf(LINKED, -2)).toMatchObject({ base_period: '2020', value: 110, link: null });
    expect(await indexOf(SPLIT, -1)).toMatchObject({ base_period: '2010', value: 200, link: null });
    expect(await indexOf(SPLIT, 0)).toBeNull();
  });

  it('are compared within one base only, and the reason says why not', async () => {
    const { observations } = (await get(
      `PriceSerieIndicator/${SPLIT}/?measure=real&indicators=value,change_1m`,
    )) as { observations: { date: string; value: number; change_1m: number; reasons: object }[] };
    expect(observations.map(({ value, change_1m, reasons }) => [value, change_1m, reasons])).toEqual([
      [null, null, { value: 'no_cpi', change_1m: 'no_cpi' }],
      [300, 300 / 500 - 1, {}],
      [500, null, { change_1m: 'other_base' }],
      [null, null, { value: 'other_base', change_1m: 'other_base' }],
      [null, null, { value: 'other_base', change_1m: 'other_base' }],
    ]);
    const linked = (await get(
      `PriceSerieIndicator/${LINKED}/?measure=real&indicators=value,change_1m`,
    )) as typeof observations & { observations: { value: number | null; reasons: object }[] };
    expect(linked.observations.map(({ value }) => value)).toEqual([null, 200, 300, 400, 400]);
  });

  it('make tables and means of one base', async () => {
    const table = (await get(`PriceTable/?uuids=${SPLIT}&measure=real`)) as { values: (number | null)[][] };
    expect(table.values.flat()).toEqual([null, 300, 500, null, null]);
    const { results } = (await get(
      'PriceAggregate/?by=country&measure=real&per=unit&iso3_country_codes=UGA',
    )) as {
      results: { observations: { date: string; mean: number | null; left_out: object; reasons: object }[] }[];
    };
    expect(
      results[0]!.observations.map(({ date, mean, left_out, reasons }) => [
        date.slice(0, 7),
        mean,
        left_out,
        'mean' in reasons ? reasons.mean : null,
      ]),
    ).toEqual([
      ['2023-03', null, { no_cpi: 1 }, 'no_cpi'],
      ['2023-02', 165, {}, null],
      ['2023-01', 275, {}, null],
      ['2022-12', null, { other_base: 2 }, 'other_base'],
      ['2022-11', null, { other_base: 2 }, 'other_base'],
    ]);
  });

  it('name their base on pages, whose columns and charts are of one', async () => {
    const page = async (path: string) => (await service.http().get(path).expect(200)).text;
    const real = await page(`/series/${SPLIT}?measure=real`);
    expect(real).toContain('In real terms (UGX, 2020 = 100)');
    expect(real).toContain('Real UGX per Kg (2020 = 100)');
    expect(real).toContain('in real terms 200, of another base (2010 = 100)');
    const linked = await page(`/series/${LINKED}?measure=real`);
    expect(linked).toContain('In real terms (KES, 2020 = 100)');
    expect(linked).not.toContain('2010');
    expect(await page('/countries/UGA')).not.toContain('250');
  });

  it('are those of an earlier state with its indices', async () => {
    const before = await service.http().get(`/api/v1/PriceSeriePrice/${LINKED}/`).expect(200);
    const revision = before.headers['data-revision'] as string;
    const then = await points(LINKED);
    await storeIndices(service.unitOfWork, [
      ['KEN', '2023-02-01', 100, '2025'],
      ['KEN', '2022-11-01', 220, '2020'],
    ]);
    expect(seen(await points(LINKED))).toEqual([
      ['2023-03', null, null],
      ['2023-02', 300, '2025'],
      ['2023-01', 450, '2025'],
      ['2022-12', 600, '2025'],
      ['2022-11', expect.closeTo(409.0909, 4), '2025'],
    ]);
    expect(await points(LINKED, `?index_base=true&as_of=r${revision}`)).toEqual(then);
  });
});

describe('the indicator of food price anomalies', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp()));
  afterAll(() => service.close());

  it('compares growth within each base, so that a new base ends no history', async () => {
    const months = Array.from({ length: 84 }, (_, index) => monthOf(dayFromIso('2015-01-01')!) + index);
    const price = (month: number) => 100 + ((month * 37) % 23);
    const ids = await storeSeries(service.unitOfWork, [
      { uuid: LINKED },
      {
        uuid: SPLIT,
        currency: 'UGX',
        market: { iso3_country_code: 'UGA', name: 'Kampala' },
      },
    ]);
    const newBase = months[60]!;
    await storeIndices(
      service.unitOfWork,
      months.flatMap((month): [string, string, number, string][] => [
        ['KEN', dateOf(month), 100, '2010'],
        ['UGA', dateOf(month), month < newBase ? 100 : 50, month < newBase ? '2010' : '2020'],
      ]),
    );
    for (const uuid of [LINKED, SPLIT])
      await storePoints(service.unitOfWork, ids.get(uuid)!, {
        monthly: months.map((month): [string, number] => [dateOf(month), price(month)]),
      });
    const ifpas = async (uuid: string) => {
      const { body } = await service.http().get(`/api/v1/PriceSerieIndicator/${uuid}/?indicators=ifpa`);
      const { observations } = body as {
        observations: { date: string; ifpa: { value: number | null }; reasons: { ifpa?: string } }[];
      };
      return new Map(observations.map(({ date, ifpa, reasons }) => [date, ifpa.value ?? reasons.ifpa]));
    };
    const [whole, split] = [await ifpas(LINKED), await ifpas(SPLIT)];
    expect(split.get('2019-12-01')).toBe(whole.get('2019-12-01'));
    expect(typeof split.get('2019-12-01')).toBe('number');
    // Nothing three, or twelve, months before is of the same base.
    expect(['2020-01-01', '2020-04-01', '2020-12-01'].map((date) => split.get(date))).toEqual([
      'other_base',
      'other_base',
      'other_base',
    ]);
    // The history has the growth rates of both bases.
    expect(typeof split.get('2021-01-01')).toBe('number');
  });
});
