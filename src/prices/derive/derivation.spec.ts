import fc from 'fast-check';
import { assertProperty } from '../../../test/support/property.js';
import { anyPoints, point, storedPoints, type Point } from '../../../test/support/stored-points.js';
import {
  dayFromIso,
  isoFromDay,
  lastDayOfMonth,
  monthOf,
  firstDayOfMonth,
} from '../../lib/dates/calendar-date.js';
import { monthOfWeek, weekOf } from '../../price-series/calendar.js';
import {
  DAILY,
  MONTHLY,
  PERIOD_NAMES,
  StoredExtents,
  WEEKLY,
  type Period,
} from '../../price-series/periodicity.js';
import { derive, newestFirst, type ServedPoints, type ServedSeries } from './derivation.js';
import { originalCoverageOf } from '../read/point-window.js';

/** One served point as a caller sees it. */
interface Served {
  period: Period;
  day: number;
  value: number;
  comment: string | null;
  calculated: boolean;
  partial: boolean;
}

const servedAt = (points: ServedPoints, index: number): Served => ({
  period: points.period,
  day: points.days[index]!,
  value: points.values[index]!,
  comment: points.comments?.[index] ?? null,
  calculated: points.calculated,
  partial: points.isPartial(index),
});

function listed(series: ServedSeries): Served[] {
  const all: Served[] = [];
  newestFirst(series, (points, index) => all.push(servedAt(points, index)));
  return all;
}

/** The served points, newest first, as `2025-01-03 weekly 432 calculated partial`. */
const lines = (points: Point[]) =>
  listed(derive(storedPoints(points))).map(({ period, day, value, comment, calculated, partial }) =>
    [
      isoFromDay(day),
      PERIOD_NAMES[period],
      Math.round(value * 1e6) / 1e6,
      ...(comment === null ? [] : [comment]),
      ...(calculated ? ['calculated'] : []),
      ...(partial ? ['partial'] : []),
    ].join(' '),
  );

/** Daily points from a first day on, one a day. */
function everyDay(from: string, values: number[]): Point[] {
  const first = dayFromIso(from)!;
  return values.map((value, index) => ({ ...point(DAILY, from, value), day: first + index }));
}

const only = (period: 'daily' | 'weekly' | 'monthly', all: string[]) =>
  all.filter((line) => line.includes(` ${period} `));

const marked = { calculated: true };

describe('served points', () => {
  const served = (): ServedPoints => derive(storedPoints(everyDay('2025-01-06', [1, 2, 3])))[0];
  const first = dayFromIso('2025-01-06')!;

  it('have no comments where none is stored', () => {
    expect(served().comments).toBeNull();
  });

  it.each([
    ['all', 0, 2, 3],
    ['the last two', 1, 9, 2],
    ['the first', -9, 0, 1],
    ['none, before all', -9, -1, 0],
    ['none, after all', 3, 9, 0],
  ])('of a window: %s', (_, from, to, length) => {
    const points = served();
    points.retainBetween(first + from, first + to);
    expect(points.length).toBe(length);
  });

  it.each([
    ['before', 1, 2, -9, 0],
    ['after', 0, 1, 2, 9],
  ])('of a window and of another %s it are none', (_, from, to, otherFrom, otherTo) => {
    const points = served();
    points.retainBetween(first + from, first + to);
    points.retainBetween(first + otherFrom, first + otherTo);
    expect(points.length).toBe(0);
  });
});

