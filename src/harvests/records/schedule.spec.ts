import { nextDueTime, scheduleFault, timeZoneFault } from './schedule.js';

const due = (schedule: string, timeZone: string, from: string, count: number): string[] => {
  const times: string[] = [];
  for (
    let time = Date.parse(from);
    times.length < count;
    times.push(new Date(time).toISOString().slice(0, 16))
  )
    time = nextDueTime(schedule, timeZone, time)!;
  return times;
};

describe('the schedule of a harvest', () => {
  it.each([
    '30 6 * * *',
    '*/5 * * * *',
    '0 6 1 * *',
    '0 6 L * *',
    '0 0 29 2 *',
    '0,57 3 * * *',
    '15 6 * * MON-FRI',
  ])('may be %s', (schedule) => expect(scheduleFault(schedule)).toBeNull());

  it.each([
    '',
    'daily',
    '@daily',
    '* * * *',
    '0 0 6 * * *',
    '61 6 * * *',
    '0 25 * * *',
    'a b c d e',
    '0  6 * * *',
    '2026-05-05T00:00:00',
    `0 6 * * ${'1,'.repeat(30)}`,
  ])('is none where it is "%s"', (schedule) =>
    expect(scheduleFault(schedule)).toMatchObject({ code: 'invalid_format' }),
  );

  it('is none where its time never comes', () => {
    expect(scheduleFault('0 0 31 2 *')?.reason).toBe('must name a time that comes.');
  });

  it.each([
    '* * * * *',
    '*/4 * * * *',
    '*/7 * * * *',
    '0,3 6 * * *',
    '2,58 * * * *',
    '58,2 3,4 * * *',
    '0,57 23,0 * * *',
  ])('comes oftener than every 5 minutes where it is %s', (schedule) =>
    expect(scheduleFault(schedule)).toMatchObject({ code: 'out_of_range', extras: { min: 5 } }),
  );

  it('is due once where the clocks go back, and after the gap where they go forward', () => {
    expect(due('30 2 * * *', 'Europe/Rome', '2026-03-28T12:00Z', 2)).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ]);
    expect(due('30 2 * * *', 'Europe/Rome', '2026-10-24T12:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
    // Of each hour it is due in all of them, also in the one that comes twice.
    expect(due('0 * * * *', 'Europe/Rome', '2026-10-25T00:30Z', 3)).toEqual([
      '2026-10-25T01:00',
      '2026-10-25T02:00',
      '2026-10-25T03:00',
    ]);
  });

  it('is due by the clocks of its time zone', () => {
    expect(due('0 6 * * 1', 'Asia/Kathmandu', '2026-11-21T00:00Z', 2)).toEqual([
      '2026-11-23T00:15',
      '2026-11-30T00:15',
    ]);
    expect(timeZoneFault('Asia/Kathmandu')).toBeNull();
    expect(timeZoneFault('Asia/Atlantis')).toMatchObject({ code: 'invalid_choice' });
  });
});
