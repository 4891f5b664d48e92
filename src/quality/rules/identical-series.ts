import { hash } from 'node:crypto';
import type { MonthlyPoints } from './neighbours.js';
import { RULES } from './rule-table.js';

const { points: POINTS, values: VALUES } = RULES.identical_series.thresholds;

/**
 * A digest of the months and values of a series, 32 digits: two series are equal if theirs are.
 * @returns '' where the series has too few points, or too few different values, to tell anything
 */
export function digestOf({ days, values }: MonthlyPoints): string {
  if (days.length < POINTS || !hasDistinct(values, VALUES)) return '';
  const numbers = new Float64Array(days.length * 2);
  numbers.set(days);
  numbers.set(values, days.length);
  return hash('sha256', new Uint8Array(numbers.buffer), 'hex').slice(0, 32);
}

function hasDistinct(values: readonly number[], atLeast: number): boolean {
  const distinct = new Set<number>();
  for (const value of values) if (distinct.add(value).size >= atLeast) return true;
  return false;
}
