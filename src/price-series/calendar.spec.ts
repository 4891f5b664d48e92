import fc from 'fast-check';
import { assertProperty } from '../../test/support/property.js';
import {
  LAST_DAY,
  dayFromIso,
  firstDayOfMonth,
  isoFromDay,
  lastDayOfMonth,
  monthOf,
  weekday,
} from '../lib/dates/calendar-date.js';
import { lastWeekOfMonth, monthDayOf, monthDayOfWeekly, monthOfWeek, weekOf } from './calendar.js';

const day = (text: string) => dayFromIso(text)!;
const monthNumber = (text: string) => monthOf(day(`${text}-01`));

describe('weeks', () => {
  it.each([
    ['2024-12-21', '2024-12-27'], // a Saturday begins a week
    ['2024-12-23', '2024-12-27'],
    ['2024-12-27', '2024-12-27'], // a Friday ends it
    ['2024-12-28', '2025-01-03'],
    ['2024-12-31', '2025-01-03'],
    ['2025-01-03', '2025-01-03'],
    ['2025-01-04', '2025-01-10'],
    ['2024-02-29', '2024-03-01'],
    ['9999-12-31', '9999-12-31'],
  ])('%s is in the week of %s', (date, friday) => {
    expect(isoFromDay(weekOf(day(date)))).toBe(friday);
  });

  // Weekly and monthly start dates read from FPMA's data.
  it.each([
    ['2020-05-01', '2020-04-01'],
    ['1997-01-03', '1996-12-01'],
    ['2019-01-04', '2019-01-01'],
    ['2025-06-06', '2025-06-01'],
    ['2000-01-28', '2000-01-01'],
    ['2020-02-14', '2020-02-01'],
    ['2017-12-01', '2017-11-01'],
    ['2026-08-28', '2026-08-01'],
    ['2024-06-21', '2024-06-01'],
    ['2026-04-15', '2026-04-01'], // a Wednesday: the week is that of Friday the 17th
    ['2025-01-03', '2024-12-01'],
    ['2024-12-29', '2024-12-01'], // a Sunday: the week of Friday 3 January
  ])('the week that holds %s belongs to the month of %s', (date, month) => {
    expect(isoFromDay(monthDayOfWeekly(day(date)))).toBe(month);
  });

  it.each([
    ['2026-08', '2026-08-28'], // 31 August is a Monday, in the week that belongs to September
    ['2024-06', '2024-06-28'],
    ['2024-12', '2025-01-03'],
    ['2020-04', '2020-05-01'],
    ['2025-02', '2025-02-28'],
  ])('the last week of %s is that of %s', (month, friday) => {
    expect(isoFromDay(lastWeekOfMonth(monthNumber(month)))).toBe(friday);
  });

  it('belong each to exactly one month, and a month has 4 or 5', async () => {
    await assertProperty(
      'weeks and months',
      fc.property(fc.integer({ min: 8, max: LAST_DAY - 40 }), (any) => {
        const friday = weekOf(any);
        expect(weekday(friday)).toBe(5);
        expect(friday - any).toBeGreaterThanOrEqual(0);
        expect(friday - any).toBeLessThanOrEqual(6);
        const month = monthOfWeek(friday);
        let inMonth = 0;
        for (let other = friday - 6; other <= friday; other++) if (monthOf(other) === month) inMonth++;
        expect(inMonth).toBeGreaterThanOrEqual(4);
        const last = lastWeekOfMonth(month);
        expect([monthOfWeek(last), monthOfWeek(last + 7)]).toEqual([month, month + 1]);
        const weeks = (last - lastWeekOfMonth(month - 1)) / 7;
        expect([4, 5]).toContain(weeks);
      }),
    );
  });
});

describe('months', () => {
  it('are dated their first day', () => {
    for (const date of ['2024-02-01', '2024-02-29'])
      expect(isoFromDay(monthDayOf(day(date)))).toBe('2024-02-01');
    const month = monthNumber('2024-02');
    expect([firstDayOfMonth(month), lastDayOfMonth(month)].map(isoFromDay)).toEqual([
      '2024-02-01',
      '2024-02-29',
    ]);
  });
});
