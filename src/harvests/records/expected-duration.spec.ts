import { addDuration, durationFault } from './expected-duration.js';

const after = (instant: string, duration: string) =>
  new Date(addDuration(Date.parse(instant), duration)).toISOString();

describe('an expected duration', () => {
  it.each(['', 'P1D', 'P2W', 'P1M', 'P999Y'])('may be %j', (text) => {
    expect(durationFault(text)).toBeNull();
  });

  it.each(['P', 'P0D', 'P1', '1M', 'PT1H', 'P1M2D', 'p1m', 'P1000D', 'P1.5M'])('is not %j', (text) => {
    expect(durationFault(text)?.code).toBe('invalid_format');
  });

  it('is added by the calendar', () => {
    expect(after('2026-01-31T06:00:00Z', '')).toBe('2026-01-31T06:00:00.000Z');
    expect(after('2026-01-31T06:00:00Z', 'P10D')).toBe('2026-02-10T06:00:00.000Z');
    expect(after('2026-01-31T06:00:00Z', 'P2W')).toBe('2026-02-14T06:00:00.000Z');
    expect(after('2026-01-31T06:00:00Z', 'P1M')).toBe('2026-02-28T06:00:00.000Z');
    expect(after('2026-11-30T06:00:00Z', 'P3M')).toBe('2027-02-28T06:00:00.000Z');
    expect(after('2028-02-29T06:00:00Z', 'P1Y')).toBe('2029-02-28T06:00:00.000Z');
  });
});
