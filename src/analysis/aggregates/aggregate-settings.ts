import { monthNumber } from '../analysis.parameters.js';
import { type Aggregation, AGGREGATIONS } from '../methods/aggregation.js';
import { type Measure, MEASURES, type Per, PER } from '../price-columns.js';
import { AGGREGATE_PERIODICITIES, type AggregatePeriodicity, monthsPerPeriod } from './group-prices.js';
import { OrNull } from '../../platform/validation/field.js';
import { Count, OneOf, Text } from '../../platform/validation/fields.js';

/** What aggregates are calculated with, as replies repeat it. */
export class AggregateSettings {
  @OneOf(MEASURES) measure!: Measure;
  @OneOf(PER) per!: Per;
  @OneOf(AGGREGATE_PERIODICITIES) periodicity!: AggregatePeriodicity;
  @OneOf(AGGREGATIONS) aggregation!: Aggregation;
  @Count({ description: 'Series that a link of the index needs' }) min_matched!: number;
  /** That whose index is 100; null for the first one of each segment. */
  @OrNull(Text({ description: 'The month, `YYYY-MM`, that was asked for' })) base!: string | null;
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
  return month - (month % monthsPerPeriod(periodicity));
}
