import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { FIRST_EXPECTED_DAY, lastExpectedDay, otherCalendarOf } from '../rules/date-out-of-range.js';

/** Dates out of the expected range, and the sentence about them. */
export interface DatesOutOfRange {
  /** The first of them, as a day number. */
  readonly day: number;
  readonly detail: string;
}

/**
 * What to say about the dates of prices, rates or indices of which some are out of the range.
 * @param days in any order
 * @param noun what is dated, in the singular: `price`
 */
export function datesOutOfRange(
  days: readonly number[],
  noun: string,
  today: number,
): DatesOutOfRange | null {
  const last = lastExpectedDay(today);
  const outside = days
    .filter((day) => day < FIRST_EXPECTED_DAY || day > last)
    .sort((one, other) => one - other);
  if (outside.length === 0) return null;
  const [first, newest] = [outside[0]!, outside.at(-1)!];
  const dated =
    outside.length === 1
      ? `1 ${noun} is dated ${isoFromDay(first)}`
      : `${outside.length} ${plural(noun)} are dated ${isoFromDay(first)} to ${isoFromDay(newest)}`;
  const range = `outside of ${isoFromDay(FIRST_EXPECTED_DAY)} to ${isoFromDay(last)}`;
  const other = otherCalendarOf(newest, today);
  const calendar =
    other === null
      ? ''
      : `: the years may be those of ${other.name}, in which ${other.year} is ${other.meant}`;
  return { day: first, detail: `${dated}, ${range}${calendar}.` };
}

const plural = (noun: string) => (noun === 'index' ? 'indices' : `${noun}s`);