describe('derived points', () => {
  it('do not exist for a series without points', () => {
    expect(lines([])).toEqual([]);
  });

  it('are right for weeks over the end of a year', () => {
    const quotes: [string, number][] = [
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
    ];
    const daily = lines(quotes.map(([date, value]) => point(DAILY, date, value)));
    expect(daily.filter((line) => line.includes('calculated'))).toEqual([
      '2025-01-10 weekly 447.2 calculated',
      '2025-01-03 weekly 432 calculated',
      '2025-01-01 monthly 444.571429 calculated partial',
      '2024-12-27 weekly 414.666667 calculated',
      '2024-12-01 monthly 419.2 calculated',
    ]);
    // The same weeks as weekly originals.
    const weekly = lines([
      point(WEEKLY, '2024-12-27', 414.666666666667),
      point(WEEKLY, '2025-01-03', 432),
      point(WEEKLY, '2025-01-10', 447.2),
    ]);
    expect(weekly).toEqual([
      '2025-01-10 weekly 447.2',
      '2025-01-03 weekly 432',
      '2025-01-01 monthly 447.2 calculated partial',
      '2024-12-27 weekly 414.666667',
      '2024-12-01 monthly 423.333333 calculated',
    ]);
  });

  it('are means of days, not means of weeks', () => {
    const values = [100, 100, ...Array.from({ length: 33 }, (_, index) => 100 + (index + 1) ** 2 / 10)];
    const served = lines(everyDay('2024-12-30', values));
    expect(served.filter((line) => line.includes('2025-01-01 monthly'))).toEqual([
      '2025-01-01 monthly 133.6 calculated',
    ]);
    const weeks = only('weekly', served);
    expect(weeks).toEqual([
      '2025-01-31 weekly 178.8 calculated',
      '2025-01-24 weekly 144.5 calculated',
      '2025-01-17 weekly 120 calculated',
      '2025-01-10 weekly 105.3 calculated',
      '2025-01-03 weekly 100.28 calculated',
    ]);
    const fromWeeks = lines(
      weeks.map((line) => point(WEEKLY, line.slice(0, 10), Number(line.split(' ')[2]))),
    );
    expect(only('monthly', fromWeeks)).toEqual([
      '2025-01-01 monthly 137.15 calculated',
      '2024-12-01 monthly 100.28 calculated',
    ]);
  });

  it.each([
    ['2026-08-28', '2026-08-01', false],
    ['2024-06-21', '2024-06-01', true],
    ['2020-05-01', '2020-04-01', false],
    ['2026-04-15', '2026-04-01', true],
  ])('weekly to %s: monthly to %s, partial: %s', (last, month, partial) => {
    expect(lines([point(WEEKLY, last, 7)])).toEqual(
      [`${last} weekly 7`, `${month} monthly 7 calculated${partial ? ' partial' : ''}`].sort().reverse(),
    );
  });

  it('daily to 23 June: weekly to the 19th and a partial June', () => {
    expect(lines(everyDay('2026-06-15', [1, 2, 3, 4, 5, 6, 7, 8, 9])).slice(9 - 5)).toEqual([
      '2026-06-19 daily 5',
      '2026-06-19 weekly 3 calculated',
      '2026-06-18 daily 4',
      '2026-06-17 daily 3',
      '2026-06-16 daily 2',
      '2026-06-15 daily 1',
      '2026-06-01 monthly 5 calculated partial',
    ]);
  });

  describe('months', () => {
    it('are complete with a daily point on the last day or later', () => {
      const june = (...dates: string[]) =>
        only('monthly', lines(dates.map((date) => point(DAILY, date, 3)))).at(-1);
      expect(june('2026-06-29')).toBe('2026-06-01 monthly 3 calculated partial');
      expect(june('2026-06-30')).toBe('2026-06-01 monthly 3 calculated');
      expect(june('2026-06-29', '2026-07-01')).toBe('2026-06-01 monthly 3 calculated');
      expect(june('2026-06-01', '2026-11-01')).toBe('2026-06-01 monthly 3 calculated');
    });

    it('are complete with a weekly point in the last week or later, on any weekday', () => {
      const june = (...points: Point[]) =>
        only('monthly', lines(points)).find((line) => line.startsWith('2026-06'));
      // The last week of June 2026 ends on 3 July: its Tuesday is 30 June.
      expect(june(point(WEEKLY, '2026-06-26'))).toBe('2026-06-01 monthly 1 calculated partial');
      expect(june(point(WEEKLY, '2026-06-27'))).toBe('2026-06-01 monthly 1 calculated');
      expect(june(point(WEEKLY, '2026-07-03'))).toBe('2026-06-01 monthly 1 calculated');
      expect(june(point(DAILY, '2026-06-02', 5), point(WEEKLY, '2026-07-01'))).toBe(
        '2026-06-01 monthly 5 calculated',
      );
    });

    it('of daily points ignore the weekly ones of the same month', () => {
      expect(
        lines([
          point(DAILY, '2025-02-10', 10),
          point(WEEKLY, '2025-01-10', 1),
          point(WEEKLY, '2025-01-17', 2),
          point(WEEKLY, '2025-02-07', 50),
          point(WEEKLY, '2025-03-07', 4),
        ]),
      ).toEqual([
        '2025-03-07 weekly 4',
        '2025-03-01 monthly 4 calculated partial',
        '2025-02-10 daily 10',
        '2025-02-07 weekly 50',
        '2025-02-01 monthly 10 calculated',
        '2025-01-17 weekly 2',
        '2025-01-10 weekly 1',
        '2025-01-01 monthly 1.5 calculated',
      ]);
    });

    it('count weekly points of any weekday, even two in one week', () => {
      expect(
        only(
          'monthly',
          lines([
            point(WEEKLY, '2025-01-01', 8),
            point(WEEKLY, '2025-01-04', 1),
            point(WEEKLY, '2025-01-08', 2),
          ]),
        ),
      ).toEqual(['2025-01-01 monthly 1.5 calculated partial', '2024-12-01 monthly 8 calculated']);
    });

    it('end on leap days', () => {
      const february = (date: string) => only('monthly', lines([point(DAILY, date)]))[0];
      expect(february('2024-02-28')).toBe('2024-02-01 monthly 1 calculated partial');
      expect(february('2024-02-29')).toBe('2024-02-01 monthly 1 calculated');
      expect(february('2023-02-28')).toBe('2023-02-01 monthly 1 calculated');
    });

    it('are left out where there are no points', () => {
      expect(only('monthly', lines([point(DAILY, '2025-01-31'), point(DAILY, '2025-04-30')]))).toEqual([
        '2025-04-01 monthly 1 calculated',
        '2025-01-01 monthly 1 calculated',
      ]);
    });
  });

  it('are not added to original ones of the same frequency', () => {
    expect(
      lines([point(DAILY, '2025-01-03', 5), point(WEEKLY, '2019-06-05', 3), point(MONTHLY, '2018-01-15', 2)]),
    ).toEqual(['2025-01-03 daily 5', '2019-06-05 weekly 3', '2018-01-15 monthly 2']);
  });

  it('replace stored ones marked calculated as soon as there are finer data', () => {
    const months = [
      point(MONTHLY, '2024-12-01', 9, marked),
      point(MONTHLY, '2025-01-01', 8, { ...marked, comment: 'c' }),
    ];
    expect(lines(months)).toEqual(['2025-01-01 monthly 8 c calculated', '2024-12-01 monthly 9 calculated']);
    expect(lines([...months, point(WEEKLY, '2025-02-07', 4)])).toEqual([
      '2025-02-07 weekly 4',
      '2025-02-01 monthly 4 calculated partial',
    ]);
    expect(lines([...months, point(MONTHLY, '2020-01-01', 4)])).toEqual(['2020-01-01 monthly 4']);
  });

  it('are never derived from points marked calculated', () => {
    expect(lines([point(DAILY, '2025-01-03', 5, marked), point(WEEKLY, '2025-02-07', 3, marked)])).toEqual([
      '2025-02-07 weekly 3 calculated',
      '2025-01-03 daily 5 calculated',
    ]);
  });

  it('have values of at most 15 significant digits', () => {
    const served = listed(derive(storedPoints(everyDay('2025-01-01', [0.1, 0.1, 0.1, 1, 1, 0.6, 0.5]))));
    expect(served.find(({ period }) => period === WEEKLY)?.value).toBe(0.1);
    expect(served.find(({ period }) => period === MONTHLY)?.value).toBe(0.485714285714286);
  });

  it('come newest first; on one day daily, weekly, monthly', () => {
    const points = [
      point(DAILY, '2021-01-01', 1),
      point(WEEKLY, '2021-01-01', 2),
      point(MONTHLY, '2021-01-01', 3),
    ];
    expect(lines([...points, point(DAILY, '2020-12-31', 4)])).toEqual([
      '2021-01-01 daily 1',
      '2021-01-01 weekly 2',
      '2021-01-01 monthly 3',
      '2020-12-31 daily 4',
    ]);
  });
});

