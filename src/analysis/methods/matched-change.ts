import type { MonthlyColumn } from './monthly-column.js';

/** How the prices of a group of series have changed between two months. */
interface MatchedChange {
  /** As a fraction of 1; NaN where no series has a price in both months. */
  readonly change: number;
  /** Series with a price in both months. */
  readonly matched: number;
}

/**
 * The change of the prices of a group of series over some months, as a fraction of 1: a Jevons
 * index of these two months alone,
 *
 *     geometric mean of p(t) ÷ p(t − k) − 1
 *
 * over the series with a price in both. A difference of two medians is none: it moves when series
 * come and go.
 *
 * Source: International Monetary Fund and others, "Consumer Price Index Manual: Concepts and
 * Methods", Washington 2020 (Jevons index of matched prices).
 * @param columns the prices of each series
 * @param month t
 * @param months k
 */
export function matchedChange(
  columns: readonly MonthlyColumn[],
  month: number,
  months: number,
): MatchedChange {
  const ratios: number[] = [];
  for (const column of columns) {
    const ratio = column.at(month) / column.before(month, months);
    if (ratio > 0) ratios.push(ratio);
  }
  return { change: jevonsChange(ratios), matched: ratios.length };
}

/** The geometric mean of price ratios, minus 1; NaN of none. */
export function jevonsChange(ratios: readonly number[]): number {
  const logarithms = ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0);
  return Math.expm1(logarithms / ratios.length);
}
