import { DerivedColumn, type MonthlyColumn } from './monthly-column.js';
import type { Outcome } from './reason.js';
import { sampleDeviation } from './deviation.js';

const MONTHS = 12;

/**
 * The sample standard deviation of the monthly log changes ln x(s) − ln x(s − 1) of the 12 months
 * that end with a month. All of them are needed, so 13 prices in a row. Not annualised.
 *
 * Source: World Food Programme, Markets Learning Programme, Price Analysis Training 3.2,
 * "Seasonality and volatility".
 * @param changes the log changes of the prices
 */
export function volatilityAt(changes: DerivedColumn, month: number): Outcome<number> {
  const { column } = changes;
  if (!column.has(month)) return column.reasonAt(month);
  const deviation = sampleDeviation(changesOfYear(changes, month));
  return Number.isNaN(deviation) ? 'few_values' : deviation;
}

/** The log changes of a column: ln x(s) − ln x(s − 1); NaN where a price is missing. */
export const logChanges = (column: MonthlyColumn): DerivedColumn =>
  new DerivedColumn(column, (of, month) => Math.log(of.at(month)) - Math.log(of.at(month - 1)));

/** The log changes of the 12 months that end with a month, oldest first. */
export function changesOfYear(changes: DerivedColumn, month: number): number[] {
  const values: number[] = [];
  for (let at = month - MONTHS + 1; at <= month; at++) values.push(changes.at(at));
  return values;
}
