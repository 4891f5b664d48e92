import { median } from './neighbours.js';
import type { MonthlySeries } from './monthly-values.js';
import { RULES } from './rule-table.js';

const { base_from, base_to, months_from, months_to, after_base, high_from, pace, steps, log_step } =
  RULES.index_level.thresholds;

/** The months of a base period, as month numbers, both included. */
interface BaseMonths {
  readonly first: number;
  readonly last: number;
}

/** Why the values of an index cannot be those of an index of 100. */
export type IndexLevel =
  /** The mean of the months of its base period is not near 100. */
  | { readonly kind: 'base'; readonly value: number; readonly month: number }
  /** It is far below 100 after its base period, where prices never fall so far. */
  | { readonly kind: 'low'; readonly value: number; readonly month: number }
  /** It is far above 100, for which it would have had to rise much faster than it does. */
  | { readonly kind: 'high'; readonly value: number; readonly month: number }
  /** It moves up and down as rates of change do. */
  | { readonly kind: 'changes'; readonly value: number; readonly month: number };

/** The months of a base period such as `2015`, `2014-2016`, `2019-02`; null for any other text. */
export function baseMonths(base: string): BaseMonths | null {
  const text = base.trim();
  const month = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text);
  if (month !== null) {
    const number = Number(month[1]) * 12 + Number(month[2]) - 1;
    return { first: number, last: number };
  }
  const years = /^(\d{4})(?:\s*[-/–]\s*(\d{2}|\d{4}))?$/.exec(text);
  if (years === null) return null;
  const first = Number(years[1]);
  const given = years[2] ?? years[1]!;
  const last = given.length === 2 ? Math.floor(first / 100) * 100 + Number(given) : Number(given);
  return last < first ? null : { first: first * 12, last: last * 12 + 11 };
}

/**
 * What shows that values are no index that is 100 in its base period: rates of change, or an index
 * with another base, such as 1 or 1000.
 * @param index by month, of one base period
 */
export function indexLevel(base: string, index: MonthlySeries): IndexLevel | null {
  const { months, values } = index;
  if (months.length === 0) return null;
  const period = baseMonths(base);
  if (period !== null) {
    const within = values.filter((_, at) => months[at]! >= period.first && months[at]! <= period.last);
    if (within.length > 0) {
      const mean = within.reduce((sum, value) => sum + value, 0) / within.length;
      const isWhole = within.length === period.last - period.first + 1;
      const [least, most] = isWhole ? [base_from, base_to] : [months_from, months_to];
      if (mean < least || mean > most)
        return { kind: 'base', value: mean, month: months.find((month) => month >= period.first)! };
    }
    const after = months.findIndex((month) => month > period.last);
    if (after >= 0) {
      const value = median(values.slice(after));
      if (value < after_base) return { kind: 'low', value, month: months[after]! };
    }
    if (within.length === 0 && roseTooFast(index, period.last))
      return { kind: 'high', value: values[0]!, month: months[0]! };
  }
  return movesLikeChanges(index) ? { kind: 'changes', value: median(values), month: months[0]! } : null;
}

/** Months in which the pace of an index is measured. */
const PACE_MONTHS = 24;

/**
 * Whether an index that begins after its base period has risen to its first value several times as
 * fast as it rises, or falls, in the months after it.
 */
function roseTooFast({ months, values }: MonthlySeries, baseEnd: number): boolean {
  if (months.length < 2 || months[0]! <= baseEnd || values[0]! < high_from) return false;
  const last = Math.min(months.length - 1, PACE_MONTHS);
  const own = Math.abs(Math.log(values[last]! / values[0]!)) / (months[last]! - months[0]!);
  return Math.log(values[0]! / 100) / (months[0]! - baseEnd) > pace * own;
}

/** Whether most steps from month to month are large, and lead nowhere. */
function movesLikeChanges({ months, values }: MonthlySeries): boolean {
  const sizes: number[] = [];
  let turns = 0;
  let before = 0;
  for (let at = 1; at < months.length; at++) {
    if (months[at]! - months[at - 1]! !== 1 || values[at]! <= 0 || values[at - 1]! <= 0) continue;
    const step = Math.log(values[at]! / values[at - 1]!);
    sizes.push(Math.abs(step));
    if (step * before < 0) turns++;
    before = step;
  }
  return sizes.length >= steps && median(sizes) > log_step && turns * 3 >= sizes.length;
}
