import { meanOf } from './deviation.js';
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

/** The price of a month. */
interface DatedPrice {
  month: number;
  value: number;
}

/** The prices of the same month in the five years before, newest first; missing ones left out. */
export function pricesOfYearsBefore(column: MonthlyColumn, month: number): DatedPrice[] {
  const prices: DatedPrice[] = [];
  for (let year = 1; year <= YEARS; year++) {
    const at = month - 12 * year;
    if (column.has(at)) prices.push({ month: at, value: column.at(at) });
  }
  return prices;
}

/**
 * Compares a month with the same month of the five years before: mean of x(t − 12 k), k = 1 … 5,
 * of which at least three must exist.
 *
 * Source: World Food Programme, Markets Learning Programme, Price Analysis Training 3.2,
 * "Seasonality and volatility" (five-year average).
 */
export function fiveYearMeanAt(column: MonthlyColumn, month: number): FiveYearMean {
  const earlier = pricesOfYearsBefore(column, month);
  const years = earlier.length;
  const mean = years < MIN_YEARS ? 'short_history' : meanOf(earlier.map(({ value }) => value));
  const now = column.at(month);
  if (!(now > 0)) return { mean, years, against: column.reasonAt(month) };
  return { mean, years, against: typeof mean === 'string' ? mean : now / mean - 1 };
}
