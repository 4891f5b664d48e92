import { ValidationError, type Violation } from '../../platform/errors/api-error.js';
import type { ParsedQuery } from '../../platform/http/params.js';
import { choice, one } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { pricedSeriesFilters, seriesRanges } from '../../prices/prices.parameters.js';
import type { PriceView } from '../../prices/prices.service.js';
import {
  aggregationParameter,
  aggregationViolations,
  contradiction,
  month,
  monthNumber,
  observationParameters,
  type ObservationRange,
  observationRange,
  priceParameters,
} from '../analysis.parameters.js';
import { goodsFilter, withGoods } from '../goods.parameter.js';
import { TRANSFORMATIONS } from '../methods/transformations.js';
import type { ValueSettings } from './series-values.js';
import { FREQUENCIES, TIME_AXES } from './time-axis.js';

/** What selects the series of a table. */
const tableFilters = { ...goodsFilter, ...pricedSeriesFilters };

/** The query of a table. */
export const tableQuery = new QuerySchema(
  {
    ...priceParameters,
    periodicity: one(
      choice(FREQUENCIES),
      'The frequency of the rows: `monthly` (the default); `daily` or `weekly`, of series that have it; `quarterly` or `annual`, made of months.',
    ),
    aggregation: aggregationParameter,
    transform: one(
      choice(TRANSFORMATIONS),
      'In place of prices: their change (`chg`), change in percent (`pch`), from a year ago in percent (`pc1`), compounded to a year (`pca`), log change in percent (`cch`), natural logarithm (`log`), or an index that is 100 in `base`.',
    ),
    base: one(month, 'The month, `YYYY-MM`, in which an index is 100.'),
    ...observationParameters,
    ...tableFilters,
  },
  { ranges: [['start_date', 'end_date'], ...seriesRanges] },
);

type TableValues = QueryValues<typeof tableQuery.parameters>;

/** Which table is requested. */
export interface TableRequest extends ObservationRange {
  criteria: Criteria;
  /** The names of the filters that are given. */
  filters: readonly string[];
  settings: ValueSettings;
  view: PriceView;
}

/**
 * Turns the query of a table into a `TableRequest`.
 * @throws ValidationError for parameters that contradict each other
 */
export function tableRequest({ values }: ParsedQuery<typeof tableQuery.parameters>): TableRequest {
  const violations = tableViolations(values);
  if (violations.length > 0) throw new ValidationError(violations);
  const { measure = 'nominal', per = 'unit', aggregation = 'avg', transform = 'lin', base } = values;
  return {
    criteria: Criteria.of(tableFilters, withGoods(values)),
    filters: (Object.keys(tableFilters) as (keyof typeof tableFilters)[]).filter(
      (name) => values[name] !== undefined,
    ),
    settings: {
      axis: TIME_AXES[values.periodicity ?? 'monthly'],
      measure,
      per,
      aggregation,
      transformation: transform,
      base: base === undefined ? null : monthNumber(base),
    },
    ...observationRange(values),
    view: { asOf: values.as_of, firstPublished: false },
  };
}

function tableViolations({
  periodicity = 'monthly',
  aggregation,
  transform,
  base,
}: TableValues): Violation[] {
  const violations = aggregationViolations(aggregation, periodicity);
  const isFine = periodicity === 'daily' || periodicity === 'weekly';
  if (transform === 'pca' && isFine)
    violations.push(
      ...contradiction(
        ['transform', 'periodicity'],
        `transform=pca needs monthly, quarterly or annual values; got periodicity=${periodicity}.`,
      ),
    );
  if (transform === 'index' && base === undefined)
    violations.push({
      in: 'query',
      name: 'base',
      code: 'required',
      detail: 'transform=index needs base, the month (YYYY-MM) that is 100.',
    });
  if (transform !== 'index' && base !== undefined)
    violations.push(
      ...contradiction(['base', 'transform'], 'base is that of an index: add transform=index.'),
    );
  return violations;
}
