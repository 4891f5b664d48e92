import fc from 'fast-check';
import { dayFromIso, dayOf, monthOf } from '../../lib/dates/calendar-date.js';
import { DAILY, MONTHLY, WEEKLY } from '../../price-series/periodicity.js';
import { edgeSpikesOf } from './edge-spike.js';
import { flatEndOf } from './flat.js';
import { lastPossibleDay } from './future-date.js';
import { levelShiftsOf } from './level-shift.js';
import { isBeyond, isTestable, testedPoints, type MonthlyPoints } from './neighbours.js';
import { powerOfTen } from './power-of-ten.js';
import { isRedenomination, maxSeries, powerStepsOf } from './redenomination.js';

/** Points in months that follow each other from 2024-01 on; null for a month without one. */
function monthly(values: readonly (number | null)[]): MonthlyPoints {
  const points = values.flatMap((value, index) =>
    value === null ? [] : [{ day: dayOf(2024 + Math.floor(index / 12), (index % 12) + 1, 15), value }],
  );
  return {
    days: points.map(({ day }) => day),
    months: points.map(({ day }) => monthOf(day)),
    values: points.map(({ value }) => value),
  };
}

const times = (count: number, value: number | null) => Array.from({ length: count }, () => value);

/** Monthly values with gaps, mostly near each other and near the bounds of rules. */
const anyPoints = fc
  .array(fc.option(fc.constantFrom(0, 4, 10, 11, 25, 27.5, 30, 100)), { maxLength: 30 })
  .map(monthly);

describe('points beside their neighbours', () => {
  it('are the same where only those that stand apart are asked for', () => {
    fc.assert(
      fc.property(anyPoints, (points) => {
        const apart = testedPoints(points).filter(({ ratio }) => isBeyond(ratio, 2.5));
        expect(testedPoints(points, 2.5)).toEqual(apart);
      }),
    );
  });

  it('are those that can be tested', () => {
    fc.assert(
      fc.property(anyPoints, (points) => {
        const testable = points.months.flatMap((_, index) => (isTestable(points, index) ? [index] : []));
        const withRatio = testedPoints({ ...points, values: points.values.map((value) => value + 1) });
        expect(withRatio.map(({ index }) => index)).toEqual(testable);
      }),
    );
  });
});

describe('edge spikes', () => {
  it.each([
    ['the first', [30, 10, 10, 12], [{ index: 0, median: 10, ratio: 3 }]],
    ['the last, downwards', [9, 12, 12, 4], [{ index: 3, median: 12, ratio: 4 / 12 }]],
    [
      'both ends',
      [90, 10, 11, 12, 13, 120],
      [
        { index: 0, median: 11, ratio: 90 / 11 },
        { index: 5, median: 12, ratio: 10 },
      ],
    ],
    ['at six months', [30, ...times(3, null), 10, 10, 12], [{ index: 0, median: 10, ratio: 3 }]],
    ['not at seven months', [30, ...times(4, null), 10, 10, 12], []],
    ['not where those beside it differ 1.5 times', [90, 10, 15, 10], []],
    ['not below three times', [29.9, 10, 10, 12], []],
    ['not among three points', [90, 10, 10], []],
    ['none in an empty series', [], []],
  ])('%s', (_, values, expected) => {
    expect(edgeSpikesOf(monthly(values))).toEqual(expected);
  });
});

describe('level shifts', () => {
  const four = (value: number) => times(4, value);
  it.each([
    ['upwards', [...four(10), ...four(25)], [{ index: 4, before: 10, after: 25, ratio: 2.5 }]],
    ['downwards', [...four(25), ...four(10)], [{ index: 4, before: 25, after: 10, ratio: 0.4 }]],
    [
      'over three months',
      [...four(10), null, null, ...four(25)],
      [{ index: 4, before: 10, after: 25, ratio: 2.5 }],
    ],
    ['not over four months', [...four(10), null, null, null, ...four(25)], []],
    ['not with three points after it', [...four(10), ...times(3, 25)], []],
    ['not with three points before it', [...times(3, 10), ...four(25)], []],
    ['not below 2.5 times', [...four(10), ...four(24.9)], []],
    ['not where a later price is not 1.5 times an earlier one', [10, 10, 20, 10, 30, 30, 30, 30], []],
    ['not where the step itself is small', [10, 10, 10, 16, 31, 31, 40, 40, 40, 40], []],
    ['none in an empty series', [], []],
  ])('%s', (_, values, expected) => {
    expect(levelShiftsOf(monthly(values))).toEqual(expected);
  });
});

describe('flat ends', () => {
  it.each([
    ['24 months', times(24, 7), { firstMonth: 2024 * 12, months: 24 }],
    ['after another price', [8, ...times(25, 7)], { firstMonth: 2024 * 12 + 1, months: 25 }],
    ['not 23 months', times(23, 7), null],
    ['not with a month missing', [...times(12, 7), null, ...times(23, 7)], null],
    ['not where the last price differs', [...times(30, 7), 8], null],
    ['none in an empty series', [], null],
  ])('%s', (_, values, expected) => {
    expect(flatEndOf(monthly(values))).toEqual(expected);
  });
});

describe('the last possible day', () => {
  // A Wednesday; weeks end on Friday.
  const today = dayFromIso('2026-11-18')!;
  it.each([
    [DAILY, '2026-11-18'],
    [WEEKLY, '2026-11-20'],
    [MONTHLY, '2026-11-30'],
  ] as const)('of frequency %s is %s', (period, date) => {
    expect(lastPossibleDay(period, today)).toBe(dayFromIso(date));
  });
});

describe('powers of ten', () => {
  it.each([
    [10, 1],
    [11.5, 1],
    [8.6, 1],
    [11.6, null],
    [8.4, null],
    [1, null],
    [1.1, null],
    [0.001, -3],
    [5, null],
  ])('%d is close to power %s', (ratio, power) => {
    expect(powerOfTen(ratio, 0.15)).toBe(power);
  });

  it('are steps of a series from one month to the next only', () => {
    const points = monthly([10, 100, null, 1000, 1.1, 1.2]);
    expect(powerStepsOf(points)).toEqual([
      { day: points.days[1], value: 100, previous: 10 },
      { day: points.days[3], value: 1.1, previous: 1000 },
    ]);
  });

  it('are a redenomination where half of two series or more step', () => {
    expect(
      [
        [1, 1],
        [1, 2],
        [1, 3],
        [2, 4],
        [2, 5],
      ].map(([steps, series]) => isRedenomination(steps!, series!)),
    ).toEqual([false, true, false, true, false]);
    expect(maxSeries(2)).toBe(4);
  });
});
