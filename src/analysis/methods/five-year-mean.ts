import type { MonthlyColumn } from './monthly-column.js';
import type { Outcome } from './reason.js';

const YEARS = 5;
/** Of the five years, as many must have a price. */
const MIN_YEARS = 3;

/** The mean of the same month in the five years before. */
export interface FiveYearMean {
  /** In the unit of the prices. */
  mean: Outcome<number>;
  /** How many of the five years have a price. */
  years: number;
  /** The price against the mean, as a fraction of 1: x ÷ mean − 1. */
  against: Outcome<number>;
}

/**
 * Compares a month with the same month of the five years before: mean of x(t − 12 k), k = 1 … 5,
 * of which at least three must exist.
 *
 * Source: World Food Programme, Markets Learning Programme, Price Analysis Training 3.2,
 * "Seasonality and volatility" (five-year average).
 */
export function fiveYearMeanAt(column: MonthlyColumn, month: number): FiveYearMean {
  let sum = 0;
  let years = 0;
  for (let year = 1; year <= YEARS; year++) {
    const value = column.at(month - 12 * year);
    if (!(value > 0)) continue;
    sum += value;
    years++;
  }
  const mean = years < MIN_YEARS ? 'short_history' : sum / years;
  const now = column.at(month);
  if (!(now > 0)) return { mean, years, against: column.reasonAt(month) };
  return { mean, years, against: typeof mean === 'string' ? mean : now / mean - 1 };
}
