import { meanOf } from './deviation.js';
import { medianOfSorted } from './aggregation.js';

/** What the prices of a group of series in one period are like, in the unit of the prices. */
export interface GroupStatistics {
  median: number;
  /** The arithmetic mean, in which each series has the same weight. */
  mean: number;
  min: number;
  max: number;
}

/** The statistics of the prices of a period. @param values at least one, in any order */
export function groupStatistics(values: readonly number[]): GroupStatistics {
  const sorted = Float64Array.from(values).sort();
  return { median: medianOfSorted(sorted), mean: meanOf(values), min: sorted[0]!, max: sorted.at(-1)! };
}
