import { addMonths } from '../../lib/dates/calendar-date.js';
import { ParseError } from '../../platform/validation/parsers.js';

const DURATION = /^P([1-9]\d{0,2})([DWMY])$/;

/** Why a text is no duration; null where it is one, or none. */
export const durationFault = (text: string): ParseError | null =>
  text === '' || DURATION.test(text) ? null : NO_DURATION;

const NO_DURATION = new ParseError(
  'invalid_format',
  'must be a duration of ISO 8601 in days, weeks, months or years, such as P10D or P1M.',
);

/**
 * The day number that a duration is after another one, by the calendar.
 * @param duration '' for none
 */
export function addDuration(day: number, duration: string): number {
  const [, digits = '0', unit = 'D'] = DURATION.exec(duration) ?? [];
  const count = Number(digits);
  if (unit === 'D' || unit === 'W') return day + count * (unit === 'W' ? 7 : 1);
  return addMonths(day, count * (unit === 'Y' ? 12 : 1));
}