/** The rules again, sentence by sentence and without regard to speed. */
function byTheRules(points: readonly Point[]): Served[] {
  const of = (period: Period, calculated: boolean) =>
    points.filter((one) => one.period === period && one.calculated === calculated);
  const daily = of(DAILY, false);
  const weekly = of(WEEKLY, false);
  const stored = (from: Point[]): Served[] => from.map((one) => ({ ...one, partial: false }));
  const group = (from: Point[], keyOf: (day: number) => number) =>
    new Map(from.map(({ day }) => [keyOf(day), from.filter((other) => keyOf(other.day) === keyOf(day))]));
  const derived = (period: Period, day: number, from: Point[], partial: boolean): Served => {
    const sum = from.map(({ value }) => value).reduce((total, value) => total + value);
    return {
      period,
      day,
      value: Number((sum / from.length).toPrecision(15)),
      comment: null,
      calculated: true,
      partial,
    };
  };
  const choose = (period: Period, finer: Point[], derivePoints: () => Served[]) => {
    if (of(period, false).length > 0) return stored(of(period, false));
    return finer.length > 0 ? derivePoints() : stored(of(period, true));
  };
  const days = choose(DAILY, [], () => []);
  const weeks = choose(WEEKLY, daily, () =>
    [...group(daily, weekOf)]
      .filter(([friday]) => daily.some(({ day }) => day >= friday))
      .map(([friday, from]) => derived(WEEKLY, friday, from, false)),
  );
  const months = choose(MONTHLY, [...daily, ...weekly], () => {
    const ofDays = group(daily, (day) => monthOf(day));
    const ofWeeks = group(weekly, (day) => monthOfWeek(weekOf(day)));
    return [...new Set([...ofDays.keys(), ...ofWeeks.keys()])].map((month) => {
      const over =
        daily.some(({ day }) => day >= lastDayOfMonth(month)) ||
        weekly.some(({ day }) => monthOfWeek(weekOf(day) + 7) > month);
      return derived(MONTHLY, firstDayOfMonth(month), ofDays.get(month) ?? ofWeeks.get(month)!, !over);
    });
  });
  return [...days, ...weeks, ...months].sort((a, b) => b.day - a.day || a.period - b.period);
}

