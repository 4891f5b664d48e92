import { lastDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import { weekOf } from '../../price-series/calendar.js';
import { DAILY, WEEKLY, type Period } from '../../price-series/periodicity.js';

/**
 * The last day that a price can be dated: that of the running day, week or month.
 * @param today the running day, as a day number
 */
export function lastPossibleDay(period: Period, today: number): number {
  if (period === DAILY) return today;
  return period === WEEKLY ? weekOf(today) : lastDayOfMonth(monthOf(today));
}
