import { returnAfter, stepsOf, type MonthlySeries, type MonthlyStep } from './monthly-values.js';
import { RULES } from './rule-table.js';

/**
 * The months in which a rate moves and soon is as before, or moves by a factor that a change of
 * the currency's unit has. Compared with the month before only: what happened in a gap is not
 * known.
 */
export function rateSteps(rates: MonthlySeries): MonthlyStep[] {
  const { step, return: within, return_months: months, leap } = RULES.rate_step.thresholds;
  const found: MonthlyStep[] = [];
  for (const index of stepsOf(rates)) {
    const before = rates.values[index - 1]!;
    const value = rates.values[index]!;
    const ratio = value / before;
    if (ratio < 1 + step && ratio > 1 - step) continue;
    const returned = returnAfter(rates, index, within, months);
    const leaps = ratio >= leap || ratio <= 1 / leap;
    if (returned !== null || leaps) found.push({ month: rates.months[index]!, before, value, returned });
  }
  return found;
}
