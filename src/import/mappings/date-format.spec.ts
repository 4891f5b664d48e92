import { isoFromDay } from '../../lib/dates/calendar-date.js';
import type { Calendar } from './calendars.js';
import { dateFormatProblem, dateParser } from './date-format.js';

/** A date, or a month alone, as ISO 8601 writes it. */
function read(
  format: string | undefined,
  text: string,
  language?: string,
  calendar?: Calendar,
): string | null {
  const date = dateParser({ format, language, calendar })(text);
  return date === null ? null : isoFromDay(date.day).slice(0, date.isMonth ? 7 : 10);
}

describe('a date', () => {
  it.each([
    ['%d/%m/%Y', '5/2/2024', '2024-02-05'],
    ['%d/%m/%Y', '31/02/2024', null],
    ['%d/%m/%Y', '05/02/2024 10:00', null],
    ['%d/%m/%Y %H:%M:%S', '05/02/2024 10:00:59', '2024-02-05'],
    ['%m/%d/%Y %I:%M %p', '2/5/2024 12:00 AM', '2024-02-05'],
    ['%Y%m%d', '20240205', '2024-02-05'],
    ['%Y-%m', '2024-02', '2024-02'],
    ['%YM%m', '1960M01', '1960-01'],
    ['%Y-%j', '2024-060', '2024-02-29'],
    ['%Y-%j', '2023-366', null],
    ['%d.%m.%y', '05.02.68', '2068-02-05'],
    ['%d.%m.%y', '05.02.69', '1969-02-05'],
    ['%b-%y', 'Jan-24', '2024-01'],
    ['%b-%y', 'SEPT.-24', '2024-09'],
    ['%d.%b.%Y', '5.Feb.2024', '2024-02-05'],
    ['%A, %d %B %Y', 'Monday, 5 February 2024', '2024-02-05'],
    ['%B %Y', 'Febtember 2024', null],
    ['%G-W%V', '2024-W01', '2024-01-05'],
    ['%G-W%V', '2020-W53', '2021-01-01'],
    ['%G-W%V', '2021-W53', null],
    ['%G-W%V-%u', '2024-W01-1', '2024-01-01'],
    ['%Y 100%%', '2024 100%', null],
    ['*-%d %b %Y', '1-7 Jan 2024', '2024-01-07'],
    ['*-%d %b %Y', '29 Jan - 4 Feb 2024', '2024-02-04'],
    ['*-%d %b %Y', '7 Jan 2024', null],
    ['* - %d-%m-%Y', '24-11-2025 - 28-11-2025', '2025-11-28'],
    ['excel', '45292', '2024-01-01'],
    ['excel', '45292.75', '2024-01-01'],
    ['excel', '61', '1900-03-01'],
    ['excel', '60', null],
    ['excel', 'x', null],
    [undefined, '2024-02-05', '2024-02-05'],
    [undefined, '2024-02-05 00:00:00', '2024-02-05'],
    [undefined, '2024-02-05T00:00:00.000Z', '2024-02-05'],
    [undefined, '2024-02', '2024-02'],
    [undefined, '2024', null],
    ['%d/%m/%Y', '2024-02-05', '2024-02-05'],
    ['%d/%m/%Y', '\u0665/\u0662/\u0662\u0660\u0662\u0664', '2024-02-05'],
  ])('in the format %s: %s', (format, text, expected) => expect(read(format, text)).toBe(expected));

  it.each([
    ['fr', '%b-%y', 'janv.-24', '2024-01'],
    ['fr', '%b-%y', 'févr-24', '2024-02'],
    ['fr', '%b-%y', 'FEV-24', '2024-02'],
    ['fr', '%B %Y', 'Août 2024', '2024-08'],
    ['fr', '%B %Y', 'aout 2024', '2024-08'],
    ['es', '%d de %B de %Y', '5 de febrero de 2024', '2024-02-05'],
    ['es', '%b-%y', 'dic-23', '2023-12'],
    ['pt', '%B/%Y', 'março/2024', '2024-03'],
    ['ru', '%d %B %Y', '5 февраля 2024', '2024-02-05'],
    ['ru', '%B %Y', 'Февраль 2024', '2024-02'],
    ['ar', '%B %Y', 'فبراير 2024', '2024-02'],
    ['vi', '%B %Y', 'tháng 12 2024', '2024-12'],
    ['fr', '%B %Y', 'February 2024', null],
  ])('with names of months in %s: %s, %s', (language, format, text, expected) =>
    expect(read(format, text, language)).toBe(expected),
  );

  it.each<[Calendar, string, string, string, string | null]>([
    ['ethiopic', 'am', '%B %Y', 'መስከረም 2016', '2023-09'],
    ['ethiopic', 'en', '%d/%m/%Y', '1/1/2017', '2024-09-11'],
    ['persian', 'fa', '%d %B %Y', '۱ فروردین ۱۴۰۳', '2024-03-20'],
    ['persian', 'en', '%Y/%m', '1403/01', '2024-04'],
    ['buddhist', 'th', '%b %Y', 'ม.ค. 2567', '2024-01'],
    ['buddhist', 'en', '%Y-%m-%d', '2567-01-01', '2024-01-01'],
  ])('of the calendar %s in %s: %s, %s', (calendar, language, format, text, expected) =>
    expect(read(format, text, language, calendar)).toBe(expected),
  );

  it('of a calendar of other months has the month that its own stands for', () => {
    const parse = dateParser({ format: '%Y/%m/%d', calendar: 'persian' });
    const { day, month } = parse('1403/01/01')!;
    expect([isoFromDay(day), isoFromDay(month)]).toEqual(['2024-03-20', '2024-04-01']);
  });

  it.each<[string, Calendar, string | null]>([
    ['%b-%y', 'gregorian', null],
    ['%G-W%V', 'gregorian', null],
    ['%G-W%V', 'persian', 'must have %Y and a month in another calendar.'],
    ['%d/%m/%y', 'buddhist', 'must have %Y and a month in another calendar.'],
    ['excel', 'persian', 'must not be excel in another calendar.'],
    ['%d/%d/%Y', 'gregorian', 'must not have %d twice.'],
    ['*%d/%m/%Y', 'gregorian', 'must have text between * and a sign.'],
    ['%Y-%m %', 'gregorian', expect.stringContaining('must not have %; it can have %Y')],
    ['%Y-%d', 'gregorian', 'must have a year and a month, such as %Y-%m, or a week, %G-W%V.'],
  ])('cannot have every format: %s in %s', (format, calendar, problem) =>
    expect(dateFormatProblem(format, calendar)).toEqual(problem),
  );
});
