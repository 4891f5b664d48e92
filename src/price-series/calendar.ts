import { firstDayOfMonth, lastDayOfMonth, monthOf } from '../lib/dates/calendar-date.js';

/*
 * The periods of prices. A week runs from Saturday to Friday and is dated by its Friday; a month is
 * dated by its first day. Days are day numbers, months are month numbers (see calendar-date.ts).
 */

/** Months by which the newest month of a fresh series may be behind. */
export const FRESH_MONTHS = 2;

/** Days from a week's Friday back to its middle, which decides what month the week belongs to. */
const FRIDAY_TO_MIDDLE = 3;

/** The Friday that ends the week of a day and dates it. Day 5 was a Friday. */
export function weekOf(day: number): number {
  return day + ((12 - (day % 7)) % 7);
}

/** The Tuesday of the week of a day. */
export function middleOfWeek(day: number): number {
  return weekOf(day) - FRIDAY_TO_MIDDLE;
}

/** The month that a week, given by its Friday, belongs to: the one with most of its days. */
export function monthOfWeek(friday: number): number {
  return monthOf(friday - FRIDAY_TO_MIDDLE);
}

/** The Friday of the last week that belongs to a month. */
export function lastWeekOfMonth(month: number): number {
  const latest = lastDayOfMonth(month) + FRIDAY_TO_MIDDLE;
  return latest - ((latest + 2) % 7);
}

/** The first day of the month of a daily price. */
export function monthDayOf(day: number): number {
  return firstDayOfMonth(monthOf(day));
}

/** The first day of the month that an original weekly price belongs to, whatever its weekday. */
export function monthDayOfWeekly(day: number): number {
  return firstDayOfMonth(monthOfWeek(weekOf(day)));
}
