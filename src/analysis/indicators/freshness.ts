import { lastDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import { sortInSteps } from '../../lib/scheduling/sort-in-steps.js';
import type { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { FRESH_MONTHS, lastWeekOfMonth, weekOf } from '../../price-series/calendar.js';
import { DAILY, MONTHLY, WEEKLY, type PeriodicityItem } from '../../price-series/periodicity.js';

/** The newest month with a price of each source, by its id. */
export type SourceMonths = Map<number, number>;

/** A row of the catalogue, and a month that its newest month is not after. */
type RowMonth = readonly [row: number, month: number];

/** Whether a newest month is fresh for a source whose newest month is given. */
export const isFresh = (month: number, newestOfSource: number): boolean =>
  month >= newestOfSource - FRESH_MONTHS;

/**
 * The rows whose newest month up to `upTo` may be newer than that of their source as known so far,
 * those that may be newest first. Sources without a known month are left out.
 */
export async function possiblyNewer(
  catalogue: CatalogueSnapshot,
  known: SourceMonths,
  upTo: number,
  timeSlice: TimeSlice,
): Promise<number[]> {
  const rows: RowMonth[] = [];
  for (let row = 0; row < catalogue.size; row++) {
    if (row % 500 === 0) await timeSlice.yield();
    const newest = known.get(catalogue.referenceAt('source', row).id);
    if (newest === undefined || newest >= upTo) continue;
    const bound = newestBound(catalogue.periodicityAt(row), upTo);
    if (bound > newest) rows.push([row, bound]);
  }
  const order = ([row, bound]: RowMonth, [otherRow, otherBound]: RowMonth) =>
    otherBound - bound || row - otherRow;
  return (await sortInSteps(rows, order, timeSlice)).map(([row]) => row);
}

/** Whether a series may be newer than its source, as known so far. */
export function mayBeNewer(
  catalogue: CatalogueSnapshot,
  known: SourceMonths,
  upTo: number,
  row: number,
): boolean {
  const newest = known.get(catalogue.referenceAt('source', row).id)!;
  return newestBound(catalogue.periodicityAt(row), upTo) > newest;
}

/** Notes the newest month of a series that is over and has a price; 0 for none. */
export function raise(known: SourceMonths, catalogue: CatalogueSnapshot, row: number, month: number): void {
  const { id } = catalogue.referenceAt('source', row);
  if (month > (known.get(id) ?? 0)) known.set(id, month);
}

/**
 * A month that the newest month of a series up to `upTo` is not after, by its periodicity; 0 where
 * it has none. Months in between may have no price, so the newest may be earlier. A month that
 * daily or weekly prices do not complete yet is not over.
 */
export function newestBound(items: readonly PeriodicityItem[], upTo: number): number {
  const monthly = items.find(({ period }) => period === MONTHLY);
  if (monthly === undefined || monthOf(monthly.start) > upTo) return 0;
  const month = monthOf(monthly.end);
  const originalEnd = (period: number) =>
    items.find((item) => item.period === period && !item.calculated)?.end ?? 0;
  const [daily, weekly] = [originalEnd(DAILY), originalEnd(WEEKLY)];
  const isDerived = monthly.calculated && daily + weekly > 0;
  const isOver = !isDerived || daily >= lastDayOfMonth(month) || weekOf(weekly) >= lastWeekOfMonth(month);
  if (isOver) return Math.min(month, upTo);
  return monthOf(monthly.start) < month ? Math.min(month - 1, upTo) : 0;
}
