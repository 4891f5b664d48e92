import type { MonthlyColumn } from './monthly-column.js';
import type { Outcome } from './reason.js';

/**
 * The change of a price over some months, as a fraction of 1: x(t) ÷ x(t − k) − 1. `x(t − k)` is
 * the value of the calendar month k months earlier, never just the one before (FRED's `pch` and
 * `pc1`, divided by 100).
 *
 * Source: Federal Reserve Bank of St. Louis, FRED help, "What formulas are used to calculate growth
 * rates?".
 */
export function changeAt(column: MonthlyColumn, month: number, months: 1 | 3 | 12): Outcome<number> {
  const now = column.at(month);
  if (!(now > 0)) return column.reasonAt(month);
  const before = column.at(month - months);
  return before > 0 ? now / before - 1 : column.reasonAt(month - months, `no_price_${months}m_ago`);
}
