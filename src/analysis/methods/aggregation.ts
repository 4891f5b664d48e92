import type { MonthlyColumn } from './monthly-column.js';
import { meanOf } from './deviation.js';
import type { Outcome } from './reason.js';

export const AGGREGATIONS = ['avg', 'eop', 'min', 'max', 'median'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

/** Coarser frequencies that months make up, with the months of each. */
export const COARSER_PERIODS = { quarterly: 3, annual: 12 } as const;
export type CoarserPeriod = keyof typeof COARSER_PERIODS;

/** A quarter or a year. */
interface AggregatedPeriod {
  /** Its first month. */
  month: number;
  value: Outcome<number>;
  /** Months with a value. */
  n: number;
}

/**
 * One value for the values of a period: their arithmetic mean (`avg`), the last (`eop`), the least,
 * the greatest, or the median (of an even number, the mean of the middle two).
 *
 * Source: Federal Reserve Bank of St. Louis, FRED help, "What is frequency aggregation?" (`avg`,
 * `eop`).
 * @param values at least one, in order of time
 */
export function aggregate(values: readonly number[], aggregation: Aggregation): number {
  if (aggregation === 'avg') return meanOf(values);
  if (aggregation === 'eop') return values.at(-1)!;
  const sorted = [...values].sort((one, other) => one - other);
  if (aggregation === 'min') return sorted[0]!;
  if (aggregation === 'max') return sorted.at(-1)!;
  return medianOfSorted(sorted);
}

/** The median; of an even number, the mean of the middle two. @param sorted at least one, rising */
export function medianOfSorted(sorted: ArrayLike<number>): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * The quarters or years of a monthly series, oldest first. Each needs all of its months
 * (`few_values`): the mean of half a year is not that of the year, nor its last month the end.
 */
export function aggregated(
  column: MonthlyColumn,
  period: CoarserPeriod,
  aggregation: Aggregation,
): AggregatedPeriod[] {
  const months = COARSER_PERIODS[period];
  const [first, last] = [column.firstValue(), column.lastValue()];
  if (first === null || last === null) return [];
  const [begin, end] = [first - (first % months), last - (last % months)];
  const periods: AggregatedPeriod[] = [];
  for (let month = begin; month <= end; month += months) {
    const values: number[] = [];
    for (let at = month; at < month + months; at++) if (column.has(at)) values.push(column.at(at));
    periods.push({ month, n: values.length, value: valueOf(values, months, aggregation) });
  }
  return periods;
}

function valueOf(values: readonly number[], months: number, aggregation: Aggregation): Outcome<number> {
  if (values.length === 0) return 'no_price';
  return values.length < months ? 'few_values' : aggregate(values, aggregation);
}
