import type { MonthlyPoints } from './neighbours.js';
import { RULES } from './rule-table.js';

const { months: atLeast } = RULES.flat.thresholds;

/** The months at the end of a series, one after the other, whose price is the same. */
interface FlatEnd {
  /** Month number of the first. */
  readonly firstMonth: number;
  /** How many they are. */
  readonly months: number;
}

/** @returns null where the prices at the end of a series are not the same for long enough */
export function flatEndOf({ months, values }: MonthlyPoints): FlatEnd | null {
  const last = values.length - 1;
  let first = last;
  while (first > 0 && values[first - 1] === values[last] && months[first]! - months[first - 1]! <= 1) first--;
  if (last < 0) return null;
  const count = months[last]! - months[first]! + 1;
  return count >= atLeast ? { firstMonth: months[first]!, months: count } : null;
}
