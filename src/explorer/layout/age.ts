import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import { utcDate } from '../../lib/dates/relative-date.js';
import type { RequestInfo } from '../../platform/http/request.js';
import { monthText } from '../../web/numbers.js';
import { texts } from '../texts.js';

/** The month of today (a month number). A page that says how old its prices are holds for a day. */
export function monthToday(info: RequestInfo): number {
  info.relativeTo = utcDate(info.settings.clock());
  return monthOf(dayFromIso(info.relativeTo)!);
}

/** How old prices of a month are, in words. Both are month numbers. */
export const ageText = (month: number, today: number): string =>
  month > today ? texts.age.ahead : texts.age.months(today - month);

/** The same of months that are over, which are what warnings are about. */
export const newestWholeText = (month: number | null, today: number): string =>
  month === null ? texts.age.none : texts.age.newestWhole(monthText(month), ageText(month, today));

/** When the newest prices of a page are of: the first thing that it says of them. */
export const newestText = (month: number | null, today: number): string =>
  month === null ? texts.age.none : texts.age.newest(monthText(month), ageText(month, today));
