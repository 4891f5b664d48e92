import type { MonthlyColumn } from './monthly-column.js';
import type { Outcome } from './reason.js';
import { sampleDeviation } from './deviation.js';

const MONTHS = 12;

/**
 * The sample standard deviation of the monthly log changes ln x(s) − ln x(s − 1) of the 12 months
 * that end with a month. All of them are needed, so 13 prices in a row. Not annualised.
 *
 * Source: World Food Programme, Markets Learning Programme, Price Analysis Training 3.2,
 * "Seasonality and volatility".
 */
export function volatilityAt(column: MonthlyColumn, month: number): Outcome<number> {
  if (!column.has(month)) return column.reasonAt(month);
  const deviation = sampleDeviation(logChanges(column, month));
  return Number.isNaN(deviation) ? 'few_values' : deviation;
}

/**
 * The log changes of the 12 months that end with a month, oldest first; NaN where a price is
 * missing.
 */
export function logChanges(column: MonthlyColumn, month: number): number[] {
  return Array.from({ length: MONTHS }, (_, index) => {
    const at = month - MONTHS + 1 + index;
    return Math.log(column.at(at)) - Math.log(column.at(at - 1));
  });
}
