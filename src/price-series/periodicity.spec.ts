import fc from 'fast-check';
import { assertProperty } from '../../test/support/property.js';
import { anyPoints, point, type Point } from '../../test/support/stored-points.js';
import { isoFromDay } from '../lib/dates/calendar-date.js';
import { weekOf } from './calendar.js';
import {
  DAILY,
  MONTHLY,
  PERIOD_NAMES,
  PERIODS,
  StoredExtents,
  WEEKLY,
  type StoredPeriodicityItem,
} from './periodicity.js';

function extentsOf(points: readonly Point[]): StoredExtents {
  const extents = new StoredExtents();
  for (const { period, day, calculated } of points) extents.add(period, day, calculated);
  return extents;
}

/**
 * One line per item, such as `weekly 2020-05-01 2026-08-28 (30)`; derived and marked items end in
 * `calculated`.
 */
const lines = (items: StoredPeriodicityItem[]) =>
  items.map(({ period, start, end, calculated, points }) =>
    [
      PERIOD_NAMES[period],
      isoFromDay(start),
      isoFromDay(end),
      `(${points})`,
      ...(calculated ? ['calculated'] : []),
    ].join(' '),
  );

const itemsOf = (...points: Point[]) => lines(extentsOf(points).items());

const marked = { calculated: true };

it('frequencies are listed finest first', () => {
  expect(PERIODS.map((period) => PERIOD_NAMES[period])).toEqual(['daily', 'weekly', 'monthly']);
});

