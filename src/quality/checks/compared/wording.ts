import { monthOf } from '../../../lib/dates/calendar-date.js';
import type { MonthlyPoints } from '../../rules/neighbours.js';
import { shownMonth } from '../shown.js';

/** The month of a day, `2024-04`. */
export const monthText = (day: number) => shownMonth(monthOf(day));

/** `1 price`, `2 prices`. */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** When a series has prices, and how many: `2018-01 to 2020-03 (27)`. */
export function spanText({ days }: MonthlyPoints): string {
  if (days.length === 0) return 'no monthly prices';
  return `${monthText(days[0]!)} to ${monthText(days.at(-1)!)} (${days.length})`;
}
