import { firstDayOfMonth, lastDayOfMonth, monthOf } from '../common/dates/calendar-date.js';

/*
 * The periods of prices. A week runs from Saturday to Friday and is dated the Friday; a month is dated its first day. Days are
 * day numbers, months month numbers (see calendar-date.ts).
 */

/** Days from a week's Friday back to the day that says which month the week belongs to: its Tuesday, the middle of the week. */
const FRIDAY_TO_MIDDLE = 3;

/** The Friday that ends, and dates, the week of a day. Day 5 was a Friday. */
export function weekOf(day: number): number {
  return day + ((12 - (day % 7)) % 7);
}

/** The month that a week, given by its Friday, belongs to: the one that holds most of its days. */
export function monthOfWeek(friday: number): number {
  return monthOf(friday - FRIDAY_TO_MIDDLE);
}

/** The Friday of the last week that belongs to a month. */
export function lastWeekOfMonth(month: number): number {
  const latest = lastDayOfMonth(month) + FRIDAY_TO_MIDDLE;
  return latest - ((latest + 2) % 7);
}

/** The day that dates the month of a daily price. */
export function monthDayOf(day: number): number {
  return firstDayOfMonth(monthOf(day));
}

/** The day that dates the month to which an original weekly price counts, whatever its weekday. */
export function monthDayOfWeekly(day: number): number {
  return firstDayOfMonth(monthOfWeek(weekOf(day)));
}
