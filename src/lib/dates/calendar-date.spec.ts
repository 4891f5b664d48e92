import fc from 'fast-check';
import { assertProperty } from '../../../test/support/property.js';
import {
  LAST_DAY,
  addMonths,
  dayFromIso,
  dayOf,
  firstDayOfMonth,
  isoFromDay,
  isoFromMonth,
  lastDayOfMonth,
  monthOf,
  weekday,
} from './calendar-date.js';

const DAY_MS = 86_400_000;
/** The calendar of `Date`, as the reference. */
const dateOf = (day: number) => new Date(day * DAY_MS + Date.UTC(2000, 0, 1) - 730_120 * DAY_MS);
const isoOf = (day: number) => dateOf(day).toISOString().slice(0, 10);

describe('day numbers', () => {
  it.each([
    ['1000-01-01', 364_878],
    ['1582-10-15', 577_736],
    ['1970-01-01', 719_163],
    ['2000-01-01', 730_120],
    ['2000-02-29', 730_179],
    ['2000-03-01', 730_180],
    ['2024-12-31', 739_251],
    ['9999-12-31', LAST_DAY],
  ])('%s is day %i', (text, day) => {
    expect(dayFromIso(text)).toBe(day);
    expect(isoFromDay(day)).toBe(text);
  });

  it('counts from the first day of year 1', () => {
    expect(dayOf(1, 1, 1)).toBe(1);
    expect(isoFromDay(1)).toBe('0001-01-01');
    expect(isoFromDay(dayOf(999, 12, 31))).toBe('0999-12-31');
  });

  it('agrees with Date on every day from year 1 to 9999', () => {
    const wrong: number[] = [];
    for (let day = 1; day <= LAST_DAY; day++) {
      const date = dateOf(day);
      const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
      const ok =
        monthOf(day) === month &&
        dayOf(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()) === day &&
        weekday(day) === (date.getUTCDay() || 7);
      if (!ok) wrong.push(day);
    }
    expect(wrong).toEqual([]);
  });

  it('formats and parses texts as Date does', async () => {
    const days = fc.integer({ min: dayOf(1000, 1, 1), max: LAST_DAY });
    await assertProperty(
      'dates as Date formats them',
      fc.property(days, (day) => {
        // Twice, because the second text comes from the cache.
        expect([isoFromDay(day), isoFromDay(day)]).toEqual([isoOf(day), isoOf(day)]);
        expect(dayFromIso(isoOf(day))).toBe(day);
      }),
    );
  });

  it.each([
    '',
    '2023-02-30',
    '2023-02-29',
    '1900-02-29',
    '2023-13-01',
    '2023-00-01',
    '2023-01-00',
    '2023-04-31',
    '0000-00-00',
    '0999-12-31',
    '10000-01-01',
    '2023-1-05',
    '2023-01-5',
    '2023-1-5',
    '05/01/2023',
    '2023/01/05',
    '20230105',
    '2023-W05',
    '2023-01-05T00:00:00Z',
    ' 2023-01-05',
    '2023-01-05 ',
    '2023-01-0٣',
    '２０２３-01-05',
    '-023-01-05',
    '2e03-01-05',
    'today',
    '----------',
  ])('rejects %j', (text) => {
    expect(dayFromIso(text)).toBeNull();
  });

  it('accepts 29 February only in leap years', () => {
    const accepted = [1600, 1900, 2000, 2023, 2024, 2100, 2400].map(
      (year) => dayFromIso(`${year}-02-29`) !== null,
    );
    expect(accepted).toEqual([true, false, true, false, true, false, true]);
  });
});

describe('months', () => {
  it('have a first and a last day', () => {
    const days = (year: number, month: number) =>
      [firstDayOfMonth(year * 12 + month - 1), lastDayOfMonth(year * 12 + month - 1)].map(isoFromDay);
    expect(days(2024, 2)).toEqual(['2024-02-01', '2024-02-29']);
    expect(days(2023, 2)).toEqual(['2023-02-01', '2023-02-28']);
    expect(days(2023, 12)).toEqual(['2023-12-01', '2023-12-31']);
    expect(days(9999, 12)).toEqual(['9999-12-01', '9999-12-31']);
  });

  it('are written as year and month', () =>
    expect([2024 * 12, 2023 * 12 + 11, 9999 * 12 + 11].map(isoFromMonth)).toEqual([
      '2024-01',
      '2023-12',
      '9999-12',
    ]));

  it.each([
    ['2024-01-31', 1, '2024-02-29'],
    ['2023-01-31', 1, '2023-02-28'],
    ['2024-03-31', -1, '2024-02-29'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', -48, '2020-02-29'],
    ['2024-12-15', 1, '2025-01-15'],
    ['2024-01-15', -1, '2023-12-15'],
    ['2024-08-31', -2, '2024-06-30'],
    ['2024-08-31', 0, '2024-08-31'],
  ])('%s and %i months is %s', (from, months, to) => {
    expect(isoFromDay(addMonths(dayFromIso(from)!, months))).toBe(to);
  });
});
