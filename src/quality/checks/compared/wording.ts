import { isoFromMonth, monthOf } from '../../../lib/dates/calendar-date.js';
import type { MonthlyPoints } from '../../rules/neighbours.js';

/** From the first to the last month of some days, oldest first: `2018-01 to 2020-03`. */
export const monthsText = (days: readonly number[]) =>
  `${isoFromMonth(monthOf(days[0]!))} to ${isoFromMonth(monthOf(days.at(-1)!))}`;

/** `1 price`, `2 prices`. */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** When a series has prices, and how many: `2018-01 to 2020-03 (27)`. */
export function spanText({ days }: MonthlyPoints): string {
  if (days.length === 0) return 'no monthly prices';
  return `${monthsText(days)} (${days.length})`;
}
