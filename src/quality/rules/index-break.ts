import { isNewerBase } from '../../prices/derive/linked-indices.js';
import { returnAfter, stepsOf, type MonthlySeries, type MonthlyStep } from './monthly-values.js';
import { RULES } from './rule-table.js';

/** The months in which an index of one base period moves far, and soon is as before. */
export function indexBreaks(index: MonthlySeries): MonthlyStep[] {
  const { log_step: step, return: within, return_months: months } = RULES.index_break.thresholds;
  const found: MonthlyStep[] = [];
  for (const at of stepsOf(index)) {
    const before = index.values[at - 1]!;
    const value = index.values[at]!;
    if (Math.abs(Math.log(value / before)) <= step) continue;
    const returned = returnAfter(index, at, within, months);
    if (returned !== null) found.push({ month: index.months[at]!, before, value, returned });
  }
  return found;
}

/** A base period that has fewer months than the one before it. */
interface ShorterBase {
  readonly base: string;
  readonly firstMonth: number;
  readonly months: number;
  readonly formerBase: string;
  readonly formerMonths: number;
}

/**
 * The base periods of one index that have fewer months than the one before: the real prices of some
 * months are computed with that one.
 * @param bases the index by base period
 */
export function shorterBases(bases: ReadonlyMap<string, MonthlySeries>): ShorterBase[] {
  const ordered = [...bases].sort(([one], [other]) => (isNewerBase(one, other) ? 1 : -1));
  return ordered.flatMap(([base, { months }], at) => {
    if (at === 0) return [];
    const [formerBase, former] = ordered[at - 1]!;
    if (months.length >= former.months.length) return [];
    return [
      { base, firstMonth: months[0]!, months: months.length, formerBase, formerMonths: former.months.length },
    ];
  });
}
