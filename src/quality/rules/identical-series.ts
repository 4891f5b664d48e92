import { hash } from 'node:crypto';
import type { MonthlyPoints } from './neighbours.js';
import { RULES } from './rule-table.js';

const { points: POINTS, values: VALUES } = RULES.identical_series.thresholds;

/** The values of an outline, those that are least often corrected. */
const OUTLINE_VALUES = 6;

/**
 * A digest of what is easily compared: how many points a series has, the days of the first and the
 * last, and the first few values; 32 digits. Equal series have equal ones, others seldom.
 * @returns '' where the series has too few points to tell anything
 */
export function outlineDigestOf({ days, values }: MonthlyPoints): string {
  if (days.length < POINTS) return '';
  return hashOf([days.length, days[0]!, days.at(-1)!, ...values.slice(0, OUTLINE_VALUES)]);
}

/**
 * A digest of the months and values of a series, 32 digits: two series are equal if theirs are.
 * @returns '' where the series has too few points, or too few different values, to tell anything
 */
export function digestOf({ days, values }: MonthlyPoints): string {
  if (days.length < POINTS || !hasDistinct(values, VALUES)) return '';
  return hashOf([...days, ...values]);
}

function hashOf(numbers: readonly number[]): string {
  return hash('sha256', new Uint8Array(Float64Array.from(numbers).buffer), 'hex').slice(0, 32);
}

function hasDistinct(values: readonly number[], atLeast: number): boolean {
  const distinct = new Set<number>();
  for (const value of values) if (distinct.add(value).size >= atLeast) return true;
  return false;
}
