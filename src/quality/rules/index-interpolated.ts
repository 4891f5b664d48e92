import type { MonthlySeries } from './monthly-values.js';
import { RULES } from './rule-table.js';

/** Months in a row of an index that lie on a line. */
interface StraightMonths {
  readonly first: number;
  readonly last: number;
  readonly firstValue: number;
  readonly lastValue: number;
  /** last − first */
  readonly steps: number;
}

/**
 * The longest runs of months whose steps are equal, also where they are 0. n steps in a row have
 * n − 1 second differences.
 */
export function straightMonths({ months, values }: MonthlySeries): StraightMonths[] {
  const { steps: least, below } = RULES.index_interpolated.thresholds;
  const found: StraightMonths[] = [];
  const isStraight = (at: number) =>
    months[at + 1]! - months[at - 1]! === 2 &&
    Math.abs(values[at + 1]! - 2 * values[at]! + values[at - 1]!) < below * values[at]!;
  for (let from = 0; from < months.length - 1;) {
    let to = from + 1;
    while (to + 1 < months.length && isStraight(to)) to++;
    if (to - from >= least)
      found.push({
        first: months[from]!,
        last: months[to]!,
        firstValue: values[from]!,
        lastValue: values[to]!,
        steps: to - from,
      });
    from = to;
  }
  return found;
}
