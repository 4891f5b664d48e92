import { scheduleInWords } from './schedule-words.js';

describe('a schedule in words', () => {
  it.each([
    ['0 6 * * *', 'every day at 06:00'],
    ['30 6 * * 1-5', 'Monday to Friday at 06:30'],
    ['5 18 * * 0', 'every Sunday at 18:05'],
    ['5 18 * * 7', 'every Sunday at 18:05'],
    ['0 6 * * 1,3,5', 'every Monday, Wednesday and Friday at 06:00'],
    ['15 3 10 * *', 'on day 10 of each month at 03:15'],
    ['0 6 1,15 * *', 'on days 1 and 15 of each month at 06:00'],
    ['*/15 * * * *', 'every 15 minutes'],
    ['5 * * * *', 'every hour, 05 minutes past'],
    ['0 */6 * * *', 'every 6 hours, on the hour'],
    ['30 */6 * * 1-5', 'Monday to Friday every 6 hours, 30 minutes past'],
  ])('says %s as %s', (schedule, words) => {
    expect(scheduleInWords(schedule)).toBe(words);
  });

  it.each(['0 6 1 1 *', '0 6 1-5 * *', '0 6 1 * 1', '0 6,18 * * *', '0 6 * * MON', '0 6 * * 1-5/2', 'L'])(
    'leaves %s to its own signs',
    (schedule) => {
      expect(scheduleInWords(schedule)).toBeNull();
    },
  );
});
