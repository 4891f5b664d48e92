import { ValidationError } from '../../platform/errors/api-error.js';
import type { ParsedQuery } from '../../platform/http/params.js';
import {
  fieldsParameter,
  requireFields,
  requireSortColumns,
  sortParameter,
} from '../../platform/listing/list-parameters.js';
import type { Sort } from '../../platform/listing/sort.js';
import { type PageRequest, pageParameters, requestedPage } from '../../platform/listing/page.js';
import { choice, flag, integer, many, MAX_ID, one } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { pricedSeriesFilters, seriesRanges } from '../../prices/prices.parameters.js';
import type { PriceView } from '../../prices/prices.service.js';
import { goodsFilter, withGoods } from '../goods.parameter.js';
import {
  aggregationParameter,
  aggregationViolations,
  month,
  observationParameters,
  type ObservationRange,
  observationRange,
} from '../analysis.parameters.js';
import { explainParameter, explainViolations } from '../explain/explain.parameters.js';
import { MEASURES, PER } from '../price-columns.js';
import { type AggregateSettings, DEFAULT_AGGREGATE_SETTINGS } from './aggregate-settings.js';
import { aggregateColumns, aggregateColumnsOf, aggregateMembers } from './aggregate-listing.js';
import { type Dimension, DIMENSIONS, groupColumns, splitBy } from './dimensions.js';
import { AGGREGATE_PERIODICITIES } from './group-prices.js';

/** The filters of the series that are put together. */
export const aggregateFilters = { ...goodsFilter, ...pricedSeriesFilters };

/** What series are put together by, and per how much their prices are. */
export const groupParameters = {
  by: many(
    choice(DIMENSIONS),
    'What series are grouped by; `country,commodity` unless given. Groups are always split by price type, currency and unit, those of administrative units by country, those of markets by both.',
  ),
  per: one(choice(PER), 'Per kilogram or litre (`base`, the default), or per published unit.'),
};

/** The dimensions that groups are split by, with those of the request or by default. */
export const groupDimensions = (by: readonly Dimension[] = ['country', 'commodity']): Dimension[] =>
  splitBy(by);

/** Series of commodities, without regional averages, unless asked otherwise. */
export const aggregateCriteria = (values: QueryValues<typeof aggregateFilters>): Criteria =>
  Criteria.of(aggregateFilters, {
    ...withGoods(values),
    regional_average: values.regional_average ?? false,
  });

/** The query of aggregates. */
export const aggregateQuery = new QuerySchema(
  {
    by: groupParameters.by,
    measure: one(
      choice(MEASURES),
      'Prices in US dollars (`usd`, the default), as published, in real terms by the general consumer price index, or in real dollars.',
    ),
    per: groupParameters.per,
    periodicity: one(
      choice(AGGREGATE_PERIODICITIES),
      'Months (the default), or quarters or years, which are made of the converted months of each series.',
    ),
    aggregation: aggregationParameter,
    base: one(
      month,
      'The month, `YYYY-MM`, or the quarter or year with it, whose index is 100, in place of the first one of each segment.',
    ),
    min_matched: one(
      integer(1, MAX_ID),
      'As many series must have a price in both periods that the index links; 3 unless given.',
    ),
    explain: explainParameter,
    series: one(flag, 'Adds `series` and `matched`: the uuids of the series behind each value.'),
    ...observationParameters,
    ...aggregateFilters,
    ...pageParameters,
    // Among groups and their fields: observations stay newest first.
    sort: sortParameter(groupColumns(DIMENSIONS, 'nominal')),
    fields: fieldsParameter(aggregateColumns, aggregateMembers),
  },
  { ranges: [['start_date', 'end_date'], ...seriesRanges] },
);

/** Which aggregates are requested. */
export interface AggregateRequest {
  criteria: Criteria;
  dimensions: readonly Dimension[];
  settings: AggregateSettings;
  range: ObservationRange;
  /** Whether the series behind each value are named. */
  namesSeries: boolean;
  explain: boolean;
  view: PriceView;
  /** Of groups; null for all of them. */
  page: PageRequest | null;
  /** Of groups, by their columns; none for the order of their dimensions. */
  sort?: Sort;
}

/**
 * Turns the query of aggregates into an `AggregateRequest`.
 * @throws ValidationError for an aggregation of months, which are as they are served, and for
 * explanations in another format than JSON
 */
export function aggregateRequest({
  values,
  format,
}: ParsedQuery<typeof aggregateQuery.parameters>): AggregateRequest {
  const settings = settingsOf(values);
  const violations = [
    ...explainViolations(values.explain, format),
    ...aggregationViolations(values.aggregation, settings.periodicity),
  ];
  if (violations.length > 0) throw new ValidationError(violations);
  const dimensions = groupDimensions(values.by);
  requireSortColumns(values.sort, groupColumns(dimensions, 'nominal'));
  requireFields(
    values.fields,
    aggregateColumnsOf(dimensions, settings.measure, values.series ?? false),
    aggregateMembers,
  );
  return {
    criteria: aggregateCriteria(values),
    dimensions,
    settings,
    range: observationRange(values),
    namesSeries: values.series ?? false,
    explain: values.explain ?? false,
    view: { asOf: values.as_of, firstPublished: false },
    page: requestedPage(values, format),
    sort: values.sort,
  };
}

function settingsOf(values: ParsedQuery<typeof aggregateQuery.parameters>['values']): AggregateSettings {
  const { measure, per, periodicity, aggregation, min_matched, base } = values;
  const given = { measure, per, periodicity, aggregation, min_matched, base };
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_AGGREGATE_SETTINGS, ...Object.fromEntries(known) };
}
