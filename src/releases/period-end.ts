import { dayFromIso, lastDayOfMonth, monthOf } from '../lib/dates/calendar-date.js';
import { instantText } from '../platform/clock/clock.js';
import { weekOf } from '../price-series/calendar.js';
import { DAILY, type Period, WEEKLY } from '../price-series/periodicity.js';

/** Days of a week. */
const WEEK = 7;

/** The last day of the period that a point is of. All are day numbers. */
export function periodEnd(period: Period, day: number): number {
  if (period === DAILY) return day;
  return period === WEEKLY ? weekOf(day) : lastDayOfMonth(monthOf(day));
}

/** The last day of the period after the one that ends on a day. */
export function nextPeriodEnd(period: Period, end: number): number {
  if (period === DAILY) return end + 1;
  return period === WEEKLY ? end + WEEK : lastDayOfMonth(monthOf(end) + 1);
}

/** The day number, in UTC, of an instant in milliseconds since 1970. */
export const dayOfInstant = (instant: number): number => dayFromIso(instantText(instant).slice(0, 10))!;
