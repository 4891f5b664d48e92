import { ParseError } from '../../platform/validation/parsers.js';

const DAY_MS = 24 * 3600_000;
const DURATION = /^P([1-9]\d{0,2})([DWMY])$/;

/** Why a text is no duration; null where it is one, or none. */
export const durationFault = (text: string): ParseError | null =>
  text === '' || DURATION.test(text) ? null : NO_DURATION;

const NO_DURATION = new ParseError(
  'invalid_format',
  'must be a duration of ISO 8601 in days, weeks, months or years, such as P10D or P1M.',
);

/**
 * The instant that a duration is after another one, in milliseconds since 1970, by the calendar in
 * UTC.
 * @param duration '' for none
 */
export function addDuration(instant: number, duration: string): number {
  const [, digits = '0', unit = 'D'] = DURATION.exec(duration) ?? [];
  const count = Number(digits);
  if (unit === 'D' || unit === 'W') return instant + count * (unit === 'W' ? 7 : 1) * DAY_MS;
  const date = new Date(instant);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count * (unit === 'Y' ? 12 : 1));
  // A month after 31 January is the last of February.
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}
