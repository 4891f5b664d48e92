import { dayFromIso, isoFromDay } from '../../src/lib/dates/calendar-date.js';
import type { ServedPeriodicityItem } from '../../src/price-series/price-serie.view.js';
import { storePoints, storeSeries, type PointLine, type PointLines } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Datapoint {
  date: string;
  periodicity: string;
  price_value: number;
  calculated?: true;
  partial?: true;
}

/** One price every few days. */
function every(days: number, from: string, to: string, price = 100): PointLine[] {
  const lines: PointLine[] = [];
  for (let day = dayFromIso(from)!; day <= dayFromIso(to)!; day += days) lines.push([isoFromDay(day), price]);
  return lines;
}

describe('derived prices', () => {
  let service: TestApp;
  let created = 0;
  beforeAll(async () => (service = await startTestApp()));
  afterAll(() => service.close());

  const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  async function seriesOf(points: PointLines): Promise<{ uuid: string; id: number }> {
    const uuid = uuidOf(++created);
    return { uuid, id: (await storeSeries(service.unitOfWork, [{ uuid, points }])).get(uuid)! };
  }
  async function read(
    uuid: string,
    query = '',
  ): Promise<{ items: ServedPeriodicityItem[]; points: Datapoint[] }> {
    const { body } = await service.http().get(`/api/v1/PriceSeriePrice/${uuid}/?${query}`).expect(200);
    const { series, datapoints } = body as {
      series: { periodicity: ServedPeriodicityItem[] };
      datapoints: Datapoint[];
    };
    return { items: series.periodicity, points: datapoints };
  }
  const linesOf = (points: Datapoint[]) =>
    points.map(
      (point) =>
        `${point.date} ${point.price_value}${point.calculated ? ' calculated' : ''}${point.partial ? ' partial' : ''}`,
    );

  /** Spans as in FPMA's own data, and whether the last month is partial. */
  it.each([
    [
      'weekly to a complete month',
      { weekly: every(7, '2020-05-01', '2026-08-28') },
      '2020-04-01',
      '2026-08-01',
      false,
    ],
    [
      'weekly over the end of a year',
      { weekly: every(7, '1997-01-03', '1997-02-28') },
      '1996-12-01',
      '1997-02-01',
      false,
    ],
    [
      'weekly from the first Friday',
      { weekly: every(7, '2019-01-04', '2019-03-01') },
      '2019-01-01',
      '2019-02-01',
      false,
    ],
    [
      'weekly to a partial month',
      { weekly: every(7, '2019-01-04', '2024-06-21') },
      '2019-01-01',
      '2024-06-01',
      true,
    ],
    [
      'daily to a partial month',
      { daily: every(1, '2021-05-07', '2026-06-23') },
      '2021-05-01',
      '2026-06-01',
      true,
    ],
    [
      'daily to a month whose last day exists',
      { daily: every(1, '2021-05-07', '2021-06-30') },
      '2021-05-01',
      '2021-06-01',
      false,
    ],
  ])('%s', async (_, points, start, end, partial) => {
    const { uuid } = await seriesOf(points);
    const { items, points: months } = await read(uuid, 'periodicity=monthly');
    expect(items.at(-1)).toEqual({ period: 'monthly', start_date: start, end_date: end, calculated: true });
    expect([months.at(-1)!.date, months[0]!.date, months[0]!.partial ?? false]).toEqual([
      start,
      end,
      partial,
    ]);
    expect(months.slice(1).some((month) => month.partial)).toBe(false);
    expect(months.every((month) => month.calculated)).toBe(true);
  });

  it('include a week once there is a daily price on its Friday or later', async () => {
    const { uuid, id } = await seriesOf({ daily: every(1, '2026-06-13', '2026-06-18') });
    expect((await read(uuid, 'periodicity=weekly')).points).toEqual([]);
    await storePoints(service.unitOfWork, id, { daily: [['2026-06-23', 107]] });
    const { items, points } = await read(uuid, 'periodicity=weekly');
    expect(linesOf(points)).toEqual(['2026-06-19 100 calculated']);
    expect(items[1]).toEqual({
      period: 'weekly',
      start_date: '2026-06-19',
      end_date: '2026-06-19',
      calculated: true,
    });
  });

  it('are means: of days by week, of days by month, and of weeks only if a month has no days', async () => {
    const { uuid } = await seriesOf({
      daily: [
        ['2024-12-23', 410],
        ['2024-12-24', 414],
        ['2024-12-27', 420],
        ['2024-12-30', 424],
        ['2024-12-31', 428],
        ['2025-01-02', 436],
        ['2025-01-03', 440],
        ['2025-01-06', 441],
        ['2025-01-07', 446],
        ['2025-01-08', 450],
        ['2025-01-09', 447],
        ['2025-01-10', 452],
      ],
    });
    expect(linesOf((await read(uuid, 'periodicity=weekly')).points)).toEqual([
      '2025-01-10 447.2 calculated',
      '2025-01-03 432 calculated',
      '2024-12-27 414.666666666667 calculated',
    ]);
    expect(linesOf((await read(uuid, 'periodicity=monthly')).points)).toEqual([
      '2025-01-01 444.571428571429 calculated partial',
      '2024-12-01 419.2 calculated',
    ]);
    const mixed = await seriesOf({
      daily: [['2025-02-10', 10]],
      weekly: [
        ['2025-01-29', 4],
        ['2025-02-07', 99],
        ['2025-03-07', 6],
      ],
    });
    expect(linesOf((await read(mixed.uuid, 'periodicity=monthly')).points)).toEqual([
      '2025-03-01 6 calculated partial',
      '2025-02-01 10 calculated',
      '2025-01-01 4 calculated',
    ]);
  });

  it('are replaced by original prices of their frequency', async () => {
    const { uuid, id } = await seriesOf({ weekly: every(7, '2024-01-05', '2024-02-23') });
    expect((await read(uuid, 'periodicity=monthly')).points).toHaveLength(2);
    await storePoints(service.unitOfWork, id, { monthly: [['2023-01-01', 50]] });
    const original = await read(uuid, 'periodicity=monthly');
    expect(linesOf(original.points)).toEqual(['2023-01-01 50']);
    expect(original.items.at(-1)).toEqual({
      period: 'monthly',
      start_date: '2023-01-01',
      end_date: '2023-01-01',
    });
  });

  it('marked by a source are served as calculated until there are finer prices', async () => {
    const { uuid, id } = await seriesOf({
      monthly: [
        ['2024-01-01', 7, null, true],
        ['2024-02-01', 8, null, true],
      ],
    });
    expect(linesOf((await read(uuid)).points)).toEqual([
      '2024-02-01 8 calculated',
      '2024-01-01 7 calculated',
    ]);
    await storePoints(service.unitOfWork, id, { weekly: [['2024-02-09', 20]] });
    const { items, points } = await read(uuid);
    expect(linesOf(points)).toEqual(['2024-02-09 20', '2024-02-01 20 calculated partial']);
    expect(items).toEqual([
      { period: 'weekly', start_date: '2024-02-09', end_date: '2024-02-09' },
      { period: 'monthly', start_date: '2024-02-01', end_date: '2024-02-01', calculated: true },
    ]);
  });

  it('in a window are the same as in the whole series', async () => {
    const { uuid } = await seriesOf({
      daily: every(3, '2023-01-02', '2024-03-11').map(([date], index) => [date, 100 + (index % 17)] as const),
    });
    const whole = (await read(uuid)).points;
    for (const [from, to] of [
      ['2023-05-10', '2023-08-20'],
      ['2023-06-01', '2023-06-01'],
      ['2023-06-02', '2023-06-02'],
      ['2024-02-28', '2024-12-31'],
    ] as const) {
      const expected = whole.filter(({ date }) => date >= from && date <= to);
      expect((await read(uuid, `start_date=${from}&end_date=${to}`)).points).toEqual(expected);
      const weekly = expected.filter(({ periodicity }) => periodicity === 'weekly').slice(0, 2);
      expect(
        (await read(uuid, `start_date=${from}&end_date=${to}&periodicity=weekly&latest=2`)).points,
      ).toEqual(weekly);
    }
    const newest = ['daily', 'weekly', 'monthly'].flatMap((period) =>
      whole.filter(({ periodicity }) => periodicity === period).slice(0, 3),
    );
    expect(new Set((await read(uuid, 'latest=3')).points)).toEqual(new Set(newest));
  });

  it('include points before a long gap among the newest ones', async () => {
    const { uuid } = await seriesOf({
      monthly: [
        ['1990-01-01', 1],
        ['1990-02-01', 2],
        ['2024-01-01', 3],
      ],
    });
    expect(linesOf((await read(uuid, 'latest=2')).points)).toEqual(['2024-01-01 3', '1990-02-01 2']);
    expect(linesOf((await read(uuid, 'latest=3')).points)).toEqual([
      '2024-01-01 3',
      '1990-02-01 2',
      '1990-01-01 1',
    ]);
  });
});