const byDay = (points: Point[]) => [...points].sort((a, b) => a.day - b.day);

describe('for any stored points', () => {
  it('the served points follow the rules', async () => {
    await assertProperty(
      'served points follow the rules',
      fc.property(anyPoints, (points) => {
        expect(listed(derive(storedPoints(points)))).toEqual(byTheRules(byDay(points)));
      }),
    );
  });

  it('the periodicity items agree with the served points', async () => {
    await assertProperty(
      'items agree with served points',
      fc.property(anyPoints, (points) => {
        const extents = new StoredExtents();
        for (const { period, day, calculated } of points) extents.add(period, day, calculated);
        const isOriginal = (period: Period) => points.some((one) => one.period === period && !one.calculated);
        const served = derive(storedPoints(points))
          .filter(({ length }) => length > 0)
          .map(({ period, days, calculated, length }) => {
            const finer = ([DAILY, WEEKLY] as const).some((other) => other < period && isOriginal(other));
            const derivedHere = !isOriginal(period) && finer;
            return { period, start: days[0], end: days.at(-1), calculated, points: derivedHere ? 0 : length };
          });
        expect(extents.items()).toEqual(served);
      }),
    );
  });

  it('a window, and the newest of each frequency, need only some of the points', async () => {
    await assertProperty(
      'windows of served points',
      fc.property(
        anyPoints,
        fc.integer({ min: -60, max: 60 }),
        fc.integer({ min: 0, max: 90 }),
        fc.integer({ min: 1, max: 5 }),
        (points, offset, length, newest) => {
          const from = (points[0]?.day ?? 739_000) + offset;
          const to = from + length;
          const extents = new StoredExtents();
          for (const { period, day, calculated } of points) extents.add(period, day, calculated);
          const expected = byTheRules(byDay(points)).filter(({ day }) => day >= from && day <= to);

          // Only the days that the window depends on; the items describe the rest.
          const near = points.filter(({ day }) => day >= from - 6 && day <= lastDayOfMonth(monthOf(to)) + 3);
          const series = derive(storedPoints(near), originalCoverageOf(extents.items()));
          for (const served of series) served.retainBetween(from, to);
          expect(listed(series)).toEqual(expected);

          for (const served of series) served.retainNewest(newest);
          expect(listed(series)).toEqual(
            expected.filter((one) => {
              const newer = expected.filter((other) => other.period === one.period && other.day > one.day);
              return newer.length < newest;
            }),
          );
        },
      ),
    );
  });
});
