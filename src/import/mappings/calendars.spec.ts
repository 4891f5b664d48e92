import { dayFromIso, isoFromDay } from '../../lib/dates/calendar-date.js';
import { type Calendar, dayInCalendar, monthInCalendar } from './calendars.js';

const iso = (day: number | null) => (day === null ? null : isoFromDay(day));

describe('a date of another calendar', () => {
  // Days that almanacs give: new years, leap days and the days beside them.
  it.each<[Calendar, number, number, number, string | null]>([
    ['ethiopic', 2016, 1, 1, '2023-09-12'],
    ['ethiopic', 2017, 1, 1, '2024-09-11'],
    ['ethiopic', 2015, 13, 6, '2023-09-11'],
    ['ethiopic', 2016, 13, 6, null],
    ['ethiopic', 2013, 4, 29, '2021-01-07'],
    ['persian', 1403, 1, 1, '2024-03-20'],
    ['persian', 1404, 1, 1, '2025-03-21'],
    ['persian', 1403, 12, 30, '2025-03-20'],
    ['persian', 1402, 12, 30, null],
    ['buddhist', 2567, 2, 29, '2024-02-29'],
    ['buddhist', 2566, 2, 29, null],
    ['gregorian', 2024, 2, 29, '2024-02-29'],
    ['gregorian', 2023, 2, 29, null],
    ['gregorian', 2023, 13, 1, null],
    ['persian', 1403, 13, 1, null],
    ['persian', 1, 1, 1, null],
    ['buddhist', 99_999, 1, 1, null],
  ])('%s %i-%i-%i is %s', (calendar, year, month, day, expected) =>
    expect(iso(dayInCalendar(calendar, year, month, day))).toBe(expected),
  );

  it('is each day of ten years once', () => {
    for (const [calendar, year, months] of [
      ['ethiopic', 2010, 13],
      ['persian', 1396, 12],
      ['buddhist', 2561, 12],
    ] as const) {
      const days: number[] = [];
      for (let at = 0; at < 10; at++)
        for (let month = 1; month <= months; month++)
          for (let day = 1; day <= 31; day++) {
            const found = dayInCalendar(calendar, year + at, month, day);
            if (found !== null) days.push(found);
          }
      expect(days).toEqual(days.map((_, index) => days[0]! + index));
      expect(days.length).toBeGreaterThanOrEqual(3652);
    }
  });

  it('is of the month that holds the 15th', () => {
    expect(iso(monthInCalendar('persian', 1403, 1))).toBe('2024-04-01');
    expect(iso(monthInCalendar('ethiopic', 2016, 1))).toBe('2023-09-01');
    expect(iso(monthInCalendar('ethiopic', 2016, 13))).toBe('2024-09-01');
    expect(iso(monthInCalendar('buddhist', 2567, 12))).toBe('2024-12-01');
    expect(dayFromIso('2024-12-01')).toBe(monthInCalendar('gregorian', 2024, 12));
  });
});
