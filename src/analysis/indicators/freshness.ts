import { lastDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { lastWeekOfMonth, weekOf } from '../../price-series/calendar.js';
import { DAILY, MONTHLY, WEEKLY, type PeriodicityItem } from '../../price-series/periodicity.js';

/** Months by which the newest month of a fresh series may be older than that of its source. */
const FRESH_MONTHS = 2;

/**
 * The last month of a series that is over, by its periodicity; null if there is none. A month that
 * daily or weekly prices do not complete yet is not over.
 */
export function lastWholeMonth(items: readonly PeriodicityItem[]): number | null {
  const monthly = items.find(({ period }) => period === MONTHLY);
  if (monthly === undefined) return null;
  const month = monthOf(monthly.end);
  const originalEnd = (period: number) =>
    items.find((item) => item.period === period && !item.calculated)?.end ?? 0;
  const [daily, weekly] = [originalEnd(DAILY), originalEnd(WEEKLY)];
  const isDerived = monthly.calculated && daily + weekly > 0;
  if (!isDerived || daily >= lastDayOfMonth(month) || weekOf(weekly) >= lastWeekOfMonth(month)) return month;
  return monthOf(monthly.start) < month ? month - 1 : null;
}

/** By source, the newest month of its series that is over, up to a month. */
export async function newestMonths(
  catalogue: CatalogueSnapshot,
  upTo: number,
  timeSlice: TimeSlice,
): Promise<Map<number, number>> {
  const newest = new Map<number, number>();
  for (let row = 0; row < catalogue.size; row++) {
    if (row % 500 === 0) await timeSlice.yield();
    const items = catalogue.periodicityAt(row);
    const last = lastWholeMonth(items);
    const monthly = items.find(({ period }) => period === MONTHLY);
    if (last === null || monthOf(monthly!.start) > upTo) continue;
    const source = catalogue.referenceAt('source', row).id;
    newest.set(source, Math.max(newest.get(source) ?? 0, Math.min(last, upTo)));
  }
  return newest;
}

/** Whether a newest month is fresh for a source whose newest month is given. */
export const isFresh = (month: number, newestOfSource: number): boolean =>
  month >= newestOfSource - FRESH_MONTHS;