describe('periodicity', () => {
  it('of a series without points is empty', () => {
    expect(itemsOf()).toEqual([]);
  });

  describe('matches the data of FPMA', () => {
    it.each([
      ['2020-05-01', '2026-08-28', '2020-04-01', '2026-08-01'],
      ['2025-06-06', '2026-08-28', '2025-06-01', '2026-08-01'],
      ['2000-01-28', '2026-08-28', '2000-01-01', '2026-08-01'],
      ['2020-02-14', '2026-07-31', '2020-02-01', '2026-07-01'],
      ['2019-01-04', '2024-06-21', '2019-01-01', '2024-06-01'],
      ['2017-12-01', '2026-07-31', '2017-11-01', '2026-07-01'],
      ['1997-01-03', '2026-04-15', '1996-12-01', '2026-04-01'],
    ])('weekly %s to %s: monthly %s to %s', (from, to, firstMonth, lastMonth) => {
      expect(itemsOf(point(WEEKLY, from), point(WEEKLY, to))).toEqual([
        `weekly ${from} ${to} (2)`,
        `monthly ${firstMonth} ${lastMonth} (0) calculated`,
      ]);
    });

    it.each([
      ['2021-05-07', '2026-06-16', '2026-06-23', '2021-05-07', '2026-06-19', '2021-05-01', '2026-06-01'],
      ['2021-05-07', '2026-03-02', '2026-03-06', '2021-05-07', '2026-03-06', '2021-05-01', '2026-03-01'],
      ['2023-08-28', '2023-09-01', '2023-11-29', '2023-09-01', '2023-09-01', '2023-08-01', '2023-11-01'],
    ])('daily %s, %s, %s', (first, middle, last, firstWeek, lastWeek, firstMonth, lastMonth) => {
      expect(itemsOf(point(DAILY, first), point(DAILY, middle), point(DAILY, last))).toEqual([
        `daily ${first} ${last} (3)`,
        `weekly ${firstWeek} ${lastWeek} (0) calculated`,
        `monthly ${firstMonth} ${lastMonth} (0) calculated`,
      ]);
    });
  });

  it('has no incomplete week', () => {
    expect(itemsOf(point(DAILY, '2025-01-04'), point(DAILY, '2025-01-09'))).toEqual([
      'daily 2025-01-04 2025-01-09 (2)',
      'monthly 2025-01-01 2025-01-01 (0) calculated',
    ]);
  });

  it('has a week as soon as a point on its Friday or later exists', () => {
    expect(itemsOf(point(DAILY, '2025-01-04'), point(DAILY, '2025-01-10'))[1]).toBe(
      'weekly 2025-01-10 2025-01-10 (0) calculated',
    );
    expect(itemsOf(point(DAILY, '2025-01-04'), point(DAILY, '2025-03-01'))[1]).toBe(
      'weekly 2025-01-10 2025-01-10 (0) calculated',
    );
    expect(itemsOf(point(DAILY, '2025-01-10'))[1]).toBe('weekly 2025-01-10 2025-01-10 (0) calculated');
  });

  it('derives months from daily and weekly points alike', () => {
    expect(
      itemsOf(point(DAILY, '2025-03-14'), point(WEEKLY, '2025-01-03'), point(WEEKLY, '2025-02-07')),
    ).toEqual([
      'daily 2025-03-14 2025-03-14 (1)',
      'weekly 2025-01-03 2025-02-07 (2)',
      'monthly 2024-12-01 2025-03-01 (0) calculated',
    ]);
  });

  it('derives nothing for a frequency with original points', () => {
    expect(
      itemsOf(
        point(DAILY, '2025-01-03'),
        point(DAILY, '2025-02-28'),
        point(WEEKLY, '2020-01-01'),
        point(MONTHLY, '2019-01-01'),
      ),
    ).toEqual([
      'daily 2025-01-03 2025-02-28 (2)',
      'weekly 2020-01-01 2020-01-01 (1)',
      'monthly 2019-01-01 2019-01-01 (1)',
    ]);
  });

  describe('with points marked calculated', () => {
    it('serves them if there are no other points', () => {
      expect(
        itemsOf(point(WEEKLY, '2025-01-03', 1, marked), point(MONTHLY, '2024-12-01', 1, marked)),
      ).toEqual([
        'weekly 2025-01-03 2025-01-03 (1) calculated',
        'monthly 2024-12-01 2024-12-01 (1) calculated',
      ]);
    });

    it('supersedes them by finer data', () => {
      expect(
        itemsOf(
          point(WEEKLY, '2024-01-05', 1, marked),
          point(MONTHLY, '2024-12-01', 1, marked),
          point(DAILY, '2025-01-02'),
        ),
      ).toEqual(['daily 2025-01-02 2025-01-02 (1)', 'monthly 2025-01-01 2025-01-01 (0) calculated']);
      expect(itemsOf(point(MONTHLY, '2024-12-01', 1, marked), point(WEEKLY, '2025-02-07'))).toEqual([
        'weekly 2025-02-07 2025-02-07 (1)',
        'monthly 2025-02-01 2025-02-01 (0) calculated',
      ]);
    });

    it('supersedes them by original points of the same frequency, and derives nothing from them', () => {
      expect(
        itemsOf(
          point(MONTHLY, '2024-12-01', 1, marked),
          point(MONTHLY, '2025-01-01'),
          point(WEEKLY, '2023-01-06', 1, marked),
          point(DAILY, '2023-01-06', 1, marked),
        ),
      ).toEqual([
        'daily 2023-01-06 2023-01-06 (1) calculated',
        'weekly 2023-01-06 2023-01-06 (1) calculated',
        'monthly 2025-01-01 2025-01-01 (1)',
      ]);
    });
  });

  it('can be updated from stored items as points are added', async () => {
    await assertProperty(
      'items grow with their points',
      fc.property(anyPoints, fc.nat(), fc.infiniteStream(fc.nat()), (points, at, order) => {
        const shuffled = points
          .map((one) => ({ one, key: order.next().value }))
          .sort((a, b) => a.key - b.key);
        const before = shuffled.slice(0, at % (points.length + 1)).map(({ one }) => one);
        const after = shuffled.slice(before.length).map(({ one }) => one);
        const grown = StoredExtents.ofItems(extentsOf(before).items());
        for (const { period, day, calculated } of after) grown.add(period, day, calculated);
        expect(grown.items()).toEqual(extentsOf(points).items());
        // A further addition starts from the same extents, too.
        expect(StoredExtents.ofItems(grown.items()).items()).toEqual(grown.items());
      }),
    );
  });

  it('can be computed from extents read by a query', async () => {
    await assertProperty(
      'items of extents',
      fc.property(anyPoints, (points) => {
        const extents = new StoredExtents();
        for (const period of [DAILY, WEEKLY, MONTHLY] as const) {
          for (const calculated of [false, true]) {
            const days = points
              .filter((one) => one.period === period && one.calculated === calculated)
              .map(({ day }) => day);
            if (days.length === 0) continue;
            const [first, last] = [Math.min(...days), Math.max(...days)];
            extents.set(period, calculated, { first, last, points: days.length });
            if (period !== DAILY || calculated) continue;
            extents.setLastOfEarlierWeek(Math.max(0, ...days.filter((day) => weekOf(day) < weekOf(last))));
          }
        }
        expect(extents.items()).toEqual(extentsOf(points).items());
      }),
    );
  });
});
