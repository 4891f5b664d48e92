import type { MonthlyPoints } from './neighbours.js';
import { powerOfTen } from './power-of-ten.js';
import { RULES } from './rule-table.js';

/** A step of a series from one month to the next that is close to a power of ten. */
export interface PowerStep {
  /** Day number of the later point. */
  readonly day: number;
  readonly value: number;
  /** The value of the month before. */
  readonly previous: number;
}

const { series, share, tolerance } = RULES.redenomination.thresholds;

/** The steps of a series from one month to the next that are close to powers of ten. */
export function powerStepsOf({ days, months, values }: MonthlyPoints): PowerStep[] {
  const steps: PowerStep[] = [];
  for (let index = 1; index < values.length; index++) {
    const previous = values[index - 1]!;
    const value = values[index]!;
    const ratio = value / previous;
    // No power but 10⁰ is closer: spares the logarithm for nearly all.
    if (ratio < 5 && ratio > 0.2) continue;
    if (months[index]! - months[index - 1]! !== 1) continue;
    if (powerOfTen(ratio, tolerance) !== null) steps.push({ day: days[index]!, value, previous });
  }
  return steps;
}

/** How many series may have prices in both months, for so many steps to be a redenomination. */
export const maxSeries = (steps: number) => steps / share;

/** Whether steps of some of a country's series in one currency are a redenomination. */
export const isRedenomination = (steps: number, withBothMonths: number) =>
  withBothMonths >= series && steps >= withBothMonths * share;
