import { Cron } from 'croner';
import { ParseError } from '../../platform/validation/parsers.js';

/** Minutes between two due times, at least. */
const MIN_MINUTES = 5;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Any begin of an hour; patterns of hours and minutes do not depend on the date. */
const MIDNIGHT = new Date('2026-01-01T00:00:00Z');

const NO_SCHEDULE = new ParseError(
  'invalid_format',
  'must be a schedule of cron: minute, hour, day of the month, month and day of the week, such as 30 6 * * 1-5.',
);
const NEVER = new ParseError('invalid_format', 'must name a time that comes.');
const TOO_OFTEN = new ParseError('out_of_range', `must not come oftener than every ${MIN_MINUTES} minutes.`, {
  min: MIN_MINUTES,
});

/** Why a text is no schedule; null where it is one. */
export function scheduleFault(schedule: string): ParseError | null {
  const [minute, hour, ...days] = schedule.split(' ');
  if (minute === undefined || hour === undefined || days.length !== 3) return NO_SCHEDULE;
  let next: number | null;
  try {
    next = nextDueTime(schedule, 'UTC', MIDNIGHT.getTime());
  } catch {
    return NO_SCHEDULE;
  }
  if (next === null) return NEVER;
  return comesTooOften(minute, hour) ? TOO_OFTEN : null;
}

/** Why a text is no time zone; null where it is one. */
export function timeZoneFault(timeZone: string): ParseError | null {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return null;
  } catch {
    return new ParseError('invalid_choice', 'must be the name of a time zone, such as Africa/Bamako.');
  }
}

/**
 * When a schedule is due next, in milliseconds since 1970; null for never. A time that summer time
 * leaves out is due when the clocks have gone forward; one that comes twice is due once.
 * @param after milliseconds since 1970, itself not included
 */
export function nextDueTime(schedule: string, timeZone: string, after: number): number | null {
  const cron = new Cron(schedule, { timezone: timeZone, mode: '5-part', paused: true });
  return cron.nextRun(new Date(after))?.getTime() ?? null;
}

/** Whether two due times are too near to each other, within an hour or from one to the next. */
function comesTooOften(minute: string, hour: string): boolean {
  const minutes = timesWithin(`${minute} * * * *`, HOUR_MS);
  const gaps = minutes.slice(1).map((time, index) => time - minutes[index]!);
  if (gaps.some((gap) => gap < MIN_MINUTES * MINUTE_MS)) return true;
  if (minutes[0]! + HOUR_MS - minutes.at(-1)! >= MIN_MINUTES * MINUTE_MS) return false;
  const hours = timesWithin(`0 ${hour} * * *`, 24 * HOUR_MS);
  return hours.some((time) => hours.includes((time + HOUR_MS) % (24 * HOUR_MS)));
}

/** When a pattern is due from midnight on, in milliseconds; until the first two too near ones. */
function timesWithin(pattern: string, milliseconds: number): number[] {
  const cron = new Cron(pattern, { timezone: 'UTC', paused: true });
  const times: number[] = [];
  let last = MIDNIGHT.getTime() - 1000;
  for (;;) {
    const next = cron.nextRun(new Date(last))!.getTime();
    const time = next - MIDNIGHT.getTime();
    if (time >= milliseconds) return times;
    times.push(time);
    if (times.length > 1 && time - times.at(-2)! < MIN_MINUTES * MINUTE_MS) return times;
    last = next;
  }
}
