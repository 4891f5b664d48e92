import fc from 'fast-check';
import { Cpi } from '../../src/reference/cpi/cpi.entity.js';
import { FxRate } from '../../src/reference/fx-rate/fx-rate.entity.js';
import { testChange } from '../support/change-set.js';
import { assertProperty } from '../support/property.js';
import { storeIndices, storePoints, storeRates, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Explained {
  price_value: number;
  price_value_real: number | null;
  price_value_dollar: number | null;
  explain: {
    stored_points: {
      uuid: string;
      date: string;
      periodicity: string;
      price_value: number;
      factor: number;
      change_set_id: number;
    }[];
    exchange_rate: {
      basis: string;
      rate: number;
      currency: string;
      units: number;
      reference: string | null;
      rows: { id: number; rate: number }[];
    } | null;
    index: { id: number; value: number; link: { factor: number } | null } | null;
  };
}

const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Checks that a point's prices follow from what it says it was made of. */
function expectRecomputed({ explain, ...point }: Explained): void {
  const close = (value: number | null, expected: number | null) => {
    if (value === null || expected === null) expect(value).toBe(expected);
    else expect(Math.abs(value / expected - 1)).toBeLessThan(1e-12);
  };
  const { stored_points, exchange_rate: rate, index } = explain;
  const price = mean(stored_points.map(({ price_value, factor }) => price_value * factor));
  close(point.price_value, price);
  if (rate !== null) {
    const published = rate.rows.length === 0 ? 1 : mean(rate.rows.map((row) => row.rate));
    close(rate.rate, published * rate.units);
  }
  close(point.price_value_dollar, rate && price / rate.rate);
  close(point.price_value_real, index && (price * 100) / (index.value * (index.link?.factor ?? 1)));
}

describe('PriceSeriePrice/{uuid}/{id}/?explain=true', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp();
    await storeRates(service.unitOfWork, [
      ['ZAR', '2024-01-01', 18.5],
      ['ZAR', '2024-01-15', 99, 'daily'],
      ['KES', '2024-01-30', 150, 'daily'],
      ['KES', '2024-01-31', 151, 'daily'],
      ['KES', '2024-02-01', 160],
      ['SLE', '2024-01-31', 22.5, 'daily'],
    ]);
    await storeIndices(service.unitOfWork, [
      ['KEN', '2024-01-01', 125],
      ['KEN', '2024-02-01', 126],
      ['KEN', '2024-01-01', 250, '2010'],
      ['NAM', '2024-01-01', 0],
    ]);
    await service.unitOfWork.change(testChange, async ({ manager }) => {
      await manager.createQueryBuilder().update(FxRate).set({ source: 'Central bank' }).execute();
      await manager.createQueryBuilder().update(Cpi).set({ source: 'Statistics office' }).execute();
    });
    await storeSeries(service.unitOfWork, [
      {
        uuid: uuidOf(1),
        points: {
          daily: [
            ['2024-01-29', 100],
            ['2024-01-30', 101],
            ['2024-02-01', 103],
            ['2024-02-02', 104],
          ],
        },
      },
      {
        uuid: uuidOf(2),
        currency: 'NAD',
        market: { iso3_country_code: 'NAM', name: 'Windhoek' },
        points: { monthly: [['2024-01-01', 37, 'checked']] },
      },
      {
        uuid: uuidOf(3),
        currency: 'SLL',
        market: { iso3_country_code: 'SLE', name: 'Bo' },
        unit: { name: '50 kg', dimension: 'mass', conversion_factor: 0.02 },
        points: {
          weekly: [
            ['2024-01-05', 2250],
            ['2024-01-12', 2250],
          ],
        },
      },
      {
        uuid: uuidOf(4),
        currency: 'PAB',
        market: { iso3_country_code: 'PAN', name: 'Colón' },
        points: { monthly: [['2024-01-01', 2, null, true]] },
      },
    ]);
  });
  afterAll(() => service.close());

  async function ids(uuid: string): Promise<Record<string, number>> {
    const { body } = await service.http().get(`/api/v1/PriceSeriePrice/${uuid}/`).expect(200);
    const { datapoints } = body as { datapoints: { id: number; date: string; periodicity: string }[] };
    return Object.fromEntries(datapoints.map(({ id, date, periodicity }) => [`${periodicity} ${date}`, id]));
  }
  async function explained(uuid: string, id: number, query = ''): Promise<Explained> {
    const path = `/api/v1/PriceSeriePrice/${uuid}/${id}/?explain=true${query}`;
    return (await service.http().get(path).expect(200)).body as Explained;
  }

  it('names the stored points, the rates and the index of a calculated point', async () => {
    const found = await ids(uuidOf(1));
    const week = await explained(uuidOf(1), found['weekly 2024-02-02']!);
    expect(week).toEqual({
      id: found['weekly 2024-02-02'],
      price_value: 102,
      price_value_real: 81.6,
      price_value_dollar: 0.677740863787375,
      conversion_factor: 1,
      date: '2024-02-02',
      periodicity: 'weekly',
      comment: '',
      calculated: true,
      explain: {
        stored_points: [
          ['2024-01-29', 100],
          ['2024-01-30', 101],
          ['2024-02-01', 103],
          ['2024-02-02', 104],
        ].map(([date, price_value]) => ({
          uuid: uuidOf(1),
          date,
          periodicity: 'daily',
          price_value,
          factor: 1,
          change_set_id: expect.any(Number) as number,
        })),
        exchange_rate: {
          basis: 'published',
          rate: 150.5,
          currency: 'KES',
          units: 1,
          reference: null,
          rows: [
            {
              id: expect.any(Number) as number,
              currency: 'KES',
              date: '2024-01-30',
              period: 'daily',
              rate: 150,
              source: 'Central bank',
            },
            {
              id: expect.any(Number) as number,
              currency: 'KES',
              date: '2024-01-31',
              period: 'daily',
              rate: 151,
              source: 'Central bank',
            },
          ],
        },
        index: {
          id: expect.any(Number) as number,
          iso3_country_code: 'KEN',
          date: '2024-01-01',
          base_period: '2015',
          value: 125,
          source: 'Statistics office',
          link: null,
        },
      },
    });
    expectRecomputed(week);
    const month = await explained(uuidOf(1), found['monthly 2024-02-01']!);
    expect(month.explain.stored_points.map(({ date }) => date)).toEqual(['2024-02-01', '2024-02-02']);
    expect(month.explain.exchange_rate!.rows).toHaveLength(1);
    expectRecomputed(month);
  });

  it('names the law of a rate, and the anchor that it comes from', async () => {
    const namibia = await explained(uuidOf(2), (await ids(uuidOf(2)))['monthly 2024-01-01']!);
    expect(namibia.explain.exchange_rate).toEqual({
      basis: 'relation',
      rate: 18.5,
      currency: 'ZAR',
      units: 1,
      reference: expect.stringContaining('Common Monetary Area') as string,
      rows: [
        {
          id: expect.any(Number) as number,
          currency: 'ZAR',
          date: '2024-01-01',
          period: 'monthly',
          rate: 18.5,
          source: 'Central bank',
        },
      ],
    });
    // An index of 0 gives no real price.
    expect(namibia.explain.index).toBeNull();
    expectRecomputed(namibia);
    const month = await explained(uuidOf(3), (await ids(uuidOf(3)))['monthly 2024-01-01']!);
    // 2250 SLL for 50 kg are 45 per kg: 2 dollars in SLE, and 0.002 in SLL.
    expect(month.explain.exchange_rate).toMatchObject({ basis: 'successor', rate: 22.5, units: 1 });
    expect(month.explain.stored_points.map(({ periodicity }) => periodicity)).toEqual(['weekly', 'weekly']);
    expectRecomputed(month);
    const panama = await explained(uuidOf(4), (await ids(uuidOf(4)))['monthly 2024-01-01']!);
    expect(panama.explain.exchange_rate).toMatchObject({ basis: 'relation', currency: 'USD', rows: [] });
    expectRecomputed(panama);
  });

  it('tells what a point was made of in an earlier state, and after a join', async () => {
    const found = await ids(uuidOf(1));
    const id = found['weekly 2024-02-02']!;
    const before = await service
      .http()
      .get(`/api/v1/PriceSeriePrice/${uuidOf(1)}/`)
      .expect(200);
    const revision = before.headers['data-revision'] as string;
    const then = await explained(uuidOf(1), id);
    await storeSeries(service.unitOfWork, [
      { uuid: uuidOf(5), market: { name: 'Eldoret' }, points: { daily: [['2024-01-31', 10_200]] } },
    ]);
    await storeRates(service.unitOfWork, [['KES', '2024-01-01', 200]]);
    const merge = await service
      .http()
      .post(`/api/v1/PriceSerie/${uuidOf(5)}/merge/`)
      .set(await service.authHeader())
      .send({ into: uuidOf(1), factor: 0.01 });
    expect(merge.status).toBe(200);
    const now = await explained(uuidOf(1), id);
    expect(now.explain.stored_points[2]).toEqual({
      uuid: uuidOf(5),
      date: '2024-01-31',
      periodicity: 'daily',
      price_value: 10_200,
      factor: 0.01,
      change_set_id: expect.any(Number) as number,
    });
    expect(now.explain.stored_points).toHaveLength(5);
    expect(now.explain.exchange_rate).toMatchObject({ rate: 200 });
    expectRecomputed(now);
    expect(await explained(uuidOf(1), id, `&as_of=r${revision}`)).toEqual(then);
  });

  it('names the change set that made each stored point known', async () => {
    const created = await storeSeries(service.unitOfWork, [
      {
        uuid: uuidOf(6),
        market: { name: 'Kisumu' },
        points: {
          weekly: [
            ['2024-01-05', 10],
            ['2024-01-12', 20],
          ],
        },
      },
    ]);
    const newest = async () => {
      const { body } = await service.http().get('/api/v1/ChangeSet/?page_size=1').expect(200);
      return (body as { results: [{ id: number }] }).results[0].id;
    };
    const first = await newest();
    const read = await service
      .http()
      .get(`/api/v1/PriceSeriePrice/${uuidOf(6)}/`)
      .expect(200);
    const revision = read.headers['data-revision'] as string;
    await storePoints(service.unitOfWork, created.get(uuidOf(6))!, { weekly: [['2024-01-12', 30]] });
    const second = await newest();
    const month = (await ids(uuidOf(6)))['monthly 2024-01-01']!;
    const points = async (query: string) =>
      (await explained(uuidOf(6), month, query)).explain.stored_points.map(
        ({ date, price_value, change_set_id }) => [date, price_value, change_set_id],
      );
    expect(second).toBeGreaterThan(first);
    expect(await points('')).toEqual([
      ['2024-01-05', 10, first],
      ['2024-01-12', 30, second],
    ]);
    const then = [
      ['2024-01-05', 10, first],
      ['2024-01-12', 20, first],
    ];
    expect(await points(`&as_of=r${revision}`)).toEqual(then);
    expect(await points('&first_published=true')).toEqual(then);
  });

  it('is left out unless it is asked for, and 404 where there is no point', async () => {
    const [id] = Object.values(await ids(uuidOf(2)));
    const { body } = await service
      .http()
      .get(`/api/v1/PriceSeriePrice/${uuidOf(2)}/${id}/`)
      .expect(200);
    expect(body).not.toHaveProperty('explain');
    await service
      .http()
      .get(`/api/v1/PriceSeriePrice/${uuidOf(2)}/${id! + 1}/?explain=true`)
      .expect(404);
    await service
      .http()
      .get(`/api/v1/PriceSeriePrice/${uuidOf(1)}/${id}/?explain=true`)
      .expect(404);
    await service.http().get(`/api/v1/PriceSeriePrice/nonsense/1/?explain=true`).expect(404);
  });

  it('holds all that random points can be recomputed from', async () => {
    const specs = ['KES', 'NAD', 'SLL', 'USD', 'HTG'].map((currency, index) => ({
      uuid: uuidOf(100 + index),
      currency,
      market: { iso3_country_code: 'KEN', name: `Market ${currency}` },
    }));
    const created = await storeSeries(service.unitOfWork, specs);
    const price = fc.integer({ min: 1, max: 1e8 }).map((hundredths) => hundredths / 100);
    const day = fc.integer({ min: 1, max: 60 }).map((days) => new Date(Date.UTC(2024, 0, days)));
    const point = fc.tuple(
      fc.constantFrom(...specs.map(({ uuid }) => uuid)),
      fc.constantFrom('daily' as const, 'weekly' as const),
      day.map((date) => date.toISOString().slice(0, 10)),
      price,
    );
    await assertProperty(
      'explanations',
      fc.asyncProperty(fc.array(point, { minLength: 1, maxLength: 20 }), async (points) => {
        for (const [uuid, period, date, value] of points)
          await storePoints(service.unitOfWork, created.get(uuid)!, { [period]: [[date, value]] });
        for (const uuid of new Set(points.map(([each]) => each))) {
          const all = Object.values(await ids(uuid));
          for (const id of all.slice(0, 6)) expectRecomputed(await explained(uuid, id));
        }
      }),
      { numRuns: 10 },
    );
  });
});
