import { dayFromIso, isoFromDay } from '../../lib/dates/calendar-date.js';
import { addDuration, durationFault } from './expected-duration.js';

const after = (date: string, duration: string) => isoFromDay(addDuration(dayFromIso(date)!, duration));

describe('an expected duration', () => {
  it.each(['', 'P1D', 'P2W', 'P1M', 'P999Y'])('may be %j', (text) => {
    expect(durationFault(text)).toBeNull();
  });

  it.each(['P', 'P0D', 'P1', '1M', 'PT1H', 'P1M2D', 'p1m', 'P1000D', 'P1.5M'])('is not %j', (text) => {
    expect(durationFault(text)?.code).toBe('invalid_format');
  });

  it('is added by the calendar', () => {
    expect(after('2026-01-31', '')).toBe('2026-01-31');
    expect(after('2026-01-31', 'P10D')).toBe('2026-02-10');
    expect(after('2026-01-31', 'P2W')).toBe('2026-02-14');
    expect(after('2026-01-31', 'P1M')).toBe('2026-02-28');
    expect(after('2026-11-30', 'P3M')).toBe('2027-02-28');
    expect(after('2028-02-29', 'P1Y')).toBe('2029-02-28');
  });
});
