import { ValidationError, type Violation } from '../../platform/errors/api-error.js';
import type { ParsedQuery } from '../../platform/http/params.js';
import { choice, many, one, required, uuid } from '../../platform/validation/parsers.js';
import { QuerySchema } from '../../platform/validation/query-schema.js';
import type { PriceView } from '../../prices/prices.service.js';
import {
  observationParameters,
  type ObservationRange,
  observationRange,
  priceParameters,
} from '../analysis.parameters.js';
import { explainParameter, explainViolations } from '../explain/explain.parameters.js';
import type { Measure, Per } from '../price-columns.js';
import { listQuery } from '../../platform/listing/list-parameters.js';
import type { Sort } from '../../platform/listing/sort.js';
import { comparisonColumns } from './comparison-listing.js';
import { FORMULAS, type Formula } from './comparability.js';

const twoSeriesDetail = (count: number) =>
  `uuids must be those of two different series, separated by a comma; got ${count}.`;

const query = new QuerySchema(
  {
    uuids: required(
      { ...many(uuid, 'The two series, a and b, in this order.'), items: { min: 2, max: 2 } },
      { detail: twoSeriesDetail(0) },
    ),
    formula: one(
      choice(FORMULAS),
      '`ratio` (the default): a ÷ b, in one currency, each per its unit. `difference`: a − b, also per one unit.',
    ),
    ...priceParameters,
    ...observationParameters,
    explain: explainParameter,
  },
  { ranges: [['start_date', 'end_date']] },
);

/** The query of a comparison. */
export const comparisonQuery = listQuery(query, comparisonColumns);

/** Which comparison is requested. */
export interface ComparisonRequest extends ObservationRange {
  uuids: readonly [a: string, b: string];
  formula: Formula;
  measure: Measure;
  per: Per;
  view: PriceView;
  explain: boolean;
  /** The columns to sort months by; without it, the newest month first. */
  sort?: Sort;
}

/**
 * Turns the query of a comparison into a `ComparisonRequest`.
 * @throws ValidationError unless there are two uuids, and for `explain` in another format than JSON
 */
export function comparisonRequest({
  values,
  format,
}: ParsedQuery<typeof comparisonQuery.parameters>): ComparisonRequest {
  const { uuids, formula = 'ratio', measure = 'nominal', per = 'unit' } = values;
  const [a, b] = uuids;
  const violations = explainViolations(values.explain, format);
  if (a === undefined || b === undefined || uuids.length > 2) throw twoSeriesError(uuids.length, violations);
  if (violations.length > 0) throw new ValidationError(violations);
  return {
    uuids: [a, b],
    formula,
    measure,
    per,
    ...observationRange(values),
    view: { asOf: values.as_of, firstPublished: false },
    explain: values.explain ?? false,
    sort: values.sort,
  };
}

function twoSeriesError(count: number, otherViolations: readonly Violation[]): ValidationError {
  const code = count > 2 ? 'too_many_items' : 'invalid_item';
  return new ValidationError([
    { in: 'query', name: 'uuids', code, detail: twoSeriesDetail(count) },
    ...otherViolations,
  ]);
}
