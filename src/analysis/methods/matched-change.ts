import type { MonthlyColumn } from './monthly-column.js';

/** How the prices of a group of series have changed between two months. */
export interface MatchedChange {
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
  let matched = 0;
  let logarithms = 0;
  for (const column of columns) {
    const ratio = column.at(month) / column.before(month, months);
    if (!(ratio > 0)) continue;
    matched++;
    logarithms += Math.log(ratio);
  }
  return { change: matched === 0 ? NaN : Math.expm1(logarithms / matched), matched };
}
