import { monthNumber } from '../analysis.parameters.js';
import type { Aggregation } from '../methods/aggregation.js';
import type { Measure, Per } from '../price-columns.js';
import { type AggregatePeriod, monthsOf } from './group-prices.js';

/** What aggregates are calculated with, as replies repeat it. */
export interface AggregateSettings {
  measure: Measure;
  per: Per;
  periodicity: AggregatePeriod;
  aggregation: Aggregation;
  min_matched: number;
  /** The month, `YYYY-MM`, whose index is 100; null for the first one of each segment. */
  base: string | null;
}

/** What is used unless parameters say otherwise. */
export const DEFAULT_AGGREGATE_SETTINGS: AggregateSettings = {
  measure: 'usd',
  per: 'base',
  periodicity: 'monthly',
  aggregation: 'avg',
  min_matched: 3,
  base: null,
};

/** The first month of the period that is the base; null where none is asked for. */
export function baseMonthOf({ base, periodicity }: AggregateSettings): number | null {
  if (base === null) return null;
  const month = monthNumber(base);
  return month - (month % monthsOf(periodicity));
}
